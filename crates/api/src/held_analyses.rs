//! `/api/v1/held-analyses`: analyses that were requested but have no engine on this server.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem, time_limit};
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_db::jobs;
use slovo_db::texts::analyses;
use slovo_rules::analysis::Part;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    time_limit(OpenApiRouter::new().routes(routes!(held, run)))
}

/// An analysis that waits for an engine that this server does not have or did not have.
#[derive(Serialize, ToSchema)]
struct HeldPart {
    /// The part of the analysis.
    part: Part,
    /// Number of the caller's recordings that wait for it.
    recordings: u64,
    /// Whether an engine for it is available now, at least in some languages.
    is_available: bool,
}

/// The waiting analyses of the caller's recordings.
#[derive(Serialize, ToSchema)]
struct HeldParts {
    /// By part; empty if nothing is held.
    parts: Vec<HeldPart>,
}

/// The jobs whose waiting analyses are to run.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RunHeld)]
struct RunHeldBody {
    /// Only this job; all of the caller's jobs if absent.
    job_id: Option<Uuid>,
}

/// The result.
#[derive(Serialize, ToSchema)]
struct RunningParts {
    /// Number of analyses that were queued; each language of a translation counts.
    queued: u64,
}

/// Lists what the caller's recordings are waiting for, and whether it can be run now.
#[utoipa::path(get, path = "/held-analyses", tag = "analysis", operation_id = "get_held_analyses",
    responses((status = OK, body = HeldParts)))]
async fn held(State(state): State<AppState>, caller: Caller) -> Result<Json<HeldParts>, Problem> {
    let mut connection = state.db.read().await?;
    let blocked = analyses::count_held(&mut connection, &caller.user_id).await?;
    drop(connection);
    let engines = state.analyses.engines();
    let parts = blocked.into_iter().map(|part| HeldPart {
        part: part.part,
        recordings: part.recordings,
        is_available: engines.is_supported_anywhere(part.part),
    });
    Ok(Json(HeldParts {
        parts: parts.collect(),
    }))
}

/// Runs the waiting parts that can be run now; the others keep waiting. A part that isn't available
/// in the language of the transcript waits again.
#[utoipa::path(post, path = "/held-analyses", tag = "analysis",
    operation_id = "run_held_analyses",
    request_body = RunHeldBody,
    responses(
        (status = OK, body = RunningParts),
        (status = NOT_FOUND, body = Document, description = "not_found: there is no such job"),
    ))]
async fn run(
    State(state): State<AppState>,
    caller: Caller,
    Json(body): Json<RunHeldBody>,
) -> Result<Json<RunningParts>, Problem> {
    let engines = state.analyses.engines();
    let parts = Part::ALL.iter().copied();
    let parts = parts.filter(|part| engines.is_supported_anywhere(*part));
    let now = state.clock.now_ms();
    let user = &caller.user_id;
    let mut queued = 0;
    let mut transaction = state.db.write().await?;
    if let Some(job) = body.job_id {
        let found = jobs::find(&mut transaction, user, job).await?;
        found.ok_or_else(Problem::not_found)?;
    }
    for part in parts {
        queued += match body.job_id {
            Some(job) => analyses::queue_held_of_job(&mut transaction, job, part, now).await?,
            None => analyses::queue_held_of_user(&mut transaction, user, part, now).await?,
        };
    }
    transaction.commit().await?;
    if let Some(job) = body.job_id {
        state.analyses.live().stored(job);
    }
    if queued > 0 {
        state.analyses.wake();
    }
    Ok(Json(RunningParts { queued }))
}
