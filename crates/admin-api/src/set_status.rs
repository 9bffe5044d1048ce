//! `PUT /api/v1/admin/users/{id}/status`: blocks or unblocks an account.

use axum::extract::State;
use serde::Deserialize;
use serde_json::json;
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;
use slovo_db::accounts;
use slovo_db::accounts::Status::Active;
use slovo_db::accounts::blocking::{self, Outcome};
use utoipa::ToSchema;
use uuid::Uuid;

use super::Error;
use super::list_users::{ManagedUser, Status};

/// The new status.
#[derive(Deserialize, ToSchema)]
#[schema(as = SetStatusForm)]
pub(super) struct Form {
    /// The new status.
    pub status: Status,
}

/// Blocks an account, which ends its sessions immediately, or unblocks it.
#[utoipa::path(put, path = "/admin/users/{id}/status", tag = "admin", operation_id = "set_user_status",
    params(("id" = Uuid, Path, description = "Account id")), request_body = Form,
    responses(
        (status = OK, body = ManagedUser),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "last_admin"),
    ))]
pub(super) async fn set(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<Uuid>,
    Json(form): Json<Form>,
) -> Result<Json<ManagedUser>, Error> {
    let id = id.to_string();
    let mut transaction = state.db.write().await?;
    let before = accounts::get(&mut transaction, &id).await?;
    let before = before.ok_or(Error::NotFound)?;
    let found = match form.status {
        Status::Active => accounts::set_status(&mut transaction, &id, Active).await?,
        Status::Blocked => {
            let now = state.clock.now_ms();
            match blocking::block(&mut transaction, &id, now).await? {
                Outcome::Blocked => true,
                Outcome::NoAccount => false,
                Outcome::LastAdmin => return Err(Error::LastAdmin),
            }
        }
    };
    let person = accounts::search::get(&mut transaction, &id).await?;
    let person = person.filter(|_| found).ok_or(Error::NotFound)?;
    let (before, after) = (Status::from(before.status), form.status);
    let change = Change {
        action: "user.set_status",
        kind: "user",
        id: &id,
        name: &person.account.email,
        before: json!({ "status": before }),
        after: json!({ "status": after }),
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    transaction.commit().await?;
    Ok(Json(person.into()))
}
