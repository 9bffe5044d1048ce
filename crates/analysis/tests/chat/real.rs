//! All parts against a real OpenAI-compatible server with a small model. It tests the protocol: a
//! result, or an error for an invalid answer, but never a request that the server does not
//! understand. `cargo xtask llm --test` starts the server and runs this.

use slovo_analysis::chat::{Chat, Endpoint, Key, Limits, Question};
use slovo_analysis::{AnalysisError, Analyst, Task};
use slovo_rules::language::TranslationTarget;
use slovo_rules::subtitles::cues::Cue;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::server::{RUNTIME, Stopped, Waits, prompt, text};

/// Base address of the server.
const URL: &str = "SLOVO_TEST_LLM_URL";
/// Its key.
const KEY: &str = "SLOVO_TEST_LLM_KEY";

fn engine() -> Chat {
    let url = std::env::var(URL).expect("SLOVO_TEST_LLM_URL names the server");
    let key = Key::new(&std::env::var(KEY).unwrap_or_default()).unwrap();
    let mut endpoint = Endpoint::new(&url, "small", key, 4096).unwrap();
    endpoint.limits = Limits {
        idle: Duration::from_secs(300),
        total: Duration::from_secs(1800),
        ..Limits::default()
    };
    let pace = Arc::new(Waits::default());
    Chat::new(endpoint, pace, RUNTIME.handle().clone()).unwrap()
}

/// Fails unless the server understood the request.
fn assert_understood<T>(part: &str, outcome: &Result<T, AnalysisError>, started: Instant) {
    let seconds = started.elapsed().as_secs_f64();
    match outcome {
        Ok(_) => println!("{part}: answered ({seconds:.1} s)"),
        Err(AnalysisError::BadAnswer(flaw)) => println!("{part}: refused, {flaw} ({seconds:.1} s)"),
        Err(error) => panic!("{part}: {error:?}"),
    }
}

#[test]
#[ignore = "needs a real server: cargo xtask llm --test"]
fn every_part_is_understood() {
    let chat = engine();
    let source = text(&[
        "Good morning. We talk about the new harbour today.",
        "I am happy to be here. The harbour opens in May.",
        "The budget is four million, and everybody is pleased with it.",
    ]);
    let cues = source.passages.iter().map(|passage| Cue {
        start: passage.start,
        end: passage.end,
        speaker: None,
        speaker_changes: false,
        text: passage.text.clone(),
        words: Vec::new(),
        by_hand: None,
    });
    let target = TranslationTarget::Spanish;
    let tasks = [
        Task::Summary { words: 15 },
        Task::Sentiment,
        Task::Classification {
            labels: ["business", "sport"].map(str::to_owned).to_vec(),
        },
        Task::Keywords,
        Task::Chapters,
        prompt(),
        Task::Translation { target },
        Task::SubtitleTranslation {
            target,
            cues: cues.collect(),
        },
    ];
    for task in tasks {
        let started = Instant::now();
        let outcome = chat.run(&source, &task, &Stopped(false), &mut |_| {});
        assert_understood(task.part().as_str(), &outcome, started);
    }
    let question = Question {
        text: &source,
        history: &[],
        question: "When does the harbour open?",
        relevance: None,
    };
    let (started, mut deltas) = (Instant::now(), 0);
    let answer = chat.assistant(&question, &Stopped(false), &mut |_| deltas += 1);
    assert_understood("assistant", &answer, started);
    assert!(deltas > 1, "it streams");
}
