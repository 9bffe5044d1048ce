//! `GET /api/v1/admin/presets/standard`: which built-in presets were changed or deleted.

use axum::extract::State;
use serde::Serialize;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::presets;
use slovo_app::state::AppState;
use utoipa::ToSchema;

/// The presets that come with the program.
#[derive(Serialize, ToSchema)]
#[schema(as = StandardPresets)]
pub(super) struct Body {
    /// Number of them.
    total: usize,
    /// Number of them that administrators have deleted.
    missing: u32,
    /// Number of them that administrators have changed.
    changed: u32,
}

/// Returns the number of standard presets, and how many were deleted or changed.
#[utoipa::path(get, path = "/admin/presets/standard", tag = "admin",
    operation_id = "get_standard_presets",
    responses(
        (status = OK, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Json<Body>, Problem> {
    let mut connection = state.db.read().await?;
    let differences = presets::built_in_status(&mut connection).await;
    let (total, differing) = differences.map_err(Problem::internal)?;
    Ok(Json(Body {
        total,
        missing: differing.missing,
        changed: differing.changed,
    }))
}
