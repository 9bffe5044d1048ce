//! `GET /api/v1/jobs/{id}/export`: the text as a file.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use slovo_engine::export::{self, Format};
use utoipa::IntoParams;

use super::disposition::{self, Kind};
use super::{Own, transcript};
use crate::http::{Document, Problem, Query};
use crate::state::AppState;

/// What is asked for.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Asked {
    /// txt, srt, vtt or json.
    format: String,
}

/// Why there is no file.
#[derive(Debug)]
pub(super) enum Error {
    /// The format is none of ours.
    UnknownFormat,
    /// There is no text.
    Text(transcript::Error),
    /// Something of ours.
    Internal(Problem),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::UnknownFormat => Problem::new(StatusCode::BAD_REQUEST, "unknown_format")
                .detail("format is one of txt, srt, vtt and json")
                .into_response(),
            Self::Text(error) => error.into_response(),
            Self::Internal(problem) => problem.into_response(),
        }
    }
}

/// The text of a completed job as a file to keep.
#[utoipa::path(get, path = "/jobs/{id}/export", tag = "jobs", operation_id = "export_transcript",
    params(("id" = String, Path, description = "Job id"), Asked),
    responses(
        (status = OK, description = "The file", body = String, content_type = "text/plain"),
        (status = BAD_REQUEST, body = Document, description = "unknown_format"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "transcript_not_ready"),
    ))]
pub(super) async fn export(
    State(state): State<AppState>,
    own: Own,
    Query(asked): Query<Asked>,
) -> Result<(HeaderMap, Vec<u8>), Error> {
    let format: Format = asked.format.parse().map_err(|_| Error::UnknownFormat)?;
    let text = transcript::newest(&state, &own)
        .await
        .map_err(Error::Text)?;
    let mut file = Vec::new();
    export::write(format, &text, &mut file)
        .map_err(|error| Error::Internal(Problem::internal(error)))?;
    let name = disposition::with_extension(&own.job.original_filename, format.name());
    let headers = HeaderMap::from_iter([
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static(format.mime()),
        ),
        (
            header::CONTENT_DISPOSITION,
            disposition::header(Kind::Attachment, &name),
        ),
    ]);
    Ok((headers, file))
}
