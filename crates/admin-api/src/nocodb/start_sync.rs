//! `POST /api/v1/admin/nocodb/sync`: starts a synchronisation with the external database.

use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::nocodb::Cause;
use slovo_nocodb::StartError;
use slovo_rules::codes::ProblemCode;

use super::not_configured;
use super::sync_state::{SyncState, read};

/// Starts a sync, or reports the one in progress. Use `GET` to follow it.
#[utoipa::path(post, path = "/admin/nocodb/sync", tag = "admin", operation_id = "start_nocodb_sync",
    responses(
        (status = ACCEPTED, body = SyncState),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = CONFLICT, body = Document,
            description = "nocodb_not_configured, nocodb_token_missing"),
    ))]
pub(super) async fn start(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
) -> Result<(StatusCode, Json<SyncState>), Problem> {
    match slovo_nocodb::start(&state.nocodb(), Cause::Admin).await? {
        Ok(run) => {
            let run = run.to_string();
            let change = Change {
                action: "nocodb.sync",
                kind: "nocodb",
                id: &run,
                name: "",
                before: Value::Null,
                after: json!({ "run": run }),
            };
            let mut transaction = state.db.write().await?;
            state
                .audit()
                .record(&mut transaction, &caller, change)
                .await?;
            transaction.commit().await?;
        }
        // Concurrent callers share one run.
        Err(StartError::Running) => {}
        Err(StartError::NotConfigured) => return Err(not_configured()),
        Err(StartError::TokenMissing) => {
            return Err(Problem::new(
                StatusCode::CONFLICT,
                ProblemCode::NocodbTokenMissing,
            ));
        }
    }
    Ok((StatusCode::ACCEPTED, Json(read(&state).await?)))
}
