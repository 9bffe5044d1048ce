//! `POST /api/v1/me/sync`: synchronises the external database when a user opens their dashboard.

use axum::extract::State;
use serde::Serialize;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_nocodb::LoadOutcome;
use utoipa::ToSchema;

/// The state of the synchronisation.
#[derive(Serialize, ToSchema)]
#[schema(as = LoadSync)]
pub(super) struct Body {
    /// `off` (there is no external database), `started`, `running`, or `fresh` (the last run began
    /// within five minutes).
    state: &'static str,
    /// Whether the last finished run failed.
    failed: bool,
}

/// Syncs with the external database, if there is one and the last sync wasn't recent.
#[utoipa::path(post, path = "/me/sync", tag = "me", operation_id = "sync_on_load",
    responses(
        (status = OK, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn sync(
    State(state): State<AppState>,
    _caller: Caller,
) -> Result<Json<Body>, Problem> {
    let (loaded, failed) = slovo_nocodb::loaded(&state.nocodb()).await?;
    let state = match loaded {
        LoadOutcome::Off => "off",
        LoadOutcome::Started => "started",
        LoadOutcome::Running => "running",
        LoadOutcome::Fresh => "fresh",
    };
    Ok(Json(Body { state, failed }))
}
