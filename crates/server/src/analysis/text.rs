//! The text of a job for the engines: as it stands, with everybody's edits.

use slovo_analysis::{Passage, Task, Text};
use slovo_db::projection::{self, Point};
use slovo_db::{Connection, Result};
use slovo_rules::analysis::{Params, Part};
use slovo_rules::edit::EditedTranscript;
use slovo_rules::language::TranslationTarget;
use slovo_rules::settings::TranscriptionSettings;
use slovo_rules::subtitles::cues::{Said, cues};
use slovo_rules::transcript::speaker_label;
use uuid::Uuid;

/// Language of a text that recognition translated.
const ENGLISH: &str = "en";

/// A text and the transcript that it is made of.
pub struct Opened {
    /// With times of words, speakers' ids and the number of the last edit.
    pub transcript: EditedTranscript,
    /// As the engines read it.
    pub text: Text,
}

/// The language that a text is in: English, if recognition was to translate.
#[must_use]
pub fn language<'a>(settings: Option<&TranscriptionSettings>, spoken: &'a str) -> &'a str {
    if settings.is_some_and(TranscriptionSettings::translates) {
        ENGLISH
    } else {
        spoken
    }
}

/// The text of one of a job's runs, or of the shown one; `None` if there is none.
///
/// # Errors
/// A row that cannot be read.
pub async fn open(
    connection: &mut Connection,
    job: Uuid,
    version: Option<i64>,
) -> Result<Option<Opened>> {
    let point = Point { version, at: None };
    let Some(transcript) = projection::read(&mut *connection, job, point).await? else {
        return Ok(None);
    };
    let runs = projection::finished_runs(connection, job).await?;
    let mut runs = runs.into_iter();
    let run = runs.find(|run| run.version == transcript.version);
    let settings = run.and_then(|run| run.settings);
    let text = of_transcript(
        &transcript,
        language(settings.as_ref(), &transcript.language),
    );
    Ok(Some(Opened { transcript, text }))
}

/// A text in this language as the engines read it.
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

/// What the engine is asked for; `None` if something is missing that the part needs.
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
                transcript.segments.iter().map(Said::from),
                transcript.duration,
            ),
        },
    })
}
