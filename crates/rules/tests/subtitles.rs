//! Cues of one segment: what the editor of subtitles shows.

use proptest::prelude::*;
use slovo_rules::edit::{EditedSegment, Place};
use slovo_rules::subtitles::cues::{Around, MIN_SECONDS, Said, cues};
use slovo_rules::subtitles::{self, MAX_COLUMNS, MAX_LINES, characters_per_second, columns};
use slovo_rules::transcript::Word;

fn segment(text: &str, start: f64, end: f64, words: Vec<Word>) -> EditedSegment {
    EditedSegment {
        id: "0".to_owned(),
        revision: 0,
        place: Place { base: 0, part: 0 },
        start,
        end,
        speaker: Some("SPEAKER_0".to_owned()),
        text: text.to_owned(),
        words,
    }
}

#[test]
fn a_long_segment_is_several_cues_that_say_where_they_stand() {
    let text = "Коли  дощ ущух,\nуся родина вийшла надвір, і малий хлопчик побачив веселку, \
                про яку потім розповідав цілий тиждень.";
    let cues = subtitles::of_segment(&segment(text, 10.0, 20.0, Vec::new()), None);
    assert!(cues.len() >= 2);
    assert_eq!(&text[cues[0].range.clone()][..8], "Коли");
    assert!((cues[0].start - 10.0).abs() < 1e-9);
    assert!((cues[cues.len() - 1].end - 20.0).abs() < 1e-9);
    assert!(cues.iter().all(|cue| cue.lines.len() <= MAX_LINES));
    assert!(
        cues.iter()
            .flat_map(|cue| &cue.lines)
            .all(|line| columns(line) <= MAX_COLUMNS)
    );
}

/// Starts and ends of the cues of segments in a recording of so many seconds.
fn times(spans: &[(f64, f64)], duration: f64) -> Vec<(f64, f64)> {
    let segments: Vec<_> = spans
        .iter()
        .map(|&(start, end)| segment("Так.", start, end, Vec::new()))
        .collect();
    let cues = cues(segments.iter().map(Said::from), duration);
    cues.iter().map(|cue| (cue.start, cue.end)).collect()
}

/// From second to second.
type Span = (f64, f64);

#[test]
fn a_short_cue_stands_as_long_as_it_must_where_there_is_room() {
    let cases: [(&[Span], f64, Span); 6] = [
        // The pause behind it is its own.
        (&[(1.0, 1.2), (5.0, 8.0)], 9.0, (1.0, 1.0 + MIN_SECONDS)),
        (&[(1.0, 1.2), (1.5, 4.0)], 9.0, (1.0, 1.5)),
        // The last one: up to the recording's end, then out of the pause before it.
        (&[(1.0, 1.56)], 0.0, (1.0, 1.0 + MIN_SECONDS)),
        (&[(8.44, 9.0)], 9.0, (9.0 - MIN_SECONDS, 9.0)),
        (&[(8.4, 8.5)], 9.0, (9.0 - MIN_SECONDS, 9.0)),
        (&[(0.1, 0.4)], 0.5, (0.0, 0.5)),
    ];
    for (spans, duration, expected) in cases {
        let (start, end) = times(spans, duration)[0];
        let near = (start - expected.0).abs() < 1e-9 && (end - expected.1).abs() < 1e-9;
        assert!(near, "{spans:?} of {duration}: {start} to {end}");
    }
    let close = times(&[(6.0, 8.4), (8.44, 9.0)], 9.0);
    assert_eq!(
        close,
        [(6.0, 8.4), (8.4, 9.0)],
        "never over the cue before it"
    );
}

#[test]
fn a_segment_among_others_has_the_cues_of_the_files() {
    let last = segment("Так.", 8.44, 9.0, Vec::new());
    let around = Around {
        from: 8.3,
        ..Around::recording(9.0)
    };
    let cue = &subtitles::of_segment(&last, Some(around))[0];
    assert_eq!((cue.start, cue.end), (8.3, 9.0));
    let middle = Around {
        next: 9.5,
        ..Around::recording(60.0)
    };
    let cue = &subtitles::of_segment(&last, Some(middle))[0];
    assert!((cue.end - 8.44 - MIN_SECONDS).abs() < 1e-9);
    assert!(
        (cue.start - 8.44).abs() < 1e-9,
        "speech after it: it waits for its own"
    );
}

#[test]
fn speed_is_characters_by_seconds() {
    assert!((characters_per_second("Слово\nй діло", 2.0) - 5.5).abs() < 1e-9);
    for none in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(characters_per_second("Слово", none).abs() < 1e-9, "{none}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn cues_cover_the_text_and_rise(text in "\\PC{0,30}(\\s?[а-яA-Z今日,.]{1,9}){0,40}\\s*", start in any::<f64>(), end in any::<f64>()) {
        let cues = subtitles::of_segment(&segment(&text, start, end, Vec::new()), None);
        prop_assert!(cues.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start));
        prop_assert!(cues.windows(2).all(|pair| pair[0].start <= pair[1].start));
        prop_assert!(cues.iter().all(|cue| cue.start < cue.end || cue.start.abs() > 1e9));
        let squeezed = |text: &str| subtitles::cues::clean(text).replace(' ', "");
        let covered: String = cues.iter().map(|cue| &text[cue.range.clone()]).collect();
        prop_assert_eq!(squeezed(&covered), squeezed(&text));
        for cue in &cues {
            prop_assert_eq!(squeezed(&cue.lines.concat()), squeezed(&text[cue.range.clone()]));
        }
    }
}
