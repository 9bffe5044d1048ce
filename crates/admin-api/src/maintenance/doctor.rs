//! `GET /api/v1/admin/doctor`: checks everything that the server needs.

use axum::extract::State;
use serde::Serialize;
use slovo_app::auth::Administrator;
use slovo_app::doctor::{self, Finding};
use slovo_app::http::{Document, Json};
use slovo_app::state::AppState;
use utoipa::ToSchema;

/// What the checks have found.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DoctorReport)]
pub(super) struct Report {
    /// One entry for each check, in English.
    findings: Vec<Finding>,
}

/// Checks the configuration and everything that the server needs, as `slovo doctor` does.
#[utoipa::path(get, path = "/admin/doctor", tag = "admin", operation_id = "examine_server",
    responses(
        (status = OK, body = Report),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn examine(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Json<Report> {
    let findings = doctor::examine(&state.config).await;
    Json(Report { findings })
}
