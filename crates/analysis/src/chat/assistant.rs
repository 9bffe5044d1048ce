//! Streamed answers to questions about one text; each statement has time codes as its evidence.

use std::collections::{HashMap, HashSet};

use slovo_rules::analysis::Moment;
use slovo_rules::search;

use super::Chat;
use super::client::Sink;
use super::codes::{Filter, code};
use super::dialect::ChatRequest;
use super::items::quoted;
use super::prompts;
use super::tokens::{estimate, split};
use crate::{AnalysisError, Stop, Text};

/// The most tokens of an answer, if the context is large enough.
const ANSWER: usize = 1500;

/// Tokens of a passage's JSON braces, field names and time code.
const FRAME: usize = 20;

/// Letters by which words are compared without a model, because their endings vary.
const STEM: usize = 5;

/// The least letters of a word that is compared.
const MIN_WORD: usize = 3;

/// An earlier question and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The question.
    pub question: String,
    /// The answer as it was shown.
    pub answer: String,
}

/// Rates how relevant each passage is to a question: higher is closer, 0 and below means unrelated.
/// `None` if that is unknown.
pub type Relevance<'a> = &'a dyn Fn(&str, &[&str]) -> Option<Vec<f32>>;

/// A question about a text.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The text.
    pub text: &'a Text,
    /// Earlier questions and answers, oldest first. The most recent ones are sent, up to a quarter
    /// of the context.
    pub history: &'a [Turn],
    /// The question.
    pub question: &'a str,
    /// Chooses passages if the text is too long for the context; without it, passages are chosen by
    /// the words that they share with the question. Called at most once, on the calling thread.
    pub relevance: Option<Relevance<'a>>,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    /// Markdown with validated time codes. All of it was passed to `on_delta`.
    pub text: String,
    /// The passages that the time codes refer to, in the order in which they are named.
    pub moments: Vec<Moment>,
    /// Why the answer is incomplete; `None` if it is complete.
    pub failure: Option<AnalysisError>,
}

impl Chat {
    /// Answers a question; `on_delta` gets the text as it arrives, without invalid time codes.
    /// Blocks, as [`crate::Analyst::run`] does.
    ///
    /// # Errors
    /// [`AnalysisError`] if there is no answer at all; an interrupted answer is an [`Answer`] with
    /// a failure.
    pub fn assistant(
        &self,
        question: &Question<'_>,
        stop: &dyn Stop,
        on_delta: Sink<'_>,
    ) -> Result<Answer, AnalysisError> {
        if super::is_empty(question.text) {
            return Err(AnalysisError::EmptyText);
        }
        let ask = build_request(self.context(), question);
        let mut filter = Filter::new(question.text);
        let mut thoughts = ReasoningFilter::default();
        let mut text = String::new();
        let mut show = |piece: String| {
            if !piece.is_empty() {
                on_delta(&piece);
                text.push_str(&piece);
            }
        };
        let mut take = |delta: &str| show(filter.push(&thoughts.without(delta)));
        let outcome = self.until_stopped(stop, async { self.answer(&ask, &mut take, true).await });
        show(filter.finish());
        let failure = match outcome {
            Ok(answered) if answered.is_cut => Some(AnalysisError::BadAnswer("it was cut off")),
            Ok(_) if text.trim().is_empty() => Some(AnalysisError::BadAnswer("it is empty")),
            Ok(_) => None,
            Err(error) => Some(error),
        };
        match failure {
            Some(error) if text.trim().is_empty() => Err(error),
            failure => Ok(Answer {
                text,
                moments: filter.moments(),
                failure,
            }),
        }
    }
}

/// The request, limited to the context.
fn build_request(context: usize, question: &Question<'_>) -> ChatRequest {
    let answer_tokens = ANSWER.min(context / 4);
    let mut turns = Vec::new();
    let mut history = context / 4;
    for turn in question.history.iter().rev() {
        let tokens = estimate(&turn.question) + estimate(&turn.answer) + FRAME;
        if tokens > history {
            break;
        }
        history -= tokens;
        turns.push(turn.answer.clone());
        turns.push(turn.question.clone());
    }
    turns.push(prompts::READ.to_owned());
    let used = turns.iter().map(|turn| estimate(turn)).sum::<usize>()
        + estimate(&prompts::assistant(true))
        + estimate(question.question)
        + answer_tokens
        + FRAME * 6;
    let passages = passages(question.text, context / 4);
    let chosen = choose(&passages, context.saturating_sub(used).max(256), question);
    let is_chosen = chosen.len() < passages.len();
    let lines: Vec<&str> = chosen
        .iter()
        .map(|at| passages[*at].line.as_str())
        .collect();
    turns.push(format!("[\n{}\n]", lines.join(",\n")));
    turns.reverse();
    turns.push(question.question.to_owned());
    ChatRequest {
        system: prompts::assistant(is_chosen),
        turns,
        shape: None,
        answer_tokens,
    }
}

/// A passage as the model sees it.
struct PromptPassage<'t> {
    text: &'t str,
    line: String,
    tokens: usize,
}

/// All passages; those of more than `most` tokens are split.
fn passages(text: &Text, most: usize) -> Vec<PromptPassage<'_>> {
    let pieces = text.passages.iter().flat_map(|passage| {
        split(&passage.text, most)
            .into_iter()
            .map(move |piece| (passage, piece))
    });
    pieces
        .map(|(passage, text)| {
            let speaker = passage.speaker.as_deref().map_or(String::new(), |name| {
                format!(r#""speaker":{},"#, quoted(name))
            });
            let at = code(passage.start);
            let line = format!(r#"{{"at":"{at}",{speaker}"text":{}}}"#, quoted(text));
            PromptPassage {
                text,
                tokens: estimate(&line) + FRAME,
                line,
            }
        })
        .collect()
}

/// Positions of the passages to send, in order: all if they fit; otherwise those most relevant to
/// the question, with their neighbours; otherwise a sample of every part.
fn choose(passages: &[PromptPassage<'_>], room: usize, question: &Question<'_>) -> Vec<usize> {
    let all: usize = passages.iter().map(|passage| passage.tokens).sum();
    if all <= room {
        return (0..passages.len()).collect();
    }
    let texts: Vec<&str> = passages.iter().map(|passage| passage.text).collect();
    let close = question
        .relevance
        .and_then(|relevance| relevance(question.question, &texts))
        .filter(|scores| scores.len() == texts.len())
        .unwrap_or_else(|| shared_words(question.question, &texts));
    let mut order: Vec<usize> = (0..passages.len()).filter(|at| close[*at] > 0.0).collect();
    order.sort_by(|a, b| close[*b].total_cmp(&close[*a]));
    if order.is_empty() {
        let step = all.div_ceil(room).max(1);
        order = (0..passages.len()).step_by(step).collect();
    }
    let (mut left, mut chosen) = (room, HashSet::new());
    for at in order {
        for at in [Some(at), at.checked_add(1), at.checked_sub(1)]
            .into_iter()
            .flatten()
        {
            let Some(passage) = passages.get(at) else {
                continue;
            };
            if passage.tokens <= left && chosen.insert(at) {
                left -= passage.tokens;
            }
        }
    }
    let mut chosen: Vec<usize> = chosen.into_iter().collect();
    chosen.sort_unstable();
    chosen
}

/// Relevance by the number of shared words; rare words weigh more.
fn shared_words(question: &str, texts: &[&str]) -> Vec<f32> {
    let stems = |text: &str| -> HashSet<String> {
        search::words(text)
            .into_iter()
            .filter(|word| {
                word.chars().count() >= MIN_WORD
                    || word
                        .chars()
                        .all(slovo_rules::subtitles::lines::breaks_freely)
            })
            .map(|word| word.chars().take(STEM).collect())
            .collect()
    };
    let question_stems = stems(question);
    let found: Vec<Vec<String>> = texts
        .iter()
        .map(|text| stems(text).intersection(&question_stems).cloned().collect())
        .collect();
    let mut counts: HashMap<&String, u16> = HashMap::new();
    for stem in found.iter().flatten() {
        let count = counts.entry(stem).or_default();
        *count = count.saturating_add(1);
    }
    found
        .iter()
        .map(|stems| {
            let rare = stems.iter().filter_map(|stem| counts.get(stem));
            rare.map(|count| 1.0 / f32::from(*count)).sum()
        })
        .collect()
}

/// Removes the reasoning that a model writes before its answer, and the blank lines around it.
#[derive(Default)]
struct ReasoningFilter {
    pending: String,
    has_started: bool,
}

impl ReasoningFilter {
    fn without(&mut self, delta: &str) -> String {
        const OPEN: &str = "<think>";
        const CLOSE: &str = "</think>";
        if self.has_started {
            return delta.to_owned();
        }
        self.pending.push_str(delta);
        let mut rest = self.pending.trim_start();
        if rest.starts_with(OPEN) {
            rest = rest
                .split_once(CLOSE)
                .map_or("", |(_, after)| after.trim_start());
        } else if OPEN.starts_with(rest) {
            rest = "";
        }
        self.has_started = !rest.is_empty();
        rest.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Passage;

    fn text(count: usize) -> Text {
        let passages = (0..count).map(|at| {
            let start = f64::from(u32::try_from(at).unwrap()) * 10.0;
            let content = if at == 700 {
                "Бюджет погодили."
            } else {
                "Про погоду."
            };
            Passage {
                id: format!("s{at}"),
                start,
                end: start + 9.0,
                speaker: None,
                text: content.to_owned(),
            }
        });
        Text {
            language: "uk".to_owned(),
            duration: 10_000.0,
            passages: passages.collect(),
        }
    }

    fn question<'a>(text: &'a Text, question: &'a str) -> Question<'a> {
        Question {
            text,
            history: &[],
            question,
            relevance: None,
        }
    }

    #[test]
    fn a_long_text_is_reduced_to_passages_relevant_to_the_question() {
        let text = text(900);
        let ask = build_request(4096, &question(&text, "Що вирішили з бюджетом?"));
        assert!(
            ask.turns[0].contains("Бюджет погодили."),
            "{}",
            ask.turns[0]
        );
        let tokens: usize = ask.turns.iter().map(|turn| estimate(turn)).sum();
        assert!(tokens + estimate(&ask.system) + ask.answer_tokens <= 4096);
        let passages: Vec<serde_json::Value> = serde_json::from_str(&ask.turns[0]).unwrap();
        assert!(passages.iter().any(|passage| passage["at"] == "1:56:40"));
    }

    #[test]
    fn a_given_relevance_function_overrides_word_matching() {
        let text = text(900);
        let by_model = |_: &str, texts: &[&str]| {
            let close = (0..texts.len()).map(|at| f32::from(u8::from(at == 123)));
            Some(close.collect())
        };
        let mut question = question(&text, "Бюджет?");
        question.relevance = Some(&by_model);
        let sent = build_request(4096, &question).turns.remove(0);
        assert!(
            sent.contains("\"20:30\"") && !sent.contains("Бюджет"),
            "{sent}"
        );
    }

    #[test]
    fn a_question_that_matches_nothing_gets_a_sample_of_the_text() {
        let text = text(900);
        let sent = build_request(4096, &question(&text, "??")).turns.remove(0);
        let passages: Vec<serde_json::Value> = serde_json::from_str(&sent).unwrap();
        assert!(passages.len() > 20);
        assert_eq!(passages[0]["at"], "00:00");
    }

    #[test]
    fn history_is_sent_as_turns_and_the_oldest_are_dropped() {
        let text = text(3);
        let turn = |n: usize| Turn {
            question: format!("q{n}"),
            answer: "довга ".repeat(200),
        };
        let history: Vec<Turn> = (0..9).map(turn).collect();
        let mut question = question(&text, "now?");
        question.history = &history;
        let turns = build_request(8192, &question).turns;
        assert_eq!(turns.len() % 2, 1);
        assert_eq!(turns[1], prompts::READ);
        assert_eq!(turns.last().unwrap(), "now?");
        assert!(turns.contains(&"q8".to_owned()) && !turns.contains(&"q0".to_owned()));
    }

    #[test]
    fn thinking_blocks_are_removed_however_the_stream_is_split() {
        let answer = "\n<think>hm [00:00]</think>\n\nYes.";
        for (at, _) in answer.char_indices() {
            let (a, b) = answer.split_at(at);
            let mut thoughts = ReasoningFilter::default();
            assert_eq!(thoughts.without(a) + &thoughts.without(b), "Yes.", "{at}");
        }
        let mut thoughts = ReasoningFilter::default();
        assert_eq!(
            thoughts.without("<th") + &thoughts.without("ing>"),
            "<thing>"
        );
    }
}
