//! Recommends a model for a language on a machine, from known word error rates, speed and memory.

use std::path::Path;

use slovo_rules::language::Language;
use slovo_rules::settings::TranscriptionType;
use slovo_rules::warnings::FigureSource;

use super::catalogue::{DEFAULT_FULL, Kind, MODELS, Model, find};
use super::fit::{Fit, MachineResources};
use super::measurements::Measurements;
use super::quality::LARGER;
use super::shape::Shape;
use super::transducers::{TRANSDUCERS, find_transducer, whisper_of};

/// Models whose rates differ by less than this factor count as equally good: the faster one is
/// better then.
const SIMILAR: f64 = 1.15;

/// Shapes whose makers publish that they are about as accurate as another model.
const AS_ACCURATE_AS: &[(Shape, &str)] = &[(Shape::LARGE_V3_TURBO, "large-v3")];

/// Where a word error rate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// `slovo models measure` on this machine, with recordings of this many words.
    MeasuredHere {
        /// Words spoken in the recordings.
        words: u64,
    },
    /// `docs/ACCURACY.md`.
    Measured,
    /// Published by the makers of the model.
    Published,
    /// Published by its makers: about as accurate as this other model.
    AsAccurateAs(&'static str),
}

/// A model that could serve Full in a language.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its id.
    pub id: &'static str,
    /// Word error rate in percent, if known.
    pub percent: Option<f64>,
    /// Where `percent` comes from; meaningless if it is `None`.
    pub basis: Basis,
    /// Seconds for an hour of speech on this machine: measured or estimated; `None` if unknown.
    pub seconds_per_hour: Option<f64>,
    /// Bytes of memory: measured or estimated.
    pub memory: u64,
}

/// The models that could serve Full in a language on this machine, the best first: among those with
/// about the lowest word error rate the fastest, then the others by rate; without a known rate last.
/// Models that do not fit are left out, and transducers that are not in the folder.
#[must_use]
pub fn recommend(
    language: Language,
    machine: Option<&MachineResources>,
    dir: &Path,
    measurements: &Measurements,
) -> Vec<Candidate> {
    let cores = machine.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        |machine| machine.cores,
    );
    let states = cores.clamp(1, 4);
    let new = |id, seconds_per_hour, memory| {
        let rate = rate_of(id, language, measurements);
        let measured = measurements.find(id, language);
        let measured_memory = measured.and_then(|one| one.peak_memory);
        Candidate {
            id,
            percent: rate.map(|(percent, _)| percent),
            basis: rate.map_or(Basis::Published, |(_, basis)| basis),
            seconds_per_hour: measured
                .map(|one| 3_600.0 / one.speed())
                .or(seconds_per_hour),
            memory: measured_memory.unwrap_or(memory),
        }
    };
    let mut found: Vec<Candidate> = candidates(language, machine, measurements)
        .map(|model| {
            new(
                model.id,
                model.seconds_per_hour(cores),
                model.memory(states),
            )
        })
        .collect();
    let transducers = TRANSDUCERS.iter().filter(|model| {
        model.languages.contains(&language.as_str())
            && machine.is_none_or(|machine| model.memory(states) <= machine.memory / 10 * 9)
            && model.check(dir).is_ok()
    });
    found.extend(transducers.map(|model| new(model.id, None, model.memory(states))));
    sort(&mut found);
    found
}

/// A model that serves Full better than the one in use.
#[derive(Clone, Debug, PartialEq)]
pub struct Improvement {
    /// The better model.
    pub model: Candidate,
    /// Its word error rate in percent.
    pub percent: f64,
    /// That of the model in use in percent, if known.
    pub current_percent: Option<f64>,
}

/// The best model for a language that makes clearly fewer errors than the one in use and recognises
/// speech at least as fast as it is spoken on this machine; `None` if there is none.
#[must_use]
pub fn improvement(
    language: Language,
    used: &str,
    machine: Option<&MachineResources>,
    dir: &Path,
    measurements: &Measurements,
) -> Option<Improvement> {
    const HOUR: f64 = 3_600.0;
    let current_percent = rate_of(used, language, measurements).map(|(percent, _)| percent);
    let all = recommend(language, machine, dir, measurements).into_iter();
    let mut fast = all.filter(|one| one.seconds_per_hour.is_some_and(|seconds| seconds <= HOUR));
    let model = fast.next()?;
    let percent = model.percent?;
    let is_better = model.id != used && current_percent.is_none_or(|now| percent * SIMILAR < now);
    is_better.then_some(Improvement {
        model,
        percent,
        current_percent,
    })
}

/// The default model, the larger ones, and those that were measured in the language here.
fn candidates(
    language: Language,
    machine: Option<&MachineResources>,
    measurements: &Measurements,
) -> impl Iterator<Item = &'static Model> {
    let is_measured = move |id: &str| measurements.find(id, language).is_some();
    let is_fit =
        move |model: &Model| machine.is_none_or(|machine| model.fit(machine) != Fit::TooLarge);
    MODELS.iter().filter(move |model| {
        let is_known = model.id == DEFAULT_FULL || LARGER.contains(&model.id);
        (is_known || is_measured(model.id))
            && model.serves(TranscriptionType::Full)
            && is_fit(model)
    })
}

/// The known word error rate of a model in a language in percent, or that of the model which it is
/// about as accurate as.
fn assumed_percent(model: &Model, language: Language) -> Option<(f64, Basis)> {
    let known = model.quality()?;
    if let Some(errors) = known.errors_of(language) {
        let basis = match errors.source {
            FigureSource::Measured => Basis::Measured,
            // Figures of the catalogue are never of this machine.
            FigureSource::Published | FigureSource::MeasuredHere => Basis::Published,
        };
        return Some((errors.percent, basis));
    }
    let Kind::Speech { shape, .. } = model.kind else {
        return None;
    };
    let mut similar = AS_ACCURATE_AS.iter();
    let (_, other) = similar.find(|(of, _)| *of == shape)?;
    let (percent, _) = assumed_percent(find(other)?, language)?;
    Some((percent, Basis::AsAccurateAs(other)))
}

fn sort(candidates: &mut [Candidate]) {
    let rate = |one: &Candidate| one.percent.unwrap_or(f64::INFINITY);
    let lowest = candidates.iter().map(rate).fold(f64::INFINITY, f64::min);
    let order = |one: &Candidate| {
        let is_similar = rate(one).is_finite() && rate(one) <= lowest * SIMILAR;
        let seconds = one.seconds_per_hour.unwrap_or(f64::INFINITY);
        let similar = if is_similar { seconds } else { f64::INFINITY };
        // Without any known rate a larger model is the better guess.
        let size = LARGER.iter().position(|id| *id == one.id);
        (
            !is_similar,
            similar,
            rate(one),
            size.unwrap_or(LARGER.len()),
        )
    };
    candidates.sort_by(|a, b| {
        let (a, b) = (order(a), order(b));
        let by_similarity = a.0.cmp(&b.0);
        by_similarity
            .then(a.1.total_cmp(&b.1))
            .then(a.2.total_cmp(&b.2))
            .then(a.3.cmp(&b.3))
    });
}

/// The known word error rate of any model in percent, and its source; a measurement on this machine
/// comes first.
#[must_use]
pub fn rate_of(id: &str, language: Language, measurements: &Measurements) -> Option<(f64, Basis)> {
    if let Some(measured) = measurements.find(id, language) {
        let words = measured.words;
        return Some((measured.percent(), Basis::MeasuredHere { words }));
    }
    if let Some(model) = find(id) {
        return assumed_percent(model, language);
    }
    let known = find_transducer(id)?;
    if !known.languages.contains(&language.as_str()) {
        return rate_of(whisper_of(id), language, measurements);
    }
    let percent = known.quality().errors_of(language)?.percent;
    Some((percent, Basis::Published))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Measurement;

    const GIB: u64 = 1 << 30;

    fn machine(memory: u64) -> MachineResources {
        MachineResources {
            memory,
            available: memory,
            cores: 4,
        }
    }

    fn measured(language: Language, errors: u64, processing_seconds: f64) -> Measurement {
        Measurement {
            language,
            recordings: 1,
            seconds: 100.0,
            words: 1_000,
            errors,
            processing_seconds,
            peak_memory: Some(GIB),
            threads: 2,
            measured_at: 0,
        }
    }

    fn ids(language: Language, memory: u64, measurements: &Measurements) -> Vec<&'static str> {
        let all = recommend(
            language,
            Some(&machine(memory)),
            Path::new("/nowhere"),
            measurements,
        );
        all.into_iter().map(|candidate| candidate.id).collect()
    }

    #[test]
    fn a_large_machine_gets_the_fast_large_model_and_a_small_one_the_default() {
        let none = Measurements::default();
        assert_eq!(
            ids(Language::Uk, 16 * GIB, &none),
            ["large-v3-turbo-q5_0", "large-v3-q5_0", DEFAULT_FULL]
        );
        assert_eq!(ids(Language::Uk, GIB, &none), [DEFAULT_FULL]);
        let all = recommend(Language::Uk, None, Path::new("/nowhere"), &none);
        assert_eq!(all[0].basis, Basis::AsAccurateAs("large-v3"));
        assert_eq!(all[2].basis, Basis::Measured);
        assert_eq!(all[2].percent, Some(45.0));
    }

    #[test]
    fn what_was_measured_here_counts() {
        let mut here = Measurements::default();
        here.set("small-q8_0", measured(Language::Uk, 50, 20.0));
        here.set(DEFAULT_FULL, measured(Language::De, 10, 5.0));
        let best = &recommend(Language::Uk, None, Path::new("/nowhere"), &here)[0];
        let on_this_machine = Basis::MeasuredHere { words: 1_000 };
        assert_eq!((best.id, best.basis), ("small-q8_0", on_this_machine));
        assert_eq!(best.seconds_per_hour, Some(720.0));
        assert_eq!(best.memory, GIB);
        assert_eq!(ids(Language::De, 16 * GIB, &here)[0], DEFAULT_FULL);
        assert_eq!(
            rate_of("small-q8_0", Language::Uk, &here),
            Some((5.0, on_this_machine))
        );
        assert_eq!(
            rate_of("small-q8_0", Language::Fr, &here),
            None,
            "nothing is known"
        );
        assert_eq!(
            rate_of("parakeet-tdt-0.6b-v3", Language::Uk, &here),
            Some((7.2, Basis::Published))
        );
        // Whisper recognises the languages that a transducer does not have.
        let fast_conformer = "stt_ua_fastconformer_hybrid_large_pc";
        assert_eq!(
            rate_of(fast_conformer, Language::Ru, &here),
            Some((20.8, Basis::Measured))
        );
    }

    #[test]
    fn an_improvement_is_clearly_better_and_keeps_up_with_speech() {
        let better = |used, cores, here: &Measurements| {
            let machine = MachineResources {
                cores,
                ..machine(16 * GIB)
            };
            let dir = Path::new("/nowhere");
            improvement(Language::Uk, used, Some(&machine), dir, here)
        };
        let mut here = Measurements::default();
        assert_eq!(
            better(DEFAULT_FULL, 1, &here),
            None,
            "the others are too slow"
        );
        let found = better(DEFAULT_FULL, 64, &here).expect("a larger model");
        assert_eq!(found.model.id, "large-v3-turbo-q5_0");
        assert_eq!(found.current_percent, Some(45.0));
        assert!(found.percent < 45.0);
        assert_eq!(better("large-v3-turbo-q5_0", 64, &here), None);
        assert_eq!(better("large-v3-q5_0", 64, &here), None, "about as good");
        here.set("small-q8_0", measured(Language::Uk, 50, 20.0));
        let found = better(DEFAULT_FULL, 1, &here).expect("the measured model");
        assert_eq!((found.model.id, found.percent), ("small-q8_0", 5.0));
    }

    #[test]
    fn models_without_a_known_rate_come_last() {
        let none = Measurements::default();
        let all = recommend(Language::Hi, None, Path::new("/nowhere"), &none);
        assert_eq!(all.last().map(|one| one.id), Some(DEFAULT_FULL));
        assert_eq!(all.last().and_then(|one| one.percent), None);
        let unknown = Language::ALL.iter().find(|language| {
            let is_known = |id| rate_of(id, **language, &none).is_some();
            !is_known(DEFAULT_FULL) && !LARGER.iter().any(|id| is_known(id))
        });
        if let Some(language) = unknown {
            let all = recommend(*language, None, Path::new("/nowhere"), &none);
            assert_eq!(all[0].id, LARGER[0], "{language:?}");
        }
    }
}
