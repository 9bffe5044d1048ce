//! Limits of subtitles: their bounds, and that each of them has an effect.

use slovo_rules::subtitles::cues::{SpokenSegment, cues_within};
use slovo_rules::subtitles::{
    BOUNDS, SubtitlePreset, SubtitleWishes, characters_per_second, validate,
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
    let usual = SubtitleWishes::NONE;
    let displayed = |wishes: SubtitleWishes| {
        let limits = wishes.limits("en");
        let cues = cues_within(segments.iter().map(SpokenSegment::from), 60.0, &limits);
        let moved = cues.into_iter().filter_map(|cue| cue.moved(limits.offset));
        moved
            .map(|cue| (cue.start, cue.end, cue.spoken_lines(&limits)))
            .collect::<Vec<_>>()
    };
    let all = [
        SubtitleWishes {
            preset: Some(SubtitlePreset::Netflix),
            ..usual
        },
        SubtitleWishes {
            preset: Some(SubtitlePreset::Bbc),
            ..usual
        },
        SubtitleWishes {
            max_columns: Some(30),
            ..usual
        },
        SubtitleWishes {
            max_lines: Some(1),
            ..usual
        },
        SubtitleWishes {
            max_cps: Some(9.0),
            ..usual
        },
        SubtitleWishes {
            max_seconds: Some(4.0),
            ..usual
        },
        SubtitleWishes {
            min_seconds: Some(1.8),
            ..usual
        },
        SubtitleWishes {
            gap_frames: Some(6),
            ..usual
        },
        SubtitleWishes {
            frame_rate: Some(50.0),
            ..usual
        },
        SubtitleWishes {
            offset: Some(-2.5),
            ..usual
        },
    ];
    for wishes in all {
        assert!(validate(&wishes).is_ok(), "{wishes:?}");
        assert_ne!(displayed(wishes), displayed(usual), "{wishes:?}");
    }
}

#[test]
fn custom_limits_have_bounds() {
    let wrong = SubtitleWishes {
        max_columns: Some(19),
        max_lines: Some(3),
        max_cps: Some(f64::NAN),
        max_seconds: Some(15.1),
        min_seconds: Some(0.0),
        gap_frames: Some(13),
        frame_rate: Some(f64::INFINITY),
        offset: Some(-86_401.0),
        ..SubtitleWishes::NONE
    };
    let violations = validate(&wrong).unwrap_err().0;
    assert_eq!(violations.len(), 8, "{violations:?}");
    let edges = SubtitleWishes {
        max_columns: Some(20),
        max_cps: Some(BOUNDS.max_cps.max),
        min_seconds: Some(BOUNDS.min_seconds.min),
        ..SubtitleWishes::NONE
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
