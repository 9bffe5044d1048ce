use slovo_rules::removed::Removed;
use slovo_rules::settings::TranscriptionType;

use super::*;

fn turn(start: f64, end: f64, speaker: usize) -> Turn {
    Turn {
        start,
        end,
        speaker,
    }
}

fn word(start: f64, end: f64, text: &str) -> Word {
    Word {
        start,
        end,
        text: text.to_owned(),
        confidence: 1.0,
    }
}

fn segment(start: f64, end: f64, text: &str, words: Vec<Word>) -> Segment {
    Segment {
        index: 7,
        start,
        end,
        speaker: None,
        language: None,
        text: text.to_owned(),
        words,
    }
}

/// One word a second, half a second long.
fn spoken(start: f64, text: &str) -> Segment {
    let words: Vec<Word> = text
        .split(' ')
        .enumerate()
        .map(|(place, text)| {
            let start = start + place as f64;
            word(start, start + 0.5, text)
        })
        .collect();
    let end = words.last().map_or(start, |word| word.end);
    segment(start, end, text, words)
}

fn transcript(segments: Vec<Segment>, removed: Vec<Removed>) -> Transcript {
    Transcript {
        language: "en".to_owned(),
        duration: 60.0,
        mode: TranscriptionType::Full,
        model: "base-q8_0".to_owned(),
        segments,
        warnings: Vec::new(),
        removed,
    }
}

fn assigned(segments: Vec<Segment>, turns: &[Turn], whole_sentences: bool) -> Vec<Segment> {
    assign(transcript(segments, Vec::new()), turns, whole_sentences).segments
}

fn labelled(segments: &[Segment]) -> Vec<(String, String)> {
    segments
        .iter()
        .map(|segment| (segment.speaker.clone().unwrap(), segment.text.clone()))
        .collect()
}

fn pairs(expected: &[(usize, &str)]) -> Vec<(String, String)> {
    expected
        .iter()
        .map(|(number, text)| (format!("SPEAKER_{number}"), (*text).to_owned()))
        .collect()
}

#[test]
fn a_segment_is_split_where_the_speaker_changes() {
    let turns = [turn(0.0, 2.8, 5), turn(2.9, 6.0, 2)];
    let segments = assigned(
        vec![spoken(0.0, "How are you? Fine, thanks.")],
        &turns,
        false,
    );
    assert_eq!(
        labelled(&segments),
        pairs(&[(0, "How are you?"), (1, "Fine, thanks.")])
    );
    assert_eq!((segments[0].start, segments[0].end), (0.0, 2.5));
    assert_eq!((segments[1].start, segments[1].end), (3.0, 4.5));
    assert_eq!((segments[0].index, segments[1].index), (0, 1));
    assert_eq!(segments[1].words.len(), 2);
}

#[test]
fn a_sentence_goes_to_the_speaker_of_most_of_it() {
    let turns = [turn(0.0, 2.8, 0), turn(2.9, 6.0, 1)];
    let segments = assigned(vec![spoken(0.0, "a b c d e")], &turns, true);
    assert_eq!(labelled(&segments), pairs(&[(0, "a b c d e")]));
}

#[test]
fn speakers_are_numbered_in_the_order_of_the_text() {
    let turns = [turn(0.0, 2.0, 9), turn(2.0, 4.0, 3), turn(4.0, 6.0, 9)];
    let segments = vec![spoken(0.0, "a b"), spoken(2.0, "c d"), spoken(4.0, "e f")];
    let segments = assigned(segments, &turns, false);
    assert_eq!(
        labelled(&segments),
        pairs(&[(0, "a b"), (1, "c d"), (0, "e f")])
    );
}

#[test]
fn without_words_the_majority_decides_and_without_turns_nothing_changes() {
    let original = segment(0.0, 4.0, "no words", Vec::new());
    let turns = [turn(0.0, 1.0, 0), turn(1.0, 4.0, 1)];
    let segments = assigned(vec![original.clone()], &turns, false);
    assert_eq!(labelled(&segments), pairs(&[(0, "no words")]));
    assert_eq!(assigned(vec![original.clone()], &[], false), vec![original]);
}

#[test]
fn words_outside_all_turns_go_to_the_nearest_or_previous_speaker() {
    let turns = [turn(0.0, 1.6, 0), turn(3.2, 4.0, 1)];
    // "c" is 0.4 s behind the first turn and 0.7 s before the second.
    let near = assigned(vec![spoken(0.0, "a b c d")], &turns, false);
    assert_eq!(labelled(&near), pairs(&[(0, "a b c"), (1, "d")]));
    let far = assigned(vec![spoken(0.0, "a b"), spoken(60.0, "x y")], &turns, false);
    assert_eq!(labelled(&far), pairs(&[(0, "a b"), (0, "x y")]));
}

#[test]
fn a_flicker_of_one_short_word_is_smoothed_and_a_long_interjection_stays() {
    let turns = [turn(0.0, 1.2, 0), turn(1.2, 1.4, 1), turn(1.4, 9.0, 0)];
    let words = vec![
        word(0.0, 0.5, "a"),
        word(1.2, 1.4, "b"),
        word(2.0, 2.5, "c"),
    ];
    let segments = assigned(vec![segment(0.0, 2.5, "a b c", words)], &turns, false);
    assert_eq!(labelled(&segments), pairs(&[(0, "a b c")]));
    let turns = [turn(0.0, 0.9, 0), turn(0.9, 1.9, 1), turn(1.9, 9.0, 0)];
    let segments = assigned(vec![spoken(0.0, "a yes! c")], &turns, false);
    assert_eq!(
        labelled(&segments),
        pairs(&[(0, "a"), (1, "yes!"), (0, "c")])
    );
}

#[test]
fn in_an_overlap_the_current_speaker_continues() {
    let turns = [turn(0.0, 4.0, 0), turn(2.0, 6.0, 1)];
    let segments = assigned(vec![spoken(0.0, "a b c d e f")], &turns, false);
    assert_eq!(labelled(&segments), pairs(&[(0, "a b c d"), (1, "e f")]));
}

#[test]
fn unspaced_text_is_split_without_adding_spaces() {
    let words = vec![
        word(0.0, 0.5, "你"),
        word(0.5, 1.0, "好"),
        word(2.0, 2.5, "谢"),
        word(2.5, 3.0, "谢。"),
    ];
    let turns = [turn(0.0, 1.5, 0), turn(1.5, 4.0, 1)];
    let segments = assigned(vec![segment(0.0, 3.0, "你好谢谢。", words)], &turns, false);
    assert_eq!(labelled(&segments), pairs(&[(0, "你好"), (1, "谢谢。")]));
}

#[test]
fn text_that_differs_from_its_words_is_replaced_by_them() {
    let mut odd = spoken(0.0, "a b c d");
    odd.text = "something else".to_owned();
    let turns = [turn(0.0, 1.8, 0), turn(1.8, 9.0, 1)];
    let segments = assigned(vec![odd], &turns, false);
    assert_eq!(labelled(&segments), pairs(&[(0, "a b"), (1, "c d")]));
}

#[test]
fn no_word_is_lost_or_doubled_for_any_turns() {
    let text: Vec<String> = (0..40).map(|i| format!("w{i}")).collect();
    let turns: Vec<Turn> = (0..60)
        .map(|i| {
            let start = ((i * 37) % 50) as f64 * 0.9;
            turn(start, start + ((i * 13) % 7) as f64 * 0.5, i % 5)
        })
        .collect();
    let segments = assigned(vec![spoken(0.0, &text.join(" "))], &turns, false);
    let joined: Vec<String> = segments.iter().map(|s| s.text.clone()).collect();
    assert_eq!(joined.join(" "), text.join(" "));
    let words: usize = segments.iter().map(|s| s.words.len()).sum();
    assert_eq!(words, 40);
    assert!(segments.windows(2).all(|pair| pair[0].end <= pair[1].start));
}

#[test]
fn assignment_by_sentence_and_by_turn_give_different_results() {
    // The second speaker begins before the first sentence ends.
    let segments = || vec![spoken(0.0, "How are you? Fine, thanks. And you?")];
    let turns = [turn(0.0, 1.8, 0), turn(1.9, 4.8, 1), turn(4.9, 8.0, 0)];
    assert_eq!(
        labelled(&assigned(segments(), &turns, false)),
        pairs(&[(0, "How are"), (1, "you? Fine, thanks."), (0, "And you?")])
    );
    let sentences = assigned(segments(), &turns, true);
    assert_eq!(
        labelled(&sentences),
        pairs(&[(0, "How are you?"), (1, "Fine, thanks."), (0, "And you?")])
    );
    assert_eq!((sentences[1].start, sentences[1].end), (3.0, 4.5));
    let words: usize = sentences.iter().map(|segment| segment.words.len()).sum();
    assert_eq!(words, 7);
}

#[test]
fn a_sentence_across_several_segments_has_one_speaker() {
    let segments = || {
        vec![
            spoken(0.0, "a b c,"),
            spoken(3.0, "d e."),
            spoken(5.0, "F g."),
        ]
    };
    let turns = [turn(0.0, 2.8, 0), turn(2.9, 9.0, 1)];
    assert_eq!(
        labelled(&assigned(segments(), &turns, true)),
        pairs(&[(0, "a b c,"), (0, "d e."), (1, "F g.")])
    );
    assert_eq!(
        labelled(&assigned(segments(), &turns, false)),
        pairs(&[(0, "a b c,"), (1, "d e."), (1, "F g.")])
    );
    // After a pause another speaker may continue.
    let paused = vec![spoken(0.0, "a b c,"), spoken(6.0, "d e.")];
    assert_eq!(
        labelled(&assigned(paused, &turns, true)),
        pairs(&[(0, "a b c,"), (1, "d e.")])
    );
}

#[test]
fn a_text_without_full_stops_still_has_several_speakers() {
    let turns: Vec<Turn> = (0..20)
        .map(|i| {
            turn(
                f64::from(i) * 40.0,
                f64::from(i + 1) * 40.0,
                usize::from(i % 2 == 1),
            )
        })
        .collect();
    let segments: Vec<Segment> = (0..80)
        .map(|i| spoken(f64::from(i) * 10.0, "a b c d e f g h i j"))
        .collect();
    let speakers: std::collections::BTreeSet<_> = assigned(segments, &turns, true)
        .into_iter()
        .map(|segment| segment.speaker)
        .collect();
    assert_eq!(speakers.len(), 2);
}

#[test]
fn speech_that_was_not_recognised_has_the_speaker_of_its_turn() {
    let passage = |start: f64, reason| Removed {
        start,
        end: start + 2.0,
        speaker: None,
        text: String::new(),
        reason,
        voiced: 0.9,
        confidence: 0.1,
        compression: 1.0,
    };
    let turns = [turn(0.0, 9.0, 4), turn(10.0, 19.0, 2), turn(30.0, 39.0, 1)];
    let removed = vec![
        passage(4.0, RemovedReason::Unrecognised),
        passage(5.0, RemovedReason::SoundMark),
        passage(12.0, RemovedReason::Unrecognised),
        passage(25.0, RemovedReason::Unrecognised),
        passage(31.0, RemovedReason::Unrecognised),
    ];
    let text = vec![spoken(10.0, "a b"), spoken(1.0, "c d")];
    let found = assign(transcript(text, removed), &turns, false);
    assert_eq!(labelled(&found.segments), pairs(&[(0, "a b"), (1, "c d")]));
    let speakers: Vec<_> = found
        .removed
        .iter()
        .map(|it| it.speaker.as_deref())
        .collect();
    let (first, second, third) = ("SPEAKER_0", "SPEAKER_1", "SPEAKER_2");
    assert_eq!(
        speakers,
        [Some(second), None, Some(first), None, Some(third)]
    );
}
