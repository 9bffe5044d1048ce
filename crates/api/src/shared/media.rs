//! `GET /api/v1/shared/media/{token}`: the recording of a link, whole or in part.

use std::io;
use std::net::IpAddr;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::Stream;
use futures_util::stream::try_unfold;
use slovo_app::auth::ClientAddress;
use slovo_app::http::{Document, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::jobs::Job;
use slovo_transcripts::shares::{SharedMedia, SharedMediaLinks};
use tokio_stream::StreamExt;

use super::super::jobs::media::{self, Error, MediaResponse};

/// How often the link is checked again while its recording is being sent.
const ASK_AGAIN_MS: i64 = 2000;

/// Returns the recording behind a share link. The response ends when the link is revoked or
/// expires, when its password is changed, or when it no longer includes the recording.
#[utoipa::path(get, path = "/shared/media/{token}", tag = "shares",
    operation_id = "get_shared_media",
    security(()), params(("token" = String, Path, description = "From the shared text"),
        ("Range" = Option<String>, Header, description = "One range of bytes"),
        ("If-Range" = Option<String>, Header, description = "The ETag that the range belongs to")),
    responses(
        (status = OK, description = "All of it", content_type = "application/octet-stream"),
        (status = PARTIAL_CONTENT, description = "The part that was asked for"),
        (status = NOT_MODIFIED, description = "If-None-Match names what is there"),
        (status = NOT_FOUND, body = Document, description = "not_found: unknown, withdrawn or \
            expired"),
        (status = RANGE_NOT_SATISFIABLE, body = Document, description = "range_not_satisfiable"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn media(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Path(token): Path<String>,
    request_headers: HeaderMap,
) -> Result<Response, Problem> {
    let (right, job) = job_of_token(&state, address, &token).await?;
    let recording = match media::open(&state, &job, &request_headers).await {
        Ok(recording) => recording,
        Err(error) => return Ok(Error::into_response(error)),
    };
    let (status, headers): (StatusCode, HeaderMap) = (recording.status, recording.headers.clone());
    let body = Body::from_stream(while_in_force(state, right, recording));
    Ok((status, headers, body).into_response())
}

/// The link and the job of a media token.
///
/// # Errors
/// `rate_limited`; `not_found` if the token is invalid, has expired, was issued for an earlier
/// password, or its link is no longer valid.
pub(super) async fn job_of_token(
    state: &AppState,
    address: IpAddr,
    token: &str,
) -> Result<(SharedMedia, Job), Problem> {
    state.limits.shared_media(address)?;
    let now = state.clock.now().as_second();
    let right = SharedMediaLinks::new(&state.secret).read(token, now);
    let right = right.ok_or_else(Problem::not_found)?;
    let job = job_with_recording(state, right).await?;
    Ok((right, job.ok_or_else(Problem::not_found)?))
}

/// The job, if the link includes its recording.
async fn job_with_recording(state: &AppState, right: SharedMedia) -> slovo_db::Result<Option<Job>> {
    let found = state.sharing().in_force(right.share).await?;
    let found = found.filter(|(share, _)| share.password_version == right.password);
    Ok(found.and_then(|(share, job)| share.with_media.then_some(job)))
}

/// The bytes, cut off when the link is no longer valid.
fn while_in_force(
    state: AppState,
    right: SharedMedia,
    recording: MediaResponse,
) -> impl Stream<Item = io::Result<Bytes>> + Send {
    let checked_at = state.clock.now_ms();
    try_unfold(
        (state, recording, checked_at),
        move |(state, mut recording, mut checked_at)| async move {
            let now = state.clock.now_ms();
            if now - checked_at >= ASK_AGAIN_MS {
                let job = job_with_recording(&state, right)
                    .await
                    .map_err(io::Error::other)?;
                job.ok_or_else(|| io::Error::other("the link was withdrawn"))?;
                checked_at = now;
            }
            let Some(bytes) = recording.pieces.try_next().await? else {
                return Ok(None);
            };
            Ok(Some((bytes, (state, recording, checked_at))))
        },
    )
}
