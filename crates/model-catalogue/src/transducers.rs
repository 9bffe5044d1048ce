//! Transducers: speech recognition models of NVIDIA's NeMo for some languages; a Whisper model is
//! their fallback. Each is a folder of three files in the models folder, named after its id.
//! `slovo models pull` does not download them; see `docs/transducers.md`.

use std::path::Path;

use slovo_rules::language::Language;
use slovo_rules::warnings::{FigureSource, SpeechModel, WordErrors};

use crate::catalogue::{DEFAULT_FULL, Model, find};
use crate::store::Digests;

/// A transducer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transducer {
    /// Id, which is also the name of its folder.
    pub id: &'static str,
    /// Licence of the weights.
    pub licence: &'static str,
    /// Codes of the languages that it recognises, without those that Slovo does not offer.
    pub languages: &'static [&'static str],
    /// The encoder, the decoder with its joint network, and the vocabulary.
    pub files: [TransducerFile; 3],
    /// Word error rate in Ukrainian, in percent, as published (Parakeet: by FluidAudio for its
    /// CoreML port; FastConformer: on its model card). It was not measured with Slovo.
    pub published: f64,
    /// The corpus that the published figure is of.
    pub corpus: &'static str,
}

impl Transducer {
    /// Checks that its folder in the models folder has its files, with their published lengths.
    ///
    /// # Errors
    /// The reason, which names the file.
    pub fn check(&self, models: &Path) -> Result<(), String> {
        for file in self.files {
            let path = models.join(self.id).join(file.name);
            let length = path.metadata().map(|metadata| metadata.len());
            let length = length.map_err(|error| format!("{}: {error}", file.name))?;
            if let Some(expected) = file.bytes.filter(|bytes| *bytes != length) {
                let name = file.name;
                return Err(format!("{name} has {length} bytes instead of {expected}"));
            }
        }
        Ok(())
    }

    /// Verifies its files: lengths, and the SHA-256 of those with a published one.
    ///
    /// # Errors
    /// The reason, which names the file.
    pub fn verify(&self, models: &Path) -> Result<(), String> {
        self.check(models)?;
        for file in self.files {
            let Some(expected) = file.sha256 else {
                continue;
            };
            let name = file.name;
            let digests = Digests::of(&models.join(self.id).join(name), |_| ());
            let found = digests.map_err(|error| format!("{name}: {error}"))?.sha256;
            if found != expected {
                return Err(format!("{name}: sha256 {found} instead of {expected}"));
            }
        }
        Ok(())
    }

    /// Estimated bytes of memory with this many windows recognised at the same time: its files, and
    /// the Whisper fallback with a state for each. Unknown file sizes count as 460 MB together.
    #[must_use]
    pub fn memory(&self, states: usize) -> u64 {
        let files: Option<u64> = self.files.iter().map(|file| file.bytes).sum();
        let fallback = find(DEFAULT_FULL).map_or(0, |model| model.memory(states));
        files.unwrap_or(460_000_000) + fallback
    }

    /// The published figure, and that nobody has measured it with Slovo.
    #[must_use]
    pub fn note(&self) -> String {
        let Self {
            published, corpus, ..
        } = self;
        format!(
            "{published}% of words wrong in Ukrainian ({corpus}): published figure, not measured by us"
        )
    }

    /// What is known about its quality. Translations come from the Whisper fallback.
    #[must_use]
    pub fn quality(&self) -> SpeechModel {
        let fallback = find(DEFAULT_FULL).and_then(Model::quality);
        SpeechModel {
            id: self.id.to_owned(),
            figures_of: self.id.to_owned(),
            english_only: false,
            translates: fallback.as_ref().is_some_and(|model| model.translates),
            translates_badly: fallback
                .map(|model| model.translates_badly)
                .unwrap_or_default(),
            word_errors: vec![WordErrors {
                language: Language::Uk,
                percent: self.published,
                source: FigureSource::Published,
            }],
        }
    }
}

/// What is known of the quality of a model or a transducer with this id.
#[must_use]
pub fn quality_of(id: &str) -> Option<SpeechModel> {
    match find_transducer(id) {
        Some(transducer) => Some(transducer.quality()),
        None => find(id).and_then(Model::quality),
    }
}

/// A file of a transducer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransducerFile {
    /// Name in the folder.
    pub name: &'static str,
    /// Length in bytes, if there is one published file.
    pub bytes: Option<u64>,
    /// Its SHA-256, as others published it: the file could not be fetched to compute it here.
    pub sha256: Option<&'static str>,
}

impl TransducerFile {
    const fn published(name: &'static str, bytes: u64, sha256: &'static str) -> Self {
        Self {
            name,
            bytes: Some(bytes),
            sha256: Some(sha256),
        }
    }

    /// A file that each user exports, so its length and checksum differ.
    const fn exported(name: &'static str) -> Self {
        Self {
            name,
            bytes: None,
            sha256: None,
        }
    }
}

/// All transducers.
pub const TRANSDUCERS: &[Transducer] = &[
    // https://huggingface.co/istupakov/parakeet-tdt-0.6b-v3-onnx, revision 8f23f0c03c87.
    Transducer {
        id: "parakeet-tdt-0.6b-v3",
        licence: "CC-BY-4.0",
        languages: &[
            "uk", "ru", "en", "de", "es", "fr", "it", "pl", "pt", "nl", "cs", "hu", "fi", "el",
            "da",
        ],
        files: [
            TransducerFile::published(
                "encoder-model.int8.onnx",
                652_183_999,
                "6139d2fa7e1b086097b277c7149725edbab89cc7c7ae64b23c741be4055aff09",
            ),
            TransducerFile::published(
                "decoder_joint-model.onnx",
                72_520_893,
                "e978ddf6688527182c10fde2eb4b83068421648985ef23f7a86be732be8706c1",
            ),
            TransducerFile::published(
                "vocab.txt",
                93_939,
                "d58544679ea4bc6ac563d1f545eb7d474bd6cfa467f0a6e2c1dc1c7d37e3c35d",
            ),
        ],
        published: 7.2,
        corpus: "FLEURS",
    },
    // https://huggingface.co/theodotus/stt_ua_fastconformer_hybrid_large_pc, to be exported.
    Transducer {
        id: "stt_ua_fastconformer_hybrid_large_pc",
        licence: "MIT",
        languages: &["uk"],
        files: [
            TransducerFile::exported("encoder-model.onnx"),
            TransducerFile::exported("decoder_joint-model.onnx"),
            TransducerFile::exported("vocab.txt"),
        ],
        published: 7.1,
        corpus: "Common Voice 10",
    },
];

/// The transducer with this id.
#[must_use]
pub fn find_transducer(id: &str) -> Option<&'static Transducer> {
    TRANSDUCERS.iter().find(|model| model.id == id)
}

/// Id of the Whisper model that is loaded for this id: the model itself; for a transducer its
/// fallback, the default of Full.
#[must_use]
pub fn whisper_of(id: &str) -> &str {
    if find_transducer(id).is_some() {
        DEFAULT_FULL
    } else {
        id
    }
}

#[cfg(test)]
mod tests {
    use slovo_rules::language::LANGUAGES;

    use super::*;
    use crate::catalogue::find;

    #[test]
    fn ids_are_those_of_no_other_model_and_languages_are_offered() {
        for model in TRANSDUCERS {
            assert!(find(model.id).is_none());
            assert_eq!(find_transducer(model.id), Some(model));
            assert_eq!(whisper_of(model.id), DEFAULT_FULL);
            assert!(model.languages.contains(&"uk"));
            assert!(model.note().contains("not measured by us"));
            for language in model.languages {
                assert!(LANGUAGES.contains(language), "{language}");
            }
            for file in model.files {
                assert_eq!(file.sha256.is_some(), file.bytes.is_some());
                if let Some(sum) = file.sha256 {
                    assert_eq!(sum.len(), 64);
                    assert!(sum.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')));
                }
            }
        }
    }

    #[test]
    fn a_folder_is_checked_for_each_file_and_its_length() {
        let models = tempfile::tempdir().unwrap();
        let model = find_transducer("parakeet-tdt-0.6b-v3").unwrap();
        let reason = || model.check(models.path()).unwrap_err();
        assert!(reason().starts_with("encoder-model.int8.onnx: "));
        let folder = models.path().join(model.id);
        std::fs::create_dir(&folder).unwrap();
        for file in model.files {
            let created = std::fs::File::create(folder.join(file.name)).unwrap();
            // Sparse: it takes no room.
            created.set_len(file.bytes.unwrap()).unwrap();
        }
        assert_eq!(model.check(models.path()), Ok(()));
        std::fs::write(folder.join("vocab.txt"), "cut").unwrap();
        assert_eq!(reason(), "vocab.txt has 3 bytes instead of 93939");
    }

    #[test]
    fn published_checksums_are_verified() {
        const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let models = tempfile::tempdir().unwrap();
        let model = Transducer {
            id: "abc",
            files: [
                TransducerFile::published("encoder", 3, ABC),
                TransducerFile::published("decoder", 3, ABC),
                TransducerFile::exported("vocabulary"),
            ],
            ..TRANSDUCERS[0]
        };
        let folder = models.path().join(model.id);
        std::fs::create_dir(&folder).unwrap();
        for file in model.files {
            std::fs::write(folder.join(file.name), "abc").unwrap();
        }
        assert_eq!(model.verify(models.path()), Ok(()));
        std::fs::write(folder.join("decoder"), "abd").unwrap();
        let reason = model.verify(models.path()).unwrap_err();
        assert!(reason.starts_with("decoder: sha256 "), "{reason}");
        assert!(reason.ends_with(&format!(" instead of {ABC}")), "{reason}");
        std::fs::write(folder.join("decoder"), "ab").unwrap();
        let reason = model.verify(models.path()).unwrap_err();
        assert_eq!(reason, "decoder has 2 bytes instead of 3");
    }

    #[test]
    fn memory_counts_the_files_and_the_whisper_fallback() {
        let fallback = find(DEFAULT_FULL).unwrap();
        for (id, files) in [
            ("parakeet-tdt-0.6b-v3", 724_798_831),
            ("stt_ua_fastconformer_hybrid_large_pc", 460_000_000),
        ] {
            let memory = find_transducer(id).unwrap().memory(4);
            assert_eq!(memory, files + fallback.memory(4), "{id}");
        }
    }

    #[test]
    fn a_transducer_has_its_published_figure_and_the_translations_of_whisper() {
        let quality = quality_of("parakeet-tdt-0.6b-v3").unwrap();
        let errors = quality.errors_of(Language::Uk).unwrap();
        assert!((errors.percent - 7.2).abs() < f64::EPSILON);
        assert_eq!(errors.source, FigureSource::Published);
        assert!(!quality.may_translate(Some(Language::Uk)));
        assert!(quality.may_translate(Some(Language::De)));
        assert_eq!(
            quality_of(DEFAULT_FULL),
            find(DEFAULT_FULL).and_then(Model::quality)
        );
        assert_eq!(quality_of("somebody-else"), None);
    }
}
