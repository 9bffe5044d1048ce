//! Forms of one word share a key; other words do not.

use std::collections::BTreeSet;

use proptest::prelude::*;
use slovo_rules::search::words;
use slovo_stems::keys;

/// Whether a query finds a word of the text as another form.
fn share_key(query: &str, word: &str) -> bool {
    let word = keys(word);
    keys(query).iter().any(|key| word.contains(key))
}

#[test]
fn ukrainian_forms_find_each_other() {
    for forms in [
        "музей музею музеями музеї музеєм музеях музеїв",
        "людина людьми люди людям людей людиною",
        "говорити говорив говорили говорила говорить говорю говоритиме",
        "мовець мовця мовцем мовці мовців",
        "місто міста містом місті містах",
        "будинок будинку будинком будинки будинків",
        "книга книги книзі книгу",
        "день дня днем дні днів",
        "рік року роки років",
        "київ києва києві києвом",
        "олена олени олені оленою",
        "новий нова нового новими",
        "дитина діти дітей дітьми",
        "п'ятниця п'ятниці п'ятницею",
        "сім'я сім'ї сім'єю",
        "могти може можуть могли міг",
        "писати пише писала пишуть",
        "договір договору договори",
        "директор директорові директори",
    ] {
        let forms: Vec<&str> = forms.split(' ').collect();
        for query in &forms {
            for word in &forms {
                assert!(
                    share_key(query, word),
                    "{query}, {word}: {:?} {:?}",
                    keys(query),
                    keys(word)
                );
            }
        }
    }
}

#[test]
fn english_forms_find_each_other() {
    for forms in [
        "museum museums museum's",
        "run runs running",
        "city cities city's",
        "talk talked talking talks",
        "contract contracts contracted",
    ] {
        let forms: Vec<&str> = forms.split(' ').collect();
        assert!(
            forms
                .iter()
                .all(|form| share_key(forms[0], form) && share_key(form, forms[0]))
        );
    }
}

#[test]
fn unrelated_words_do_not_match() {
    for (one, other) in [
        ("музей", "музика"),
        ("місто", "місце"),
        ("стіл", "сто"),
        ("говорити", "гора"),
        ("university", "museum"),
        ("кіт", "кит"),
        ("new", "news"),
    ] {
        assert!(!share_key(one, other), "{one}, {other}");
    }
    // A form of two words is found by the forms of both.
    assert!(
        share_key("місто", "міст") && share_key("мосту", "міст") && !share_key("місто", "мосту")
    );
}

#[test]
fn words_unknown_to_the_dictionary_are_stemmed() {
    assert!(share_key("блокчейнізація", "блокчейнізації"));
    assert!(share_key("вайфайщик", "вайфайщика") || share_key("вайфайщиком", "вайфайщика"));
}

#[test]
fn every_input_has_a_key() {
    let long = "й".repeat(10_000);
    for word in [
        "",
        "'",
        "''",
        "2024",
        "mp3",
        "covid19",
        "cлово",
        "😀",
        "天",
        "a\0b",
        "ь",
        "най",
        "'s",
        &long,
    ] {
        assert!(!keys(word).is_empty(), "{word:?}");
        assert!(share_key(word, word), "{word:?}");
    }
    // Digits, or a Latin letter among Cyrillic ones: the word is its only key.
    for word in ["mp3", "cлово", "café", "天", &long] {
        assert_eq!(keys(word), [word]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn keys_are_usable_as_index_words(text in "(\\PC|['а-яєіїґ ]|[a-z' ]){0,40}") {
        for word in words(&text) {
            let all = keys(&word);
            prop_assert!(!all.is_empty());
            prop_assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
            prop_assert!(all.iter().all(|key| !key.is_empty() && !key.contains([' ', '"', '\\', '%', '_', '\0'])));
        }
    }
}
