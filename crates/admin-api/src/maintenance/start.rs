//! `POST /api/v1/admin/backups`: makes a backup now.

use axum::extract::State;
use serde_json::{Value, json};
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::backups::{self, Reason};
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;

use super::View;

/// Begins a backup, unless one is being made already or backups are turned off, and returns how backups
/// are made.
#[utoipa::path(post, path = "/admin/backups", tag = "admin", operation_id = "start_backup",
    responses(
        (status = OK, body = View),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn start(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
) -> Result<Json<View>, Problem> {
    if state.config.backups.are_made()
        && let Some(id) = backups::begin(&state, Reason::Request)
            .await
            .map_err(Problem::from)?
    {
        let change = Change {
            action: "backup.start",
            kind: "backup",
            id: &id,
            name: "",
            before: Value::Null,
            after: json!({}),
        };
        let mut transaction = state.db.write().await?;
        state
            .audit()
            .record(&mut transaction, &caller, change)
            .await?;
        transaction.commit().await?;
        let making = state.clone();
        state.tasks.spawn(async move {
            let stop = making.shutdown.clone();
            tokio::select! {
                made = backups::run(&making, &id) => if let Err(error) = made {
                    tracing::error!(error = format!("{error:#}"), "the backup failed");
                },
                // What is stored is used by the next one.
                () = stop.cancelled() => {}
            }
        });
    }
    Ok(Json(super::view(&state).await?))
}
