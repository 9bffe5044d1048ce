//! `GET /api/v1/jobs/{id}/media`: the recording, whole or in part.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use std::io::ErrorKind;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use slovo_app::auth::session;
use slovo_app::http::{Document, Path, Problem, Query, is_known};
use slovo_app::state::AppState;
use slovo_db::jobs::{self, Job};
use slovo_rules::codes::ProblemCode;
use slovo_storage::Pieces;
use slovo_work::jobs::links::MediaLinks;
use utoipa::IntoParams;
use uuid::Uuid;

use super::ReadAccess;
use super::disposition::{self, Kind};
use slovo_app::http::range::{self, Part};

/// How long an address of the object store is valid: longer than most recordings are played.
const DIRECT_VALID: Duration = Duration::from_secs(6 * 60 * 60);

/// Authorisation by a link.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct QueryParams {
    /// Token from `media-link`; without it, the `Authorization` header is required.
    token: Option<String>,
}

/// A job whose recording may be sent: the caller can read it, or the request has a valid link.
pub(super) struct Playable(Job);

impl FromRequestParts<AppState> for Playable {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let Query(query) = Query::<QueryParams>::from_request_parts(parts, state).await?;
        let Some(token) = query.token else {
            return Ok(Self(
                ReadAccess::from_request_parts(parts, state).await?.job,
            ));
        };
        let Path(id) = Path::<Uuid>::from_request_parts(parts, state).await?;
        let now = state.clock.now();
        let link = MediaLinks::new(&state.secret).read(&token, now.as_second());
        let link = link.filter(|link| link.job == id);
        let link = link.ok_or_else(Problem::unauthorized)?;
        // A link is valid as long as the session that created it, and while the account is not
        // blocked.
        let mut connection = state.db.read().await?;
        let account = session::active(&mut connection, &link.session, now).await?;
        let account = account.ok_or_else(Problem::unauthorized)?;
        // Links to recordings of others were created for administrators only.
        let job = if account.is_admin {
            jobs::find_any(&mut connection, id).await?
        } else {
            jobs::find(&mut connection, &account.id, id).await?
        };
        Ok(Self(job.ok_or_else(Problem::not_found)?))
    }
}

/// Why no recording is sent.
#[derive(Debug)]
pub(crate) enum Error {
    /// The requested range is outside of the file.
    Unsatisfiable {
        /// Size of the file in bytes.
        length: u64,
    },
    /// Reading the file failed.
    Io(std::io::Error),
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Unsatisfiable { length } => {
                let problem = Problem::new(
                    StatusCode::RANGE_NOT_SATISFIABLE,
                    ProblemCode::RangeNotSatisfiable,
                );
                match HeaderValue::try_from(format!("bytes */{length}")) {
                    Ok(range) => problem.header(header::CONTENT_RANGE, range),
                    Err(_) => problem,
                }
            }
            Self::Io(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Problem::not_found().with_cause(error.to_string())
            }
            Self::Io(error) => Problem::internal(error),
        }
        .into_response()
    }
}

/// Whether the recording of a job is there.
///
/// # Errors
/// `unavailable` if the storage does not answer.
pub(crate) async fn has_recording(state: &AppState, job: &Job) -> Result<bool, Problem> {
    let length = state.storage.length(job.media_id).await;
    Ok(length.map_err(Problem::internal)?.is_some())
}

/// Downloads the recording as it was uploaded. Requests of a part may be sent on to the object store.
#[utoipa::path(get, path = "/jobs/{id}/media", tag = "jobs", operation_id = "get_media",
    params(("id" = String, Path, description = "Job id"), QueryParams,
        ("Range" = Option<String>, Header, description = "One range of bytes"),
        ("If-Range" = Option<String>, Header, description = "The ETag that the range belongs to")),
    responses(
        (status = OK, description = "All of it", content_type = "application/octet-stream"),
        (status = PARTIAL_CONTENT, description = "The part that was asked for"),
        (status = NOT_MODIFIED, description = "If-None-Match names what is there"),
        (status = TEMPORARY_REDIRECT, description = "The part is to be read from this address"),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = RANGE_NOT_SATISFIABLE, body = Document, description = "range_not_satisfiable"),
    ))]
pub(super) async fn media(
    State(state): State<AppState>,
    Playable(job): Playable,
    request_headers: HeaderMap,
) -> Result<(StatusCode, HeaderMap, Body), Error> {
    if request_headers.contains_key(header::RANGE)
        && let Some(address) = direct_address(&state, &job).await?
    {
        let headers = HeaderMap::from_iter([
            (header::LOCATION, address),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ]);
        return Ok((StatusCode::TEMPORARY_REDIRECT, headers, Body::empty()));
    }
    let sent = open(&state, &job, &request_headers).await?;
    Ok((sent.status, sent.headers, Body::from_stream(sent.pieces)))
}

/// Where a player can read the recording without us, if that is configured.
async fn direct_address(state: &AppState, job: &Job) -> Result<Option<HeaderValue>, Error> {
    let address = state
        .storage
        .direct_address(job.media_id, DIRECT_VALID)
        .await?;
    let address = address.map(HeaderValue::try_from).transpose();
    Ok(address.map_err(std::io::Error::other)?)
}

/// The response with a recording.
pub(crate) struct MediaResponse {
    /// 200, 206 or 304.
    pub status: StatusCode,
    /// The response headers.
    pub headers: HeaderMap,
    /// The body.
    pub pieces: Pieces,
}

/// Opens the recording of a job, in the range that the request's headers ask for. The caller's
/// access must have been checked.
///
/// # Errors
/// [`Error`].
pub(crate) async fn open(
    state: &AppState,
    job: &Job,
    request_headers: &HeaderMap,
) -> Result<MediaResponse, Error> {
    let length = state.storage.length(job.media_id).await?;
    let length = length.ok_or(Error::Io(ErrorKind::NotFound.into()))?;
    let mut headers = describe(job);
    let etag = etag(job);
    headers.insert(header::ETAG, etag.clone());
    let (status, start, bytes) = if is_known(request_headers, &etag) {
        (StatusCode::NOT_MODIFIED, 0, 0)
    } else {
        match range::requested(request_headers, length, &etag) {
            Part::Whole => (StatusCode::OK, 0, length),
            Part::Bytes { start, end } => {
                let range = HeaderValue::try_from(format!("bytes {start}-{end}/{length}"));
                headers.insert(header::CONTENT_RANGE, range.map_err(std::io::Error::other)?);
                (StatusCode::PARTIAL_CONTENT, start, end - start + 1)
            }
            Part::Unsatisfiable => return Err(Error::Unsatisfiable { length }),
        }
    };
    if status != StatusCode::NOT_MODIFIED {
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes));
    }
    let pieces = state
        .storage
        .read(job.media_id, start..start + bytes, length)
        .await?;
    Ok(MediaResponse {
        status,
        headers,
        pieces,
    })
}

/// The content for an id never changes, so the id is the validator.
fn etag(job: &Job) -> HeaderValue {
    HeaderValue::try_from(format!("\"{}\"", job.media_id))
        .unwrap_or(HeaderValue::from_static("\"\""))
}

fn describe(job: &Job) -> HeaderMap {
    let content_type = HeaderValue::from_str(&job.content_type)
        .unwrap_or(HeaderValue::from_static("application/octet-stream"));
    HeaderMap::from_iter([
        (header::CONTENT_TYPE, content_type),
        (header::ACCEPT_RANGES, HeaderValue::from_static("bytes")),
        // The browser may cache it; shared caches must not.
        (
            header::CACHE_CONTROL,
            HeaderValue::from_static("private, max-age=3600"),
        ),
        (
            header::CONTENT_DISPOSITION,
            disposition::header(Kind::Inline, &job.original_filename),
        ),
    ])
}
