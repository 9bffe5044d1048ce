//! The differences, and the omitted rows.

use slovo_rules::edit::{HandCue, Place, Speaker};
use slovo_rules::settings::TranscriptionType;

use super::*;

fn transcript(version: u32, texts: &[&str]) -> EditedTranscript {
    let segments = texts
        .iter()
        .zip(0_u32..)
        .map(|(text, index)| EditedSegment {
            id: index.to_string(),
            revision: 0,
            place: Place {
                base: index,
                part: 0,
            },
            start: f64::from(index) * 2.0,
            end: f64::from(index) * 2.0 + 2.0,
            speaker: Some("SPEAKER_0".to_owned()),
            language: None,
            text: (*text).to_owned(),
            words: Vec::new(),
            cues: Vec::new(),
        });
    EditedTranscript {
        version,
        seq: 0,
        language: "uk".to_owned(),
        duration: 60.0,
        mode: TranscriptionType::Full,
        model: String::new(),
        speakers: vec![Speaker {
            id: "SPEAKER_0".to_owned(),
            name: None,
        }],
        segments: segments.collect(),
        warnings: Vec::new(),
        removed: Vec::new(),
    }
}

#[test]
fn changed_words_are_listed_and_distant_equal_rows_skipped() {
    let before = transcript(1, &["а", "б", "в", "один два три", "г", "ґ", "д", "е"]);
    let mut after = transcript(1, &["а", "б", "в", "один двоє три", "г", "ґ", "д"]);
    after.segments.swap_remove(1);
    after.segments.sort_by_key(|segment| segment.place);
    let diff = of(&before, &after);
    assert_eq!((diff.removed_words, diff.added_words), (3, 1));
    let kinds: Vec<_> = diff
        .rows
        .iter()
        .map(|row| (row.kind, row.skipped))
        .collect();
    assert_eq!(
        kinds,
        [
            (RowKind::Equal, 0),
            (RowKind::Removed, 0),
            (RowKind::Equal, 0),
            (RowKind::Changed, 0),
            (RowKind::Equal, 0),
            (RowKind::Equal, 1),
            (RowKind::Removed, 0),
        ]
    );
    let pieces: Vec<_> = diff.rows[3]
        .pieces
        .iter()
        .map(|piece| (piece.kind, piece.text.as_str()))
        .collect();
    assert_eq!(
        pieces,
        [
            (PieceKind::Equal, "один "),
            (PieceKind::Removed, "два "),
            (PieceKind::Added, "двоє "),
            (PieceKind::Equal, "три"),
        ]
    );
    assert_eq!(of(&before, &before), Diff::default());
}

#[test]
fn a_changed_speaker_is_a_difference_and_runs_are_matched_by_time() {
    let before = transcript(1, &["раз", "два"]);
    let mut after = transcript(1, &["раз", "два"]);
    after.speakers[0].name = Some("Оля".to_owned());
    let diff = of(&before, &after);
    assert_eq!(diff.rows.len(), 2);
    assert_eq!(diff.rows[0].speaker_before.as_deref(), Some("S1"));
    assert_eq!(diff.rows[0].speaker_after.as_deref(), Some("Оля"));
    assert_eq!((diff.added_words, diff.removed_words), (0, 0));

    let mut other = transcript(2, &["раз і", "два"]);
    other.segments[0].place.base = 7;
    let diff = of(&before, &other);
    assert_eq!(diff.rows[0].kind, RowKind::Changed);
    assert_eq!((diff.added_words, diff.removed_words), (1, 0));
}

#[test]
fn changed_times_or_subtitles_are_a_difference() {
    let before = transcript(1, &["раз", "два", "три"]);
    let mut after = before.clone();
    after.segments[0].end += 0.5;
    after.segments[1].cues = vec![HandCue {
        at: 0,
        start: 2.0,
        end: 3.0,
        breaks: Vec::new(),
    }];
    let diff = of(&before, &after);
    let kinds: Vec<_> = diff.rows.iter().map(|row| (row.kind, row.recued)).collect();
    assert_eq!(
        kinds,
        [
            (RowKind::Changed, false),
            (RowKind::Changed, true),
            (RowKind::Equal, false)
        ]
    );
    let moved = diff.rows[0].moved.unwrap();
    assert_eq!((moved.before, moved.after), ((0.0, 2.0), (0.0, 2.5)));
    assert_eq!(diff.rows[1].moved, None);
    assert_eq!((diff.added_words, diff.removed_words), (0, 0));
    // Times of another run always differ.
    let mut other = after.clone();
    other.version = 2;
    assert_eq!(of(&before, &other), Diff::default());
}

#[test]
fn long_texts_without_common_words_are_compared_in_bounded_time() {
    let texts = |letter: char| -> Vec<String> {
        (0..5000)
            .map(|at| format!("{letter}{at} ").repeat(20))
            .collect()
    };
    let (before, after) = (texts('a'), texts('b'));
    let borrowed = |texts: &[String]| -> EditedTranscript {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        transcript(1, &texts)
    };
    let diff = of(&borrowed(&before), &borrowed(&after));
    assert_eq!((diff.added_words, diff.removed_words), (100_000, 100_000));
}
