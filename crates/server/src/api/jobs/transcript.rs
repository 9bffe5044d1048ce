//! `GET /api/v1/jobs/{id}/transcript`: the text with its edits.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use slovo_db::projection::{self, Point};
use slovo_db::{Connection, edits};
use slovo_rules::edit::EditedTranscript;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::Seen;
use crate::http::{Document, Json, Problem, Query};
use crate::state::AppState;

/// Which of the job's texts is asked for.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Asked {
    /// A run of recognition; the shown one if absent.
    version: Option<u32>,
    /// As after this edit; the newest state if absent.
    at: Option<u32>,
    /// UUID of the page that asks, for what it may undo.
    client: Option<Uuid>,
}

/// A transcript with what its reader may do.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct OpenedTranscript {
    /// The text.
    #[serde(flatten)]
    transcript: EditedTranscript,
    /// Whether the page that asks has an edit to undo.
    can_undo: bool,
    /// Whether it has one to do again.
    can_redo: bool,
    /// Whether this is what is shown to everybody: the shown run in its newest state.
    newest: bool,
}

/// Why there is no text.
#[derive(Debug)]
pub(super) enum Error {
    /// Not yet, or it ended without one.
    NotReady,
    /// Something of ours.
    Other(Problem),
}

impl<E: Into<Problem>> From<E> for Error {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::NotReady => Problem::new(StatusCode::CONFLICT, "transcript_not_ready"),
            Self::Other(problem) => problem,
        }
        .into_response()
    }
}

/// The text at a point of its history, as `client` sees it.
pub(super) async fn opened(
    connection: &mut Connection,
    job: Uuid,
    point: Point,
    client: Option<Uuid>,
) -> Result<OpenedTranscript, Error> {
    let shown = projection::shown(&mut *connection, job).await?;
    let transcript = projection::read(&mut *connection, job, point).await?;
    let transcript = transcript.ok_or(Error::NotReady)?;
    let steps = match client {
        Some(client) => {
            edits::steps(&mut *connection, job, i64::from(transcript.version), client).await?
        }
        None => edits::Steps::default(),
    };
    Ok(OpenedTranscript {
        newest: point.at.is_none() && shown == Some(i64::from(transcript.version)),
        transcript,
        can_undo: steps.undo.is_some(),
        can_redo: steps.redo.is_some(),
    })
}

/// Returns the transcript of a job with its edits: the current run, another one, or as it was after
/// an edit. Administrators can read any transcript.
///
/// Times of segments and words are in it whatever the job's settings say: a player and an editor
/// need them. What a reader is shown follows `sentence_level_timestamps`, and so does
/// `GET /jobs/{id}/export`.
#[utoipa::path(get, path = "/jobs/{id}/transcript", tag = "jobs", operation_id = "get_transcript",
    params(("id" = String, Path, description = "Job id"), Asked),
    responses(
        (status = OK, body = OpenedTranscript),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "transcript_not_ready: also for a \
            version without a text"),
    ))]
pub(super) async fn transcript(
    State(state): State<AppState>,
    seen: Seen,
    Query(asked): Query<Asked>,
) -> Result<Json<OpenedTranscript>, Error> {
    let point = Point {
        version: asked.version.map(i64::from),
        at: asked.at,
    };
    let mut connection = state.db.read().await?;
    Ok(Json(
        opened(&mut connection, seen.job.id, point, asked.client).await?,
    ))
}
