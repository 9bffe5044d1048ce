//! `GET /api/v1/jobs/{id}/transcript`: the recognised text.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use slovo_db::transcripts;
use slovo_rules::transcript::Transcript;

use super::Own;
use crate::http::{Document, Json, Problem};
use crate::state::AppState;

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

/// The newest text of the job that exists.
pub(super) async fn newest(state: &AppState, own: &Own) -> Result<Transcript, Error> {
    let mut connection = state.db.read().await?;
    transcripts::latest(&mut connection, own.job.id)
        .await?
        .ok_or(Error::NotReady)
}

/// The text of a completed job, with the times of its words.
#[utoipa::path(get, path = "/jobs/{id}/transcript", tag = "jobs", operation_id = "get_transcript",
    params(("id" = String, Path, description = "Job id")),
    responses(
        (status = OK, body = Transcript),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "transcript_not_ready"),
    ))]
pub(super) async fn transcript(
    State(state): State<AppState>,
    own: Own,
) -> Result<Json<Transcript>, Error> {
    Ok(Json(newest(&state, &own).await?))
}
