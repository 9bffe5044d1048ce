//! Execution of one task: requests, validation, retries, progress.

use std::cell::RefCell;
use std::future::Future;
use std::ops::RangeInclusive;

use futures_util::{StreamExt, TryStreamExt, stream};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use slovo_rules::analysis::Moment;

use super::Chat;
use super::dialect::{self, AnswerSchema, ChatRequest, in_words};
use super::items::{self, Item};
use super::prompts;
use super::tokens::estimate;
use crate::{AnalysisError, Progress, Text};

/// Parallel requests: one is read while the other is computed, and a small server is not
/// overloaded.
const AT_ONCE: usize = 2;

/// Attempts per request if answers are invalid.
const TRIES: usize = 3;

/// A request always has room for at least this many tokens of data, however long the rest is.
const MIN_ROOM: usize = 256;

/// Tokens of a request besides its texts: roles, marks of the chat template, the remark of a retry.
const FRAME: usize = 128;

/// The most places per statement.
const MAX_MOMENTS: usize = 20;

/// What is wrong with an answer, as the end of a sentence after "could not be used:".
pub type Flaw = &'static str;

/// A running task.
pub struct Run<'a> {
    chat: &'a Chat,
    /// The text.
    pub text: &'a Text,
    steps: RefCell<Steps<'a>>,
}

struct Steps<'a> {
    done: u32,
    expected: u32,
    reported: f64,
    progress: Progress<'a>,
}

impl<'a> Run<'a> {
    /// Begins a task.
    pub fn new(chat: &'a Chat, text: &'a Text, progress: Progress<'a>) -> Self {
        Self {
            chat,
            text,
            steps: RefCell::new(Steps {
                done: 0,
                expected: 0,
                reported: 0.0,
                progress,
            }),
        }
    }

    /// Language of the text.
    pub fn language(&self) -> &'a str {
        &self.text.language
    }

    /// The most tokens of an answer: `requested`, or less in a small context, which the data needs
    /// as well.
    pub fn answer_tokens(&self, requested: usize) -> usize {
        requested.clamp(256, (self.chat.context() / 2).max(256))
    }

    /// Tokens of data that fit into one request.
    pub fn room(&self, system: &str, shape: Option<&AnswerSchema>, answer_tokens: usize) -> usize {
        let shape = shape.map_or(0, |shape| estimate(&in_words(shape)));
        let taken = estimate(system) + shape + answer_tokens + FRAME;
        self.chat.context().saturating_sub(taken).max(MIN_ROOM)
    }

    /// The text as items of at most `room` tokens each.
    pub fn items(&self, room: usize) -> Vec<Item> {
        items::of_text(self.text, room)
    }

    /// The places of the passages at these positions, in order of time, without duplicates.
    pub fn moments(&self, passages: impl IntoIterator<Item = usize>) -> Vec<Moment> {
        let mut passages: Vec<usize> = passages.into_iter().collect();
        passages.sort_unstable();
        passages.dedup();
        passages
            .into_iter()
            .take(MAX_MOMENTS)
            .filter_map(|at| Some(self.text.passages.get(at)?.moment()))
            .collect()
    }

    /// Adds this many requests to the expected total, for the progress.
    pub fn expect(&self, steps: usize) {
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        let mut state = self.steps.borrow_mut();
        state.expected = state.expected.saturating_add(steps);
    }

    /// Counts one finished request.
    pub fn step(&self) {
        let mut steps = self.steps.borrow_mut();
        steps.done = steps.done.saturating_add(1);
        let share = f64::from(steps.done) / f64::from(steps.expected.max(steps.done));
        steps.reported = steps.reported.max(share);
        let highest = steps.reported;
        (steps.progress)(highest);
    }

    /// Runs the futures, two at a time, and returns their results in order.
    pub async fn each<T, F>(
        &self,
        all: impl IntoIterator<Item = F>,
    ) -> Result<Vec<T>, AnalysisError>
    where
        F: Future<Output = Result<T, AnalysisError>>,
    {
        stream::iter(all).buffered(AT_ONCE).try_collect().await
    }

    /// Asks until an answer has the shape and passes the check, at most three times.
    pub async fn checked<A: DeserializeOwned, T>(
        &self,
        ask: &ChatRequest,
        check: impl Fn(A) -> Result<T, Flaw>,
    ) -> Result<T, AnalysisError> {
        self.with_retries(ask, |text| {
            let object = dialect::object(text).ok_or("it is not a JSON object")?;
            let answer = serde_json::from_value(object)
                .map_err(|_| "it is not of the shape that was asked for")?;
            check(answer)
        })
        .await
    }

    /// Asks for plain text.
    pub async fn plain(&self, ask: &ChatRequest) -> Result<String, AnalysisError> {
        self.with_retries(ask, |text| {
            let after = text
                .rsplit_once("</think>")
                .map_or(text, |(_, after)| after);
            let text = after.trim();
            if text.is_empty() {
                return Err("it is empty");
            }
            Ok(text.to_owned())
        })
        .await
    }

    async fn with_retries<T>(
        &self,
        ask: &ChatRequest,
        read: impl Fn(&str) -> Result<T, Flaw>,
    ) -> Result<T, AnalysisError> {
        let mut retry = ask.clone();
        let mut flaw = "";
        for _ in 0..TRIES {
            let answered = self.chat.answer(&retry, &mut |_| {}, false).await?;
            let outcome = if answered.is_cut {
                Err("it was cut off because it was too long")
            } else {
                read(&answered.text)
            };
            match outcome {
                Ok(value) => {
                    self.step();
                    return Ok(value);
                }
                Err(reason) => flaw = reason,
            }
            retry.system = ask.system.clone() + &prompts::retry_remark(flaw);
        }
        Err(AnalysisError::BadAnswer(flaw))
    }
}

/// A JSON schema of an object with exactly these fields.
pub fn fields(properties: &Value) -> Value {
    let required: Vec<&String> = properties
        .as_object()
        .map(|fields| fields.keys().collect())
        .unwrap_or_default();
    json!({
        "type": "object",
        "required": required,
        "additionalProperties": false,
        "properties": properties,
    })
}

/// A JSON schema of a list with a bounded number of entries. Without bounds, a small model that is
/// constrained to a schema writes entries until it runs out of tokens.
pub fn list(of: &Value, entries: RangeInclusive<usize>) -> Value {
    let (min, max) = entries.into_inner();
    json!({ "type": "array", "items": of, "minItems": min, "maxItems": max })
}

/// A JSON schema of an item number.
pub fn number_of(items: &[Item]) -> Value {
    let at = |item: Option<&Item>| item.map_or(1, |item| item.number);
    json!({ "type": "integer", "minimum": at(items.first()), "maximum": at(items.last()) })
}

/// The items with these numbers.
pub fn numbered<'i>(items: &'i [Item], numbers: &[usize]) -> Result<Vec<&'i Item>, Flaw> {
    let first = items.first().map_or(1, |item| item.number);
    numbers
        .iter()
        .map(|number| {
            let at = number.checked_sub(first);
            at.and_then(|at| items.get(at))
                .ok_or("it names a number that is not in the data")
        })
        .collect()
}
