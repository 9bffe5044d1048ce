//! What was measured of models on this machine, with recordings whose words are known. Stored in
//! the models folder as `measurements.json`.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};
use slovo_rules::language::Language;
use slovo_rules::warnings::{FigureSource, SpeechModel, WordErrors};

use super::store::{StoreError, write_json};

const FILE: &str = "measurements.json";
/// Locked while a measurement is added.
const LOCK: &str = ".measurements.lock";

/// A measurement of a model in one language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// The language of the recordings.
    pub language: Language,
    /// Number of recordings.
    pub recordings: u32,
    /// Their length in seconds.
    pub seconds: f64,
    /// Words spoken in them.
    pub words: u64,
    /// Wrong, missing and added words.
    pub errors: u64,
    /// Seconds that recognition took.
    pub processing_seconds: f64,
    /// Peak resident memory of the process in bytes; `None` if the system does not report it.
    pub peak_memory: Option<u64>,
    /// Threads used for recognition.
    pub threads: u32,
    /// Time of the measurement, in milliseconds since the Unix epoch.
    pub measured_at: i64,
}

impl Measurement {
    /// Word error rate in percent; above 100 if many words were added.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of words are far below")]
    pub fn percent(&self) -> f64 {
        100.0 * self.errors as f64 / self.words.max(1) as f64
    }

    /// How many seconds of the recordings were recognised in a second.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.seconds / self.processing_seconds.max(f64::EPSILON)
    }
}

/// The measurements of a models folder: the newest of each model and language.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Measurements(BTreeMap<String, Vec<Measurement>>);

impl Measurements {
    /// The measurements stored in this models folder. There are none if the file is missing or
    /// unreadable.
    #[must_use]
    pub fn load(dir: &Path) -> Self {
        Self::read(&dir.join(FILE)).unwrap_or_default()
    }

    /// Checks that a measurement can be stored in this models folder.
    ///
    /// # Errors
    /// When the file of measurements is damaged or unreadable.
    pub fn check(dir: &Path) -> Result<(), StoreError> {
        Self::read(&dir.join(FILE)).map(drop)
    }

    /// Stores a measurement in this models folder, in place of an earlier one of the same model and
    /// language. Processes wait for each other.
    ///
    /// # Errors
    /// When the folder cannot be written, or its file is damaged or unreadable; the file is then
    /// unchanged.
    pub fn store(dir: &Path, model: &str, measurement: Measurement) -> Result<(), StoreError> {
        let (path, lock_path) = (dir.join(FILE), dir.join(LOCK));
        let lock = std::fs::File::create(&lock_path).map_err(StoreError::at(&lock_path))?;
        lock.lock().map_err(StoreError::at(&lock_path))?;
        let mut all = Self::read(&path)?;
        all.set(model, measurement);
        write_json(&path, &all)
    }

    fn read(path: &Path) -> Result<Self, StoreError> {
        match std::fs::read(path) {
            Ok(text) => {
                serde_json::from_slice(&text).map_err(|error| StoreError::at(path)(error.into()))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(StoreError::at(path)(error)),
        }
    }

    pub(crate) fn set(&mut self, model: &str, measurement: Measurement) {
        let of_model = self.0.entry(model.to_owned()).or_default();
        of_model.retain(|earlier| earlier.language != measurement.language);
        of_model.push(measurement);
        of_model.sort_by_key(|one| one.language);
    }

    /// The measurements of a model, by language.
    #[must_use]
    pub fn of(&self, model: &str) -> &[Measurement] {
        self.0.get(model).map_or(&[], Vec::as_slice)
    }

    /// The measurement of a model in a language.
    #[must_use]
    pub fn find(&self, model: &str, language: Language) -> Option<&Measurement> {
        self.of(model).iter().find(|one| one.language == language)
    }

    /// Replaces other figures of the model by those measured here.
    pub fn apply(&self, model: &mut SpeechModel) {
        for measurement in self.of(&model.id) {
            let language = measurement.language;
            model.word_errors.retain(|known| known.language != language);
            model.word_errors.push(WordErrors {
                language,
                percent: measurement.percent(),
                source: FigureSource::MeasuredHere,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality_of;

    fn measurement(language: Language, errors: u64) -> Measurement {
        Measurement {
            language,
            recordings: 3,
            seconds: 60.0,
            words: 200,
            errors,
            processing_seconds: 20.0,
            peak_memory: None,
            threads: 2,
            measured_at: 1,
        }
    }

    #[test]
    fn the_newest_measurement_of_a_language_replaces_other_figures() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Measurements::load(dir.path()), Measurements::default());
        for (language, errors) in [(Language::Uk, 50), (Language::De, 10), (Language::Uk, 60)] {
            let measurement = measurement(language, errors);
            Measurements::store(dir.path(), "base-q8_0", measurement).unwrap();
        }
        let all = Measurements::load(dir.path());
        let languages: Vec<_> = all.of("base-q8_0").iter().map(|one| one.language).collect();
        assert_eq!(languages.len(), 2);
        assert!(all.of("tiny").is_empty());

        let mut model = quality_of("base-q8_0").unwrap();
        all.apply(&mut model);
        let percent = |language| model.errors_of(language).unwrap().percent;
        assert!((percent(Language::Uk) - 30.0).abs() < 1e-9);
        assert!((percent(Language::De) - 5.0).abs() < 1e-9);
        assert!((percent(Language::Ru) - 20.8).abs() < 1e-9, "as documented");
        let figures = model.word_errors.iter();
        assert_eq!(
            figures.filter(|one| one.language == Language::Uk).count(),
            1
        );
        assert!((measurement(Language::Uk, 1).speed() - 3.0).abs() < 1e-9);
    }

    #[test]
    fn a_damaged_file_counts_as_no_measurements_and_is_not_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        for text in ["", "{", "[]", r#"{"base":[{"language":"xx"}]}"#] {
            std::fs::write(dir.path().join(FILE), text).unwrap();
            assert_eq!(Measurements::load(dir.path()), Measurements::default());
            assert!(Measurements::check(dir.path()).is_err());
            let refused = Measurements::store(dir.path(), "base", measurement(Language::Uk, 1));
            assert!(refused.is_err());
            let kept = std::fs::read_to_string(dir.path().join(FILE)).unwrap();
            assert_eq!(kept, text);
        }
    }
}
