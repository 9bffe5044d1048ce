//! `POST /api/v1/admin/webhook-services/{id}/rotate-secret`: replaces the secret.

use axum::extract::State;
use serde_json::json;
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;
use slovo_db::webhooks::services;
use uuid::Uuid;

use super::{Error, WithSecret, find_service};

/// Creates a new secret for a service and returns it, only this once. For a day, calls are signed
/// with the previous one as well.
#[utoipa::path(post, path = "/admin/webhook-services/{id}/rotate-secret", tag = "admin",
    operation_id = "rotate_webhook_secret",
    params(("id" = Uuid, Path, description = "Service id")),
    responses(
        (status = OK, body = WithSecret),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn rotate(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<Uuid>,
) -> Result<Json<WithSecret>, Error> {
    let mut transaction = state.db.write().await?;
    let before = find_service(&mut transaction, id).await?;
    services::rotate(&mut transaction, id, state.clock.now_ms()).await?;
    let after = find_service(&mut transaction, id).await?;
    let change = Change {
        action: "webhook_service.update",
        kind: "webhook_service",
        id: &id.to_string(),
        name: &before.form.name,
        before: json!({ "key_number": before.key_number }),
        after: json!({ "key_number": after.key_number }),
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    transaction.commit().await?;
    Ok(Json(WithSecret::of(&state, after)))
}
