//! Searching: equivalences, positions, and the amount of work.

use proptest::prelude::*;
use slovo_rules::search::{self, Query, find, fold, in_utf16, words, words_at};
use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// By Unicode's own tables: a mark, or the second character of a composed pair (UAX #15,
/// NFC_Quick_Check=Maybe).
fn joins_the_letter_before(character: char) -> bool {
    canonical_combining_class(character) != 0
        || is_nfc_quick(std::iter::once(character)) == IsNormalized::Maybe
}

fn found<'a>(text: &'a str, query: &str) -> Vec<&'a str> {
    find(text, query)
        .into_iter()
        .map(|range| &text[range])
        .collect()
}

#[test]
fn case_apostrophes_and_white_space_make_no_difference() {
    let text = "П’ЯТЬ п'ять пʼять п‘ять п`ять п′ять п＇ять пять";
    assert_eq!(find(text, "п’ять").len(), 7);
    assert_eq!(
        found("на\u{a0}\n\t дворі", "НА ДВОРІ"),
        ["на\u{a0}\n\t дворі"]
    );
    assert_eq!(found("ΟΔΟΣ οδός", "οδος"), ["ΟΔΟΣ"]);
    assert_eq!(found("сло\u{ad}во", "слово"), ["сло\u{ad}во"]);
}

#[test]
fn composed_and_decomposed_letters_are_equal_and_marks_stay_attached() {
    let parted: String = "Її київський йод".nfd().collect();
    // A length mark of Grantha: a letter of combining class 0, and still part of a vowel.
    assert!(found("A\u{11357} B", "A").is_empty());
    assert_eq!(found(&parted, "київський").len(), 1);
    assert_eq!(found("Її київський йод", &parted), ["Її київський йод"]);
    assert!(
        find(&parted, "и").len() == 2,
        "not those that ї and й are made of"
    );
    assert!(find("ї", "і").is_empty());
    assert!(find("x\u{301}", "x").is_empty());
    assert!(find("e\u{301}", "\u{301}").is_empty());
}

#[test]
fn ranges_are_in_utf16_units() {
    let text = "😀 Ні, ні 😀ні";
    let ranges = in_utf16(text, &find(text, "ні"));
    let units: Vec<u16> = text.encode_utf16().collect();
    let read = ranges.iter().map(|range| {
        let (start, end) = (range.start as usize, range.end as usize);
        String::from_utf16(&units[start..end]).expect("UTF-16")
    });
    assert_eq!(read.collect::<Vec<_>>(), ["Ні", "ні", "ні"]);
}

#[test]
fn empty_or_too_long_queries_find_nothing() {
    for query in ["", " ", "\u{ad}\u{200b}", "\n\t"] {
        assert!(find("a b", query).is_empty(), "{query:?}");
    }
    assert!(find("", "a").is_empty());
    let long = "a".repeat(search::MAX_QUERY + 1);
    assert!(find(&long, &long).is_empty());
    assert_eq!(find(&long, &long[1..]).len(), 1);
}

#[test]
fn words_for_an_index_are_folded() {
    assert_eq!(
        words("П’ять «по-перше», 3,5% — ОБ’ЄКТ'"),
        ["п'ять", "по", "перше", "3", "5", "об'єкт"]
    );
    assert_eq!(words("天気です good"), ["天", "気", "で", "す", "good"]);
    assert_eq!(words(" … ' \u{301}"), Vec::<String>::new());
    assert_eq!(words(&"я".repeat(1000)), ["я".repeat(search::MAX_WORD)]);
}

/// The words of a text in their original form.
fn original_words(text: &str) -> Vec<&str> {
    let words = words_at(text).into_iter();
    words.map(|word| &text[word.place]).collect()
}

#[test]
fn words_have_their_position_in_the_text() {
    let text = "😀 П’ЯТЬ\u{ad}ма «по-перше»,\u{a0}'її' ім\u{301}я — 天気 e\u{301}!";
    assert_eq!(
        original_words(text),
        [
            "П’ЯТЬ\u{ad}ма",
            "по",
            "перше",
            "її",
            "ім\u{301}я",
            "天",
            "気",
            "e\u{301}"
        ]
    );
    let parted: String = "Її йод".nfd().collect();
    assert_eq!(
        original_words(&parted).concat().nfc().collect::<String>(),
        "Їїйод"
    );
    // An apostrophe with a mark is one letter: all of it belongs to the word.
    assert_eq!(original_words("a '\u{301}b' c").last(), Some(&"c"));
    let long = "я".repeat(10_000);
    let word = words_at(&long).remove(0);
    assert_eq!(
        (word.text.chars().count(), word.place),
        (search::MAX_WORD, 0..long.len())
    );
    assert_eq!(words_at("\0' \0"), []);
}

#[test]
fn searching_crafted_text_terminates() {
    // Every position begins a match that fails at a mark; the search still terminates.
    let text = format!("{}\u{301}", "a".repeat(20_000));
    assert!(find(&text, &"a".repeat(search::MAX_QUERY)).len() >= 19);
    let marks = "\u{301}".repeat(50_000);
    assert_eq!(fold(&marks).text.chars().count(), 50_000);
    assert!(words(&marks).is_empty());
    let query = Query::new("\u{301}\u{301}");
    assert!(query.find(&marks, &mut String::new()).is_empty());
}

#[test]
fn marks_belong_to_the_single_character_before_them() {
    let all = words_at("〡\u{81b}а");
    let words: Vec<_> = all.iter().map(|word| word.text.as_str()).collect();
    assert_eq!(words, ["〡\u{81b}", "а"]);
    assert_eq!(all[0].place, 0..6);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn canonically_equivalent_texts_fold_alike(text in "\\PC{0,40}") {
        let (composed, parted): (String, String) = (text.nfc().collect(), text.nfd().collect());
        prop_assert_eq!(fold(&composed).text, fold(&parted).text);
    }

    #[test]
    fn folding_is_idempotent(text in "\\PC{0,40}") {
        let folded = fold(&text).text;
        prop_assert_eq!(&fold(&folded).text, &folded);
    }

    #[test]
    fn the_position_of_a_word_contains_that_word(text in "(\\PC|['ʼ’ \u{301}\u{308}]|[а-яіїєґ]){0,40}") {
        let all = words_at(&text);
        prop_assert_eq!(all.iter().map(|word| word.text.clone()).collect::<Vec<_>>(), words(&text));
        prop_assert!(all.windows(2).all(|pair| pair[0].place.end <= pair[1].place.start));
        for word in all {
            let folded = fold(&text[word.place]).text;
            prop_assert!(folded.contains(&word.text), "{:?} in {:?}", word.text, folded);
        }
    }

    #[test]
    fn parts_of_a_text_are_found_in_it(text in any::<String>(), a: prop::sample::Index, b: prop::sample::Index) {
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let (a, b) = (*a.get(&ends), *b.get(&ends));
        let query = &text[a.min(b)..a.max(b)];
        let ranges = find(&text, query);
        for range in &ranges {
            prop_assert_eq!(fold(&text[range.clone()]).text, fold(query).text);
        }
        prop_assert!(ranges.windows(2).all(|pair| pair[0].end <= pair[1].start));
        let visible = fold(query).text.chars().any(|c| c != ' ');
        let complete = query.chars().chain(text[a.max(b)..].chars().take(1))
            // Some marks are alphabetic too: they belong to the letter before them.
            .all(|c| c.is_alphanumeric() && !joins_the_letter_before(c));
        prop_assert!(!(visible && complete && query.is_ascii() && ranges.is_empty()));
    }
}

#[test]
fn a_mark_in_a_script_without_spaces_belongs_to_its_letter() {
    assert_eq!(words("กุข"), ["กุ", "ข"]);
    assert_eq!(words("a\u{e38}"), ["a\u{e38}"]);
}
