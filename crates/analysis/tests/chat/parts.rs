//! All parts but translations, with a scripted model: valid answers are returned, invalid ones are
//! refused.

use serde_json::{Value, json};
use slovo_analysis::{AnalysisError, Analyst, Task, Text};
use slovo_rules::analysis::{Mood, Outcome};

use crate::server::{Request, Server, Stopped, chat, prompt, run, text};

/// The numbers of the items that were sent to the model.
fn numbers(request: &Request) -> Vec<u64> {
    let data = request.data();
    data.iter()
        .map(|item| item["n"].as_u64().unwrap())
        .collect()
}

/// A text far longer than any context here: 100,000 words.
pub fn long_text() -> Text {
    let passage = "We talked about the harbour, the budget and many other things again. ".repeat(4);
    text(&vec![passage.as_str(); 2100])
}

/// Checks that every request fits the context, with a coarse measure of tokens.
fn assert_within_context(server: &Server) {
    for request in server.requests() {
        let bytes = request.message(0).len() + request.message(1).len();
        let answer = usize::try_from(request.body["max_tokens"].as_u64().unwrap()).unwrap();
        assert!(
            bytes / 3 + answer <= 4096,
            "{bytes} bytes and {answer} tokens"
        );
    }
}

/// Asserts that this answer to every request is refused.
fn assert_refused(task: &Task, answer: &Value) {
    let answer = answer.to_string();
    let server = Server::model(move |_| answer.clone());
    let error = run(&server, &text(&["One two three.", "Four five six."]), task).unwrap_err();
    assert!(matches!(error, AnalysisError::BadAnswer(_)), "{error:?}");
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn summary_sentences_link_to_the_segments_they_cite() {
    let server = Server::model(|_| {
        json!({ "sentences": [
            { "text": "They counted to six. ", "segments": [2, 1, 2] },
            { "text": "Slowly.", "segments": [] },
        ], "extra": true })
        .to_string()
    });
    let task = Task::Summary { words: 5 };
    let Outcome::Summary(summary) = run(
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
fn a_summary_of_the_wrong_length_is_requested_again() {
    let server = Server::model(|request| {
        let words = if request.message(0).contains("instead of about") {
            4
        } else {
            40
        };
        json!({ "sentences": [{ "text": "w ".repeat(words), "segments": [] }] }).to_string()
    });
    let sentence = "One two three four five six seven eight nine ten.";
    let outcome = run(&server, &text(&[sentence]), &Task::Summary { words: 5 }).unwrap();
    assert!(matches!(outcome, Outcome::Summary(summary) if summary.words == 4));
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_hundred_thousand_words_are_summarised_through_notes() {
    let server = Server::model(|request| {
        let numbers = numbers(request);
        let words = if request.message(0).contains("Take notes") {
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
    let mut progress = Vec::new();
    let task = Task::Summary { words: 50 };
    let outcome = chat.run(&long_text(), &task, &Stopped(false), &mut |share| {
        progress.push(share);
    });
    let Outcome::Summary(summary) = outcome.unwrap() else {
        panic!("no summary");
    };
    assert_eq!(summary.words, 50);
    assert!(!summary.sentences[0].moments.is_empty());
    assert!(server.requests().len() > 50 && server.max_concurrent() <= 2);
    assert_within_context(&server);
    assert!(
        progress.is_sorted() && progress.last() == Some(&1.0),
        "{progress:?}"
    );
}

#[test]
fn references_to_unknown_segments_are_refused() {
    for segments in [json!([3]), json!([0]), json!(["s0"]), json!([-1])] {
        let answer = json!({ "sentences": [{ "text": "A b c.", "segments": segments }] });
        assert_refused(&Task::Summary { words: 3 }, &answer);
    }
}

#[test]
fn sentiment_has_a_point_for_each_part_of_the_text() {
    let server = Server::model(|request| {
        let points: Vec<Value> = numbers(request)
            .into_iter()
            .map(|n| json!({ "n": n, "score": -0.5 }))
            .collect();
        json!({ "points": points, "score": -0.6, "reason": "They quarrel." }).to_string()
    });
    let task = Task::Sentiment;
    let outcome = run(&server, &text(&["No!", "Never!"]), &task).unwrap();
    let Outcome::Sentiment(sentiment) = outcome else {
        panic!("no sentiment");
    };
    assert_eq!(
        (sentiment.mood, sentiment.points.len()),
        (Mood::Negative, 2)
    );
    assert_eq!(sentiment.points[1].moment.segment, "s1");
    let Outcome::Sentiment(long) = run(&server, &long_text(), &task).unwrap() else {
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
    assert_within_context(&server);
}

#[test]
fn invalid_sentiment_answers_are_refused() {
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
        assert_refused(&Task::Sentiment, &wrong);
    }
}

pub fn labels() -> Task {
    Task::Classification {
        labels: ["sales", "support"].map(str::to_owned).to_vec(),
    }
}

#[test]
fn labels_keep_their_names_and_the_best_comes_first() {
    let server = Server::model(|request| {
        let first = numbers(request)[0];
        json!({ "labels": [
            { "label": "sales", "score": 0.2, "reason": "", "segments": [] },
            { "label": "support", "score": 0.9, "reason": "Help.", "segments": [first] },
        ] })
        .to_string()
    });
    for text in [text(&["Help me.", "Yes."]), long_text()] {
        let Outcome::Classification(found) = run(&server, &text, &labels()).unwrap() else {
            panic!("no classification");
        };
        let names: Vec<&str> = found.labels.iter().map(|label| &*label.label).collect();
        assert_eq!(names, ["support", "sales"]);
        let best = &found.labels[0];
        assert!((best.score - 0.9).abs() < 1e-9 && best.reason.as_deref() == Some("Help."));
        assert!(best.moments[0].segment == "s0" && best.moments.len() <= 3);
        assert_eq!(found.labels[1].reason, None);
    }
    assert_within_context(&server);
}

#[test]
fn unknown_missing_or_repeated_labels_are_refused() {
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
        assert_refused(&labels(), &json!({ "labels": wrong }));
    }
}

#[test]
fn keywords_must_occur_in_the_text_and_are_counted_in_it() {
    let server = Server::model(|_| {
        let word = |text: &str, score: f64| json!({ "text": text, "score": score });
        let words = [
            word("dragon", 1.0),
            word("harbour", 0.5),
            word("Budget", 0.8),
        ];
        json!({ "keywords": words }).to_string()
    });
    let source = text(&["The harbour and the budget.", "Budget, budget!"]);
    let Outcome::Keywords(found) = run(&server, &source, &Task::Keywords).unwrap() else {
        panic!("no keywords");
    };
    let counted: Vec<(&str, u32, usize)> = found
        .keywords
        .iter()
        .map(|word| (&*word.text, word.count, word.moments.len()))
        .collect();
    assert_eq!(counted, [("Budget", 3, 2), ("harbour", 1, 1)]);
    let invented = json!({ "keywords": [{ "text": "dragon", "score": 1 }] });
    assert_refused(&Task::Keywords, &invented);
}

#[test]
fn chapters_cover_the_text() {
    let server = Server::model(|request| {
        let numbers = numbers(request);
        let starts = match request.message(0).contains("join neighbours") {
            true => vec![numbers[0], numbers[numbers.len() / 2]],
            false => vec![numbers[0], numbers[1]],
        };
        let chapters: Vec<Value> = starts
            .into_iter()
            .map(|start| json!({ "title": format!("T{start}"), "summary": "", "start": start }))
            .collect();
        json!({ "chapters": chapters }).to_string()
    });
    for (text, least) in [(text(&["", "One.", "Two.", "Three."]), 2), (long_text(), 2)] {
        let Outcome::Chapters(found) = run(&server, &text, &Task::Chapters).unwrap() else {
            panic!("no chapters");
        };
        assert!((least..=24).contains(&found.chapters.len()));
        assert_eq!(found.chapters[0].start.segment, "s0");
        let starts = found.chapters.iter().map(|chapter| chapter.start.start);
        assert!(starts.is_sorted());
    }
    assert_within_context(&server);
}

#[test]
fn chapters_that_leave_gaps_or_go_back_are_refused() {
    let chapter = |start: u64| json!({ "title": "T", "summary": "", "start": start });
    for starts in [vec![], vec![2], vec![1, 1], vec![1, 3], vec![1, 2, 2]] {
        let chapters: Vec<Value> = starts.into_iter().map(chapter).collect();
        assert_refused(&Task::Chapters, &json!({ "chapters": chapters }));
    }
}

#[test]
fn an_instruction_for_a_long_text_is_carried_out_on_notes() {
    let server = Server::model(|request| {
        let is_last = !request.message(0).contains("Note down");
        if is_last {
            "The minutes.".to_owned()
        } else {
            "A note. ".repeat(20)
        }
    });
    let outcome = run(&server, &long_text(), &prompt()).unwrap();
    assert!(matches!(outcome, Outcome::Prompt(answer) if answer.markdown == "The minutes."));
    let requests = server.requests();
    assert!(
        requests
            .iter()
            .all(|request| request.message(0).contains("Write minutes."))
    );
    assert_within_context(&server);
}

#[test]
fn notes_that_never_get_shorter_fail_the_task() {
    let server = Server::model(|_| "A note that says the same again. ".repeat(300));
    let error = run(&server, &long_text(), &prompt()).unwrap_err();
    assert!(matches!(error, AnalysisError::BadAnswer(_)), "{error:?}");
}

#[test]
fn a_blank_text_is_an_error_and_not_sent() {
    let server = Server::model(|_| "{}".to_owned());
    for text in [text(&[]), text(&["", " \n"])] {
        let error = run(&server, &text, &Task::Sentiment).unwrap_err();
        assert!(matches!(error, AnalysisError::EmptyText));
    }
    assert!(server.requests().is_empty());
}
