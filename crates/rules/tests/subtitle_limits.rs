//! Limits of subtitles: their bounds, and that each of them has an effect.

use slovo_rules::subtitles::cues::{SpokenSegment, cues_within};
use slovo_rules::subtitles::{
    BOUNDS, SubtitleOptions, SubtitlePreset, characters_per_second, validate,
};
use slovo_rules::transcript::Segment;

fn segment(text: &str, start: f64, end: f64) -> Segment {
    Segment {
        index: 0,
        start,
        end,
        speaker: Some("SPEAKER_0".to_owned()),
        language: None,
        text: text.to_owned(),
        words: Vec::new(),
    }
}

#[test]
fn every_limit_affects_the_result() {
    let text = "When the old man came down from the mountain in the evening, he found that nobody in the \
                village remembered his name, and that the house was gone.";
    let segments = [
        segment(text, 1.0, 8.0),
        segment("Yes.", 8.0, 8.2),
        segment("A slow one.", 20.0, 40.0),
    ];
    let usual = SubtitleOptions::NONE;
    let displayed = |options: SubtitleOptions| {
        let limits = options.limits("en");
        let cues = cues_within(segments.iter().map(SpokenSegment::from), 60.0, &limits);
        let moved = cues.into_iter().filter_map(|cue| cue.moved(limits.offset));
        moved
            .map(|cue| (cue.start, cue.end, cue.spoken_lines(&limits)))
            .collect::<Vec<_>>()
    };
    let all = [
        SubtitleOptions {
            preset: Some(SubtitlePreset::Netflix),
            ..usual
        },
        SubtitleOptions {
            preset: Some(SubtitlePreset::Bbc),
            ..usual
        },
        SubtitleOptions {
            max_columns: Some(30),
            ..usual
        },
        SubtitleOptions {
            max_lines: Some(1),
            ..usual
        },
        SubtitleOptions {
            max_cps: Some(9.0),
            ..usual
        },
        SubtitleOptions {
            max_seconds: Some(4.0),
            ..usual
        },
        SubtitleOptions {
            min_seconds: Some(1.8),
            ..usual
        },
        SubtitleOptions {
            gap_frames: Some(6),
            ..usual
        },
        SubtitleOptions {
            frame_rate: Some(50.0),
            ..usual
        },
        SubtitleOptions {
            offset: Some(-2.5),
            ..usual
        },
    ];
    for options in all {
        assert!(validate(&options).is_ok(), "{options:?}");
        assert_ne!(displayed(options), displayed(usual), "{options:?}");
    }
}

#[test]
fn custom_limits_have_bounds() {
    let wrong = SubtitleOptions {
        max_columns: Some(19),
        max_lines: Some(3),
        max_cps: Some(f64::NAN),
        max_seconds: Some(15.1),
        min_seconds: Some(0.0),
        gap_frames: Some(13),
        frame_rate: Some(f64::INFINITY),
        offset: Some(-86_401.0),
        ..SubtitleOptions::NONE
    };
    let violations = validate(&wrong).unwrap_err().0;
    assert_eq!(violations.len(), 8, "{violations:?}");
    let edges = SubtitleOptions {
        max_columns: Some(20),
        max_cps: Some(BOUNDS.max_cps.max),
        min_seconds: Some(BOUNDS.min_seconds.min),
        ..SubtitleOptions::NONE
    };
    assert!(validate(&edges).is_ok());
}

#[test]
fn speed_is_characters_per_second() {
    assert!((characters_per_second("Слово\nй діло", 2.0) - 5.5).abs() < 1e-9);
    for none in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(characters_per_second("Слово", none).abs() < 1e-9, "{none}");
    }
}
