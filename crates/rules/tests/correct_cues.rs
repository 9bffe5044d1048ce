//! Subtitles over their limits, and fixing them.

use proptest::prelude::*;
use slovo_rules::edit::{EditedSegment, HandCue, Place, cues_fit};
use slovo_rules::subtitles::cues::{SpeechContext, SpokenSegment, cues_within};
use slovo_rules::subtitles::{
    Corrections, LIMITS, OverLimitKind, ShownCue, correct_cues, correct_cues_after, over_limits,
};

fn segment(number: u32, text: &str, start: f64, end: f64, cues: &[HandCue]) -> EditedSegment {
    EditedSegment {
        id: number.to_string(),
        revision: number,
        place: Place {
            base: number,
            part: 0,
        },
        start,
        end,
        speaker: None,
        language: None,
        text: text.to_owned(),
        words: Vec::new(),
        cues: cues.to_vec(),
    }
}

fn cue(at: u32, start: f64, end: f64, breaks: &[u32]) -> HandCue {
    HandCue {
        at,
        start,
        end,
        breaks: breaks.to_vec(),
    }
}

fn shown(start: f64, end: f64, lines: &[&str]) -> ShownCue {
    ShownCue {
        start,
        end,
        head: String::new(),
        lines: lines.iter().map(|&line| line.to_owned()).collect(),
    }
}

fn corrected(segments: &[EditedSegment], duration: f64) -> Corrections {
    correct_cues(segments, &[], &LIMITS, &SpeechContext::recording(duration))
}

/// The segments after the edits.
fn after(segments: &[EditedSegment], corrections: &Corrections) -> Vec<EditedSegment> {
    let mut segments = segments.to_vec();
    for edit in &corrections.edits {
        let segment = segments
            .iter_mut()
            .find(|segment| segment.id == edit.segment.id);
        let segment = segment.expect("a known segment");
        assert_eq!(segment.revision, edit.segment.revision);
        segment.cues.clone_from(&edit.cues);
    }
    segments
}

#[test]
fn each_exceeded_limit_is_reported_with_the_actual_value() {
    let wide = "x".repeat(43);
    let cues = [
        shown(0.0, 2.0, &["a", "b", "c"]),
        shown(1.5, 2.0, &["a"]),
        shown(2.05, 9.5, &[&wide]),
        shown(9.58, 10.58, &["eighteen letters !"]),
    ];
    let over: Vec<_> = over_limits(&cues, &LIMITS)
        .into_iter()
        .map(|over| {
            (
                over.cue,
                over.kind,
                (over.value * 100.0).round() / 100.0,
                over.limit,
            )
        })
        .collect();
    assert_eq!(
        over,
        [
            (0, OverLimitKind::Lines, 3.0, 2.0),
            (1, OverLimitKind::Short, 0.5, 1.0),
            (1, OverLimitKind::Overlap, 0.5, 0.0),
            (2, OverLimitKind::Columns, 43.0, 42.0),
            (2, OverLimitKind::Long, 7.45, 7.0),
            (2, OverLimitKind::Gap, 0.05, 0.08),
            (3, OverLimitKind::Cps, 18.0, 17.0),
        ]
    );
    let named = ShownCue {
        head: "Olena: ".to_owned(),
        ..shown(0.0, 1.0, &["ten letter"])
    };
    assert!(over_limits(&[named], &LIMITS).is_empty());
}

#[test]
fn a_fast_subtitle_extends_into_following_then_preceding_silence() {
    let text = "Thirty-four letters are read here.";
    let segments = [
        segment(0, "Before.", 0.0, 3.0, &[cue(0, 0.0, 3.0, &[])]),
        segment(1, text, 5.0, 6.0, &[cue(0, 5.0, 5.5, &[])]),
        segment(2, "After.", 6.0, 9.0, &[cue(0, 6.0, 9.0, &[])]),
    ];
    let result = corrected(&segments, 20.0);
    assert_eq!((result.before, result.after, result.edits.len()), (1, 0, 1));
    // Two seconds are needed: 5.92 leaves the gap before what follows.
    let own = &result.edits[0].cues[0];
    assert_eq!((own.start, own.end), (3.92, 5.92));
    assert_eq!(result.changes[0].segment, "1");
    assert_eq!(result.changes[0].before[0].end, 5.5);
    assert_eq!(result.changes[0].after[0].start, 3.92);
}

#[test]
fn a_subtitle_that_lacks_less_than_half_a_millisecond_is_extended() {
    // 30 characters need 1.7647 s.
    let text = "Thirty letters are read there.";
    let segments = [segment(0, text, 2.0, 10.0, &[cue(0, 2.0, 3.76457, &[])])];
    let result = corrected(&segments, 20.0);
    assert_eq!((result.before, result.after), (1, 0));
    assert_eq!(result.edits[0].cues[0].end, 3.765);
}

#[test]
fn correcting_a_part_keeps_the_gap_to_its_neighbours() {
    let text = "Thirty-four letters are read here.";
    let part = [segment(1, text, 5.0, 6.0, &[cue(0, 5.0, 5.5, &[])])];
    let around = SpeechContext {
        next: 6.0,
        ..SpeechContext::recording(20.0)
    };
    let result = correct_cues_after(&part, &[], &LIMITS, &around, Some(4.5));
    let own = &result.edits[0].cues[0];
    assert_eq!((own.start, own.end), (4.58, 5.92));
    assert_eq!((result.before, result.after), (1, 1));
}

#[test]
fn a_subtitle_that_is_too_wide_or_too_long_is_split() {
    let text =
        "This is the first sentence of a long line. And here is another one, which is as long.";
    let segments = [segment(0, text, 1.0, 9.0, &[cue(0, 1.0, 9.0, &[])])];
    let result = corrected(&segments, 20.0);
    assert_eq!((result.before, result.after), (1, 0));
    let lines: Vec<String> = result.changes[0]
        .after
        .iter()
        .map(|cue| cue.lines.join(" "))
        .collect();
    assert_eq!(
        lines,
        [
            "This is the first sentence of a long line.",
            "And here is another one, which is as long."
        ]
    );
    // Hand-made breaks are dropped if automatic ones fit.
    let broken = [segment(0, text, 1.0, 7.0, &[cue(0, 1.0, 7.0, &[5, 8, 12])])];
    let result = corrected(&broken, 20.0);
    assert_eq!(result.after, 0);
}

#[test]
fn overlaps_are_fixed_and_those_without_room_are_counted() {
    let segments = [
        segment(0, "One.", 1.0, 4.0, &[cue(0, 1.0, 6.0, &[])]),
        segment(1, "Two.", 4.0, 7.0, &[cue(0, 4.0, 7.0, &[])]),
    ];
    let result = corrected(&segments, 20.0);
    assert_eq!((result.before, result.after), (1, 0));
    let times: Vec<_> = result.changes[0]
        .after
        .iter()
        .map(|cue| (cue.start, cue.end))
        .collect();
    assert_eq!((result.edits.len(), times), (1, vec![(1.0, 3.92)]));
    let crammed = [
        segment(
            0,
            "A long sentence that nobody can read so fast.",
            0.0,
            0.5,
            &[cue(0, 0.0, 0.5, &[])],
        ),
        segment(
            1,
            "And another one right behind it, as long.",
            0.5,
            1.0,
            &[cue(0, 0.58, 1.0, &[])],
        ),
    ];
    let result = corrected(&crammed, 1.0);
    assert_eq!((result.before, result.after), (2, 2));
}

#[test]
fn subtitles_within_the_limits_are_unchanged() {
    let segments = [
        segment(0, "Fine.", 1.0, 3.0, &[]),
        segment(1, "So is this.", 3.5, 6.0, &[]),
    ];
    let result = corrected(&segments, 20.0);
    assert_eq!((result.before, result.after), (0, 0));
    assert!(result.edits.is_empty() && result.changes.is_empty());
    assert!(corrected(&[], 0.0).edits.is_empty());
}

/// Lines of a recording, some with hand-made subtitles at arbitrary times.
fn text() -> impl Strategy<Value = Vec<EditedSegment>> {
    let by_hand = prop::option::weighted(0.6, (-2.0..2.0_f64, 0.04..12.0_f64, 0.0..1.0_f64));
    let line = (
        "[а-я]{1,9}( [а-яA-Z]{1,9}[,.]?){0,20}",
        0.3..6.0_f64,
        0.0..3.0_f64,
        by_hand,
    );
    prop::collection::vec(line, 1..40).prop_map(|lines| {
        let ms = |seconds: f64| (seconds * 1000.0).round() / 1000.0;
        let mut now = 1.0;
        let lines = (0..)
            .zip(lines)
            .map(|(number, (text, length, pause, by_hand))| {
                let start = ms(now);
                now += length + pause;
                let cues = by_hand.map_or(Vec::new(), |(shift, length, pause)| {
                    let start = ms((start + shift).max(0.0));
                    let first = cue(0, start, ms(start + length), &[]);
                    let Some(space) = text.find(' ') else {
                        return vec![first];
                    };
                    let at = u32::try_from(text[..space].chars().count()).expect("short");
                    let second_start = ms(first.end + pause);
                    vec![first, cue(at, second_start, ms(second_start + length), &[])]
                });
                segment(number, &text, start, ms(start + length), &cues)
            });
        lines.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn correcting_never_worsens_and_is_idempotent(segments in text()) {
        let result = corrected(&segments, 400.0);
        prop_assert!(result.after <= result.before, "{} to {}", result.before, result.after);
        let new = after(&segments, &result);
        for (old, new) in segments.iter().zip(&new) {
            prop_assert_eq!((&old.text, old.start, old.end), (&new.text, new.start, new.end));
            prop_assert!(cues_fit(&new.text, &new.cues).is_ok(), "{new:?}");
            prop_assert!(new.cues.first().is_none_or(|cue| cue.at == 0));
            for pair in new.cues.windows(2) {
                prop_assert!(pair[0].at < pair[1].at && pair[0].end <= pair[1].start, "{new:?}");
            }
            prop_assert!(new.cues.iter().all(|cue| cue.start >= 0.0 && cue.end - cue.start >= 0.0395 && cue.end <= 400.0 + 1e-6), "{new:?}");
        }
        let count = |segments: &[EditedSegment]| {
            let cues = cues_within(segments.iter().map(SpokenSegment::from), 400.0, &LIMITS);
            let cues: Vec<ShownCue> = cues.iter().map(|cue| shown(cue.start, cue.end, &cue.lines(&LIMITS).lines().collect::<Vec<_>>())).collect();
            let over = over_limits(&cues, &LIMITS);
            let overlaps = over.iter().filter(|over| over.kind == OverLimitKind::Overlap).count();
            (cues, overlaps)
        };
        // All text is displayed, and correcting again changes nothing.
        let (before, _) = count(&segments);
        let (cues, overlaps) = count(&new);
        let letters = |cues: &[ShownCue]| {
            let mut letters: Vec<char> = cues.iter().flat_map(|cue| cue.lines.concat().chars().collect::<Vec<_>>()).filter(|c| *c != ' ').collect();
            letters.sort_unstable();
            letters
        };
        prop_assert_eq!(letters(&before), letters(&cues));
        prop_assert!(overlaps <= count(&segments).1);
        let again = corrected(&new, 400.0);
        prop_assert_eq!((again.before, again.after), (result.after, result.after));
        prop_assert!(again.edits.is_empty(), "{:?}", again.changes);
    }

    #[test]
    fn with_enough_room_everything_is_corrected(texts in prop::collection::vec("[а-я]{2,9}( [а-я]{2,9}[,.]?){0,10}", 1..12), shift in 0.0..2.0_f64) {
        let segments: Vec<EditedSegment> = (0_u32..).zip(&texts).map(|(number, text)| {
            let start = 2.0 + 12.0 * f64::from(number);
            let end = start + 8.0;
            segment(number, text, start, end, &[cue(0, start, start + 0.04 + shift, &[])])
        }).collect();
        let result = corrected(&segments, 1000.0);
        let displayed: Vec<ShownCue> = result.changes.iter().flat_map(|change| change.after.clone()).collect();
        let over = over_limits(&displayed, &LIMITS);
        prop_assert_eq!(result.after, 0, "{:?} {:?}", over, result.changes);

    }
}
