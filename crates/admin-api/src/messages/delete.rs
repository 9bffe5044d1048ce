//! `DELETE /api/v1/admin/contact-messages/{id}`: deletes a message.

use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::site::contact;
use slovo_platform::clock::from_ms;
use uuid::Uuid;

/// Permanently deletes a message.
#[utoipa::path(delete, path = "/admin/contact-messages/{id}", tag = "admin",
    operation_id = "delete_contact_message",
    params(("id" = Uuid, Path, description = "Message id")),
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
) -> Result<StatusCode, Problem> {
    let mut transaction = state.db.write().await?;
    let message = contact::get(&mut transaction, id).await?;
    let message = message.ok_or_else(Problem::not_found)?;
    contact::delete(&mut transaction, id).await?;
    // The audit log must not contain the message or its sender, because both are deleted.
    let change = Change {
        action: "contact_message.delete",
        kind: "contact_message",
        id: &id.to_string(),
        name: "",
        before: json!({
            "created_at": from_ms(message.created_at),
            "handled": message.handled_at.is_some(),
        }),
        after: Value::Null,
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
