//! What is known of how well models recognise and translate speech: figures of
//! `docs/ACCURACY.md`, and figures that the makers of the models published.
//!
//! Models with the same weights in different precisions share their figures.

use slovo_rules::language::Language;
use slovo_rules::settings::TranscriptionType;
use slovo_rules::warnings::{FigureSource, SpeechModel, SpeechModels, WordErrors};

use super::catalogue::{Kind, MODELS, Model, find};
use super::choice::Choice;
use super::fit::{Fit, MachineResources};
use super::shape::Shape;
use super::transducers::quality_of;

use Language::{
    Ar, Ca, Cs, Da, De, El, En, Es, Fa, Fi, Fr, He, Hi, Hu, It, Ja, Ko, Nl, Pl, Pt, Ru, Te, Tr, Uk,
    Ur, Vi, Zh,
};

/// Figures of the models of one shape.
struct Figures {
    shape: Shape,
    /// Id of the model that they are of.
    of: &'static str,
    source: FigureSource,
    /// Word error rates in percent. Of several measurements of a language the highest counts: the
    /// others are of studio voices.
    errors: &'static [(Language, f64)],
}

const FIGURES: &[Figures] = &[
    // The table of `docs/ACCURACY.md`; a test compares them.
    Figures {
        shape: Shape::BASE,
        of: "base-q8_0",
        source: FigureSource::Measured,
        errors: &[
            (Uk, 45.0),
            (Ru, 20.8),
            (Es, 19.1),
            (Fr, 18.2),
            (It, 12.5),
            (En, 12.3),
        ],
    },
    // FLEURS, from `language-breakdown.svg` of the openai/whisper repository.
    Figures {
        shape: Shape::LARGE_V3,
        of: "large-v3",
        source: FigureSource::Published,
        errors: &[
            (Es, 2.8),
            (It, 3.0),
            (Ko, 3.1),
            (Pt, 4.1),
            (En, 4.1),
            (Pl, 4.6),
            (Ca, 4.8),
            (Ja, 4.9),
            (De, 4.9),
            (Ru, 5.0),
            (Nl, 5.2),
            (Fr, 5.3),
            (Uk, 6.4),
            (Tr, 6.7),
            (Zh, 7.7),
            (Fi, 7.7),
            (Vi, 8.6),
            (Ar, 9.6),
            (Cs, 10.1),
            (El, 10.9),
            (Da, 12.0),
            (Hu, 12.9),
            (Hi, 17.0),
            (Ur, 20.6),
            (He, 26.1),
            (Fa, 29.4),
            (Te, 39.3),
        ],
    },
];

/// Models to recommend where a smaller one serves badly, the recommended one first. Turbo is
/// large-v3 with fewer decoder layers; its makers publish that it is about as accurate.
pub(crate) const LARGER: &[&str] = &["large-v3-turbo-q5_0", "large-v3-q5_0"];

/// Shapes that were not trained to translate, according to the README of openai/whisper.
const NOT_TRAINED_TO_TRANSLATE: &[Shape] = &[Shape::LARGE_V3_TURBO];

/// Shapes whose translations of a language are unusable: with base, none of 5 Ukrainian passages
/// could be used.
const TRANSLATES_BADLY: &[(Shape, &[Language])] = &[(Shape::BASE, &[Uk])];

impl Model {
    /// What is known of its quality; `None` if it does not recognise speech.
    #[must_use]
    pub fn quality(&self) -> Option<SpeechModel> {
        let Kind::Speech { shape, .. } = self.kind else {
            return None;
        };
        let figures = FIGURES.iter().find(|figures| figures.shape == shape);
        let word_errors = figures.map_or_else(Vec::new, |figures| {
            let errors = figures.errors.iter();
            let errors = errors.map(|&(language, percent)| WordErrors {
                language,
                percent,
                source: figures.source,
            });
            errors.collect()
        });
        let mut bad = TRANSLATES_BADLY.iter();
        Some(SpeechModel {
            id: self.id.to_owned(),
            figures_of: figures.map_or_else(|| weights(&shape, self.id), |it| it.of.to_owned()),
            english_only: !shape.multilingual(),
            translates: shape.multilingual() && !NOT_TRAINED_TO_TRANSLATE.contains(&shape),
            translates_badly: bad
                .find(|(of, _)| *of == shape)
                .map(|(_, languages)| languages.to_vec())
                .unwrap_or_default(),
            word_errors,
        })
    }
}

/// Id of the first model with these weights.
fn weights(shape: &Shape, id: &str) -> String {
    let is_same =
        |model: &&Model| matches!(model.kind, Kind::Speech { shape: other, .. } if other == *shape);
    let first = MODELS.iter().find(is_same);
    first.map_or(id, |model| model.id).to_owned()
}

/// The models that would serve better than a small one and fit this machine, the recommended one
/// first. All of them if the machine's memory is not known.
#[must_use]
pub fn larger(machine: Option<&MachineResources>) -> Vec<SpeechModel> {
    let fits = |model: &&Model| machine.is_none_or(|machine| model.fit(machine) != Fit::TooLarge);
    let known = LARGER.iter().filter_map(|id| find(id));
    known.filter(fits).filter_map(Model::quality).collect()
}

/// What is known of the models that serve the modes, with the [`larger`] ones.
#[must_use]
pub fn speech_models(choice: &Choice, larger: Vec<SpeechModel>) -> SpeechModels {
    let of = |mode| quality_of(choice.model(mode));
    SpeechModels {
        full: of(TranscriptionType::Full),
        lite: of(TranscriptionType::Lite),
        larger,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use super::*;

    fn quality(id: &str) -> SpeechModel {
        find(id).and_then(Model::quality).unwrap()
    }

    /// The highest figure of each language in the table of `docs/ACCURACY.md`, for one model.
    fn documented(model: &str) -> BTreeMap<String, f64> {
        let document = include_str!("../../../docs/ACCURACY.md");
        let part = document.split("\n## Words\n").nth(1).unwrap();
        let part = part.split("\n## ").next().unwrap();
        let mut highest = BTreeMap::new();
        for line in part.lines().filter(|line| line.starts_with("| ")).skip(1) {
            let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
            if cells[1] == model {
                let percent: f64 = cells[2].parse().unwrap();
                let known: &mut f64 = highest.entry(cells[0].to_owned()).or_insert(0.0);
                *known = known.max(percent);
            }
        }
        highest
    }

    #[test]
    fn measured_figures_are_the_documented_ones() {
        for figures in FIGURES {
            let here: BTreeMap<_, _> = figures
                .errors
                .iter()
                .map(|(language, percent)| (language.as_str().to_owned(), *percent))
                .collect();
            assert_eq!(here.len(), figures.errors.len(), "each language once");
            let documented = documented(figures.of);
            match figures.source {
                FigureSource::Measured => assert_eq!(here, documented),
                FigureSource::Published => assert!(documented.is_empty(), "{}", figures.of),
                FigureSource::MeasuredHere => unreachable!("the catalogue has no such figures"),
            }
        }
    }

    #[test]
    fn precisions_of_the_same_weights_share_what_is_known() {
        let base = quality("base-q8_0");
        assert!((base.errors_of(Uk).unwrap().percent - 45.0).abs() < f64::EPSILON);
        assert_eq!(quality("base").word_errors, base.word_errors);
        assert_eq!(quality("base").figures_of, "base-q8_0");
        assert_eq!(quality("large-v3-q5_0").figures_of, "large-v3");
        assert_eq!(quality("small-q8_0").figures_of, "small");
        assert!(quality("small").word_errors.is_empty());
        assert_eq!(find("silero-v6.2.0").unwrap().quality(), None);
    }

    #[test]
    fn what_translates() {
        for (id, language, may) in [
            ("base-q8_0", Some(Uk), false),
            ("base", Some(Uk), false),
            ("base-q8_0", Some(De), true),
            ("base-q8_0", None, true),
            ("large-v3-turbo-q8_0", Some(De), false),
            ("large-v3-turbo-q8_0", None, false),
            ("large-v3", Some(Uk), true),
            ("tiny.en-q8_0", None, false),
        ] {
            assert_eq!(quality(id).may_translate(language), may, "{id}");
        }
        assert!(quality("tiny.en").english_only);
    }

    #[test]
    fn larger_models_are_known_and_fit() {
        let ids = |machine: Option<&MachineResources>| -> Vec<String> {
            larger(machine).into_iter().map(|model| model.id).collect()
        };
        assert_eq!(ids(None), LARGER);
        assert_eq!(ids(None).iter().collect::<HashSet<_>>().len(), LARGER.len());
        let small = MachineResources {
            memory: 1 << 30,
            available: 1 << 30,
            cores: 2,
        };
        assert!(ids(Some(&small)).is_empty());
    }

    #[test]
    fn the_defaults_serve_ukrainian_poorly() {
        let models = speech_models(&Choice::default(), larger(None));
        let full = models.full.as_ref().unwrap();
        assert_eq!(full.id, crate::DEFAULT_FULL);
        assert!(models.lite.as_ref().unwrap().english_only);
        let mut unknown = Choice::default();
        unknown.set(TranscriptionType::Full, "somebody-else");
        assert_eq!(speech_models(&unknown, larger(None)).full, None);
    }
}
