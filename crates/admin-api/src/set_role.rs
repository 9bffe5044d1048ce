//! `PUT /api/v1/admin/users/{id}/role`: grants or revokes the role of administrator.

use axum::extract::State;
use serde::Deserialize;
use serde_json::json;
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::auth::session::Role;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;
use slovo_db::accounts;
use slovo_db::accounts::roles::{self, RevokeOutcome};
use utoipa::ToSchema;
use uuid::Uuid;

use super::Error;
use super::list_users::ManagedUser;

/// The new role.
#[derive(Deserialize, ToSchema)]
#[schema(as = SetRoleForm)]
pub(super) struct Form {
    /// The new role.
    pub role: Role,
}

/// Makes an account an administrator, or removes the role.
#[utoipa::path(put, path = "/admin/users/{id}/role", tag = "admin", operation_id = "set_user_role",
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
    let before = accounts::search::get(&mut transaction, &id).await?;
    let before = ManagedUser::from(before.ok_or(Error::NotFound)?);
    match form.role {
        Role::Admin => {
            roles::grant_admin(&mut transaction, &id, state.clock.now_ms()).await?;
        }
        Role::User => {
            if roles::revoke_admin(&mut transaction, &id).await? == RevokeOutcome::LastAdmin {
                return Err(Error::LastAdmin);
            }
        }
    }
    let account = accounts::search::get(&mut transaction, &id).await?;
    let after = ManagedUser::from(account.ok_or(Error::NotFound)?);
    let change = Change {
        action: "user.set_role",
        kind: "user",
        id: &id,
        name: &after.email,
        before: json!({ "role": before.role }),
        after: json!({ "role": after.role }),
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    transaction.commit().await?;
    Ok(Json(after))
}
