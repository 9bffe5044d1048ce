use super::*;
use crate::removed::Removed;
use crate::transcript::Segment;

fn model(id: &str) -> SpeechModel {
    SpeechModel {
        id: id.to_owned(),
        figures_of: id.to_owned(),
        english_only: false,
        translates: true,
        translates_badly: Vec::new(),
        word_errors: Vec::new(),
    }
}

fn errors(language: Language, percent: f64, source: FigureSource) -> WordErrors {
    WordErrors {
        language,
        percent,
        source,
    }
}

fn base() -> SpeechModel {
    SpeechModel {
        translates_badly: vec![Language::Uk],
        word_errors: vec![
            errors(Language::Uk, 45.0, FigureSource::Measured),
            errors(Language::En, 12.3, FigureSource::Measured),
        ],
        ..model("base")
    }
}

fn turbo() -> SpeechModel {
    SpeechModel {
        translates: false,
        ..model("turbo")
    }
}

fn large() -> SpeechModel {
    SpeechModel {
        word_errors: vec![
            errors(Language::Uk, 6.4, FigureSource::Published),
            errors(Language::Te, 39.3, FigureSource::Published),
        ],
        ..model("large")
    }
}

fn english() -> SpeechModel {
    SpeechModel {
        english_only: true,
        translates: false,
        ..model("tiny.en")
    }
}

/// A server on which Full is served by this model.
fn served_by(full: SpeechModel) -> SpeechModels {
    SpeechModels {
        full: Some(full),
        lite: Some(english()),
        larger: vec![turbo(), large()],
    }
}

fn settings(mode: TranscriptionType, language: &str, translate: bool) -> TranscriptionSettings {
    let translate = if translate {
        crate::settings::TRANSLATE_TO_ENGLISH
    } else {
        ""
    };
    TranscriptionSettings {
        transcription_type: mode,
        language_code: language.to_owned(),
        translate: translate.to_owned(),
        ..TranscriptionSettings::default()
    }
}

/// The codes, and the better model where one is named: `code` or `code model`.
fn told(warnings: Vec<QualityWarning>) -> Vec<String> {
    let shown = warnings.into_iter().map(Warning::from).map(|warning| {
        let better = warning.params.get("better").and_then(|id| id.as_str());
        better.map_or_else(
            || warning.code.clone(),
            |id| format!("{} {id}", warning.code),
        )
    });
    shown.collect()
}

use TranscriptionType::{Full, Lite};

/// The model that serves Full, the mode, the language, what else was chosen; then the warnings,
/// with the better model where one is named.
const BEFORE_THE_START: &str = "
    base  full uk             = language_served_poorly large
    base  full en             =
    base  full auto           =
    base  full pl             =
    turbo full uk             =
    large full uk             =
    large full te             = language_served_poorly
    base  full uk   translate = language_served_poorly large, translation_unsuitable large
    base  full de   translate =
    base  full auto translate =
    base  full en   translate =
    turbo full auto translate = translation_unsuitable large
    turbo full de   translate = translation_unsuitable large
    turbo full en   translate =
    large full uk   translate =
    base  lite en             =
    base  lite en   translate =
    base  lite en   wanted:en =
    base  lite en   wanted:uk = lite_not_english
    base  lite uk             = lite_not_english
    base  lite auto           =
    turbo full uk   wanted:uk =
    base  full UK             =
    base  lite <b>            =
";

#[test]
fn before_the_start() {
    for line in BEFORE_THE_START.lines().filter(|line| line.contains('=')) {
        let (facts, expected) = line.split_once('=').unwrap();
        let facts: Vec<_> = facts.split_whitespace().collect();
        let [full, mode, language, others @ ..] = facts.as_slice() else {
            panic!("{line}");
        };
        let full = match *full {
            "base" => base(),
            "turbo" => turbo(),
            _ => large(),
        };
        let mode = TranscriptionType::parse(mode).unwrap();
        let chosen = settings(mode, language, others.contains(&"translate"));
        let wanted = others.iter().find_map(|it| it.strip_prefix("wanted:"));
        let wanted = wanted.and_then(Language::parse);
        let found = before(&chosen, wanted, &served_by(full));
        assert_eq!(told(found).join(", "), expected.trim(), "{line}");
    }
}

#[test]
fn nothing_is_said_of_unknown_models() {
    let unknown = SpeechModels::default();
    assert!(before(&settings(Full, "uk", true), None, &unknown).is_empty());
    // That Lite recognises English only does not depend on its model.
    let lite = before(&settings(Lite, "en", false), Some(Language::De), &unknown);
    assert_eq!(told(lite), ["lite_not_english"]);
}

#[test]
fn a_better_model_is_not_the_same_weights_nor_a_worse_one() {
    let mut same = base();
    same.id = "base-f16".to_owned();
    let mut worse = model("worse");
    worse.word_errors = vec![errors(Language::Uk, 60.0, FigureSource::Published)];
    let models = SpeechModels {
        larger: vec![same, worse, english()],
        ..served_by(base())
    };
    let found = before(&settings(Full, "uk", true), None, &models);
    assert_eq!(
        told(found),
        ["language_served_poorly", "translation_unsuitable"]
    );
}

#[test]
fn after_recognition() {
    let models = served_by(base());
    let of = |mode, language: &str, translate, found: &str, share: Option<f64>| {
        let settings = settings(mode, language, translate);
        let outcome = Outcome {
            settings: &settings,
            language: Language::parse(found),
            unrecognised: share,
        };
        told(after(outcome, models.of(mode), &models.larger))
    };
    let none = [""; 0];
    assert_eq!(of(Full, "uk", false, "uk", None), none);
    assert_eq!(of(Full, "uk", false, "uk", Some(0.09)), none);
    assert_eq!(
        of(Full, "uk", false, "uk", Some(0.1)),
        ["much_unrecognised"]
    );
    assert_eq!(
        of(Full, "auto", false, "uk", Some(0.0)),
        ["language_served_poorly large"]
    );
    assert_eq!(of(Full, "auto", false, "en", Some(0.0)), none);
    assert_eq!(of(Full, "auto", false, "", Some(0.0)), none);
    assert_eq!(
        of(Full, "auto", true, "uk", Some(0.5)),
        [
            "much_unrecognised",
            "language_served_poorly large",
            "translation_unsuitable large"
        ]
    );
    assert_eq!(of(Full, "auto", true, "en", Some(0.0)), none);
    assert_eq!(of(Lite, "en", false, "en", Some(0.0)), none);
    assert_eq!(
        of(Lite, "en", false, "en", Some(0.2)),
        ["much_unrecognised", "lite_not_english"]
    );
    assert_eq!(of(Lite, "en", false, "de", Some(0.0)), ["lite_not_english"]);
}

#[test]
fn parameters_are_the_figures_of_the_text() {
    let found = before(&settings(Full, "uk", false), None, &served_by(base()));
    let warning = Warning::from(found.into_iter().next().unwrap());
    let json = serde_json::to_value(&warning).unwrap();
    assert_eq!(
        json,
        serde_json::json!({ "code": "language_served_poorly", "params": {
            "language": "uk", "model": "base", "figures_of": "base", "percent": 45.0,
            "source": "measured", "better": "large",
        }})
    );
    let much = Warning::from(QualityWarning::MuchUnrecognised { share: 0.254 });
    assert_eq!(much.params["percent"], 25.0);
}

/// Start, end, share with a voice, and why it was removed.
type Passage = (f64, f64, f64, RemovedReason);

/// Spoken stretches, removed passages and the share that was not recognised.
type Case<'a> = (&'a [(f64, f64)], &'a [Passage], f64);

fn transcript(segments: &[(f64, f64)], removed: &[Passage]) -> Transcript {
    let segment = |(index, &(start, end)): (usize, &(f64, f64))| Segment {
        index: u32::try_from(index).unwrap(),
        start,
        end,
        speaker: None,
        language: None,
        text: "x".to_owned(),
        words: Vec::new(),
    };
    let passage = |&(start, end, voiced, reason): &Passage| Removed {
        start,
        end,
        speaker: None,
        text: "y".to_owned(),
        reason,
        voiced,
        confidence: 0.1,
        compression: 1.0,
    };
    Transcript {
        language: "uk".to_owned(),
        duration: 60.0,
        mode: Full,
        model: "base".to_owned(),
        segments: segments.iter().enumerate().map(segment).collect(),
        warnings: Vec::new(),
        removed: removed.iter().map(passage).collect(),
    }
}

#[test]
fn the_share_counts_voiced_seconds_of_unrecognised_passages() {
    use RemovedReason::{Loop, Silence, Unrecognised};
    let cases: [Case<'_>; 9] = [
        (&[(0.0, 30.0)], &[], 0.0),
        // Half of 20 s has a voice: 10 of 40 s.
        (&[(0.0, 30.0)], &[(30.0, 50.0, 0.5, Unrecognised)], 0.25),
        // Passages with other reasons do not count as unrecognised speech.
        (
            &[(0.0, 30.0)],
            &[(30.0, 50.0, 0.5, Silence), (50.0, 60.0, 1.0, Loop)],
            0.0,
        ),
        // A word or two.
        (&[(0.0, 3.0)], &[(3.0, 4.9, 1.0, Unrecognised)], 0.0),
        // Nothing was recognised.
        (&[], &[(0.0, 10.0, 1.0, Unrecognised)], 1.0),
        (&[], &[], 0.0),
        // Impossible figures of another program.
        (&[(0.0, f64::NAN)], &[(0.0, 10.0, 7.0, Unrecognised)], 1.0),
        (&[(9.0, 3.0)], &[(0.0, f64::NAN, 1.0, Unrecognised)], 0.0),
        (
            &[(0.0, f64::INFINITY)],
            &[(0.0, 10.0, 1.0, Unrecognised)],
            0.0,
        ),
    ];
    for (segments, removed, share) in cases {
        let got = unrecognised_share(&transcript(segments, removed));
        assert!(
            (got - share).abs() < 1e-9,
            "{segments:?} {removed:?}: {got}"
        );
    }
}

#[test]
fn every_code_is_listed_with_the_warnings() {
    for code in WarningCode::ALL {
        assert!(crate::codes::WARNINGS.contains(&code.as_str()), "{code}");
    }
}
