//! Recognising a stretch of a recording again, in place: `/api/v1/jobs/{id}/recognise-again`.
//!
//! The request only queues it. The new words are added to the text as an edit with the id of the
//! stretch; `GET /jobs/{id}/edits/events` reports the progress.

use jiff::Timestamp;
use serde::Serialize;
use slovo_db::texts::stretches::StretchState;
use slovo_platform::clock::from_ms;
use slovo_rules::mode::TranscriptionType;
use slovo_rules::stretch::StretchStatus;
use slovo_rules::transcript::rounded;
use utoipa::ToSchema;
use uuid::Uuid;

pub(super) mod create;
pub(super) mod list;

/// A stretch of a recording that is recognised again.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Stretch)]
pub(super) struct StretchBody {
    /// Its id, which is also that of the resulting edit.
    id: Uuid,
    /// The run of recognition whose text is changed.
    version: u32,
    /// Start in seconds.
    start: f64,
    /// End in seconds.
    end: f64,
    /// Mode of recognition.
    mode: TranscriptionType,
    /// The requested language; null if it is detected.
    language: Option<String>,
    /// Its state.
    status: StretchStatus,
    /// 0 to 100.
    percent: f64,
    /// The language of the new words, once they are in the text.
    found_language: Option<String>,
    /// Number of the resulting edit.
    seq: Option<u32>,
    /// Code of the failure: nothing_recognised, edited_meanwhile, recording_missing, text_too_deep,
    /// or a code of failed jobs.
    error: Option<String>,
    /// When it was requested.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it ended.
    #[schema(value_type = Option<String>, format = DateTime)]
    finished_at: Option<Timestamp>,
}

impl From<StretchState> for StretchBody {
    fn from(stretch: StretchState) -> Self {
        Self {
            id: stretch.id,
            version: stretch.version,
            start: rounded(stretch.start),
            end: rounded(stretch.end),
            mode: stretch.mode,
            language: stretch
                .language
                .map(|language| language.as_str().to_owned()),
            status: stretch.status,
            percent: rounded(stretch.percent),
            found_language: stretch.found_language,
            seq: stretch.seq,
            error: stretch.error,
            created_at: from_ms(stretch.created_at),
            finished_at: stretch.finished_at.map(from_ms),
        }
    }
}

/// Stretches that are being or have been recognised again.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(super) struct StretchList {
    /// The newest 20 of a text, the newest first.
    pub(super) stretches: Vec<StretchBody>,
}

impl From<Vec<StretchState>> for StretchList {
    fn from(stretches: Vec<StretchState>) -> Self {
        Self {
            stretches: stretches.into_iter().map(StretchBody::from).collect(),
        }
    }
}
