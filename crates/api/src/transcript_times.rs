//! Which times of a transcript the API returns: all, or those requested in the job's settings.

use serde::{Deserialize, Serialize};
use slovo_rules::edit::{EditedSegment, EditedTranscript, HandCue, Place, Speaker};
use slovo_rules::job_plan::JobPlan;
use slovo_rules::settings::TranscriptionType;
use slovo_rules::transcript::{Warning, Word};
use utoipa::ToSchema;

/// The requested times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Times {
    /// Those of segments and of words, as requested in the job's settings.
    #[default]
    Asked,
    /// All stored times: a player and an editor need them.
    All,
}

/// A transcript with its edits and with the times requested in its job's settings.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TimedTranscript {
    /// Number of the run of recognition, from 1.
    version: u32,
    /// The last edit in it, from 1; 0 if there is none.
    seq: u32,
    /// Language of the speech, as set or detected (ISO 639-1).
    language: String,
    /// Length of the recording in seconds.
    duration: f64,
    /// Mode of recognition.
    mode: TranscriptionType,
    /// Id of the model.
    model: String,
    /// The speakers, in order of first appearance.
    speakers: Vec<Speaker>,
    /// The segments, in order.
    segments: Vec<TimedSegment>,
    /// Warnings about the result.
    warnings: Vec<Warning>,
}

/// A segment with its edits and with the requested times.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TimedSegment {
    /// Id used in edits: a number if it was recognised, a UUID if it was created by an edit.
    id: String,
    /// Increases with each change; 0 means as recognised.
    revision: u32,
    /// Its position. Segments are in the order of their places.
    place: Place,
    /// Start in seconds; absent unless `sentence_level_timestamps` was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<f64>,
    /// End in seconds, not before `start`; absent if `start` is.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<f64>,
    /// `SPEAKER_n`; null if no speaker is set.
    speaker: Option<String>,
    /// Language of its speech (ISO 639-1).
    language: Option<String>,
    /// The sentence.
    text: String,
    /// Its words with their times; empty unless `word_level_timestamps` was requested.
    words: Vec<Word>,
    /// Its hand-made subtitles, if there are any; absent if `start` is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cues: Vec<HandCue>,
}

impl TimedTranscript {
    /// The text without the times that were not requested.
    pub(super) fn of(text: EditedTranscript, plan: &JobPlan) -> Self {
        let segments = text.segments.into_iter();
        Self {
            version: text.version,
            seq: text.seq,
            language: text.language,
            duration: text.duration,
            mode: text.mode,
            model: text.model,
            speakers: text.speakers,
            segments: segments
                .map(|segment| TimedSegment::of(segment, plan))
                .collect(),
            warnings: text.warnings,
        }
    }
}

impl TimedSegment {
    fn of(segment: EditedSegment, plan: &JobPlan) -> Self {
        let timed = plan.sentence_times;
        Self {
            id: segment.id,
            revision: segment.revision,
            place: segment.place,
            start: timed.then_some(segment.start),
            end: timed.then_some(segment.end),
            speaker: segment.speaker,
            language: segment.language,
            text: segment.text,
            words: if plan.word_times {
                segment.words
            } else {
                Vec::new()
            },
            cues: if timed { segment.cues } else { Vec::new() },
        }
    }
}
