//! Keywords: the model proposes them, and only those that occur in the text are kept. Frequency and
//! places are counted here.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::json;
use slovo_rules::analysis::{Keyword, Keywords, Outcome};
use slovo_rules::search;

use super::dialect::{AnswerSchema, ChatRequest};
use super::items;
use super::prompts::{self, Source};
use super::run::{Flaw, Run, fields, list};
use super::tokens::per_word;
use crate::AnalysisError;

/// The most keywords of a text, as in the API contract.
const MAX_KEYWORDS: usize = 30;

/// Number of keywords requested; for a long text, per part.
const ASKED: usize = 20;

/// The most words of a keyword.
const MAX_WORDS: usize = 6;

#[derive(Deserialize)]
struct Answer {
    keywords: Vec<ProposedKeyword>,
}

#[derive(Deserialize)]
struct ProposedKeyword {
    text: String,
    score: f64,
}

/// Creates the keywords.
pub async fn make(run: &Run<'_>) -> Result<Outcome, AnalysisError> {
    let system = prompts::system(Source::Transcript, &prompts::keywords(ASKED));
    let answer_tokens = run.answer_tokens(ASKED * (3 * per_word(run.language()) + 16));
    let room = run.room(&system, Some(&shape()), answer_tokens);
    let items = run.items(room);
    let parts = items::parts(&items, room);
    run.expect(parts.len());
    let requests = parts.iter().map(|part| {
        let ask = ChatRequest {
            system: system.clone(),
            turns: vec![items::data(*part)],
            shape: Some(shape()),
            answer_tokens,
        };
        async move {
            run.checked(&ask, |answer| {
                keywords_in_text(answer, |word| occurs(part, word))
            })
            .await
        }
    });
    let by_part = run.each(requests).await?;
    Ok(Outcome::Keywords(Keywords {
        keywords: counted(run, by_part.into_iter().flatten()),
    }))
}

fn shape() -> AnswerSchema {
    let keyword = fields(&json!({
        "text": { "type": "string" },
        "score": { "type": "number", "minimum": 0, "maximum": 1 },
    }));
    AnswerSchema {
        name: "keywords",
        schema: fields(&json!({ "keywords": list(&keyword, 0..=ASKED) })),
    }
}

fn occurs(items: &[items::Item], word: &str) -> bool {
    items
        .iter()
        .any(|item| !search::find(&item.text, word).is_empty())
}

/// The keywords that occur in the text. An answer in which none does was not made from the text.
fn keywords_in_text(
    answer: Answer,
    occurs: impl Fn(&str) -> bool,
) -> Result<Vec<ProposedKeyword>, Flaw> {
    let mut keywords = answer.keywords;
    if keywords
        .iter()
        .any(|word| !(0.0..=1.0).contains(&word.score))
    {
        return Err("a score is not between 0 and 1");
    }
    let had_any = !keywords.is_empty();
    keywords.retain_mut(|word| {
        word.text = word.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let words = search::words(&word.text).len();
        (1..=MAX_WORDS).contains(&words) && occurs(&word.text)
    });
    if had_any && keywords.is_empty() {
        return Err("none of its keywords is in the text as it is written");
    }
    Ok(keywords)
}

/// Each keyword once, with its best score, counted over the whole text.
fn counted(run: &Run<'_>, proposed: impl Iterator<Item = ProposedKeyword>) -> Vec<Keyword> {
    let mut best: HashMap<Vec<String>, ProposedKeyword> = HashMap::new();
    for word in proposed {
        let key = search::words(&word.text);
        let known = best.get(&key);
        if known.is_none_or(|known| known.score < word.score) {
            best.insert(key, word);
        }
    }
    let mut best: Vec<ProposedKeyword> = best.into_values().collect();
    best.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| a.text.cmp(&b.text))
    });
    best.truncate(MAX_KEYWORDS);
    best.into_iter()
        .map(|word| {
            let (mut count, mut places) = (0_u32, Vec::new());
            for (at, passage) in run.text.passages.iter().enumerate() {
                let found = search::find(&passage.text, &word.text).len();
                if found > 0 {
                    count = count.saturating_add(u32::try_from(found).unwrap_or(u32::MAX));
                    places.push(at);
                }
            }
            Keyword {
                text: word.text,
                score: word.score,
                count,
                moments: run.moments(places),
            }
        })
        .collect()
}
