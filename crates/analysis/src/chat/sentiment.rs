//! Sentiment: an overall score with a reason, and a curve over groups of neighbouring segments.

use serde::Deserialize;
use serde_json::json;
use slovo_rules::analysis::{Moment, Mood, Outcome, Sentiment, SentimentPoint};

use super::dialect::{AnswerSchema, ChatRequest};
use super::items::{self, Item};
use super::prompts::{self, Source};
use super::run::{Flaw, Run, fields, list, number_of};
use super::tokens::per_word;
use crate::{AnalysisError, thousandths};

/// Points of the curve: more cannot be seen, and each costs tokens. A text that is too long for the
/// context has as many as it needs.
const POINTS: usize = 60;

/// A score of at least this magnitude is not neutral.
const CLEAR: f64 = 0.2;

/// Longest reason, in bytes.
const MAX_REASON: usize = 4000;

/// The most words of a reason.
const REASON_WORDS: usize = 80;

#[derive(Deserialize)]
struct Answer {
    points: Vec<Point>,
    score: f64,
    reason: String,
}

#[derive(Deserialize)]
struct Point {
    n: usize,
    score: f64,
}

#[derive(Deserialize)]
struct Reason {
    reason: String,
}

/// The result of one request.
struct ScoredPart {
    points: Vec<f64>,
    score: f64,
    reason: String,
}

/// Creates the sentiment.
pub async fn make(run: &Run<'_>) -> Result<Outcome, AnalysisError> {
    let system = prompts::system(Source::Transcript, &prompts::sentiment(run.language()));
    let answer_tokens = run.answer_tokens(POINTS * 16 + REASON_WORDS * per_word(run.language()));
    let room = run.room(&system, Some(&shape(&[])), answer_tokens);
    let groups = groups(run.items(room / 2), room / 2);
    let parts = items::parts(&groups, room);
    run.expect(parts.len() + usize::from(parts.len() > 1));
    let requests = parts.iter().map(|part| {
        let ask = ChatRequest {
            system: system.clone(),
            turns: vec![items::data(*part)],
            shape: Some(shape(part)),
            answer_tokens,
        };
        async move { run.checked(&ask, |answer| scored_part(answer, part)).await }
    });
    let judged = run.each(requests).await?;
    let weights: Vec<usize> = parts
        .iter()
        .map(|part| part.iter().map(Item::tokens).sum())
        .collect();
    let score = mean(judged.iter().map(|judged| judged.score).zip(weights));
    let reason = match judged.as_slice() {
        [only] => only.reason.clone(),
        several => overall(run, several, room).await?,
    };
    let scores = judged
        .iter()
        .flat_map(|judged| judged.points.iter().copied());
    Ok(Outcome::Sentiment(Sentiment {
        mood: mood(score),
        score,
        reason: Some(reason),
        points: curve(run, &groups, scores),
    }))
}

/// Merges neighbouring items into about [`POINTS`] groups, none of which is too long.
fn groups(items: Vec<Item>, most: usize) -> Vec<Item> {
    let all: usize = items.iter().map(Item::tokens).sum();
    let size = (all / POINTS).clamp(1, most);
    let mut groups: Vec<(Item, usize)> = Vec::new();
    for item in items {
        let tokens = item.tokens();
        match groups.last_mut() {
            Some((group, sum)) if *sum + tokens <= size => {
                *sum += tokens;
                group.passages.extend(item.passages);
                if group.speaker != item.speaker {
                    group.speaker = None;
                }
                group.text = format!("{} {}", group.text, item.text);
            }
            _ => groups.push((item, tokens)),
        }
    }
    let groups = groups.into_iter().zip(1..);
    groups
        .map(|((group, _), number)| Item { number, ..group })
        .collect()
}

fn shape(items: &[Item]) -> AnswerSchema {
    let score = json!({ "type": "number", "minimum": -1, "maximum": 1 });
    let point = fields(&json!({ "n": number_of(items), "score": score }));
    AnswerSchema {
        name: "sentiment",
        schema: fields(&json!({
            "points": list(&point, items.len()..=items.len()),
            "score": score,
            "reason": { "type": "string" },
        })),
    }
}

fn scored_part(answer: Answer, items: &[Item]) -> Result<ScoredPart, Flaw> {
    let mut points = answer.points;
    points.sort_by_key(|point| point.n);
    let numbers = points.iter().map(|point| point.n);
    if !numbers.eq(items.iter().map(|item| item.number)) {
        return Err("`points` has not exactly one entry for each number of the data");
    }
    let mut scores = points.iter().map(|point| point.score).chain([answer.score]);
    if !scores.all(|score| (-1.0..=1.0).contains(&score)) {
        return Err("a score is not between -1 and 1");
    }
    Ok(ScoredPart {
        points: points
            .iter()
            .map(|point| thousandths(point.score))
            .collect(),
        score: thousandths(answer.score),
        reason: reason(&answer.reason)?,
    })
}

fn reason(text: &str) -> Result<String, Flaw> {
    let text = text.trim();
    if text.is_empty() || text.len() > MAX_REASON {
        return Err("its reason is empty or endless");
    }
    Ok(text.to_owned())
}

/// One reason for the whole text from those of its parts; evenly sampled if there are too many.
async fn overall(
    run: &Run<'_>,
    judged: &[ScoredPart],
    room: usize,
) -> Result<String, AnalysisError> {
    let mut notes: Vec<Item> = judged
        .iter()
        .zip(1..)
        .map(|(judged, number)| Item {
            number,
            passages: Vec::new(),
            speaker: None,
            text: format!("{:.2}: {}", judged.score, judged.reason),
        })
        .collect();
    while notes.len() > 1 && notes.iter().map(Item::tokens).sum::<usize>() > room {
        notes = notes.into_iter().step_by(2).collect();
    }
    let ask = ChatRequest {
        system: prompts::system(Source::Notes, &prompts::sentiment_of_parts(run.language())),
        turns: vec![items::data(&notes)],
        shape: Some(AnswerSchema {
            name: "reason",
            schema: fields(&json!({ "reason": { "type": "string" } })),
        }),
        answer_tokens: run.answer_tokens(REASON_WORDS * per_word(run.language())),
    };
    run.checked(&ask, |answer: Reason| reason(&answer.reason))
        .await
}

/// The points in order of time. Pieces of one long passage become one point with their mean score.
fn curve(run: &Run<'_>, groups: &[Item], scores: impl Iterator<Item = f64>) -> Vec<SentimentPoint> {
    let mut points: Vec<(SentimentPoint, usize)> = Vec::new();
    for (group, score) in groups.iter().zip(scores) {
        let Some(moment) = stretch(run, &group.passages) else {
            continue;
        };
        match points.last_mut() {
            Some((point, count)) if point.moment.segment == moment.segment => {
                point.score = mean([(point.score, *count), (score, 1)].into_iter());
                point.moment.end = point.moment.end.max(moment.end);
                *count += 1;
            }
            _ => points.push((SentimentPoint { moment, score }, 1)),
        }
    }
    points.into_iter().map(|(point, _)| point).collect()
}

/// The span from the start of the first passage to the end of the last.
fn stretch(run: &Run<'_>, passages: &[usize]) -> Option<Moment> {
    let first = run.text.passages.get(*passages.first()?)?;
    let last = run.text.passages.get(*passages.last()?)?;
    Some(Moment {
        end: last.end.max(first.end),
        ..first.moment()
    })
}

fn mean(weighted: impl Iterator<Item = (f64, usize)>) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (value, weight) in weighted {
        let weight = f64::from(u32::try_from(weight).unwrap_or(u32::MAX));
        sum += value * weight;
        weights += weight;
    }
    if weights > 0.0 { sum / weights } else { 0.0 }
}

fn mood(score: f64) -> Mood {
    if score >= CLEAR {
        Mood::Positive
    } else if score <= -CLEAR {
        Mood::Negative
    } else {
        Mood::Neutral
    }
}
