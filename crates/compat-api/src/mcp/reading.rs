//! Tools that read: search, list, state, transcript.

use rmcp::schemars;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use slovo_api::jobs::JobBody;
use slovo_api::jobs::list::{self, QueryParams};
use slovo_api::search::find::{self, FoundJob, SearchHit};
use slovo_app::http::in_words;
use slovo_db::jobs::Job;
use slovo_db::texts::projection::{self, HistoryPoint};
use slovo_rules::edit::{EditedSegment, EditedTranscript};
use slovo_rules::transcript::{rounded, speaker_label};

use super::context::{ToolError, Tools};

/// Longest text of one answer, in characters: some 5,000 to 10,000 tokens of a model.
const MAX_TEXT: usize = 20_000;

/// What to search for.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchParams {
    /// Words that must all occur; text in quotation marks is found exactly as written. At most 12
    /// words.
    query: String,
    /// Number of recordings, 1 to 50; 10 if absent.
    #[schemars(with = "Option<i64>", range(min = 1, max = 50))]
    limit: Option<u32>,
    /// `next_cursor` of the answer before, for more recordings.
    cursor: Option<String>,
}

/// Recordings in which the words occur.
#[derive(Serialize, JsonSchema)]
pub(super) struct SearchAnswer {
    /// The best first.
    items: Vec<Found>,
    /// For the next call; null if there are no more.
    next_cursor: Option<String>,
}

/// A recording in which the words occur.
#[derive(Serialize, JsonSchema)]
struct Found {
    recording: Recording,
    /// Up to three passages, in the order of the recording.
    passages: Vec<Passage>,
}

/// A passage of a transcript.
#[derive(Serialize, JsonSchema)]
struct Passage {
    /// Seconds from the start of the recording.
    start: f64,
    /// Who says it; null if unknown.
    speaker: Option<String>,
    text: String,
}

impl From<SearchHit> for Passage {
    fn from(hit: SearchHit) -> Self {
        Self {
            start: hit.start,
            speaker: hit.speaker.as_deref().map(speaker_label),
            text: hit.text,
        }
    }
}

/// A recording and its state.
#[derive(Serialize, JsonSchema)]
pub(super) struct Recording {
    /// For other tools.
    id: String,
    name: String,
    /// `pending`, `processing`, `completed`, `error`, `failed` or `cancelled`.
    status: &'static str,
    /// 0 to 100 while it is pending or processing; null after that.
    percent: Option<f64>,
    /// Estimated seconds until the text is ready; null if unknown.
    seconds_left: Option<f64>,
    /// Why there is no text; null if it did not fail.
    error: Option<String>,
    /// Seconds; null if not known yet.
    duration: Option<f64>,
    /// Code of the language (ISO 639-1); null if not known yet.
    language: Option<String>,
    /// RFC 3339.
    created_at: String,
    /// The page where the user can read and hear it.
    url: String,
}

/// Which recordings to list.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListParams {
    /// Only recordings whose name contains this.
    name: Option<String>,
    /// Only recordings in this state: `pending`, `processing`, `completed`, `error` or `cancelled`.
    status: Option<String>,
    /// Only recordings in this language (ISO 639-1).
    language: Option<String>,
    /// Only recordings added on or after this day or time (RFC 3339), such as 2026-03-01.
    from: Option<String>,
    /// Only recordings added before this time; a day is included.
    to: Option<String>,
    /// 1 to 100; 20 if absent.
    #[schemars(with = "Option<i64>", range(min = 1, max = 100))]
    limit: Option<u32>,
    /// `next_cursor` of the answer before, for more recordings.
    cursor: Option<String>,
}

/// A page of recordings.
#[derive(Serialize, JsonSchema)]
pub(super) struct RecordingPage {
    /// The newest first.
    items: Vec<Recording>,
    /// For the next call; null if there are no more.
    next_cursor: Option<String>,
}

/// Which recording.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordingParams {
    /// Its id, from search_transcripts, list_recordings or transcribe_url.
    pub recording_id: String,
}

/// Which part of a transcript to read.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadParams {
    /// Id of the recording, from search_transcripts or list_recordings.
    recording_id: String,
    /// Seconds: only what is said after this; the beginning if absent.
    start: Option<f64>,
    /// Seconds: only what is said before this; the end if absent.
    end: Option<f64>,
    /// `next_cursor` of the answer before, with the same `start` and `end`, for the next part.
    cursor: Option<String>,
}

/// A transcript, or a part of it.
#[derive(Serialize, JsonSchema)]
pub(super) struct TranscriptPart {
    recording: Recording,
    /// In the order of the recording.
    lines: Vec<Line>,
    /// For the next call; null if the range was read to its end.
    next_cursor: Option<String>,
}

/// What somebody says without a break.
#[derive(Serialize, JsonSchema)]
struct Line {
    /// Seconds.
    start: f64,
    /// Seconds.
    end: f64,
    /// Who says it; null if unknown.
    speaker: Option<String>,
    text: String,
    /// Code of its language, if it is not that of the recording.
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<String>,
}

impl Line {
    fn of(segment: EditedSegment, transcript: &EditedTranscript) -> Self {
        let speaker = segment.speaker.as_deref().map(|id| {
            let known = transcript.speakers.iter().find(|it| it.id == id);
            let name = known.and_then(|it| it.name.clone());
            name.unwrap_or_else(|| speaker_label(id))
        });
        Self {
            start: rounded(segment.start),
            end: rounded(segment.end),
            speaker,
            text: segment.text,
            language: segment.language,
        }
    }
}

impl Tools {
    pub(super) async fn search(&self, params: SearchParams) -> Result<SearchAnswer, ToolError> {
        let (query, cursor) = (&params.query, params.cursor.as_deref());
        let user = &self.caller.user_id;
        let page = find::search(&self.state, user, query, params.limit, cursor).await?;
        let found = |job: FoundJob| Found {
            recording: self.described(job.job),
            passages: job.hits.into_iter().map(Passage::from).collect(),
        };
        Ok(SearchAnswer {
            items: page.items.into_iter().map(found).collect(),
            next_cursor: page.next_cursor,
        })
    }

    pub(super) async fn list(&self, params: ListParams) -> Result<RecordingPage, ToolError> {
        let query = QueryParams {
            q: params.name,
            status: params.status,
            language: params.language,
            from: params.from,
            to: params.to,
            limit: params.limit,
            cursor: params.cursor,
            ..QueryParams::default()
        };
        let page = list::page(&self.state, &self.caller.user_id, &query).await?;
        let described = |job| self.described(job);
        Ok(RecordingPage {
            items: page.items.into_iter().map(described).collect(),
            next_cursor: page.next_cursor,
        })
    }

    pub(super) async fn read(&self, params: ReadParams) -> Result<TranscriptPart, ToolError> {
        let job = self.job(&params.recording_id).await?;
        let mut connection = self.state.db.read().await?;
        let read = projection::read(&mut connection, job.id, HistoryPoint::default()).await?;
        drop(connection);
        let mut transcript = read.ok_or_else(|| {
            let status = job.status.as_str();
            ToolError::new(format!(
                "There is no transcript: the recording is {status}. get_recording says more."
            ))
        })?;
        let start = params.start.unwrap_or(0.0);
        let end = params.end.unwrap_or(f64::INFINITY);
        let skipped = params.cursor.as_deref().unwrap_or("0");
        let skipped: usize = skipped
            .parse()
            .map_err(|_| ToolError::new("cursor is not valid"))?;
        let is_wanted = |segment: &EditedSegment| {
            // A segment without length is read, too.
            (segment.end > start || segment.start >= start) && segment.start < end
        };
        let segments = std::mem::take(&mut transcript.segments);
        let wanted = segments.into_iter().filter(is_wanted).enumerate();
        let (mut length, mut lines, mut next_cursor) = (0, Vec::new(), None);
        for (number, segment) in wanted.skip(skipped) {
            length += segment.text.chars().count();
            // One line at least, however long it is.
            if length > MAX_TEXT && !lines.is_empty() {
                next_cursor = Some(number.to_string());
                break;
            }
            lines.push(Line::of(segment, &transcript));
        }
        Ok(TranscriptPart {
            recording: self.recording(job),
            lines,
            next_cursor,
        })
    }

    pub(super) fn recording(&self, job: Job) -> Recording {
        self.described(JobBody::of(job, &self.state.condition))
    }

    fn described(&self, job: JobBody) -> Recording {
        let progress = job.progress;
        let error = job.error.map(|error| in_words(&error.code, &error.params));
        Recording {
            id: job.my_job_id.to_string(),
            name: job.title.unwrap_or(job.original_filename),
            status: job.status.as_str(),
            percent: progress.map(|it| rounded(it.percent)),
            seconds_left: progress.and_then(|it| it.seconds_left).map(rounded),
            error,
            duration: job.duration,
            language: job.language,
            created_at: job.created_at.to_string(),
            url: self.page(job.my_job_id),
        }
    }
}
