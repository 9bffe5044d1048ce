//! `GET /api/v1/presets`: the presets that the caller can use.

use axum::extract::State;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::presets;

use super::List;

/// Lists public presets and the caller's own: first those for a quick start, then by category and
/// name.
#[utoipa::path(get, path = "/presets", tag = "presets", operation_id = "list_presets",
    responses(
        (status = OK, body = List),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<List>, Problem> {
    let found = presets::list(&mut *state.db.read().await?, &caller.user_id).await?;
    Ok(Json(List::seen_by(&caller, found)))
}
