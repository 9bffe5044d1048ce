//! `GET /api/v1/admin/speech-endpoint`: the stored endpoint.

use axum::extract::State;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_work::speech_endpoint;

use super::View;

/// Returns the endpoint that recognises speech instead of the embedded engine.
#[utoipa::path(get, path = "/admin/speech-endpoint", tag = "admin",
    operation_id = "get_speech_endpoint",
    responses(
        (status = OK, body = View),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Json<View>, Problem> {
    let stored = speech_endpoint::stored(&mut *state.db.read().await?).await?;
    Ok(Json(View::of(&state, &stored)))
}
