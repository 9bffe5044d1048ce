//! `POST /api/v1/jobs/{id}/media-link`: a link to the recording, for media players, which cannot
//! send an `Authorization` header.

use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_work::jobs::links::{LINK_SECONDS, Link, MediaLinks};
use utoipa::ToSchema;

use super::ReadAccess;

/// A link that works without other authorisation until it expires or the session ends.
#[derive(Serialize, ToSchema)]
pub(super) struct MediaLink {
    /// Path and query of the recording.
    url: String,
    /// When it stops working.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

/// Creates a link to the recording that works for six hours without a session.
#[utoipa::path(post, path = "/jobs/{id}/media-link", tag = "jobs", operation_id = "link_media",
    params(("id" = String, Path, description = "Job id")),
    responses(
        (status = OK, body = MediaLink),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn media_link(
    State(state): State<AppState>,
    access: ReadAccess,
) -> Result<Json<MediaLink>, Problem> {
    let expires = state.clock.now().as_second() + LINK_SECONDS;
    let link = Link {
        job: access.job.id,
        session: access.caller.credential.id().to_owned(),
    };
    let token = MediaLinks::new(&state.secret).issue(&link, expires);
    let token = token.map_err(Problem::internal)?;
    Ok(Json(MediaLink {
        url: format!("/api/v1/jobs/{}/media?token={token}", access.job.id),
        expires_at: Timestamp::from_second(expires).map_err(Problem::internal)?,
    }))
}
