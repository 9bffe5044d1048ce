//! Chapters: consecutive, covering the text from the first passage to the last.

use serde::Deserialize;
use serde_json::json;
use slovo_rules::analysis::{Chapter, Chapters, Outcome};

use super::dialect::{AnswerSchema, ChatRequest};
use super::items::{self, Item};
use super::prompts::{self, Source};
use super::run::{Flaw, Run, fields, list, number_of};
use super::tokens::per_word;
use crate::AnalysisError;

/// The most chapters of any recording.
const MAX_CHAPTERS: usize = 24;

/// The least average length of a chapter in seconds.
const SECONDS: f64 = 120.0;

/// The most words of a chapter's title and summary.
const WORDS: usize = 50;

/// The longest title and the longest summary, in bytes.
const MAX_BYTES: usize = 4000;

#[derive(Deserialize)]
struct Answer {
    chapters: Vec<ProposedChapter>,
}

#[derive(Deserialize)]
struct ProposedChapter {
    title: String,
    summary: String,
    start: usize,
}

/// A chapter and the position of its first passage.
struct ChapterStart {
    title: String,
    summary: String,
    passage: usize,
}

/// Creates the chapters.
pub async fn make(run: &Run<'_>) -> Result<Outcome, AnalysisError> {
    let most = max_chapters(run.text.duration);
    let answer_tokens = run.answer_tokens(most * WORDS * per_word(run.language()));
    let system = |most| {
        let task = prompts::chapters(most, run.language());
        prompts::system(Source::Transcript, &task)
    };
    let room = run.room(&system(most), Some(&shape(&[], most)), answer_tokens);
    let items = run.items(room);
    let parts = items::parts(&items, room);
    run.expect(parts.len());
    // Parts return a few more than needed, so that neighbours can be merged.
    let of_part = match parts.len() {
        1 => most,
        parts => (most * 2).div_ceil(parts).max(2),
    };
    let requests = parts.iter().map(|part| {
        let ask = ask(system(of_part), part, of_part, answer_tokens);
        async move {
            run.checked(&ask, |answer| checked_chapters(answer, part))
                .await
        }
    });
    let mut chapters: Vec<ChapterStart> = run.each(requests).await?.into_iter().flatten().collect();
    while chapters.len() > most {
        chapters = merge_chapters(run, chapters, most, answer_tokens).await?;
    }
    Ok(outcome(run, chapters))
}

/// The most chapters for a recording of this length.
fn max_chapters(seconds: f64) -> usize {
    (2..MAX_CHAPTERS)
        .find(|count| seconds < SECONDS * f64::from(u32::try_from(*count).unwrap_or(u32::MAX)))
        .unwrap_or(MAX_CHAPTERS)
}

/// Merges neighbouring chapters. If there are too many for one request, each request merges its
/// own.
async fn merge_chapters(
    run: &Run<'_>,
    chapters: Vec<ChapterStart>,
    most: usize,
    answer_tokens: usize,
) -> Result<Vec<ChapterStart>, AnalysisError> {
    let before = chapters.len();
    let items: Vec<Item> = chapters
        .into_iter()
        .zip(1..)
        .map(|(chapter, number)| Item {
            number,
            passages: vec![chapter.passage],
            speaker: None,
            text: format!("{}: {}", chapter.title, chapter.summary),
        })
        .collect();
    let system = |most| {
        let task = prompts::merge_chapters(most, run.language());
        prompts::system(Source::Chapters, &task)
    };
    let room = run.room(&system(most), Some(&shape(&[], most)), answer_tokens);
    let parts = items::parts(&items, room);
    run.expect(parts.len());
    let of_part = |part: &[Item]| match parts.len() {
        1 => most,
        _ => (part.len() / 2).max(1),
    };
    let requests = parts.iter().map(|part| {
        let most = of_part(part);
        let ask = ask(system(most), part, most, answer_tokens);
        async move {
            run.checked(&ask, |answer| {
                let chapters_of_part = checked_chapters(answer, part)?;
                if chapters_of_part.len() > most {
                    return Err("it has more chapters than were asked for");
                }
                Ok(chapters_of_part)
            })
            .await
        }
    });
    let joined: Vec<ChapterStart> = run.each(requests).await?.into_iter().flatten().collect();
    if joined.len() >= before {
        return Err(AnalysisError::BadAnswer("its chapters do not get fewer"));
    }
    Ok(joined)
}

fn ask(system: String, items: &[Item], most: usize, answer_tokens: usize) -> ChatRequest {
    ChatRequest {
        system,
        turns: vec![items::data(items)],
        shape: Some(shape(items, most)),
        answer_tokens,
    }
}

fn shape(items: &[Item], most: usize) -> AnswerSchema {
    let chapter = fields(&json!({
        "title": { "type": "string" },
        "summary": { "type": "string" },
        "start": number_of(items),
    }));
    AnswerSchema {
        name: "chapters",
        schema: fields(&json!({ "chapters": list(&chapter, 1..=most.max(1)) })),
    }
}

/// The chapters of an answer: the first must begin with the first item, and each further one after
/// the previous one.
fn checked_chapters(answer: Answer, items: &[Item]) -> Result<Vec<ChapterStart>, Flaw> {
    let first = items.first().map(|item| item.number);
    if answer.chapters.first().map(|chapter| chapter.start) != first {
        return Err("the first chapter does not begin with the first number of the data");
    }
    let rises = answer
        .chapters
        .windows(2)
        .all(|pair| pair[0].start < pair[1].start);
    if !rises {
        return Err("the numbers of the chapters do not rise");
    }
    let chapters = answer.chapters.into_iter().map(|chapter| {
        let item = items.iter().find(|item| item.number == chapter.start);
        let item = item.ok_or("it names a number that is not in the data")?;
        let (title, summary) = (chapter.title.trim(), chapter.summary.trim());
        if title.is_empty() || title.len() + summary.len() > MAX_BYTES {
            return Err("a title is empty or endless");
        }
        Ok(ChapterStart {
            title: title.to_owned(),
            summary: summary.to_owned(),
            passage: item.passages.first().copied().unwrap_or_default(),
        })
    });
    chapters.collect()
}

/// The first begins at the start of the text; two that begin in the same long passage are merged.
fn outcome(run: &Run<'_>, mut proposed: Vec<ChapterStart>) -> Outcome {
    proposed.dedup_by_key(|chapter| chapter.passage);
    if let Some(first) = proposed.first_mut() {
        first.passage = 0;
    }
    let chapters = proposed.into_iter().filter_map(|chapter| {
        Some(Chapter {
            start: run.text.passages.get(chapter.passage)?.moment(),
            title: chapter.title,
            summary: chapter.summary,
        })
    });
    Outcome::Chapters(Chapters {
        chapters: chapters.collect(),
    })
}
