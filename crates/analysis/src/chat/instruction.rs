//! The user's own instruction, carried out on the whole text or on notes of its parts.

use slovo_rules::analysis::{Outcome, PromptAnswer};

use super::dialect::ChatRequest;
use super::items::{self, Item};
use super::prompts::{self, PartNumber, Source};
use super::run::Run;
use super::tokens::{per_word, split};
use crate::AnalysisError;

/// The most tokens of an answer, if the context is large enough.
const ANSWER: usize = 4096;

/// The most words of the notes on one part.
const NOTE_WORDS: usize = 600;

/// Creates the answer.
pub async fn make(run: &Run<'_>, prompt: &str) -> Result<Outcome, AnalysisError> {
    let answer_tokens = run.answer_tokens(ANSWER);
    let task = prompts::instruction(prompt);
    let mut source = Source::Transcript;
    let mut items = run.items(usize::MAX);
    loop {
        let system = prompts::system(source, &task);
        let room = run.room(&system, None, answer_tokens);
        if size(&items) <= room {
            run.expect(1);
            let ask = ask(system, &items, answer_tokens);
            let markdown = run.plain(&ask).await?;
            return Ok(Outcome::Prompt(PromptAnswer { markdown }));
        }
        let notes = notes(run, source, &items, prompt).await?;
        if size(&notes) > size(&items) / 5 * 4 {
            return Err(AnalysisError::BadAnswer(
                "its notes are no shorter than the text",
            ));
        }
        (source, items) = (Source::Notes, notes);
    }
}

async fn notes(
    run: &Run<'_>,
    source: Source,
    items: &[Item],
    prompt: &str,
) -> Result<Vec<Item>, AnalysisError> {
    let per_word = per_word(run.language());
    let answer_tokens = run.answer_tokens(NOTE_WORDS * per_word);
    let longest = prompts::instruction_notes(
        PartNumber {
            part: 999,
            parts: 999,
        },
        999,
        prompt,
    );
    let room = run.room(&prompts::system(source, &longest), None, answer_tokens);
    // A quarter of the input, so that notes of notes converge.
    let words = (room / 4 / per_word).clamp(40, NOTE_WORDS);
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
        let task = prompts::instruction_notes(place, words, prompt);
        let ask = ask(prompts::system(source, &task), part, answer_tokens);
        async move { run.plain(&ask).await }
    });
    let notes = run.each(requests).await?;
    let pieces = notes.iter().flat_map(|note| split(note, room / 2));
    Ok(pieces
        .zip(1..)
        .map(|(piece, number)| Item {
            number,
            passages: Vec::new(),
            speaker: None,
            text: piece.to_owned(),
        })
        .collect())
}

fn ask(system: String, items: &[Item], answer_tokens: usize) -> ChatRequest {
    ChatRequest {
        system,
        turns: vec![items::data(items)],
        shape: None,
        answer_tokens,
    }
}

fn size(items: &[Item]) -> usize {
    items.iter().map(Item::tokens).sum()
}
