//! `GET /api/v1/admin/nocodb/sync`: the state of the current or last synchronisation.

use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::nocodb::{self, Conflict, Run, Status};
use slovo_nocodb::{Problem as RowProblem, Stats};
use slovo_platform::clock::from_ms;
use utoipa::ToSchema;
use uuid::Uuid;

/// Maximum number of conflicts in the response.
const MAX_CONFLICTS: u32 = 200;

/// The current or last run.
#[derive(Serialize, ToSchema)]
#[schema(as = NocodbSync)]
pub(super) struct SyncState {
    /// Null if there has been none.
    #[schema(required)]
    run: Option<RunBody>,
}

/// A run of the synchronisation.
#[derive(Serialize, ToSchema)]
#[schema(as = NocodbRun)]
struct RunBody {
    id: Uuid,
    /// `admin`, `interval` or `load`.
    cause: String,
    /// `running`, `succeeded`, `partial` (some rows were left unchanged), `failed` or
    /// `interrupted` (the next run continues).
    status: String,
    /// Whether everything was synchronised; null while it is running.
    #[schema(required)]
    success: Option<bool>,
    /// Code of the error, if there is one: a hint from the connection test, `partial`,
    /// `interrupted`, `internal` or `lost`. Its text is in the locale file `admin-nocodb`.
    #[schema(required)]
    message: Option<String>,
    /// The table being synchronised, while it is running.
    #[schema(required)]
    at_kind: Option<String>,
    /// Its counters so far.
    stats: Stats,
    /// Rows that were left unchanged; at most 200, `stats.problems` counts all.
    problems: Vec<RowProblem>,
    /// Rows that both sides had changed, and rows in which fields were restored; at most 200,
    /// `stats.conflicts` and `stats.put_back` count all.
    conflicts: Vec<ConflictBody>,
    #[schema(value_type = String, format = DateTime)]
    started_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    ended_at: Option<Timestamp>,
}

/// A row that both sides had changed, or in which fields were restored.
#[derive(Serialize, ToSchema)]
#[schema(as = NocodbConflict)]
struct ConflictBody {
    id: Uuid,
    /// `plans`, `users`, `usage`, `presets`, `jobs` or `outputs`.
    kind: String,
    local_id: String,
    remote_id: i64,
    /// Names of the fields that differed, or were restored.
    fields: Vec<String>,
    /// Which side was kept: `local` or `remote`; `put_back`: ours, in fields that only Slovo
    /// changes.
    winner: String,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    local_updated_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    remote_updated_at: Option<Timestamp>,
    /// The fields of the other side; null for users' rows and for restored fields.
    #[schema(required)]
    lost: Option<Value>,
}

impl From<Conflict> for ConflictBody {
    fn from(conflict: Conflict) -> Self {
        let winner = if conflict.is_put_back {
            "put_back"
        } else if conflict.ours_stands {
            "local"
        } else {
            "remote"
        };
        Self {
            id: conflict.id,
            kind: conflict.kind.as_str().to_owned(),
            local_id: conflict.local_id,
            remote_id: conflict.remote_id,
            fields: conflict.fields,
            winner: winner.to_owned(),
            local_updated_at: conflict.local_updated_at.map(from_ms),
            remote_updated_at: conflict.remote_updated_at.map(from_ms),
            lost: conflict.lost,
        }
    }
}

fn body(run: Run, conflicts: Vec<Conflict>) -> RunBody {
    let message = match run.status {
        Status::Running | Status::Succeeded => None,
        Status::Partial | Status::Interrupted => Some(run.status.as_str().to_owned()),
        Status::Failed => run.failure,
    };
    RunBody {
        id: run.id,
        cause: run.cause,
        status: run.status.as_str().to_owned(),
        success: match run.status {
            Status::Running => None,
            status => Some(status == Status::Succeeded),
        },
        message,
        at_kind: run.at_kind,
        stats: serde_json::from_value(run.stats).unwrap_or_default(),
        problems: serde_json::from_value(run.problems).unwrap_or_default(),
        conflicts: conflicts.into_iter().map(Into::into).collect(),
        started_at: from_ms(run.started_at),
        ended_at: run.ended_at.map(from_ms),
    }
}

/// Returns the state of the sync.
#[utoipa::path(get, path = "/admin/nocodb/sync", tag = "admin", operation_id = "get_nocodb_sync",
    responses(
        (status = OK, body = SyncState),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Json<SyncState>, Problem> {
    Ok(Json(read(&state).await?))
}

/// The current or last run with its report.
pub(super) async fn read(state: &AppState) -> slovo_db::Result<SyncState> {
    let mut connection = state.db.read().await?;
    let Some(run) = nocodb::latest(&mut connection).await? else {
        return Ok(SyncState { run: None });
    };
    let conflicts = nocodb::conflicts(&mut connection, run.id, MAX_CONFLICTS).await?;
    Ok(SyncState {
        run: Some(body(run, conflicts)),
    })
}
