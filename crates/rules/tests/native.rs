//! What case files cannot express: round trips, invariants over all values, work bounded by the
//! length of untrusted input, and functions used only by the server.

use serde_json::{Map, Value, json};
use slovo_rules::job::{JobStatus, STATUS_FILTERS};
use slovo_rules::language::{LANGUAGES, Language};
use slovo_rules::matrix::{Availability, Feature, available};
use slovo_rules::plan::PlanForm;
use slovo_rules::settings::{
    self, SETTINGS, Setting, SettingKind, Source, TranscriptionSettings, TranscriptionType,
};
use slovo_rules::transcript::{Segment, Transcript, Warning, Word};
use slovo_rules::upload::{self, Container};
use slovo_rules::{Code, Violation, Violations, account, balance, job_plan, preset, transcript};

/// Settings in which no field has its default, and which Full allows.
fn all_changed() -> Value {
    let default = serde_json::to_value(TranscriptionSettings::default()).expect("JSON");
    let changed = |setting: &Setting| match (setting.name, setting.kind) {
        ("url", _) => json!("https://example.com/a.mp3"),
        ("language_code", _) => json!("en"),
        ("speakers", _) => json!("2-4"),
        ("languages", _) => json!(["uk", "en"]),
        ("translate", _) => json!("to_eng"),
        ("llm_translation" | "srt_translation", _) => json!("french"),
        (_, SettingKind::Text) => json!("Slovo"),
        (_, SettingKind::Number) => json!(7),
        (_, SettingKind::List) => json!(["a"]),
        (_, SettingKind::Choice) => json!((setting.choices)().last()),
        (name, SettingKind::Switch) => json!(default[name] != true),
    };
    let changed = SETTINGS
        .iter()
        .map(|row| (row.name.to_owned(), changed(row)));
    changed.collect::<Map<_, _>>().into()
}

#[test]
fn both_parsers_agree_on_every_field() {
    let changed = all_changed();
    let default = serde_json::to_value(TranscriptionSettings::default()).expect("JSON");
    let (changed_fields, default_fields) = (
        changed.as_object().expect("object"),
        default.as_object().expect("object"),
    );
    assert_eq!(changed_fields.len(), default_fields.len());
    for (name, value) in changed_fields {
        assert_ne!(value, &default_fields[name], "{name} has its default");
        let alone = json!({ name: value });
        let by_serde: TranscriptionSettings = serde_json::from_value(alone.clone()).expect("serde");
        assert_eq!(
            settings::parse(&alone).expect("by hand"),
            by_serde,
            "{name}"
        );
    }
    let read = settings::parse(&changed).expect("all fields");
    assert_eq!(serde_json::to_value(read).expect("JSON"), changed);
}

#[test]
fn unknown_fields_are_refused_by_both_parsers() {
    let unknown = json!({ "sumarize": 5 });
    assert!(serde_json::from_value::<TranscriptionSettings>(unknown.clone()).is_err());
    let violations = settings::parse(&unknown).expect_err("unknown");
    assert_eq!(
        violations.0,
        [Violation::new("", Code::UnknownField).with("field", "sumarize")]
    );
}

#[test]
fn choosing_lite_makes_any_settings_acceptable_to_lite() {
    let full = TranscriptionSettings {
        transcription_type: TranscriptionType::Full,
        translate: String::new(),
        ..serde_json::from_value(all_changed()).expect("settings")
    };
    let lite = full.with_type(TranscriptionType::Lite);
    assert!(job_plan::validate(&lite, Source::File).is_ok());
    for feature in Feature::ALL {
        let code = lite.language_code.as_str();
        let offered = available(*feature, TranscriptionType::Lite, code);
        assert!(
            matches!(offered, Availability::Available | Availability::NeedsFull),
            "{feature}"
        );
    }
}

#[test]
fn every_serialised_name_can_be_parsed() {
    for code in Code::ALL {
        assert_eq!(Code::parse(code.as_str()), Some(*code));
        let json = serde_json::to_string(code).expect("JSON");
        assert_eq!(json, format!("\"{code}\""));
        assert_eq!(serde_json::from_str::<Code>(&json).expect("code"), *code);
    }
    let error = serde_json::from_str::<TranscriptionType>("\"medium\"").expect_err("unknown");
    assert!(
        error.to_string().contains("one of `full` `lite`"),
        "{error}"
    );
    assert!(serde_json::from_str::<TranscriptionType>("7").is_err());
    assert_eq!(LANGUAGES.len(), Language::ALL.len());
}

#[test]
fn a_job_moves_only_forward_or_back_to_the_queue() {
    for from in JobStatus::ALL {
        let next: Vec<_> = JobStatus::ALL
            .iter()
            .filter(|to| from.may_become(**to))
            .collect();
        assert!(!from.may_become(*from), "{from} to itself");
        assert_eq!(
            from.can_cancel(),
            next.contains(&&JobStatus::Cancelled) && *from != JobStatus::Uploaded
        );
        if from.is_terminal() {
            assert_eq!(next, [&JobStatus::Pending], "{from}");
            assert_eq!(from.can_retry(), *from != JobStatus::Completed);
        } else {
            assert!(!next.is_empty(), "{from} leads nowhere");
        }
    }
    for filter in STATUS_FILTERS {
        assert!(
            filter.filter().iter().all(|found| found.label() == filter),
            "{filter}"
        );
    }
}

#[test]
fn a_transcript_is_serialised_in_milliseconds() {
    let transcript = Transcript {
        language: "en".to_owned(),
        duration: 5.123_456,
        mode: TranscriptionType::Full,
        model: "base-q8_0".to_owned(),
        segments: vec![Segment {
            index: 0,
            start: 0.1 + 0.2,
            end: f64::NAN,
            speaker: None,
            language: None,
            text: "Hi".to_owned(),
            words: vec![Word {
                start: 0.0,
                end: 1.0 / 3.0,
                text: "Hi".to_owned(),
                confidence: 0.98765,
            }],
        }],
        warnings: vec![Warning::new("damaged_tail").with("at_seconds", 4.5)],
        removed: Vec::new(),
    };
    let expected = json!({
        "language": "en", "duration": 5.123, "mode": "full", "model": "base-q8_0",
        "segments": [{
            "index": 0, "start": 0.3, "end": 0.0, "speaker": null, "text": "Hi",
            "words": [{ "start": 0.0, "end": 0.333, "text": "Hi", "confidence": 0.988 }],
        }],
        "warnings": [{ "code": "damaged_tail", "params": { "at_seconds": 4.5 } }],
        "removed": [],
    });
    assert_eq!(serde_json::to_value(&transcript).expect("JSON"), expected);
    let read: Transcript = serde_json::from_value(expected).expect("transcript");
    assert_eq!(read.segments[0].words.len(), 1);
    // As older releases stored it.
    assert_eq!(read.segments[0].language, None);
    let mut with_language = transcript;
    with_language.segments[0].language = Some("ru".to_owned());
    let written = serde_json::to_value(&with_language).expect("JSON");
    assert_eq!(written["segments"][0]["language"], "ru");
    let read: Transcript = serde_json::from_value(written).expect("transcript");
    assert_eq!(read.segments[0].language.as_deref(), Some("ru"));
    assert_eq!(
        transcript::speaker_number(&transcript::speaker_name(3)),
        Some(3)
    );
}

#[test]
fn invalid_numbers_are_refused_in_forms() {
    for price in [f64::NAN, f64::NEG_INFINITY, -0.01, f64::INFINITY] {
        let form = PlanForm {
            name: "Pro".to_owned(),
            price,
            ..PlanForm::default()
        };
        let violations = slovo_rules::plan::validate(&form).expect_err("price");
        assert_eq!(violations.0.len(), 1, "{price}");
        assert_eq!(violations.0[0].field, "price");
    }
    let form = balance::BalanceForm {
        operation: balance::Operation::Subtract,
        minutes: 12.5,
        reason: " x ".to_owned(),
    };
    let adjustment = balance::validate(&form).expect("valid").into_inner();
    assert!((adjustment.change_minutes + 12.5).abs() < f64::EPSILON);
    assert_eq!(adjustment.reason, "x");
}

#[test]
fn valid_forms_are_normalised() {
    let form = account::SignupForm {
        email: " Ann@Example.com ".to_owned(),
        password: "Correct-horse-9".to_owned(),
        confirm_password: "Correct-horse-9".to_owned(),
        terms: true,
    };
    assert_eq!(
        account::validate_signup(&form).expect("valid").email,
        "ann@example.com"
    );
    assert!(
        !format!("{form:?}").contains("horse"),
        "a password in a log"
    );
    let form = preset::PresetForm {
        name: " Lecture ".to_owned(),
        description: Some(" \n".to_owned()),
        settings: TranscriptionSettings {
            url: "x".to_owned(),
            ..TranscriptionSettings::default()
        },
        ..preset::PresetForm::default()
    };
    let preset = preset::validate(&form).expect("valid").into_inner();
    assert_eq!(
        (preset.name.as_str(), preset.description),
        ("Lecture", None)
    );
    assert_eq!(preset.settings.url, "");
}

#[test]
fn truncated_content_is_sniffed_safely() {
    let mut mp3 = Vec::new();
    for _ in 0..4 {
        mp3.extend([0xff, 0xfb, 0x90, 0x00]);
        mp3.extend([0; 413]);
    }
    let heads: [&[u8]; 5] = [
        &mp3,
        b"RIFF\0\0\0\0WAVEfmt ",
        b"OggS\0",
        b"\0\0\0\x20ftypisom",
        b"<html>",
    ];
    for head in heads {
        for end in 0..=head.len() {
            let found = upload::sniff(&head[..end]);
            assert!(end == head.len() || found.is_none_or(|kind| Container::ALL.contains(&kind)));
        }
    }
    // One complete frame is a file; a truncated frame is not.
    assert_eq!(upload::sniff(&mp3[..417]), Some(Container::Mp3));
    assert_eq!(upload::sniff(&mp3[..416]), None);
    // Sync bytes everywhere: the search terminates.
    assert_eq!(upload::sniff(&vec![0xff; 4 * upload::SNIFF_BYTES]), None);
}

#[test]
fn violations_nest_by_path() {
    let mut inner = Violations::new();
    inner.add("name", Code::TooLong);
    inner.add("", Code::WrongType);
    let mut outer = Violations::new();
    outer.extend_under("items.3", inner);
    assert_eq!(
        outer.to_string(),
        "items.3.name: too_long, items.3: wrong_type"
    );
    assert!(outer.has(Code::TooLong) && !outer.has(Code::TooMany));
}
