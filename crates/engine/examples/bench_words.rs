//! Prints the words that the engine writes and removes, for `cargo xtask bench invented`,
//! `word-times`, `vocabulary`, `languages` and `sentences`. Reads one line of JSON per recording and
//! writes one per recording; all share one engine.
//!
//! `bench_words MODELS [MODEL [unstyled]]`; in: `{"file", "language", "vocabulary"}`, out: `{"file",
//! "words", "written", "removed", "error"}`, times in seconds. `written` are the words before
//! repairs, by window; `unstyled` leaves the style out of the prompts.

use std::io::{BufRead, Write};
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};
use slovo_engine::{
    CancelToken, Engine, EngineConfig, EngineError, Event, LanguageChoice, Request,
};
use slovo_rules::transcript::{Segment, Word};

type Failure = Box<dyn std::error::Error>;

/// One recording to be recognised.
#[derive(Deserialize)]
struct Order {
    file: PathBuf,
    /// Language code of the speech; detected if missing.
    language: Option<String>,
    #[serde(default)]
    vocabulary: Vec<String>,
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let models = arguments
        .next()
        .ok_or("bench_words MODELS [MODEL [unstyled]]")?;
    let mut config = EngineConfig::new(PathBuf::from(models));
    if let Some(model) = arguments.next() {
        config.full_model = model;
    }
    config.style_prompts = arguments.next().is_none();
    let engine = Engine::new(config)?;
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let order: Order = serde_json::from_str(&line?)?;
        writeln!(out, "{}", answer(&engine, order))?;
        out.flush()?;
    }
    Ok(())
}

fn answer(engine: &Engine, order: Order) -> Value {
    let request = Request {
        language: order
            .language
            .map_or(LanguageChoice::Auto, LanguageChoice::Code),
        words: true,
        vocabulary: order.vocabulary,
        ..Request::new(order.file.clone())
    };
    let mut removed = Vec::new();
    let mut chunks = Vec::new();
    let mut on_event = |event| match event {
        Event::Removed(removals) => removed.extend(removals),
        Event::Chunk(chunk) => chunks.push(chunk),
        _ => {}
    };
    let started = cpu_seconds();
    let outcome = engine.transcribe(&request, &CancelToken::new(), &mut on_event);
    let cpu = cpu_seconds() - started;
    chunks.sort_by_key(|chunk| chunk.index);
    let written: Vec<_> = chunks.into_iter().map(|chunk| chunk.words).collect();
    let mut answer = json!({
        "file": order.file, "words": [], "written": written, "removed": removed, "cpu": cpu,
    });
    match outcome {
        Ok(transcript) => {
            answer["language"] = json!(transcript.language);
            answer["words"] = transcript.segments.iter().flat_map(words_of).collect();
        }
        // A recording without speech has no words and is not a failure.
        Err(EngineError::NoSpeech) => {}
        Err(error) => answer["error"] = json!(error.to_string()),
    }
    answer
}

/// The words of a segment, with its language.
fn words_of(segment: &Segment) -> Vec<Value> {
    let word = |word: &Word| {
        json!({
            "start": word.start,
            "end": word.end,
            "text": word.text,
            "confidence": word.confidence,
            "language": segment.language,
        })
    };
    segment.words.iter().map(word).collect()
}

/// User plus system CPU time of this process, in seconds.
fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
