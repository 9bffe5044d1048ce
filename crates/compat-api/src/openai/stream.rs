//! The text as server-sent events while it is recognised.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;

use axum::http::{HeaderName, HeaderValue};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, stream};
use serde::Serialize;
use serde_json::json;
use slovo_rules::transcript::{Segment, Word};

use super::answer::{diarized, joined, logprobs, usage};
use super::error::OpenAiError;
use super::form::{AudioForm, ResponseFormat};
use crate::run::{Progress, Recognised, Running};

/// A comment is sent after this time without events, so that proxies keep the connection open.
const SILENCE: Duration = Duration::from_secs(15);

/// The end of the stream; no JSON.
const DONE: &str = "[DONE]";

/// A stream and what it has sent.
struct Streamed {
    /// `None` once it is over.
    running: Option<Running>,
    form: AudioForm,
    waiting: VecDeque<Event>,
    /// The text of all deltas.
    sent: String,
}

/// Answers with the text as it comes.
pub(super) fn respond(form: AudioForm, running: Running) -> Response {
    let streamed = Streamed {
        running: Some(running),
        form,
        waiting: VecDeque::new(),
        sent: String::new(),
    };
    let mut response = Sse::new(events(streamed))
        .keep_alive(KeepAlive::new().interval(SILENCE))
        .into_response();
    // Otherwise nginx buffers the events.
    let buffering = HeaderName::from_static("x-accel-buffering");
    response
        .headers_mut()
        .insert(buffering, HeaderValue::from_static("no"));
    response
}

fn events(streamed: Streamed) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(streamed, |mut streamed| async move {
        loop {
            if let Some(event) = streamed.waiting.pop_front() {
                return Some((Ok(event), streamed));
            }
            match streamed.running.as_mut()?.next().await {
                Ok(Progress::All(segments)) => streamed.catch_up(&segments),
                Ok(Progress::More(segments)) => streamed.add(&segments),
                Ok(Progress::Done(done)) => {
                    streamed.running = None;
                    streamed.finish(&done);
                }
                Err(failure) => {
                    streamed.running = None;
                    let body = OpenAiError::from(failure).body();
                    let event = event(&body).event("error");
                    streamed.waiting.push_back(event);
                }
            }
        }
    })
}

impl Streamed {
    /// Sends what these segments add. They are the whole text so far.
    fn catch_up(&mut self, segments: &[Segment]) {
        let whole: Vec<_> = segments.iter().map(|it| it.text.as_str()).collect();
        self.send_rest(&whole.join(" "));
    }

    /// Sends more segments.
    fn add(&mut self, segments: &[Segment]) {
        for segment in segments {
            let words: Vec<&Word> = segment.words.iter().collect();
            self.delta(&segment.text, &words);
        }
    }

    fn delta(&mut self, text: &str, words: &[&Word]) {
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

    fn finish(&mut self, done: &Recognised) {
        let text = joined(&done.text);
        if self.sent.is_empty() && self.form.logprobs {
            for segment in &done.text.segments {
                let words: Vec<&Word> = segment.words.iter().collect();
                self.delta(&segment.text, &words);
            }
        }
        self.send_rest(&text);
        if self.form.format == ResponseFormat::DiarizedJson {
            let segments = diarized(&done.text);
            self.waiting.extend(segments.iter().map(event));
        }
        let mut last = json!({
            "type": "transcript.text.done", "text": text, "usage": usage(&done.text),
        });
        if self.form.logprobs {
            let words: Vec<&Word> = done.text.segments.iter().flat_map(|it| &it.words).collect();
            last["logprobs"] = json!(logprobs(&words, true));
        }
        self.waiting.push_back(event(&last));
        self.waiting.push_back(Event::default().data(DONE));
    }
}

/// An event with this content. JSON has no raw line breaks.
fn event(content: &impl Serialize) -> Event {
    Event::default().data(serde_json::to_string(content).unwrap_or_default())
}
