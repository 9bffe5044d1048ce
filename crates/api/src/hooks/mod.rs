//! Data for webhook services, through expiring links: `/api/v1/hooks`. Unknown links, expired links
//! and links of inactive services give the same answer.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use slovo_app::http::{Document, Json, Path, Problem, Query, REFERRER, ROBOTS, time_limit};
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_db::texts::projection::{self, HistoryPoint};
use slovo_rules::edit::EditedTranscript;
use slovo_work::webhooks::links::LinkTarget;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::jobs::media::{self as recording, Error};
use super::transcript_times::{TimedTranscript, Times};

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    let short = time_limit(OpenApiRouter::new().routes(routes!(transcript)));
    // No time limit: sending a recording may take long.
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
    request_headers: HeaderMap,
) -> Result<Response, Problem> {
    let mut connection = state.db.read().await?;
    let job = state
        .webhooks
        .opened(&mut connection, &token, LinkTarget::Media)
        .await?;
    drop(connection);
    let job = job.ok_or_else(Problem::not_found)?;
    let recording_response = match recording::open(&state, &job, &request_headers).await {
        Ok(recording_response) => recording_response,
        Err(error) => return Ok(Error::into_response(error)),
    };
    let (status, headers): (StatusCode, HeaderMap) =
        (recording_response.status, recording_response.headers);
    Ok((
        status,
        headers,
        Body::from_stream(recording_response.pieces),
    )
        .into_response())
}

/// The times that a service requests.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct QueryParams {
    /// The times that the text includes: `asked` (default) for those requested by
    /// `sentence_level_timestamps` and `word_level_timestamps` of the job's settings; `all` for all
    /// times.
    #[serde(default)]
    #[param(inline)]
    times: Times,
}

/// A transcript with the requested times; `times` repeats the request.
#[derive(Serialize, ToSchema)]
#[serde(tag = "times", rename_all = "snake_case")]
enum HookTranscript {
    /// With all times.
    All(EditedTranscript),
    /// With the times requested in the job's settings.
    Asked(TimedTranscript),
}

/// Returns the transcript a webhook service was notified about, with its edits. It has the times
/// requested in the job's settings, unless `times=all` is added to the link.
#[utoipa::path(get, path = "/hooks/transcript/{token}", tag = "webhooks",
    operation_id = "get_hook_transcript",
    security(()), params(("token" = String, Path, description = "From `transcript_url`"), QueryParams),
    responses(
        (status = OK, body = HookTranscript),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
        (status = NOT_FOUND, body = Document, description = "not_found: unknown or expired, or the \
            service is not called any more"),
    ))]
async fn transcript(
    State(state): State<AppState>,
    Path(token): Path<String>,
    Query(query): Query<QueryParams>,
) -> Result<Json<HookTranscript>, Problem> {
    let mut connection = state.db.read().await?;
    let job = state
        .webhooks
        .opened(&mut connection, &token, LinkTarget::Transcript)
        .await?;
    let job = job.ok_or_else(Problem::not_found)?;
    let text = projection::read(&mut connection, job.id, HistoryPoint::default()).await?;
    let text = text.ok_or_else(Problem::not_found)?;
    Ok(Json(match query.times {
        Times::All => HookTranscript::All(text),
        Times::Asked => HookTranscript::Asked(TimedTranscript::of(text, &job.plan)),
    }))
}
