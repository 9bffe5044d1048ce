//! `PUT /api/v1/admin/contact-messages/{id}/handled`: marks a message as handled.

use axum::extract::State;
use serde::Deserialize;
use serde_json::json;
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::site::contact;
use utoipa::ToSchema;
use uuid::Uuid;

use super::list_contact::Body;

/// The new mark.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SetHandledForm)]
pub(super) struct Form {
    /// Whether it was answered, or needs no answer.
    handled: bool,
}

/// Marks a message as handled or open.
#[utoipa::path(put, path = "/admin/contact-messages/{id}/handled", tag = "admin",
    operation_id = "set_contact_message_handled",
    params(("id" = Uuid, Path, description = "Message id")), request_body = Form,
    responses(
        (status = OK, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn set(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<Uuid>,
    Json(form): Json<Form>,
) -> Result<Json<Body>, Problem> {
    let mut transaction = state.db.write().await?;
    let before = contact::get(&mut transaction, id).await?;
    let mut message = before.ok_or_else(Problem::not_found)?;
    let was_handled = message.handled_at.is_some();
    if was_handled != form.handled {
        message.handled_at = form.handled.then(|| state.clock.now_ms());
        contact::set_handled(&mut transaction, id, message.handled_at).await?;
        // Without the sender's name, because the log outlives the message.
        let change = Change {
            action: "contact_message.handle",
            kind: "contact_message",
            id: &id.to_string(),
            name: "",
            before: json!({ "handled": was_handled }),
            after: json!({ "handled": form.handled }),
        };
        state
            .audit()
            .record(&mut transaction, &caller, change)
            .await?;
        transaction.commit().await?;
    }
    Ok(Json(message.into()))
}
