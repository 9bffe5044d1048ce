//! `GET /api/v1/jobs/{id}/recognise-again`.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use serde::Deserialize;
use slovo_app::http::{Document, Json, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::texts::stretches;
use utoipa::IntoParams;

use super::StretchList;
use crate::jobs::OwnJob;

/// The text.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(in crate::jobs) struct QueryParams {
    /// The run of recognition.
    version: u32,
}

/// Lists the newest stretches of a text that are being or have been recognised again.
#[utoipa::path(get, path = "/jobs/{id}/recognise-again", tag = "edits",
    operation_id = "list_stretches",
    params(("id" = String, Path, description = "Job id"), QueryParams),
    responses(
        (status = OK, body = StretchList),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(in crate::jobs) async fn list(
    State(state): State<AppState>,
    own: OwnJob,
    Query(query): Query<QueryParams>,
) -> Result<Json<StretchList>, Problem> {
    let mut connection = state.db.read().await?;
    let recent = stretches::recent(&mut connection, own.job.id, i64::from(query.version)).await?;
    Ok(Json(recent.into()))
}
