//! `GET /api/v1/jobs/{id}/waveform`: the waveform of the recording.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::jobs::Job;
use slovo_db::texts::waveforms;
use slovo_rules::codes::ProblemCode;
use slovo_rules::transcript::rounded;
use utoipa::ToSchema;

use super::ReadAccess;

/// The waveform of a recording.
#[derive(Serialize, ToSchema)]
#[schema(as = Waveform)]
pub(crate) struct WaveformBody {
    /// Duration of the recording in seconds.
    duration: f64,
    /// Peaks of equal parts of the recording, 0 to 1, where 1 is the loudest. At most 2,000; empty
    /// if the recording cannot be decoded.
    peaks: Vec<f64>,
}

/// Why there is no waveform.
#[derive(Debug)]
pub(crate) enum Error {
    /// Not ready yet.
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
            Self::NotReady => Problem::new(StatusCode::CONFLICT, ProblemCode::WaveformNotReady),
            Self::Other(problem) => problem,
        }
        .into_response()
    }
}

/// Returns the waveform of the recording. If there isn't one yet, it is being created: ask again
/// after a few seconds.
#[utoipa::path(get, path = "/jobs/{id}/waveform", tag = "jobs", operation_id = "get_waveform",
    params(("id" = String, Path, description = "Job id")),
    responses(
        (status = OK, body = WaveformBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "waveform_not_ready"),
    ))]
pub(super) async fn waveform(
    State(state): State<AppState>,
    access: ReadAccess,
) -> Result<Json<WaveformBody>, Error> {
    shape(&state, &access.job).await
}

/// The waveform of a job's recording, computed if it is missing. The caller's access must have been
/// checked.
///
/// # Errors
/// [`Error`].
pub(crate) async fn shape(state: &AppState, job: &Job) -> Result<Json<WaveformBody>, Error> {
    let stored = waveforms::find(&mut *state.db.read().await?, job.id).await?;
    let Some(shape) = stored else {
        // A running job computes it anyway.
        if job.status.is_terminal() {
            state.jobs.draw(job);
        }
        return Err(Error::NotReady);
    };
    let peaks = shape.peaks.unwrap_or_default().into_iter();
    Ok(Json(WaveformBody {
        duration: rounded(shape.duration),
        peaks: peaks.map(|peak| rounded(f64::from(peak) / 255.0)).collect(),
    }))
}
