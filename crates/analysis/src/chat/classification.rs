//! Classification by the user's labels, with reasons and the best matching places.

use serde::Deserialize;
use serde_json::json;
use slovo_rules::analysis::{Classification, LabelScore, Outcome};

use super::dialect::{AnswerSchema, ChatRequest};
use super::items::{self, Item};
use super::prompts::{self, Source};
use super::run::{Flaw, Run, fields, list, number_of, numbered};
use super::tokens::{estimate, per_word};
use crate::AnalysisError;

/// The most places per label.
const PLACES: usize = 3;

/// Longest reason, in bytes.
const MAX_REASON: usize = 4000;

/// The most words of a reason.
const REASON_WORDS: usize = 25;

#[derive(Deserialize)]
struct Answer {
    labels: Vec<LabelAnswer>,
}

#[derive(Deserialize)]
struct LabelAnswer {
    label: String,
    score: f64,
    reason: String,
    segments: Vec<usize>,
}

/// The result for one label in one part.
struct LabelFit {
    score: f64,
    weight: usize,
    reason: String,
    passages: Vec<usize>,
}

/// Classifies the text.
pub async fn make(run: &Run<'_>, labels: &[String]) -> Result<Outcome, AnalysisError> {
    let quoted: Vec<String> = labels.iter().map(|label| items::quoted(label)).collect();
    let task = prompts::classification(&format!("[{}]", quoted.join(", ")), run.language());
    let system = prompts::system(Source::Transcript, &task);
    let per_label = REASON_WORDS * per_word(run.language()) + 30;
    let tokens = |label: &String| estimate(label) + per_label;
    let answer_tokens = run.answer_tokens(labels.iter().map(tokens).sum());
    let room = run.room(&system, Some(&shape(labels, &[])), answer_tokens);
    let items = run.items(room);
    let parts = items::parts(&items, room);
    run.expect(parts.len());
    let requests = parts.iter().map(|part| {
        let ask = ChatRequest {
            system: system.clone(),
            turns: vec![items::data(*part)],
            shape: Some(shape(labels, part)),
            answer_tokens,
        };
        async move {
            run.checked(&ask, |answer: Answer| fits(&answer, labels, part))
                .await
        }
    });
    let mut by_part = run.each(requests).await?;
    let mut scores: Vec<LabelScore> = labels
        .iter()
        .rev()
        .map(|label| {
            let fits = by_part.iter_mut().filter_map(Vec::pop).collect();
            score_of_label(run, label, fits)
        })
        .collect();
    scores.reverse();
    scores.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok(Outcome::Classification(Classification { labels: scores }))
}

fn shape(labels: &[String], items: &[Item]) -> AnswerSchema {
    let label = fields(&json!({
        "label": { "type": "string", "enum": labels },
        "score": { "type": "number", "minimum": 0, "maximum": 1 },
        "reason": { "type": "string" },
        "segments": list(&number_of(items), 0..=PLACES),
    }));
    AnswerSchema {
        name: "classification",
        schema: fields(&json!({ "labels": list(&label, labels.len()..=labels.len()) })),
    }
}

/// The result for each label, in the order of the labels.
fn fits(answer: &Answer, labels: &[String], items: &[Item]) -> Result<Vec<LabelFit>, Flaw> {
    if answer.labels.len() != labels.len() {
        return Err("`labels` has not exactly one entry for each label");
    }
    let weight = items.iter().map(Item::tokens).sum();
    let fits = labels.iter().map(|label| {
        let mut same = answer.labels.iter().filter(|judged| judged.label == *label);
        let judged = same
            .next()
            .ok_or("it names a label that was not given, or one of them twice")?;
        if !(0.0..=1.0).contains(&judged.score) {
            return Err("a score is not between 0 and 1");
        }
        if judged.reason.len() > MAX_REASON {
            return Err("a reason is endless");
        }
        let places = numbered(items, &judged.segments)?.into_iter().take(PLACES);
        Ok(LabelFit {
            score: judged.score,
            weight,
            reason: judged.reason.trim().to_owned(),
            passages: places.flat_map(|item| item.passages.clone()).collect(),
        })
    });
    fits.collect()
}

/// Mean score of the parts, weighted by length; reason and places are from the best matching part.
fn score_of_label(run: &Run<'_>, label: &str, mut fits: Vec<LabelFit>) -> LabelScore {
    let number = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    let weight: f64 = fits.iter().map(|fit| number(fit.weight)).sum();
    let sum: f64 = fits.iter().map(|fit| fit.score * number(fit.weight)).sum();
    fits.sort_by(|a, b| b.score.total_cmp(&a.score));
    let best = fits.iter().find(|fit| !fit.reason.is_empty());
    let places = fits.iter().flat_map(|fit| fit.passages.iter().copied());
    let mut distinct = Vec::new();
    for place in places {
        if distinct.len() < PLACES && !distinct.contains(&place) {
            distinct.push(place);
        }
    }
    LabelScore {
        label: label.to_owned(),
        score: if weight > 0.0 { sum / weight } else { 0.0 },
        reason: best.map(|fit| fit.reason.clone()),
        moments: run.moments(distinct),
    }
}
