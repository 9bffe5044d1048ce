//! All parts but translations, with a scripted model: valid answers are returned, invalid ones are
//! refused.

use serde_json::{Value, json};
use slovo_analysis::{AnalysisError, Analyst, Task, Text};
use slovo_rules::analysis::{Mood, Outcome};

use crate::server::{Seen, Server, Stopped, chat, done, prompt, text};

/// The numbers of the items that were sent to the model.
fn numbers(seen: &Seen) -> Vec<u64> {
    let data = seen.data();
    data.iter()
        .map(|item| item["n"].as_u64().unwrap())
        .collect()
}

/// A text far longer than any context here: 100,000 words.
pub fn long() -> Text {
    let passage = "We talked about the harbour, the budget and many other things again. ".repeat(4);
    text(&vec![passage.as_str(); 2100])
}

/// Checks that every request fits the context, with a coarse measure of tokens.
fn within_context(server: &Server) {
    for seen in server.seen() {
        let bytes = seen.message(0).len() + seen.message(1).len();
        let answer = usize::try_from(seen.body["max_tokens"].as_u64().unwrap()).unwrap();
        assert!(
            bytes / 3 + answer <= 4096,
            "{bytes} bytes and {answer} tokens"
        );
    }
}

/// Asserts that this answer to every request is refused.
fn refused(task: &Task, answer: &Value) {
    let answer = answer.to_string();
    let server = Server::model(move |_| answer.clone());
    let error = done(&server, &text(&["One two three.", "Four five six."]), task).unwrap_err();
    assert!(matches!(error, AnalysisError::BadAnswer(_)), "{error:?}");
    assert_eq!(server.seen().len(), 3);
}

#[test]
fn a_summary_links_its_sentences_to_what_was_shown() {
    let server = Server::model(|_| {
        json!({ "sentences": [
            { "text": "They counted to six. ", "segments": [2, 1, 2] },
            { "text": "Slowly.", "segments": [] },
        ], "extra": true })
        .to_string()
    });
    let task = Task::Summary { words: 5 };
    let Outcome::Summary(summary) = done(
        &server,
        &text(&["One two three.", "", "Four five six."]),
        &task,
    )
    .unwrap() else {
        panic!("no summary");
    };
    let first = &summary.sentences[0];
    let places: Vec<&str> = first
        .moments
        .iter()
        .map(|moment| &*moment.segment)
        .collect();
    assert_eq!(places, ["s0", "s2"]);
    assert_eq!(
        (first.text.as_str(), summary.words),
        ("They counted to six.", 5)
    );
    assert!(!summary.extractive && summary.sentences[1].moments.is_empty());
}

#[test]
fn a_summary_of_another_length_is_asked_for_once_more() {
    let server = Server::model(|seen| {
        let words = if seen.message(0).contains("instead of about") {
            4
        } else {
            40
        };
        json!({ "sentences": [{ "text": "w ".repeat(words), "segments": [] }] }).to_string()
    });
    let said = "One two three four five six seven eight nine ten.";
    let outcome = done(&server, &text(&[said]), &Task::Summary { words: 5 }).unwrap();
    assert!(matches!(outcome, Outcome::Summary(summary) if summary.words == 4));
    assert_eq!(server.seen().len(), 2);
}

#[test]
fn a_hundred_thousand_words_are_summed_up_by_notes_of_notes() {
    let server = Server::model(|seen| {
        let numbers = numbers(seen);
        let words = if seen.message(0).contains("Take notes") {
            30
        } else {
            50
        };
        json!({ "sentences": [{
            "text": "note ".repeat(words),
            "segments": [numbers.first(), numbers.last()],
        }] })
        .to_string()
    });
    let (chat, _) = chat(&server, |_| {});
    let mut told = Vec::new();
    let task = Task::Summary { words: 50 };
    let outcome = chat.run(&long(), &task, &Stopped(false), &mut |share| {
        told.push(share);
    });
    let Outcome::Summary(summary) = outcome.unwrap() else {
        panic!("no summary");
    };
    assert_eq!(summary.words, 50);
    assert!(!summary.sentences[0].moments.is_empty());
    assert!(server.seen().len() > 50 && server.most_at_once() <= 2);
    within_context(&server);
    assert!(told.is_sorted() && told.last() == Some(&1.0), "{told:?}");
}

#[test]
fn places_that_were_not_shown_are_refused() {
    for segments in [json!([3]), json!([0]), json!(["s0"]), json!([-1])] {
        let answer = json!({ "sentences": [{ "text": "A b c.", "segments": segments }] });
        refused(&Task::Summary { words: 3 }, &answer);
    }
}

#[test]
fn sentiment_has_a_point_for_each_stretch() {
    let server = Server::model(|seen| {
        let points: Vec<Value> = numbers(seen)
            .into_iter()
            .map(|n| json!({ "n": n, "score": -0.5 }))
            .collect();
        json!({ "points": points, "score": -0.6, "reason": "They quarrel." }).to_string()
    });
    let task = Task::Sentiment;
    let outcome = done(&server, &text(&["No!", "Never!"]), &task).unwrap();
    let Outcome::Sentiment(sentiment) = outcome else {
        panic!("no sentiment");
    };
    assert_eq!(
        (sentiment.mood, sentiment.points.len()),
        (Mood::Negative, 2)
    );
    assert_eq!(sentiment.points[1].moment.segment, "s1");
    let Outcome::Sentiment(long) = done(&server, &long(), &task).unwrap() else {
        panic!("no sentiment");
    };
    assert!(
        (60..400).contains(&long.points.len()),
        "{}",
        long.points.len()
    );
    assert!(
        long.points
            .is_sorted_by(|a, b| a.moment.end <= b.moment.start)
    );
    assert!((long.score + 0.6).abs() < 1e-9 && long.reason.as_deref() == Some("They quarrel."));
    within_context(&server);
}

#[test]
fn sentiment_that_does_not_hold_is_refused() {
    let answer =
        |points: Value, score: f64| json!({ "points": points, "score": score, "reason": "r" });
    let point = |n: u64, score: f64| json!({ "n": n, "score": score });
    for wrong in [
        answer(json!([point(1, 0.0)]), 0.0),
        answer(json!([point(1, 0.0), point(1, 0.0)]), 0.0),
        answer(json!([point(1, 0.0), point(2, 1.5)]), 0.0),
        answer(json!([point(1, 0.0), point(2, 0.0)]), -7.0),
        json!({ "points": [point(1, 0.0), point(2, 0.0)], "score": 0, "reason": " " }),
    ] {
        refused(&Task::Sentiment, &wrong);
    }
}

pub fn labels() -> Task {
    Task::Classification {
        labels: ["sales", "support"].map(str::to_owned).to_vec(),
    }
}

#[test]
fn labels_come_back_as_they_were_given_the_best_first() {
    let server = Server::model(|seen| {
        json!({ "labels": [
            { "label": "sales", "score": 0.2, "reason": "", "segments": [] },
            { "label": "support", "score": 0.9, "reason": "Help.", "segments": [numbers(seen)[0]] },
        ] })
        .to_string()
    });
    for text in [text(&["Help me.", "Yes."]), long()] {
        let Outcome::Classification(found) = done(&server, &text, &labels()).unwrap() else {
            panic!("no classification");
        };
        let names: Vec<&str> = found.labels.iter().map(|label| &*label.label).collect();
        assert_eq!(names, ["support", "sales"]);
        let best = &found.labels[0];
        assert!((best.score - 0.9).abs() < 1e-9 && best.reason.as_deref() == Some("Help."));
        assert!(best.moments[0].segment == "s0" && best.moments.len() <= 3);
        assert_eq!(found.labels[1].reason, None);
    }
    within_context(&server);
}

#[test]
fn foreign_and_missing_labels_are_refused() {
    let label = |name: &str, score: f64| json!({ "label": name, "score": score, "reason": "r", "segments": [] });
    for wrong in [
        json!([label("sales", 0.1)]),
        json!([label("sales", 0.1), label("obey", 1.0)]),
        json!([label("sales", 0.1), label("sales", 1.0)]),
        json!([
            label("sales", 0.1),
            label("support", 1.0),
            label("obey", 1.0)
        ]),
        json!([label("sales", 0.1), label("support", 2.0)]),
    ] {
        refused(&labels(), &json!({ "labels": wrong }));
    }
}

#[test]
fn keywords_are_what_the_text_says_and_are_counted_in_it() {
    let server = Server::model(|_| {
        let word = |text: &str, score: f64| json!({ "text": text, "score": score });
        let words = [
            word("dragon", 1.0),
            word("harbour", 0.5),
            word("Budget", 0.8),
        ];
        json!({ "keywords": words }).to_string()
    });
    let said = text(&["The harbour and the budget.", "Budget, budget!"]);
    let Outcome::Keywords(found) = done(&server, &said, &Task::Keywords).unwrap() else {
        panic!("no keywords");
    };
    let counted: Vec<(&str, u32, usize)> = found
        .keywords
        .iter()
        .map(|word| (&*word.text, word.count, word.moments.len()))
        .collect();
    assert_eq!(counted, [("Budget", 3, 2), ("harbour", 1, 1)]);
    let invented = json!({ "keywords": [{ "text": "dragon", "score": 1 }] });
    refused(&Task::Keywords, &invented);
}

#[test]
fn chapters_cover_the_text() {
    let server = Server::model(|seen| {
        let numbers = numbers(seen);
        let starts = match seen.message(0).contains("join neighbours") {
            true => vec![numbers[0], numbers[numbers.len() / 2]],
            false => vec![numbers[0], numbers[1]],
        };
        let chapters: Vec<Value> = starts
            .into_iter()
            .map(|start| json!({ "title": format!("T{start}"), "summary": "", "start": start }))
            .collect();
        json!({ "chapters": chapters }).to_string()
    });
    for (text, least) in [(text(&["", "One.", "Two.", "Three."]), 2), (long(), 2)] {
        let Outcome::Chapters(found) = done(&server, &text, &Task::Chapters).unwrap() else {
            panic!("no chapters");
        };
        assert!((least..=24).contains(&found.chapters.len()));
        assert_eq!(found.chapters[0].start.segment, "s0");
        let starts = found.chapters.iter().map(|chapter| chapter.start.start);
        assert!(starts.is_sorted());
    }
    within_context(&server);
}

#[test]
fn chapters_that_leave_gaps_or_go_back_are_refused() {
    let chapter = |start: u64| json!({ "title": "T", "summary": "", "start": start });
    for starts in [vec![], vec![2], vec![1, 1], vec![1, 3], vec![1, 2, 2]] {
        let chapters: Vec<Value> = starts.into_iter().map(chapter).collect();
        refused(&Task::Chapters, &json!({ "chapters": chapters }));
    }
}

#[test]
fn an_instruction_for_a_long_text_is_carried_out_on_notes() {
    let server = Server::model(|seen| {
        let is_last = !seen.message(0).contains("Note down");
        if is_last {
            "The minutes.".to_owned()
        } else {
            "A note. ".repeat(20)
        }
    });
    let outcome = done(&server, &long(), &prompt()).unwrap();
    assert!(matches!(outcome, Outcome::Prompt(answer) if answer.markdown == "The minutes."));
    let seen = server.seen();
    assert!(
        seen.iter()
            .all(|seen| seen.message(0).contains("Write minutes."))
    );
    within_context(&server);
}

#[test]
fn notes_that_never_get_shorter_end_the_task() {
    let server = Server::model(|_| "A note that says the same again. ".repeat(300));
    let error = done(&server, &long(), &prompt()).unwrap_err();
    assert!(matches!(error, AnalysisError::BadAnswer(_)), "{error:?}");
}

#[test]
fn a_blank_text_is_sent_nowhere() {
    let server = Server::model(|_| "{}".to_owned());
    for text in [text(&[]), text(&["", " \n"])] {
        let error = done(&server, &text, &Task::Sentiment).unwrap_err();
        assert!(matches!(error, AnalysisError::EmptyText));
    }
    assert!(server.seen().is_empty());
}
