//! Translation segment by segment: one for each, matched by number.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::json;
use slovo_rules::analysis::{Outcome, TranslatedSegment, Translation};
use slovo_rules::language::TranslationTarget;

use super::dialect::{AnswerSchema, ChatRequest};
use super::items::{self, Item};
use super::prompts::{self, Source};
use super::run::{Flaw, Run, fields, list, number_of};
use super::tokens::{estimate, per_word};
use crate::AnalysisError;

/// Tokens of an answer beyond the estimate from its data.
const SLACK: usize = 512;

/// How often missing translations are requested again.
const AGAIN: usize = 2;

#[derive(Deserialize)]
struct Answer {
    segments: Vec<Translated>,
}

#[derive(Deserialize)]
struct Translated {
    n: usize,
    text: String,
}

/// How items are to be translated.
pub struct TranslationRequest<'o> {
    /// The kind of data.
    pub source: Source,
    /// The task.
    pub task: String,
    /// The target language.
    pub target: TranslationTarget,
    /// Checks a translation; a flawed one is requested again with the returned remark.
    pub flaw: &'o (dyn Fn(&str) -> Option<Flaw> + Sync),
}

/// Creates the translation of the text.
pub async fn make(run: &Run<'_>, target: TranslationTarget) -> Result<Outcome, AnalysisError> {
    let order = TranslationRequest {
        source: Source::Transcript,
        task: prompts::translation(target),
        target,
        flaw: &|_| None,
    };
    let budget = order.budget(run);
    let items = run.items(budget.data);
    let texts = order.carry_out(run, &items).await?;
    let mut by_passage = vec![String::new(); run.text.passages.len()];
    for (item, text) in items.iter().zip(texts) {
        if let Some(joined) = item.passages.first().and_then(|at| by_passage.get_mut(*at)) {
            if !joined.is_empty() {
                joined.push(' ');
            }
            joined.push_str(&text);
        }
    }
    let passages = run.text.passages.iter().zip(by_passage);
    let segments = passages.map(|(passage, text)| TranslatedSegment {
        moment: passage.moment(),
        speaker: passage.speaker.clone(),
        text,
    });
    Ok(Outcome::Translation(Translation {
        segments: segments.collect(),
    }))
}

/// Token limits of a request.
struct TokenBudget {
    data: usize,
    answer: usize,
    /// The most tokens of an answer as a multiple of those of its data.
    times: usize,
}

impl TranslationRequest<'_> {
    /// Divides the context between data and answer: Hindi and Thai take about five times the tokens
    /// of Latin script, Cyrillic three times, and another Latin text up to twice those of its
    /// source.
    fn budget(&self, run: &Run<'_>) -> TokenBudget {
        let is_dense = per_word(run.language()) > per_word("en");
        let times = match self.target {
            TranslationTarget::Hindi | TranslationTarget::Thai if !is_dense => 5,
            TranslationTarget::Ukrainian if !is_dense => 3,
            _ => 2,
        };
        let all = run.room(&self.system(), Some(&shape(&[])), 0);
        TokenBudget {
            data: all / (times + 1),
            answer: all / (times + 1) * times,
            times,
        }
    }

    fn system(&self) -> String {
        prompts::system(self.source, &self.task)
    }

    /// The translations of all items, in their order.
    pub async fn carry_out(
        &self,
        run: &Run<'_>,
        items: &[Item],
    ) -> Result<Vec<String>, AnalysisError> {
        let budget = self.budget(run);
        let parts = items::parts(items, budget.data);
        run.expect(parts.len());
        let requests = parts.iter().map(|part| self.part(run, part, &budget));
        Ok(run.each(requests).await?.concat())
    }

    async fn part(
        &self,
        run: &Run<'_>,
        items: &[Item],
        budget: &TokenBudget,
    ) -> Result<Vec<String>, AnalysisError> {
        let mut translations: BTreeMap<usize, String> = BTreeMap::new();
        let mut left = items.to_vec();
        let mut system = self.system();
        let mut flaw = "";
        for round in 0..=AGAIN {
            if round > 0 {
                run.expect(1);
            }
            // Stops a model that repeats itself early instead of at the end of the context.
            let data_tokens: usize = left.iter().map(Item::tokens).sum();
            let ask = ChatRequest {
                system: system.clone(),
                turns: vec![items::data(&left)],
                shape: Some(shape(&left)),
                answer_tokens: budget.answer.min(data_tokens * budget.times + SLACK),
            };
            let found = run.checked(&ask, |answer| numbered(answer, &left)).await?;
            for (number, text) in found {
                match (self.flaw)(&text) {
                    None => drop(translations.insert(number, text)),
                    Some(remark) => flaw = remark,
                }
            }
            left.retain(|item| !translations.contains_key(&item.number));
            if left.is_empty() {
                return Ok(translations.into_values().collect());
            }
            if flaw.is_empty() {
                flaw = "some numbers of the data were missing in it";
            }
            system = self.system() + &prompts::retry_remark(flaw);
        }
        Err(AnalysisError::BadAnswer(flaw))
    }
}

fn shape(items: &[Item]) -> AnswerSchema {
    let segment = fields(&json!({
        "n": number_of(items),
        "text": { "type": "string" },
    }));
    AnswerSchema {
        name: "translation",
        schema: fields(&json!({ "segments": list(&segment, items.len()..=items.len()) })),
    }
}

/// The translations by number; blank ones count as missing.
fn numbered(answer: Answer, items: &[Item]) -> Result<BTreeMap<usize, String>, Flaw> {
    let mut found = BTreeMap::new();
    for translated in answer.segments {
        let item = items.iter().find(|item| item.number == translated.n);
        let item = item.ok_or("it names a number that is not in the data")?;
        let text = translated.text.trim();
        if estimate(text) > 10 * estimate(&item.text) + 200 {
            return Err("a translation is many times as long as its text");
        }
        if text.is_empty() {
            continue;
        }
        if found.insert(translated.n, text.to_owned()).is_some() {
            return Err("it names a number twice");
        }
    }
    Ok(found)
}
