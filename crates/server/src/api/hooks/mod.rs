//! What webhook services fetch by the links they were given: `/api/v1/hooks`. A link that is unknown
//! or expired, or whose service is not called any more, gives the same answer.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use slovo_db::projection::{self, Point};
use slovo_rules::edit::EditedTranscript;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::jobs::media::{self as recording, Error};
use super::shared::{REFERRER, ROBOTS};
use crate::http::{Document, Json, Path, Problem, time_limit};
use crate::state::AppState;
use crate::webhooks::links::{Thing, opened};

/// The actions of this folder.
pub(super) fn router() -> OpenApiRouter<AppState> {
    let short = time_limit(OpenApiRouter::new().routes(routes!(transcript)));
    // Recordings take as long as they take.
    let long = OpenApiRouter::new().routes(routes!(media));
    short
        .merge(long)
        .layer(SetResponseHeaderLayer::overriding(ROBOTS.0, ROBOTS.1))
        .layer(SetResponseHeaderLayer::overriding(REFERRER.0, REFERRER.1))
}

/// Returns the recording a webhook service was notified about, in full or in part.
#[utoipa::path(get, path = "/hooks/media/{token}", tag = "webhooks",
    operation_id = "get_hook_media",
    security(()), params(("token" = String, Path, description = "From `media_url`"),
        ("Range" = Option<String>, Header, description = "One range of bytes"),
        ("If-Range" = Option<String>, Header, description = "The ETag that the range belongs to")),
    responses(
        (status = OK, description = "All of it", content_type = "application/octet-stream"),
        (status = PARTIAL_CONTENT, description = "The part that was asked for"),
        (status = NOT_MODIFIED, description = "If-None-Match names what is there"),
        (status = NOT_FOUND, body = Document, description = "not_found: unknown or expired, or the \
            service is not called any more"),
        (status = RANGE_NOT_SATISFIABLE, body = Document, description = "range_not_satisfiable"),
    ))]
async fn media(
    State(state): State<AppState>,
    Path(token): Path<String>,
    asked: HeaderMap,
) -> Result<Response, Problem> {
    let mut connection = state.db.read().await?;
    let job = opened(&state, &mut connection, &token, Thing::Media).await?;
    drop(connection);
    let job = job.ok_or_else(Problem::not_found)?;
    let sent = match recording::open(&state, &job, &asked).await {
        Ok(sent) => sent,
        Err(error) => return Ok(Error::into_response(error)),
    };
    let (status, headers): (StatusCode, HeaderMap) = (sent.status, sent.headers);
    Ok((status, headers, Body::from_stream(sent.pieces)).into_response())
}

/// Returns the transcript a webhook service was notified about, with its edits.
#[utoipa::path(get, path = "/hooks/transcript/{token}", tag = "webhooks",
    operation_id = "get_hook_transcript",
    security(()), params(("token" = String, Path, description = "From `transcript_url`")),
    responses(
        (status = OK, body = EditedTranscript),
        (status = NOT_FOUND, body = Document, description = "not_found: unknown or expired, or the \
            service is not called any more"),
    ))]
async fn transcript(
    State(state): State<AppState>,
    Path(token): Path<String>,
) -> Result<Json<EditedTranscript>, Problem> {
    let mut connection = state.db.read().await?;
    let job = opened(&state, &mut connection, &token, Thing::Transcript).await?;
    let job = job.ok_or_else(Problem::not_found)?;
    let text = projection::read(&mut connection, job.id, Point::default()).await?;
    Ok(Json(text.ok_or_else(Problem::not_found)?))
}
