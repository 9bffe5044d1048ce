//! Edits of a transcript: validation, and the resulting words and times.

use proptest::prelude::*;
use slovo_rules::edit::{self, EditedSegment, Place};
use slovo_rules::transcript::Word;

fn word(text: &str, start: f64, end: f64) -> Word {
    Word {
        start,
        end,
        text: text.to_owned(),
        confidence: 0.5,
    }
}

/// A segment from second 1 whose words take half a second each, with pauses of a tenth.
fn segment(text: &str) -> EditedSegment {
    let words: Vec<Word> = text
        .split_whitespace()
        .zip(0_u32..)
        .map(|(text, number)| {
            let start = 1.0 + 0.6 * f64::from(number);
            word(text, start, start + 0.5)
        })
        .collect();
    EditedSegment {
        id: "7".to_owned(),
        revision: 3,
        place: Place { base: 7, part: 0 },
        start: 1.0,
        end: words.last().map_or(1.0, |word| word.end),
        speaker: Some("SPEAKER_1".to_owned()),
        language: None,
        text: text.to_owned(),
        words,
        cues: Vec::new(),
    }
}

fn texts(words: &[Word]) -> Vec<&str> {
    words.iter().map(|word| word.text.as_str()).collect()
}

/// Whether starts and ends are ascending and within the segment.
fn in_order(segment: &EditedSegment, words: &[Word]) -> bool {
    let within = words.iter().all(|word| {
        segment.start <= word.start && word.start <= word.end && word.end <= segment.end
    });
    let rising = words
        .windows(2)
        .all(|pair| pair[0].start <= pair[1].start && pair[0].end <= pair[1].end);
    within && rising
}

#[test]
fn unchanged_and_replaced_words_keep_their_times() {
    let old = segment("ми їдемо до Києва завтра");
    let new = edit::retime(&old, "ми йдемо до Львова завтра");
    assert_eq!(texts(&new), ["ми", "йдемо", "до", "Львова", "завтра"]);
    for (before, after) in old.words.iter().zip(&new) {
        assert_eq!((before.start, before.end), (after.start, after.end));
    }
    let confidences: Vec<f64> = new.iter().map(|word| word.confidence).collect();
    assert_eq!(confidences, [0.5, 1.0, 0.5, 1.0, 0.5]);
}

fn in_language(text: &str, language: Option<&str>) -> EditedSegment {
    EditedSegment {
        language: language.map(str::to_owned),
        ..segment(text)
    }
}

#[test]
fn both_parts_of_a_split_keep_the_language() {
    for language in [Some("ru"), None] {
        let (first, second) = edit::split(&in_language("раз два", language), 4, "n", 1).unwrap();
        assert_eq!(first.language.as_deref(), language);
        assert_eq!(second.language.as_deref(), language);
    }
}

#[test]
fn a_merge_has_the_language_of_the_longer_part() {
    let (short, long) = ("ні", "дуже довге речення");
    for (a, b, expected) in [
        ((long, Some("uk")), (short, Some("ru")), Some("uk")),
        ((short, Some("uk")), (long, Some("ru")), Some("ru")),
        // Without a language, it is that of the transcript.
        ((short, Some("ru")), (long, None), None),
        ((short, None), (long, Some("ru")), Some("ru")),
        // If they are equally long, that of the first.
        ((short, Some("uk")), (short, Some("ru")), Some("uk")),
    ] {
        let merged = edit::merge(&in_language(a.0, a.1), &in_language(b.0, b.1));
        assert_eq!(merged.language.as_deref(), expected, "{a:?} {b:?}");
    }
}

#[test]
fn a_segment_keeps_its_language_with_another_text_and_other_times() {
    let old = in_language("раз два", Some("ru"));
    let changed = [
        edit::retext(&old, "one two three"),
        edit::with_times(&old, 3.0, 4.0),
    ];
    for new in changed {
        assert_eq!(new.language.as_deref(), Some("ru"));
    }
}

#[test]
fn an_inserted_line_has_the_given_language() {
    for language in [Some("ru"), None] {
        let line = edit::inserted(edit::NewLine {
            id: "n",
            place: Place { base: 0, part: 1 },
            start: 1.0,
            end: 2.0,
            text: "так",
            speaker: None,
            language,
        });
        assert_eq!(line.language.as_deref(), language);
    }
}

#[test]
fn an_inserted_word_takes_the_pause() {
    let old = segment("one two");
    let new = edit::retime(&old, "one and two");
    assert_eq!(texts(&new), ["one", "and", "two"]);
    assert_eq!(
        (new[1].start, new[1].end),
        (old.words[0].end, old.words[1].start)
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gives_words_in_order_within_the_segment(
        before in "[абв]{1,3}( [абв]{1,3}){0,12}",
        after in "([абв今日]{1,3} ){0,4}\\PC{0,20}( [абв]{1,3}){0,4}",
    ) {
        let old = segment(&before);
        let new = edit::retime(&old, &after);
        prop_assert!(in_order(&old, &new), "{new:?}");
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        prop_assert_eq!(squeezed(&texts(&new).concat()), squeezed(&edit::clean(&after)));
    }

    #[test]
    fn a_split_at_a_space_is_undone_by_a_merge(text in "\\w{1,5}( \\w{1,5}){1,12}", choice: usize) {
        let old = segment(&text);
        let spaces: Vec<usize> = text.chars().enumerate().filter(|(_, c)| *c == ' ').map(|(at, _)| at).collect();
        let at = u32::try_from(spaces[choice % spaces.len()]).unwrap();
        let (first, second) = edit::split(&old, at, "new", 5).unwrap();
        prop_assert_eq!(second.place, Place { base: 7, part: 5 });
        prop_assert!(in_order(&first, &first.words) && in_order(&second, &second.words));
        // Scripts without spaces have none to restore.
        prop_assume!(text.is_ascii() || edit::merge(&first, &second).text == text);
        prop_assert_eq!(edit::merge(&first, &second), old);
    }
}

/// Times that no recognition returns.
fn odd_time() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>(),
        Just(f64::NAN),
        Just(f64::INFINITY),
        Just(f64::NEG_INFINITY),
        -1.0..10.0
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_local_change_leaves_all_other_words_unchanged(
        count in 1_usize..60,
        from: prop::sample::Index,
        removed in 0_usize..4,
        inserted in prop::collection::vec("[я-їА-Яa-z,.'’\u{301}]{1,6}", 0..4),
    ) {
        let spoken: Vec<String> = (0..count).map(|number| format!("слово{number}")).collect();
        let old = segment(&spoken.join(" "));
        let from = from.index(count);
        let to = (from + removed).min(count);
        let mut now = spoken.clone();
        now.splice(from..to, inserted.iter().cloned());
        let new = edit::retime(&old, &now.join(" "));
        prop_assert!(in_order(&old, &new), "{new:?}");
        prop_assert_eq!(new.len(), now.len());
        prop_assert_eq!(&new[..from], &old.words[..from]);
        prop_assert_eq!(&new[from + inserted.len()..], &old.words[to..]);
        prop_assert!(new[from..from + inserted.len()].iter().all(|word| (word.confidence - 1.0).abs() < 1e-9));
    }

    #[test]
    fn scattered_unchanged_words_keep_their_times(keep in prop::collection::vec(any::<bool>(), 1..80)) {
        let numbers = 0..keep.len();
        let old = segment(&numbers.clone().map(|number| format!("с{number}")).collect::<Vec<_>>().join(" "));
        let text: Vec<String> = numbers.clone().map(|number| if keep[number] { format!("с{number}") } else { format!("н{number}") }).collect();
        let new = edit::retime(&old, &text.join(" "));
        for number in numbers.filter(|number| keep[*number]) {
            prop_assert_eq!(&new[number], &old.words[number]);
        }
    }

    #[test]
    fn successive_changes_keep_words_in_order(texts in prop::collection::vec("[аб]( [абв]){0,9}", 1..9)) {
        let mut now = segment("а б в а б в");
        for text in texts {
            now.words = edit::retime(&now, &text);
            prop_assert!(in_order(&now, &now.words), "{:?}", now.words);
            prop_assert_eq!(texts_of(&now), text.clone());
            now.text = text;
        }
    }

    #[test]
    fn no_segment_causes_a_panic(
        text in any::<String>(), new in any::<String>(), spoken in prop::collection::vec((any::<String>(), odd_time(), odd_time()), 0..6),
        start in odd_time(), end in odd_time(), at: u32, part: i64, right: Option<i64>,
    ) {
        let words = spoken.iter().map(|(text, start, end)| word(text, *start, *end)).collect();
        let old = EditedSegment { start, end, text, words, ..segment("а") };
        let words = edit::retime(&old, &new);
        prop_assert!(words.iter().all(|word| !word.text.is_empty()));
        for at in [at, at % 16] {
            if let Some((first, second)) = edit::split(&old, at, "b", part) {
                prop_assert!(!first.text.is_empty() && !second.text.is_empty());
                let _ = edit::merge(&first, &second);
            }
        }
        if let Some(between) = edit::part_between(part, right) {
            prop_assert!(part < between && right.is_none_or(|right| between < right) && between < 1 << 53);
        }
        if let Some(before) = edit::part_before(part) {
            prop_assert!(before < part && before > -(1 << 53));
        }
    }

    #[test]
    fn cleaning_is_idempotent_and_removes_control_characters(text in any::<String>()) {
        let clean = edit::clean(&text);
        prop_assert_eq!(edit::clean(&clean), clean.clone());
        prop_assert!(!clean.chars().any(char::is_control));
    }
}

fn texts_of(segment: &EditedSegment) -> String {
    texts(&segment.words).join(" ")
}

#[test]
fn retiming_a_rewritten_text_of_maximum_length_terminates() {
    let long = |letter: &str| vec![letter; edit::MAX_TEXT / 2].join(" ");
    let old = segment(&long("а"));
    for text in [
        long("б"),
        format!("б {} б", long("а")),
        "а б ".repeat(5000),
        "б".repeat(edit::MAX_TEXT),
    ] {
        assert!(in_order(&old, &edit::retime(&old, &text)));
    }
}
