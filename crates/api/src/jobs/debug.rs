//! `GET /api/v1/jobs/{id}/debug`: stored data of a job, for administrators.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::jobs::{self, stages};
use slovo_db::texts::projection;
use slovo_rules::job::Stage;
use utoipa::ToSchema;
use uuid::Uuid;

/// The stored data of a job.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct JobDebug {
    /// Its id.
    my_job_id: Uuid,
    /// Whether its current run has a text.
    output_found: bool,
    /// Recognised segments of the current run.
    segment_count: u64,
    /// Number of runs with a text.
    versions: u32,
    /// Number of edits of all runs.
    edits: u64,
    /// The started stages, by version.
    stages: Vec<DebugStage>,
}

/// A stage of a run.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DebugStage {
    /// The stage.
    stage: Stage,
    /// The run.
    version: u32,
    /// Whether it has finished.
    finished: bool,
}

/// Returns what is stored about any job, for administrators.
#[utoipa::path(get, path = "/jobs/{id}/debug", tag = "jobs", operation_id = "debug_job",
    params(("id" = String, Path, description = "Job id")),
    responses(
        (status = OK, body = JobDebug),
        (status = NOT_FOUND, body = Document, description = "not_found: also for whoever is no \
            administrator"),
    ))]
pub(super) async fn debug(
    State(state): State<AppState>,
    administrator: Result<Administrator, Problem>,
    Path(id): Path<Uuid>,
) -> Result<Json<JobDebug>, Problem> {
    // Others get `not_found`, so that the answer does not reveal whether the job exists.
    administrator.map_err(|problem| match problem.status() {
        StatusCode::FORBIDDEN => Problem::not_found(),
        _ => problem,
    })?;
    let mut connection = state.db.read().await?;
    let job = jobs::find_any(&mut connection, id).await?;
    let job = job.ok_or_else(Problem::not_found)?;
    let counts = projection::counts(&mut connection, id, job.version).await?;
    let stages = stages::all(&mut connection, id).await?;
    Ok(Json(JobDebug {
        my_job_id: id,
        output_found: counts.output,
        segment_count: counts.segments,
        versions: job.versions,
        edits: counts.edits,
        stages: stages
            .into_iter()
            .map(|stage| DebugStage {
                stage: stage.stage,
                version: stage.version,
                finished: stage.finished,
            })
            .collect(),
    }))
}
