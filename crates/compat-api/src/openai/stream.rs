//! The text as server-sent events while it is recognised.

use std::collections::VecDeque;
use std::convert::Infallible;

use axum::response::Response;
use axum::response::sse::Event;
use futures_util::{Stream, stream};
use serde::Serialize;
use serde_json::json;
use slovo_api::jobs::events as sse;
use slovo_rules::transcript::Word;

use super::answer::{diarized, logprobs, usage};
use super::error;
use super::form::{AudioForm, ResponseFormat};
use super::known_speakers::KnownSpeakers;
use crate::recognised_text::{joined, whole};
use crate::refusal::Refusal;
use crate::run::{Failure, Progress, Recognised, Running};

/// The end of the stream; no JSON.
const DONE: &str = "[DONE]";

/// A stream and what it has sent.
struct Streamed {
    /// `None` once it is over.
    running: Option<Running>,
    form: AudioForm,
    known: KnownSpeakers,
    waiting: VecDeque<Event>,
    /// The text of all deltas.
    sent: String,
}

/// Answers with the text as it comes.
pub(super) fn respond(form: AudioForm, running: Running, known: KnownSpeakers) -> Response {
    let streamed = Streamed {
        running: Some(running),
        form,
        known,
        waiting: VecDeque::new(),
        sent: String::new(),
    };
    sse::respond(events(streamed))
}

fn events(streamed: Streamed) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(streamed, |mut streamed| async move {
        loop {
            if let Some(event) = streamed.waiting.pop_front() {
                return Some((Ok(event), streamed));
            }
            match streamed.running.as_mut()?.next().await {
                Ok(Progress::All(segments)) => {
                    streamed.send_rest(&joined(segments.iter().map(|it| &it.text)));
                }
                Ok(Progress::More(segments)) => {
                    streamed.add(segments.iter().map(|it| (&it.text, &it.words)));
                }
                Ok(Progress::Done(done)) => {
                    streamed.running = None;
                    match streamed.known.name(*done).await {
                        Ok(done) => streamed.finish(&done),
                        Err(failure) => streamed.fail(failure),
                    }
                }
                Err(failure) => {
                    streamed.running = None;
                    streamed.fail(failure);
                }
            }
        }
    })
}

impl Streamed {
    /// Sends more segments: their texts and words.
    fn add<'a>(&mut self, segments: impl Iterator<Item = (&'a String, &'a Vec<Word>)>) {
        for (text, words) in segments {
            self.delta(text, words);
        }
    }

    fn delta(&mut self, text: &str, words: &[Word]) {
        let begins = self.sent.is_empty();
        let delta = format!("{}{text}", if begins { "" } else { " " });
        self.sent.push_str(&delta);
        let mut content = json!({"type": "transcript.text.delta", "delta": delta});
        if self.form.logprobs {
            content["logprobs"] = json!(logprobs(words, begins));
        }
        self.waiting.push_back(event(&content));
    }

    /// Sends what is missing of this text. A text that was changed after it was sent is only in
    /// the last event.
    fn send_rest(&mut self, text: &str) {
        let rest = text.strip_prefix(self.sent.as_str()).map(str::trim_start);
        if let Some(rest) = rest.filter(|rest| !rest.is_empty()) {
            self.delta(rest, &[]);
        }
    }

    fn fail(&mut self, failure: Failure) {
        let event = event(&error::body(&Refusal::from(failure))).event("error");
        self.waiting.push_back(event);
    }

    fn finish(&mut self, done: &Recognised) {
        let segments = &done.text.segments;
        let text = whole(&done.text);
        if self.sent.is_empty() && self.form.logprobs {
            self.add(segments.iter().map(|it| (&it.text, &it.words)));
        }
        self.send_rest(&text);
        if self.form.format == ResponseFormat::DiarizedJson {
            self.waiting.extend(diarized(&done.text).iter().map(event));
        }
        let mut last = json!({
            "type": "transcript.text.done", "text": text, "usage": usage(&done.text),
        });
        if self.form.logprobs {
            last["logprobs"] = json!(logprobs(segments.iter().flat_map(|it| &it.words), true));
        }
        self.waiting.push_back(event(&last));
        self.waiting.push_back(Event::default().data(DONE));
    }
}

/// An event with this content.
fn event(content: &impl Serialize) -> Event {
    Event::default().data(sse::text(content))
}
