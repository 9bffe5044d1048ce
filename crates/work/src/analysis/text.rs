//! The current text of a job, with all edits, as input for the engines.

use sha2::{Digest, Sha256};
use slovo_analysis::{Passage, Task, Text};
use slovo_db::texts::projection::{self, HistoryPoint};
use slovo_db::{Connection, Result};
use slovo_rules::analysis::{Params, Part};
use slovo_rules::edit::EditedTranscript;
use slovo_rules::job_plan::JobPlan;
use slovo_rules::language::{Language, TranslationTarget};
use slovo_rules::subtitles::cues::{SpokenSegment, cues};
use slovo_rules::transcript::speaker_label;
use uuid::Uuid;

/// Language of a text that recognition has translated.
const ENGLISH: &str = "en";

/// A text and the transcript it was made from.
pub struct TranscriptText {
    /// With word times, speaker ids and the number of the last edit.
    pub transcript: EditedTranscript,
    /// In the form that engines take.
    pub text: Text,
}

impl TranscriptText {
    /// What is said in this language, in the form that engines take.
    #[must_use]
    pub fn in_language(&self, language: Language) -> Text {
        // Each segment has one passage.
        let spoken = self.text.passages.iter().zip(&self.transcript.segments);
        let passages = spoken
            .filter(|(_, segment)| {
                segment.language_or(&self.transcript.language) == language.as_str()
            })
            .map(|(passage, _)| passage.clone());
        Text {
            language: self.text.language.clone(),
            duration: self.text.duration,
            passages: passages.collect(),
        }
    }
}

/// The language of the text: English if recognition translated it.
#[must_use]
pub fn language<'a>(plan: Option<&JobPlan>, spoken: &'a str) -> &'a str {
    if plan.is_some_and(|plan| plan.translates_to_english) {
        ENGLISH
    } else {
        spoken
    }
}

/// The text of one run of a job, or of the current one; `None` if there is none.
///
/// # Errors
/// If a row cannot be read.
pub async fn open(
    connection: &mut Connection,
    job: Uuid,
    version: Option<i64>,
) -> Result<Option<TranscriptText>> {
    let point = HistoryPoint { version, at: None };
    let Some(transcript) = projection::read(&mut *connection, job, point).await? else {
        return Ok(None);
    };
    let runs = projection::finished_runs(connection, job).await?;
    let mut runs = runs.into_iter();
    let run = runs.find(|run| run.version == transcript.version);
    let plan = run.and_then(|run| run.plan);
    let text = of_transcript(&transcript, language(plan.as_ref(), &transcript.language));
    Ok(Some(TranscriptText { transcript, text }))
}

/// Converts a transcript in this language to the engines' form.
#[must_use]
pub fn of_transcript(transcript: &EditedTranscript, language: &str) -> Text {
    let name = |id: &str| {
        let mut speakers = transcript.speakers.iter();
        let speaker = speakers.find(|speaker| speaker.id == id);
        let name = speaker.and_then(|speaker| speaker.name.clone());
        name.unwrap_or_else(|| speaker_label(id))
    };
    let passages = transcript.segments.iter().map(|segment| Passage {
        id: segment.id.clone(),
        start: segment.start,
        end: segment.end,
        speaker: segment.speaker.as_deref().map(name),
        text: segment.text.clone(),
    });
    Text {
        language: language.to_owned(),
        duration: transcript.duration,
        passages: passages.collect(),
    }
}

/// A digest of the words, speakers and times of a text. Ids are not included, because splitting and
/// merging segments changes them.
#[must_use]
pub fn print(text: &Text) -> String {
    let mut hash = Sha256::new();
    let mut part = |bytes: &[u8]| {
        hash.update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_be_bytes());
        hash.update(bytes);
    };
    part(text.language.as_bytes());
    for passage in &text.passages {
        // Times are stored in milliseconds.
        for seconds in [passage.start, passage.end] {
            part(format!("{seconds:.3}").as_bytes());
        }
        // No speaker must differ from a speaker with an empty name.
        part(&[u8::from(passage.speaker.is_some())]);
        part(passage.speaker.as_deref().unwrap_or_default().as_bytes());
        part(passage.text.as_bytes());
    }
    hex::encode(hash.finalize())
}

/// The task for the engine; `None` if a required setting is missing.
#[must_use]
pub fn task(
    part: Part,
    target: Option<TranslationTarget>,
    params: &Params,
    transcript: &EditedTranscript,
) -> Option<Task> {
    Some(match part {
        Part::Summary => Task::Summary {
            words: params.words?,
        },
        Part::Sentiment => Task::Sentiment,
        Part::Classification => Task::Classification {
            labels: Some(params.labels.clone()).filter(|labels| !labels.is_empty())?,
        },
        Part::Keywords => Task::Keywords,
        Part::Chapters => Task::Chapters,
        Part::Prompt => Task::Prompt {
            prompt: params.prompt.clone()?,
        },
        Part::Translation => Task::Translation { target: target? },
        Part::SubtitleTranslation => Task::SubtitleTranslation {
            target: target?,
            cues: cues(
                transcript.segments.iter().map(SpokenSegment::from),
                transcript.duration,
            ),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(passages: &[(&str, Option<&str>, &str)]) -> Text {
        let passages = passages.iter().enumerate();
        let passages = passages.map(|(at, (id, speaker, content))| Passage {
            id: (*id).to_owned(),
            start: f64::from(u32::try_from(at).unwrap()),
            end: f64::from(u32::try_from(at).unwrap()) + 0.5,
            speaker: speaker.map(str::to_owned),
            text: (*content).to_owned(),
        });
        Text {
            language: "uk".to_owned(),
            duration: 9.0,
            passages: passages.collect(),
        }
    }

    #[test]
    fn a_fingerprint_covers_words_speakers_and_times_but_not_ids() {
        let original = text(&[("0", Some("S1"), "п’ять"), ("1", None, "слів")]);
        let other_ids = text(&[("a", Some("S1"), "п’ять"), ("b", None, "слів")]);
        assert_eq!(print(&original), print(&other_ids));
        let mut nearly = original.clone();
        nearly.passages[1].start += 0.000_01;
        assert_eq!(
            print(&original),
            print(&nearly),
            "times are in milliseconds"
        );
        let mut later = original.clone();
        later.passages[1].end += 0.001;
        let others = [
            later,
            text(&[("0", Some("S1"), "п’ять"), ("1", Some(""), "слів")]),
            text(&[("0", Some("S2"), "п’ять"), ("1", None, "слів")]),
            text(&[("0", Some("S1"), "п’ят"), ("1", None, "ьслів")]),
            text(&[("0", Some("S1"), "п’ять")]),
        ];
        for other in others {
            assert_ne!(print(&original), print(&other), "{other:?}");
        }
    }
}
