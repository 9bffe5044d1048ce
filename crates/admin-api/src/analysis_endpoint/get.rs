//! `GET /api/v1/admin/analysis-endpoint`: the configured endpoint.

use axum::extract::State;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_work::analysis::configured;

use super::View;

/// Returns the language model endpoint used for analysis.
#[utoipa::path(get, path = "/admin/analysis-endpoint", tag = "admin",
    operation_id = "get_analysis_endpoint",
    responses(
        (status = OK, body = View),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Json<View>, Problem> {
    let stored = configured::stored(&mut *state.db.read().await?).await?;
    Ok(Json(View::of(&state, &stored)))
}
