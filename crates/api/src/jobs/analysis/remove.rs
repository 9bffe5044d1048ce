//! `DELETE /api/v1/jobs/{id}/analysis/{analysis_id}`: deletes an analysis.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use slovo_app::http::{Document, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::analyses;
use uuid::Uuid;

use crate::jobs::OwnJob;

/// The analysis from the path.
#[derive(Deserialize)]
pub(in crate::jobs) struct AnalysisPath {
    analysis_id: Uuid,
}

/// Deletes a result of the analysis; if it is queued or running, it is cancelled.
#[utoipa::path(delete, path = "/jobs/{id}/analysis/{analysis_id}", tag = "analysis",
    operation_id = "delete_analysis",
    params(
        ("id" = String, Path, description = "Job id"),
        ("analysis_id" = String, Path, description = "Id of the analysis"),
    ),
    responses(
        (status = NO_CONTENT),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(in crate::jobs) async fn remove(
    State(state): State<AppState>,
    own: OwnJob,
    Path(asked): Path<AnalysisPath>,
) -> Result<StatusCode, Problem> {
    let mut transaction = state.db.write().await?;
    let removed = analyses::remove(&mut transaction, own.job.id, asked.analysis_id).await?;
    transaction.commit().await?;
    if !removed {
        return Err(Problem::not_found());
    }
    state.analyses.live().stored(own.job.id);
    Ok(StatusCode::NO_CONTENT)
}
