//! `PUT /api/v1/admin/analysis-endpoint`: sets the endpoint.

use axum::extract::State;
use serde_json::json;
use slovo_rules::server_settings::{AnalysisForm, validate_analysis};

use super::View;
use crate::analysis::configured;
use crate::audit::{self, Change};
use crate::auth::Administrator;
use crate::http::{Document, Json, Problem};
use crate::state::AppState;

/// Sets the endpoint, over the server's configuration. It is in force at once here, and within
/// seconds in other processes; what runs ends with the one it began with.
#[utoipa::path(put, path = "/admin/analysis-endpoint", tag = "admin",
    operation_id = "set_analysis_endpoint", request_body = AnalysisForm,
    responses(
        (status = OK, body = View),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn set(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Json(form): Json<AnalysisForm>,
) -> Result<Json<View>, Problem> {
    let valid = validate_analysis(&form)?;
    configured::in_force(&state.config.analysis, &valid)?;
    let mut transaction = state.db.write().await?;
    let before = configured::stored(&mut transaction).await?;
    if before != *valid {
        let now = state.clock.now_ms();
        configured::store(&mut transaction, &valid, now).await?;
        let change = Change {
            action: "analysis.configure",
            kind: "analysis",
            id: "endpoint",
            name: &valid.url,
            before: json!({"url": before.url, "model": before.model}),
            after: json!({"url": valid.url, "model": valid.model}),
        };
        audit::record(&mut transaction, &state, &caller, change).await?;
        transaction.commit().await?;
        configured::apply(&state).await?;
    }
    Ok(Json(View::of(&state, valid.into_inner())))
}
