//! `POST /api/v1/admin/users/{id}/password-link`: mails a user a link to set a password.

use axum::extract::State;
use serde::Serialize;
use serde_json::{Value, json};
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;
use slovo_db::accounts;
use utoipa::ToSchema;
use uuid::Uuid;

use super::super::Error;
use super::{mail_content, mailed};

/// The result.
#[derive(Serialize, ToSchema)]
#[schema(as = PasswordLinkSent)]
pub(super) struct PasswordLinkSent {
    /// Whether the mail server accepted the mail; if not, try again.
    mailed: bool,
}

/// Emails the owner of an account a link to set a password, or the invitation again if they have
/// never set one. Earlier links stop working; the current password stays valid until a new one is
/// set.
#[utoipa::path(post, path = "/admin/users/{id}/password-link", tag = "admin",
    operation_id = "send_password_link",
    params(("id" = Uuid, Path, description = "Account id")),
    responses(
        (status = OK, body = PasswordLinkSent),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn send(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<Uuid>,
) -> Result<Json<PasswordLinkSent>, Error> {
    let mut transaction = state.db.write().await?;
    let account = accounts::get(&mut transaction, &id.to_string()).await?;
    let account = account.ok_or(Error::NotFound)?;
    let mail = mail_content(&state, &mut transaction, &caller, &account).await?;
    let change = Change {
        action: "user.send_link",
        kind: "user",
        id: &account.id,
        name: &account.email,
        before: Value::Null,
        after: json!({ "kind": mail.kind() }),
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    transaction.commit().await?;
    let mailed = mailed(&state, &account, &mail).await;
    Ok(Json(PasswordLinkSent { mailed }))
}
