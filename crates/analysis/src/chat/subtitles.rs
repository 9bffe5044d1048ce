//! Translation of subtitles: times stay the same, lines are broken by the rules.

use slovo_rules::analysis::{Outcome, SubtitleTranslation, TranslatedCue};
use slovo_rules::language::TranslationTarget;
use slovo_rules::subtitles::cues::{Cue, clean};
use slovo_rules::subtitles::lines::{self, MAX_COLUMNS, MAX_LINES};

use super::items::Item;
use super::prompts::{self, Source};
use super::run::Run;
use super::translation::TranslationRequest;
use crate::AnalysisError;

/// Requested length, below the limit so that a translation that fills its lines can still be broken
/// between words.
const ASKED_COLUMNS: usize = MAX_COLUMNS * MAX_LINES - 8;

/// Creates the translated subtitles.
pub async fn make(
    run: &Run<'_>,
    target: TranslationTarget,
    cues: &[Cue],
) -> Result<Outcome, AnalysisError> {
    let order = TranslationRequest {
        source: Source::Subtitles,
        task: prompts::subtitles(target, ASKED_COLUMNS),
        target,
        flaw: &|text| {
            (!lines::fits(&clean(text)))
                .then_some("these translations did not fit into two lines: shorten them")
        },
    };
    let items: Vec<Item> = cues
        .iter()
        .enumerate()
        .filter(|(_, cue)| !cue.text.trim().is_empty())
        .zip(1..)
        .map(|((at, cue), number)| Item {
            number,
            passages: vec![at],
            speaker: cue.speaker.clone(),
            text: cue.text.clone(),
        })
        .collect();
    if items.is_empty() {
        return Err(AnalysisError::EmptyText);
    }
    let texts = order.carry_out(run, &items).await?;
    let mut translated: Vec<TranslatedCue> = cues
        .iter()
        .map(|cue| TranslatedCue {
            start: cue.start,
            end: cue.end,
            lines: Vec::new(),
        })
        .collect();
    for (item, text) in items.iter().zip(texts) {
        if let Some(cue) = item.passages.first().and_then(|at| translated.get_mut(*at)) {
            let broken = lines::break_lines(&clean(&text));
            cue.lines = broken.lines().map(str::to_owned).collect();
        }
    }
    Ok(Outcome::SubtitleTranslation(SubtitleTranslation {
        cues: translated,
    }))
}
