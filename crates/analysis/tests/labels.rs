//! The labels that the embedded engine finds in a text, with the real model.

#![expect(clippy::unwrap_used, reason = "tests")]

mod support;

use slovo_analysis::embedded::Embedded;
use slovo_analysis::{Analyst, Passage, Task, Text};
use slovo_rules::analysis::{Classification, LABEL_FOUND, Outcome};
use support::{NeverStop, embedder};

fn text(language: &str, sentences: &[&str]) -> Text {
    let passages = (0_u32..).zip(sentences).map(|(number, sentence)| Passage {
        id: format!("s{number}"),
        start: f64::from(number) * 4.0,
        end: f64::from(number) * 4.0 + 3.5,
        speaker: None,
        text: (*sentence).to_owned(),
    });
    Text {
        language: language.to_owned(),
        duration: 60.0,
        passages: passages.collect(),
    }
}

fn engine() -> Embedded {
    Embedded::new(embedder())
}

fn labels(engine: &Embedded, text: &Text, labels: &[&str]) -> Classification {
    let labels = labels.iter().map(|label| (*label).to_owned()).collect();
    let task = Task::Classification { labels };
    match engine.run(text, &task, &NeverStop, &mut |_| ()).unwrap() {
        Outcome::Classification(classification) => classification,
        other => panic!("{other:?}"),
    }
}

#[test]
fn repeated_labels_are_merged_and_the_right_one_comes_first() {
    let engine = engine();
    let cooking = text(
        "en",
        &[
            "Chop the onions and fry them in butter.",
            "Then bake the dough for an hour.",
        ],
    );
    let found = labels(
        &engine,
        &cooking,
        &["football", "cooking", "law", "cooking"],
    );
    let names: Vec<&str> = found
        .labels
        .iter()
        .map(|label| label.label.as_str())
        .collect();
    assert_eq!((names.len(), names[0]), (3, "cooking"));
    assert!(found.labels[0].score >= LABEL_FOUND, "{found:?}");
    for label in &found.labels {
        assert!((0.0..=1.0).contains(&label.score));
        assert!(!label.moments.is_empty() && label.moments.len() <= 3);
    }
}

/// Ten short recordings that match none of the topics.
const ODD: &str = include_str!("data/bench/odd.txt");
const TOPICS: [(&str, [&str; 10]); 2] = [
    (
        "en",
        [
            "politics",
            "medicine",
            "money",
            "sport",
            "law",
            "religion",
            "science",
            "war",
            "education",
            "cooking",
        ],
    ),
    (
        "uk",
        [
            "політика",
            "медицина",
            "гроші",
            "спорт",
            "право",
            "релігія",
            "наука",
            "війна",
            "освіта",
            "кулінарія",
        ],
    ),
];

#[test]
fn a_text_about_none_of_the_topics_gets_no_label() {
    let engine = engine();
    for row in ODD.lines() {
        let (language, sentence) = row.split_once(' ').unwrap();
        let (_, topics) = TOPICS.iter().find(|(name, _)| *name == language).unwrap();
        let found = labels(&engine, &text(language, &[sentence]), topics);
        assert!(
            found.labels.iter().all(|label| label.score < LABEL_FOUND),
            "{sentence}: {found:#?}"
        );
    }
}

#[test]
fn mood_and_question_labels_are_recognised() {
    let engine = engine();
    for (language, names, sentence, expected) in [
        (
            "en",
            ["complaint", "praise", "question"],
            "The parcel came late and nobody answers the phone.",
            "complaint",
        ),
        (
            "en",
            ["complaint", "praise", "question"],
            "Thank you very much, you helped us a lot.",
            "praise",
        ),
        (
            "en",
            ["complaint", "praise", "question"],
            "When does the shop open?",
            "question",
        ),
        (
            "uk",
            ["скарга", "подяка", "запитання"],
            "Я хочу поскаржитися: доставка запізнилася, і ніхто не відповідає.",
            "скарга",
        ),
        ("uk", ["скарга", "подяка", "запитання"], "Дякую.", "подяка"),
        (
            "uk",
            ["позитивний", "негативний", "нейтральний"],
            "Це ганьба, з нами повелися жахливо.",
            "негативний",
        ),
        (
            "en",
            ["positive", "negative", "neutral"],
            "I'm delighted, this is wonderful work.",
            "positive",
        ),
        (
            "en",
            ["positive", "negative", "neutral"],
            "The shop opens at nine.",
            "neutral",
        ),
    ] {
        let found = labels(&engine, &text(language, &[sentence]), &names);
        let matching: Vec<&str> = found
            .labels
            .iter()
            .filter(|label| label.score >= LABEL_FOUND)
            .map(|label| label.label.as_str())
            .collect();
        assert_eq!(matching, [expected], "{sentence}: {found:#?}");
    }
}
