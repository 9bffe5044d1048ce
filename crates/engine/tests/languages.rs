//! Recordings in which the language changes, with `auto`. Limits come from the measurements written
//! beside them; `cargo xtask bench languages` measures more speech.

mod recognition_support;

use std::path::Path;

use recognition_support::{run, transcript};
use slovo_engine::{ChunkResult, DetectedLanguage, Event, LanguageChoice, Request, Resume};
use slovo_rules::transcript::Transcript;
use slovo_test_media::speech::{RATE, error_rate, pause, prompt, wav};

/// Prompts by turns, and the pauses after them in seconds.
const CONVERSATION: [(&str, &str, &str, f64); 6] = [
    (
        "en",
        "en_US_f_Allison/tt-allbusy",
        "All representatives of the household are currently assisting other telemarketers. \
         Please hold and your call will be answered in the order it was received.",
        0.6,
    ),
    (
        "ru",
        "ru_RU_f_IvrvoiceRU/queue-periodic-announce",
        "Все наши операторы заняты. Пожалуйста, оставайтесь на линии, и Ваш звонок будет обслужен \
         первым доступным оператором.",
        0.8,
    ),
    (
        "es",
        "es_MX_f_Allison/demo-enterkeywords",
        "Por favor ingrese una o mas palabras claves separadas por un asterisco y despues presione \
         la tecla de numero.",
        0.7,
    ),
    (
        "en",
        "en_US_f_Allison/queue-youarenext",
        "Your call is now first in line and will be answered by the next available representative.",
        0.6,
    ),
    (
        "ru",
        "ru_RU_f_IvrvoiceRU/vm-newuser",
        "Добро пожаловать в голосовую почту! Для начала прослушайте инструкцию по настройке ящика.",
        1.0,
    ),
    (
        "es",
        "es_MX_f_Allison/queue-youarenext",
        "Su llamada es la primera en linea y sera atendida por el proximo representante.",
        1.0,
    ),
];

/// Writes the conversation; returns the request and the times of the turns in seconds.
fn conversation(folder: &Path) -> (Request, Vec<(f64, f64)>) {
    let mut samples = pause(0.5);
    let mut turns = Vec::new();
    for (_, name, _, after) in CONVERSATION {
        let start = samples.len() as f64 / RATE as f64;
        samples.extend(prompt(name));
        turns.push((start, samples.len() as f64 / RATE as f64));
        samples.extend(pause(after));
    }
    let request = Request {
        words: true,
        ..Request::new(wav(folder, "conversation.wav", &samples))
    };
    (request, turns)
}

/// The text within a turn, and the languages of its segments.
fn within(transcript: &Transcript, (start, end): (f64, f64)) -> (String, Vec<&str>) {
    let segments = transcript.segments.iter().filter(|segment| {
        let middle = f64::midpoint(segment.start, segment.end);
        (start..end).contains(&middle)
    });
    let text: Vec<&str> = segments
        .clone()
        .map(|segment| segment.text.as_str())
        .collect();
    let mut languages: Vec<&str> = segments
        .filter_map(|segment| segment.language.as_deref())
        .collect();
    languages.dedup();
    (text.join(" "), languages)
}

fn assert_languages_of_turns(transcript: &Transcript, turns: Vec<(f64, f64)>) {
    for ((language, name, truth, _), turn) in CONVERSATION.into_iter().zip(turns) {
        let (text, languages) = within(transcript, turn);
        let rate = error_rate(truth, &text);
        println!("{name}: {languages:?}, {rate:.1} % of the words wrong: {text}");
        assert_eq!(languages, [language], "{name}: {text}");
        assert!(rate <= 35.0, "{name}: {rate:.1} %: {text}");
    }
}

#[test]
fn each_turn_of_a_conversation_has_its_own_language_even_if_it_is_resumed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (request, turns) = conversation(folder.path());
    let (outcome, events) = run(&request);
    let whole = outcome.expect("it is recognised");
    assert_languages_of_turns(&whole, turns);
    let chunks: Vec<ChunkResult> = events
        .iter()
        .filter_map(|event| match event {
            Event::Chunk(chunk) => Some(chunk.clone()),
            _ => None,
        })
        .collect();
    assert!(chunks.len() >= 2, "{} windows", chunks.len());
    let language = events.iter().find_map(|event| match event {
        Event::Language { code, probability } => Some(DetectedLanguage {
            code: code.clone(),
            probability: *probability,
        }),
        _ => None,
    });
    for kept in [0..1, 1..chunks.len()] {
        let request = Request {
            resume: Resume {
                language: language.clone(),
                chunks: chunks[kept].to_vec(),
            },
            ..request.clone()
        };
        assert_eq!(transcript(&request), whole);
    }
}

#[test]
fn a_language_that_the_user_chose_is_never_changed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let request = Request {
        language: LanguageChoice::Code("en".to_owned()),
        ..Request::new(wav(
            folder.path(),
            "russian.wav",
            &prompt("ru_RU_f_IvrvoiceRU/queue-periodic-announce"),
        ))
    };
    if let (Ok(transcript), _) = run(&request) {
        assert_eq!(transcript.language, "en");
        let languages = transcript.segments.iter().map(|segment| &segment.language);
        assert!(languages.into_iter().all(Option::is_none));
    }
}

#[test]
fn short_prompts_are_recognised_in_their_language() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Detection alone takes the first for Italian and the second for Hebrew.
    for (name, language) in [
        ("es_MX_f_Allison/conf-invalidpin", "es"),
        ("es_MX_f_Allison/vm-from-phonenumber", "es"),
        ("ru_RU_f_IvrvoiceRU/conf-kicked", "ru"),
        ("en_US_f_Allison/conf-now-unmuted", "en"),
    ] {
        let file = wav(folder.path(), "prompt.wav", &prompt(name));
        assert_eq!(transcript(&Request::new(file)).language, language, "{name}");
    }
}
