//! `GET /api/v1/jobs/{id}/transcript`: the text with its edits.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use slovo_app::http::{Document, Json, Problem, Query, is_known};
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::texts::edits;
use slovo_db::texts::projection::{self, HistoryPoint};
use slovo_rules::codes::ProblemCode;
use slovo_rules::edit::EditedTranscript;
use slovo_rules::job_plan::JobPlan;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::ReadAccess;
use super::edits::state::etag;
use crate::transcript_times::{TimedTranscript, Times};

/// Which text of the job is requested.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct QueryParams {
    /// A run of recognition; the current one if absent.
    version: Option<u32>,
    /// The state after this edit; the newest state if absent.
    at: Option<u32>,
    /// UUID of the requesting page, to determine what it can undo.
    client: Option<Uuid>,
    /// The times that the text includes: `asked` (default) for those requested by
    /// `sentence_level_timestamps` and `word_level_timestamps` of the job's settings; `all` for the
    /// times of all segments and words, as players and editors need them.
    #[serde(default)]
    #[param(inline)]
    times: Times,
}

/// A transcript, and what its reader can undo and redo.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OpenedTranscript {
    /// The text.
    #[serde(flatten)]
    transcript: EditedTranscript,
    /// Whether the requesting page has an edit to undo.
    can_undo: bool,
    /// Whether it has an undone edit to redo.
    can_redo: bool,
    /// Whether this is the transcript shown by default: the newest state of the current run.
    newest: bool,
}

/// The same with the times requested in the job's settings.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TimedOpenedTranscript {
    /// The text.
    #[serde(flatten)]
    transcript: TimedTranscript,
    /// Whether the requesting page has an edit to undo.
    can_undo: bool,
    /// Whether it has an undone edit to redo.
    can_redo: bool,
    /// Whether this is the transcript shown by default: the newest state of the current run.
    newest: bool,
}

/// A transcript with the requested times; `times` repeats the request.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "times", rename_all = "snake_case")]
pub(super) enum ReadTranscript {
    /// With all times.
    All(OpenedTranscript),
    /// With the times requested in the job's settings.
    Asked(TimedOpenedTranscript),
}

impl ReadTranscript {
    /// The text with the requested times.
    fn of(opened: OpenedTranscript, times: Times, plan: &JobPlan) -> Self {
        match times {
            Times::All => Self::All(opened),
            Times::Asked => Self::Asked(TimedOpenedTranscript {
                transcript: TimedTranscript::of(opened.transcript, plan),
                can_undo: opened.can_undo,
                can_redo: opened.can_redo,
                newest: opened.newest,
            }),
        }
    }
}

/// Why there is no text.
#[derive(Debug)]
pub(super) enum Error {
    /// Not ready yet, or the job ended without one.
    NotReady,
    /// An internal error.
    Other(Problem),
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self::Other(problem)
    }
}

impl From<slovo_db::Error> for Error {
    fn from(error: slovo_db::Error) -> Self {
        Self::Other(error.into())
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::NotReady => Problem::new(StatusCode::CONFLICT, ProblemCode::TranscriptNotReady),
            Self::Other(problem) => problem,
        }
        .into_response()
    }
}

/// The text at a point of its history, as `client` sees it.
pub(super) async fn opened(
    connection: &mut Connection,
    job: Uuid,
    point: HistoryPoint,
    client: Option<Uuid>,
) -> Result<OpenedTranscript, Error> {
    let current = projection::displayed_version(&mut *connection, job).await?;
    let transcript = projection::read(&mut *connection, job, point).await?;
    let transcript = transcript.ok_or(Error::NotReady)?;
    let steps = match client {
        Some(client) => {
            edits::steps(&mut *connection, job, i64::from(transcript.version), client).await?
        }
        None => edits::Steps::default(),
    };
    Ok(OpenedTranscript {
        newest: point.at.is_none() && current == Some(i64::from(transcript.version)),
        transcript,
        can_undo: steps.undo.is_some(),
        can_redo: steps.redo.is_some(),
    })
}

/// Returns the transcript of a job with its edits: the current run, another one, or the state after
/// an edit. Administrators can read any transcript.
///
/// Unless `times=all` is requested, segments have `start` and `end` only if the job's settings have
/// `sentence_level_timestamps`, and words only if they have `word_level_timestamps`. All times are
/// stored in any case.
#[utoipa::path(get, path = "/jobs/{id}/transcript", tag = "jobs", operation_id = "get_transcript",
    params(("id" = String, Path, description = "Job id"), QueryParams,
        ("If-None-Match" = Option<String>, Header, description = "The ETag of a known state")),
    responses(
        (status = OK, body = ReadTranscript,
            headers(("ETag" = String, description = "The state that the text is in"))),
        (status = NOT_MODIFIED, description = "The text is still in the state that \
            If-None-Match names"),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "transcript_not_ready: also for a \
            version without a text"),
    ))]
pub(super) async fn transcript(
    State(state): State<AppState>,
    access: ReadAccess,
    Query(query): Query<QueryParams>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let point = HistoryPoint {
        version: query.version.map(i64::from),
        at: query.at,
    };
    let mut connection = state.db.read().await?;
    let opened = opened(&mut connection, access.job.id, point, query.client).await?;
    let etag = etag(i64::from(opened.transcript.version), opened.transcript.seq)?;
    // A newer run changes what is said of an older one, too.
    if opened.newest && is_known(&headers, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, etag)]).into_response());
    }
    let text = ReadTranscript::of(opened, query.times, &access.job.plan);
    Ok(([(header::ETAG, etag)], Json(text)).into_response())
}
