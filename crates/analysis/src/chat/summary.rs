//! Summary of the text or, if it is long, of notes on its parts, or of notes on notes.

use serde::Deserialize;
use serde_json::json;
use slovo_rules::analysis::{Outcome, Summary, SummarySentence};
use slovo_rules::search;

use super::dialect::{AnswerSchema, ChatRequest};
use super::items::{self, Item};
use super::prompts::{self, PartNumber, Source};
use super::run::{Flaw, Run, fields, list, number_of, numbered};
use super::tokens::per_word;
use crate::AnalysisError;

/// The longest valid sentence, in bytes.
const MAX_SENTENCE: usize = 4000;

/// The most sentences: those of a summary of a thousand words, with some margin.
const MAX_SENTENCES: usize = 100;

/// The most places per sentence.
const PLACES: usize = 5;

/// The fewest and the most words of the notes on one part.
const NOTE_WORDS: (usize, usize) = (40, 300);

#[derive(Deserialize)]
struct Answer {
    sentences: Vec<Sentence>,
}

#[derive(Deserialize)]
struct Sentence {
    text: String,
    segments: Vec<usize>,
}

/// A sentence and the positions of the passages that support it.
struct SupportedSentence {
    text: String,
    passages: Vec<usize>,
}

/// Creates the summary.
pub async fn make(run: &Run<'_>, words: u32) -> Result<Outcome, AnalysisError> {
    let passages = run.text.passages.iter();
    let available: usize = passages.map(|passage| count(&passage.text)).sum();
    let requested = usize::try_from(words)
        .unwrap_or(usize::MAX)
        .min(available)
        .max(1);
    let answer_tokens = run.answer_tokens(requested.saturating_mul(2 * per_word(run.language())));
    let task = prompts::summary(requested, run.language());
    let mut source = Source::Transcript;
    let mut items = run.items(usize::MAX);
    loop {
        let system = prompts::system(source, &task);
        let room = run.room(&system, Some(&shape(&items)), answer_tokens);
        if size(&items) <= room {
            run.expect(1);
            let ask = ask(system, &items, answer_tokens);
            let stated = final_sentences(run, &ask, &items, requested).await?;
            return Ok(outcome(run, stated));
        }
        let notes = notes(run, source, &items).await?;
        if size(&notes) > size(&items) / 5 * 4 {
            return Err(AnalysisError::BadAnswer(
                "its notes are no shorter than the text",
            ));
        }
        (source, items) = (Source::Notes, notes);
    }
}

async fn final_sentences(
    run: &Run<'_>,
    ask: &ChatRequest,
    items: &[Item],
    requested: usize,
) -> Result<Vec<SupportedSentence>, AnalysisError> {
    let first = run
        .checked(ask, |answer| checked_sentences(answer, items))
        .await?;
    let length = total(&first);
    if length * 10 >= requested * 7 && length * 10 <= requested * 13 {
        return Ok(first);
    }
    let mut again = ask.clone();
    again.system += &prompts::retry_remark(&prompts::of_length(length, requested));
    let second = run
        .checked(&again, |answer| checked_sentences(answer, items))
        .await?;
    let is_nearer = total(&second).abs_diff(requested) < length.abs_diff(requested);
    Ok(if is_nearer { second } else { first })
}

/// Notes on the items, part by part, as new items.
async fn notes(run: &Run<'_>, source: Source, items: &[Item]) -> Result<Vec<Item>, AnalysisError> {
    let per_word = per_word(run.language());
    let most = run.answer_tokens(NOTE_WORDS.1 * per_word);
    let longest = prompts::notes(
        PartNumber {
            part: 999,
            parts: 999,
        },
        999,
        run.language(),
    );
    let system = prompts::system(source, &longest);
    let room = run.room(&system, Some(&shape(items)), most);
    let words = (room / 5 / per_word).clamp(NOTE_WORDS.0, NOTE_WORDS.1);
    let items = if source == Source::Transcript {
        run.items(room)
    } else {
        items.to_vec()
    };
    let parts = items::parts(&items, room);
    run.expect(parts.len());
    let count = parts.len();
    let requests = parts.iter().enumerate().map(|(at, part)| {
        let place = PartNumber {
            part: at + 1,
            parts: count,
        };
        let task = prompts::notes(place, words, run.language());
        let ask = ask(prompts::system(source, &task), part, most);
        async move {
            run.checked(&ask, |answer| checked_sentences(answer, part))
                .await
        }
    });
    let stated = run.each(requests).await?;
    let notes = stated.into_iter().flatten().zip(1..);
    Ok(notes
        .map(|(stated, number)| Item {
            number,
            passages: stated.passages,
            speaker: None,
            text: stated.text,
        })
        .collect())
}

fn ask(system: String, items: &[Item], answer_tokens: usize) -> ChatRequest {
    ChatRequest {
        system,
        turns: vec![items::data(items)],
        shape: Some(shape(items)),
        answer_tokens,
    }
}

fn shape(items: &[Item]) -> AnswerSchema {
    let sentence = fields(&json!({
        "text": { "type": "string" },
        "segments": list(&number_of(items), 0..=PLACES),
    }));
    AnswerSchema {
        name: "summary",
        schema: fields(&json!({ "sentences": list(&sentence, 1..=MAX_SENTENCES) })),
    }
}

fn checked_sentences(answer: Answer, items: &[Item]) -> Result<Vec<SupportedSentence>, Flaw> {
    if answer.sentences.is_empty() {
        return Err("it has no sentences");
    }
    let sentences = answer.sentences.into_iter().map(|sentence| {
        let text = sentence.text.trim();
        if text.is_empty() || text.len() > MAX_SENTENCE {
            return Err("a sentence of it is empty or endless");
        }
        let cited = numbered(items, &sentence.segments)?;
        Ok(SupportedSentence {
            text: text.to_owned(),
            passages: cited
                .into_iter()
                .flat_map(|item| item.passages.iter().copied())
                .collect(),
        })
    });
    sentences.collect()
}

fn outcome(run: &Run<'_>, stated: Vec<SupportedSentence>) -> Outcome {
    let words = u32::try_from(total(&stated)).unwrap_or(u32::MAX);
    let sentences = stated.into_iter().map(|stated| SummarySentence {
        moments: run.moments(stated.passages),
        text: stated.text,
    });
    Outcome::Summary(Summary {
        sentences: sentences.collect(),
        words,
        extractive: false,
    })
}

fn size(items: &[Item]) -> usize {
    items.iter().map(Item::tokens).sum()
}

fn total(stated: &[SupportedSentence]) -> usize {
    stated.iter().map(|stated| count(&stated.text)).sum()
}

fn count(text: &str) -> usize {
    search::words(text).len()
}
