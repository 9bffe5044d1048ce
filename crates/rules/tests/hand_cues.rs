//! Hand-made subtitles: the effects of changes to their line, and how others avoid them.

use proptest::prelude::*;
use slovo_rules::edit::{self, EditedSegment, HandCue, NewLine, Place};
use slovo_rules::subtitles::cues::{Cue, SpeechContext, SpokenSegment, cues_within};
use slovo_rules::subtitles::{self, LIMITS};
use slovo_rules::transcript::Word;

fn segment(text: &str, start: f64, end: f64, cues: &[HandCue]) -> EditedSegment {
    EditedSegment {
        id: "7".to_owned(),
        revision: 3,
        place: Place { base: 7, part: 0 },
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

/// The text of each subtitle, with its lines.
fn texts(segment: &EditedSegment) -> Vec<String> {
    let around = SpeechContext::recording(0.0);
    let cues = subtitles::of_segments(std::slice::from_ref(segment), &[], &around);
    cues.into_iter().map(|cue| cue.lines.join("/")).collect()
}

fn times(segment: &EditedSegment) -> Vec<(f64, f64)> {
    segment
        .cues
        .iter()
        .map(|cue| (cue.start, cue.end))
        .collect()
}

/// A line of one, two, three, and four words.
fn line() -> EditedSegment {
    let cues = [
        cue(0, 1.0, 2.0, &[]),
        cue(4, 2.0, 4.0, &[8]),
        cue(14, 5.0, 6.0, &[]),
    ];
    segment("one two three four five", 1.0, 6.0, &cues)
}

#[test]
fn a_line_displays_exactly_its_subtitles() {
    assert_eq!(texts(&line()), ["one", "two/three", "four five"]);
    let displayed = subtitles::of_segments(&[line()], &[], &SpeechContext::recording(3.0));
    let displayed: Vec<_> = displayed
        .iter()
        .map(|cue| (cue.start, cue.end, cue.range.clone()))
        .collect();
    assert_eq!(
        displayed,
        [(1.0, 2.0, 0..3), (2.0, 4.0, 4..13), (5.0, 6.0, 14..23)]
    );
}

#[test]
fn changing_the_text_keeps_the_times_of_subtitles() {
    let changed = edit::retext(&line(), "One and two  three, four fives");
    assert_eq!(texts(&changed), ["One and", "two/three,", "four fives"]);
    assert_eq!(times(&changed), times(&line()));
    let longer = edit::retext(&line(), "one two more words three four five");
    assert_eq!(texts(&longer), ["one", "two more words/three", "four five"]);
}

#[test]
fn an_emptied_subtitle_gives_its_time_to_its_neighbour() {
    let shortened = edit::retext(&line(), "one four five");
    assert_eq!(texts(&shortened), ["one", "four five"]);
    assert_eq!(times(&shortened), [(1.0, 4.0), (5.0, 6.0)]);
    let shortened = edit::retext(&line(), "two three four five");
    assert_eq!(texts(&shortened), ["two/three", "four five"]);
    assert_eq!(times(&shortened), [(1.0, 4.0), (5.0, 6.0)]);
    let new = edit::retext(&line(), "something else");
    assert_eq!(new.cues[0].at, 0);
    assert_eq!(
        texts(&new).concat().replace(['/', ' '], ""),
        "somethingelse"
    );
}

#[test]
fn removing_the_text_before_a_break_removes_only_that_break() {
    let cues = [cue(0, 1.0, 4.0, &[4, 14])];
    let line = segment("one two three four five six", 1.0, 4.0, &cues);
    assert_eq!(texts(&line), ["one/two three/four five six"]);
    let shortened = edit::retext(&line, "two three four five six");
    assert_eq!(texts(&shortened), ["two three/four five six"]);
}

#[test]
fn a_split_divides_subtitles_and_a_merge_joins_them() {
    let (first, second) = edit::split(&line(), 13, "b", 9).expect("two");
    assert_eq!(
        (texts(&first), times(&first)),
        (
            vec!["one".to_owned(), "two/three".to_owned()],
            vec![(1.0, 2.0), (2.0, 4.0)]
        )
    );
    assert_eq!(
        (texts(&second), times(&second)),
        (vec!["four five".to_owned()], vec![(5.0, 6.0)])
    );
    let merged = edit::merge(&first, &second);
    assert_eq!(
        (merged.text.as_str(), &merged.cues),
        ("one two three four five", &line().cues)
    );
    // Through the middle of a subtitle: each half gets its share of the time.
    let (first, second) = edit::split(&line(), 7, "b", 9).expect("two");
    assert_eq!(texts(&first), ["one", "two"]);
    assert_eq!(texts(&second), ["three", "four five"]);
    assert_eq!(first.cues[1].end, second.cues[0].start);
    assert!(second.cues[0].start > 2.0 && second.cues[0].end == 4.0);
}

#[test]
fn a_merge_creates_a_subtitle_for_a_side_without_any() {
    let after = segment("Six, seven.", 7.0, 8.5, &[]);
    let joined = edit::merge(&line(), &after);
    assert_eq!(
        texts(&joined),
        ["one", "two/three", "four five", "Six, seven."]
    );
    assert_eq!(times(&joined)[3], (7.0, 8.5));
    let before = segment("Zero.", 0.0, 1.5, &[]);
    let joined = edit::merge(&before, &line());
    assert_eq!(texts(&joined)[..2], ["Zero.", "one"]);
    assert_eq!(times(&joined)[..2], [(0.0, 1.0), (1.0, 2.0)]);
    assert!(edit::merge(&before, &after).cues.is_empty());
}

#[test]
fn moving_a_line_moves_its_words_and_subtitles() {
    let mut line = line();
    line.words = vec![
        Word {
            start: 1.0,
            end: 2.0,
            text: "one".to_owned(),
            confidence: 0.5,
        },
        Word {
            start: 3.5,
            end: 6.0,
            text: "two".to_owned(),
            confidence: 0.5,
        },
    ];
    line.cues[2].end = 7.0;
    let moved = edit::with_times(&line, 11.0, 21.0);
    assert_eq!((moved.start, moved.end), (11.0, 21.0));
    let words: Vec<_> = moved
        .words
        .iter()
        .map(|word| (word.start, word.end))
        .collect();
    assert_eq!(words, [(11.0, 13.0), (16.0, 21.0)]);
    assert_eq!(times(&moved), [(11.0, 13.0), (13.0, 17.0), (19.0, 22.0)]);
    // There is no time before the start.
    let early = edit::with_times(&line, 0.0, 0.04);
    assert!(
        early
            .cues
            .iter()
            .all(|cue| cue.start >= 0.0 && cue.end - cue.start >= 0.0399)
    );
}

#[test]
fn an_inserted_line_has_clean_text_and_no_words() {
    let place = Place { base: 1, part: 5 };
    let line = edit::inserted(NewLine {
        id: "b",
        place,
        start: 1.0004,
        end: 2.0,
        text: " Так,\nтак ",
        speaker: Some("SPEAKER_0"),
        language: None,
    });
    assert_eq!(
        (line.start, line.end, line.text.as_str(), line.place),
        (1.0, 2.0, "Так, так", place)
    );
    assert!(line.words.is_empty() && line.cues.is_empty() && line.revision == 0);
}

#[test]
fn a_line_must_fit_between_its_neighbours_and_in_the_recording() {
    let fits = |start, end| {
        edit::line_fits((start, end), (Some(2.0), Some(5.0)), 9.0).map_err(|v| v.code.to_string())
    };
    assert_eq!(fits(2.0, 9.0), Ok(()));
    assert_eq!(fits(1.9, 9.0), Err("line_out_of_order".to_owned()));
    assert_eq!(fits(5.1, 9.0), Err("line_out_of_order".to_owned()));
    assert_eq!(fits(2.0, 9.1), Err("number_too_large".to_owned()));
    assert_eq!(
        edit::line_fits((0.0, 1e6), (None, None), f64::INFINITY),
        Ok(())
    );
}

#[test]
fn subtitles_and_their_lines_must_have_text() {
    let codes = |cues: &[HandCue]| {
        let violations = edit::cues_fit("one two ", cues).err().unwrap_or_default();
        violations
            .0
            .into_iter()
            .map(|v| v.field)
            .collect::<Vec<_>>()
    };
    assert_eq!(codes(&line().cues[..1]), Vec::<String>::new());
    assert_eq!(codes(&line().cues[..2]), ["cues.1.breaks"]);
    assert!(
        codes(&[cue(0, 0.0, 1.0, &[4]), cue(4, 1.0, 2.0, &[5])])
            .contains(&"cues.0.breaks".to_owned())
    );
    assert_eq!(codes(&[cue(0, 0.0, 1.0, &[3])]), Vec::<String>::new());
    assert_eq!(
        codes(&[cue(0, 0.0, 1.0, &[]), cue(7, 1.0, 2.0, &[])]),
        ["cues.1.at"]
    );
    assert_eq!(
        codes(&[cue(0, 0.0, 1.0, &[]), cue(u32::MAX, 1.0, 2.0, &[])]),
        ["cues.1.at"]
    );
    assert_eq!(codes(&[cue(0, 0.0, 1.0, &[7])]), ["cues.0.breaks"]);
}

/// The cues of a whole recording by the usual limits.
fn cues_of(segments: &[EditedSegment], duration: f64) -> Vec<Cue> {
    cues_within(segments.iter().map(SpokenSegment::from), duration, &LIMITS)
}

#[test]
fn neighbours_keep_clear_of_a_hand_made_subtitle() {
    let by_hand = segment("By hand.", 4.0, 6.0, &[cue(0, 3.0, 8.0, &[])]);
    let before = segment("Said right before the one in the middle.", 1.0, 4.0, &[]);
    let after = segment("And this one after it.", 6.0, 9.0, &[]);
    let cues = cues_of(&[before, by_hand, after], 20.0);
    let times: Vec<_> = cues.iter().map(|cue| (cue.start, cue.end)).collect();
    assert_eq!(times[1], (3.0, 8.0));
    assert!(times[0].1 <= 2.92 && times[2].0 >= 8.08, "{times:?}");
}

/// Consecutive lines, some with hand-made subtitles at arbitrary times.
fn text() -> impl Strategy<Value = Vec<EditedSegment>> {
    let by_hand = prop::option::of((-3.0..3.0_f64, 0.04..9.0_f64, 0.0..2.0_f64));
    let line = (
        "[а-яA-Z]{1,9}( [а-яA-Z,.]{1,9}){0,20}",
        0.1..6.0_f64,
        0.0..2.0_f64,
        by_hand,
    );
    prop::collection::vec(line, 1..60).prop_map(|lines| {
        let mut now = 1.0;
        let lines = lines.into_iter().map(|(text, length, pause, by_hand)| {
            let start = now;
            now += length + pause;
            let cues = by_hand.map_or(Vec::new(), |(shift, length, pause)| {
                let start = (start + shift).max(0.0);
                let middle = text.find(' ').map_or(0, |at| text[..at].chars().count());
                let first = cue(0, start, start + length, &[]);
                if middle == 0 {
                    return vec![first];
                }
                let second_start = start + length + pause;
                let at = u32::try_from(middle).expect("short");
                vec![first, cue(at, second_start, second_start + length, &[])]
            });
            segment(&text, start, start + length, &cues)
        });
        lines.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn hand_made_subtitles_keep_their_times_and_are_never_overlapped(segments in text()) {
        let cues = cues_of(&segments, 400.0);
        let by_hand: Vec<&Cue> = cues.iter().filter(|cue| cue.by_hand.is_some()).collect();
        let mut expected: Vec<(f64, f64)> = segments.iter().flat_map(times).collect();
        expected.sort_by(|a, b| a.partial_cmp(b).expect("times"));
        let mut actual: Vec<(f64, f64)> = by_hand.iter().map(|cue| (cue.start, cue.end)).collect();
        actual.sort_by(|a, b| a.partial_cmp(b).expect("times"));
        prop_assert_eq!(actual, expected);
        for cue in cues.iter().filter(|cue| cue.by_hand.is_none()) {
            for other in &by_hand {
                let is_clear = cue.end <= other.start - 0.079 || cue.start >= other.end + 0.079;
                prop_assert!(is_clear, "{cue:?} over {other:?}");
            }
        }
        for pair in cues.windows(2) {
            prop_assert!(pair[0].start <= pair[1].start, "{pair:?}");
        }
        let letters = |texts: Vec<&str>| {
            let mut letters: Vec<char> = texts.concat().replace(' ', "").chars().collect();
            letters.sort_unstable();
            letters
        };
        prop_assert_eq!(
            letters(cues.iter().map(|cue| cue.text.as_str()).collect()),
            letters(segments.iter().map(|segment| segment.text.as_str()).collect())
        );
    }

    #[test]
    fn cues_of_blocks_equal_those_of_the_complete_recording(segments in text()) {
        let spans: Vec<(f64, f64)> = segments.iter().map(|segment| match &segment.cues[..] {
            [first, .., last] | [first @ last] => subtitles::cues::claimed_interval((segment.start, segment.end), (first.start, last.end)),
            [] => (segment.start, segment.end),
        }).collect();
        let group_starts = subtitles::group_starts(&spans);
        let mut all = Vec::new();
        for (at, &first) in group_starts.iter().enumerate() {
            let end = group_starts.get(at + 1).copied().unwrap_or(segments.len());
            let around = SpeechContext { first: first == 0, speaker: None, next: segments.get(end).map_or(f64::INFINITY, |segment| segment.cues.first().map_or(segment.start, |cue| cue.start.min(segment.start))), duration: 400.0 };
            let cues = subtitles::of_segments(&segments[first..end], &[], &around);
            for cue in &cues {
                prop_assert_eq!(
                    cue.lines.concat().replace(' ', ""),
                    segments[first + cue.segment].text[cue.range.clone()].replace(' ', "")
                );
            }
            all.extend(cues.into_iter().map(|cue| (cue.start, cue.end)));
        }
        let complete = cues_of(&segments, 400.0);
        let complete: Vec<_> = complete.iter().map(|cue| (cue.start, cue.end)).collect();
        prop_assert_eq!(all, complete);
    }

    #[test]
    fn edits_keep_subtitles_in_order_with_text_in_each(
        old in "[а-яA-Z]{1,5}( [а-я今日,.]{1,5}){0,12}", new in "\\PC{0,3}[a-zа-я]([а-я今日,. ]{1,5}){0,12}",
        ats in prop::collection::btree_set(0..40_u32, 0..9), breaks in prop::collection::btree_set(0..40_u32, 0..9), cut in 0..40_u32, times in (0.0..50.0_f64, 0.04..50.0_f64),
    ) {
        let mut cues: Vec<HandCue> = Vec::new();
        for (number, at) in (0_u32..).zip([0].into_iter().chain(ats)) {
            let start = 1.0 + f64::from(number);
            cues.push(cue(at, start, start + 0.9, &[]));
        }
        cues.dedup_by_key(|cue| cue.at);
        while !cues.is_empty() && edit::cues_fit(&old, &cues).is_err() {
            cues.pop();
        }
        if let Some(last) = cues.last_mut() {
            last.breaks = breaks.into_iter().filter(|at| *at > last.at).take(3).collect();
        }
        if edit::cues_fit(&old, &cues).is_err() {
            cues.last_mut().expect("one").breaks.clear();
        }
        let before = segment(&old, 1.0, 12.0, &cues);
        let (start, end) = (times.0, times.0 + times.1);
        let mut edited = vec![edit::retext(&before, &new), edit::with_times(&before, start, end)];
        if let Some((first, second)) = edit::split(&before, cut, "b", 1) {
            edited.push(edit::merge(&first, &second));
            edited.extend([first, second]);
        }
        for after in edited {
            prop_assert_eq!(after.cues.is_empty(), before.cues.is_empty());
            prop_assert!(edit::cues_fit(&after.text, &after.cues).is_ok(), "{after:?}");
            prop_assert!(after.cues.first().is_none_or(|cue| cue.at == 0), "{after:?}");
            for pair in after.cues.windows(2) {
                prop_assert!(pair[0].at < pair[1].at && pair[0].end <= pair[1].start, "{after:?}");
            }
            prop_assert!(after.cues.iter().all(|cue| cue.end - cue.start >= 0.0395 && cue.start >= 0.0), "{after:?}");
        }
    }
}
