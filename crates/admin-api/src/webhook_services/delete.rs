//! `DELETE /api/v1/admin/webhook-services/{id}`: deletes a service.

use axum::extract::State;
use axum::http::StatusCode;
use serde_json::Value;
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Path};
use slovo_app::state::AppState;
use slovo_db::webhooks::services;
use uuid::Uuid;

use super::{Error, audited, find_service};

/// Deletes a webhook service with its call log; pending calls are dropped.
#[utoipa::path(delete, path = "/admin/webhook-services/{id}", tag = "admin",
    operation_id = "delete_webhook_service",
    params(("id" = Uuid, Path, description = "Service id")),
    responses(
        (status = NO_CONTENT),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn delete(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<Uuid>,
) -> Result<StatusCode, Error> {
    let mut transaction = state.db.write().await?;
    let before = find_service(&mut transaction, id).await?;
    services::delete(&mut transaction, id).await?;
    let change = Change {
        action: "webhook_service.delete",
        kind: "webhook_service",
        id: &id.to_string(),
        name: &before.form.name,
        before: audited(&before.form),
        after: Value::Null,
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
