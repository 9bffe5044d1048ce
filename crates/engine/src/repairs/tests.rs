use super::*;

/// Words of 0.4 s each, with pauses of 0.1 s.
pub(super) fn written(text: &str) -> Vec<RecognisedWord> {
    let words = text.split_whitespace().enumerate();
    words
        .map(|(place, word)| RecognisedWord {
            start: place as f64 * 0.5,
            end: place as f64 * 0.5 + 0.4,
            text: word.to_owned(),
            spaced: true,
            confidence: 0.8,
            language: None,
        })
        .collect()
}

pub(super) fn texts(words: &[RecognisedWord]) -> Vec<&str> {
    words.iter().map(|word| word.text.as_str()).collect()
}

fn repairs(code: &str) -> Repairs {
    let mut repairs = Repairs::new(false, false);
    repairs.set_language(code);
    repairs
}

/// A window's text in a language, repaired.
fn window(text: &str, code: &str) -> String {
    texts(&repairs(code).window(written(text))).join(" ")
}

/// The text of two windows `pause` seconds apart, repaired.
fn windows(first: &str, second: &str, pause: f64, code: &str) -> String {
    let mut words = written(first);
    let border = words.len();
    let end = words.last().map_or(0.0, |word| word.end);
    words.extend(written(second).into_iter().map(|word| RecognisedWord {
        start: word.start + end + pause,
        end: word.end + end + pause,
        ..word
    }));
    let once = joined(words, border, code);
    assert_eq!(joined(once.clone(), border, code), once, "idempotent");
    texts(&once).join(" ")
}

fn joined(mut words: Vec<RecognisedWord>, border: usize, code: &str) -> Vec<RecognisedWord> {
    let repairs = repairs(code);
    repairs.between(None, &mut words[0], true);
    for place in 1..words.len() {
        let (before, rest) = words.split_at_mut(place);
        repairs.between(before.last_mut(), &mut rest[0], place == border);
    }
    words
}

#[test]
fn a_window_is_repaired_in_its_language() {
    let text = "подласка відєднано вимкнен\u{6f} «так";
    assert_eq!(window(text, "uk"), "будь ласка від’єднано вимкнено так");
    assert_eq!(
        window(text, "ru"),
        "подласка відєднано вимкнено так",
        "neither apostrophes nor Ukrainian words"
    );
    for code in ["en", "de", "bg", "", "ja"] {
        assert_eq!(window(text, code), text, "{code}");
    }
}

#[test]
fn the_language_of_a_word_precedes_that_of_the_recording() {
    let mut words = written("п'ять п'ять");
    words[1].language = Some(Language::Ru);
    let repaired = repairs("uk").window(words.clone());
    assert_eq!(texts(&repaired), ["п’ять", "п'ять"]);
    words[0].language = Some(Language::Uk);
    assert_eq!(
        texts(&repairs("ru").window(words.clone())),
        ["п’ять", "п'ять"]
    );
    // A translation is English, whatever was spoken.
    let translation = Repairs {
        language: Some(Language::Uk),
        is_translation: true,
        is_part: false,
    };
    assert_eq!(texts(&translation.window(words)), ["п'ять", "п'ять"]);
}

#[test]
fn sentences_begin_with_capitals() {
    for (text, expected) in [
        (
            "будь ласка. очистіть її! дякую? ні",
            "Будь ласка. Очистіть її! Дякую? Ні",
        ),
        ("коштує сто грн. за штуку", "Коштує сто грн. за штуку"),
        ("вул. хрещатик", "Вул. хрещатик"),
        ("я… не знаю... може", "Я… не знаю... може"),
        ("«куди?» спитав він", "«Куди?» спитав він"),
        ("куди? — спитав", "Куди? — спитав"),
        ("дивись. «тут» є", "Дивись. «Тут» є"),
        (
            "купив. iPhone, email@site.ua",
            "Купив. iPhone, email@site.ua",
        ),
        ("пишіть. email@site.ua", "Пишіть. email@site.ua"),
    ] {
        let words = joined(written(text), 0, "uk");
        assert_eq!(texts(&words).join(" "), expected);
    }
    assert_eq!(
        windows("готово.", "повернення.", 3.0, "uk"),
        "Готово. Повернення."
    );
    assert_eq!(
        windows("сто грн.", "за штуку", 3.0, "uk"),
        "Сто грн. За штуку"
    );
    assert_eq!(
        windows("так,", "повернення.", 3.0, "uk"),
        "Так, повернення."
    );
    assert_eq!(windows("olur.", "iyi", 1.0, "tr"), "Olur. İyi");
    assert_eq!(windows("goed.", "ijs", 1.0, "nl"), "Goed. IJs");
    assert_eq!(windows("はい。", "はい", 1.0, "ja"), "はい。 はい");
    assert_eq!(windows("fini.", "œuvre", 1.0, "fr"), "Fini. Œuvre");
    assert_eq!(windows("gut.", "ßa", 1.0, "de"), "Gut. ßa");
}

#[test]
fn a_sentence_cut_by_a_windows_end_is_put_together() {
    for (first, second, code, expected) in [
        ("Я прийшов і.", "На станції", "uk", "Я прийшов і на станції"),
        ("Їду до.", "Києва завтра", "uk", "Їду до Києва завтра"),
        (
            "Он сказал, чтобы.",
            "Мы ушли",
            "ru",
            "Он сказал, чтобы мы ушли",
        ),
        ("He opened the.", "And", "en", "He opened the and"),
    ] {
        assert_eq!(windows(first, second, 0.3, code), expected);
    }
    for (first, second, pause, code) in [
        ("Так.", "На станції", 0.1, "uk"),
        ("Я прийшов і.", "На станції", 1.2, "uk"),
        ("Я прийшов і…", "На станції", 0.1, "uk"),
        ("Це план «А».", "На станції", 0.1, "uk"),
        ("Il y a.", "Et", 0.1, "fr"),
    ] {
        assert_eq!(
            windows(first, second, pause, code),
            format!("{first} {second}")
        );
    }
}

#[test]
fn hostile_text_neither_panics_nor_loses_letters() {
    let long = "п'я".repeat(5_000);
    let marks = "«\"„“".repeat(2_000);
    for text in [
        long.as_str(),
        marks.as_str(),
        "е\u{301}\u{301}\u{301}кра\u{301}н",
        "\u{200b}під\u{200d}єднано\u{feff}",
        "вим\u{200b}кнен\u{6f}",
        "\u{202e}підєднано",
        "\u{0}",
        "🏳️‍🌈п'ять",
        "''''",
        "'",
        "я",
        "ю'",
        "\u{301}я",
        ".",
        "...",
        "і\u{308}жак",
        "İ",
        "ŉ",
    ] {
        for code in ["uk", "ru", "tr", "nl", ""] {
            let repaired = window(text, code);
            let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count();
            assert_eq!(letters(&repaired), letters(text), "{code}");
            assert_eq!(window(&repaired, code), repaired, "idempotent in {code}");
            if !text.trim().is_empty() {
                joined(written(text), 0, code);
            }
        }
    }
    // Zero-width characters hide a word: it stays as it is.
    assert_eq!(window("під\u{200d}єднано", "uk"), "під\u{200d}єднано");
    assert_eq!(repairs("uk").window(Vec::new()), []);
}

#[test]
fn times_confidences_and_languages_stay() {
    let mut words = written("подласка, відєднайте «це розблокован\u{6f}.");
    for (place, word) in words.iter_mut().enumerate() {
        word.confidence = 0.1 * (place + 1) as f32;
        word.language = Some(Language::Uk);
    }
    let repaired = repairs("ru").window(words.clone());
    assert_eq!(
        texts(&repaired),
        ["будь", "ласка,", "від’єднайте", "це", "розблоковано."]
    );
    for (before, after) in words[1..].iter().zip(&repaired[2..]) {
        assert_eq!((before.start, before.end), (after.start, after.end));
        assert_eq!(
            (before.confidence, before.language),
            (after.confidence, after.language)
        );
    }
    assert_eq!(
        (repaired[0].start, repaired[1].end),
        (words[0].start, words[0].end)
    );
    assert!(repaired.windows(2).all(|pair| pair[0].end <= pair[1].start));
}
