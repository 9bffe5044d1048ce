//! `PUT /api/v1/admin/users/{id}/name`: changes a user's name.

use axum::extract::State;
use serde::Deserialize;
use serde_json::json;
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;
use slovo_db::accounts::{self, profiles};
use slovo_rules::profile;
use utoipa::ToSchema;
use uuid::Uuid;

use super::super::Error;
use super::super::list_users::ManagedUser;

/// The new name.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RenameUserForm)]
pub(super) struct Form {
    /// Full name.
    fullname: String,
}

/// Sets a user's full name.
#[utoipa::path(put, path = "/admin/users/{id}/name", tag = "admin", operation_id = "rename_user",
    params(("id" = Uuid, Path, description = "Account id")), request_body = Form,
    responses(
        (status = OK, body = ManagedUser),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn rename(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<Uuid>,
    Json(form): Json<Form>,
) -> Result<Json<ManagedUser>, Error> {
    let fullname = profile::validate_fullname(&form.fullname).map_err(Error::Invalid)?;
    let id = id.to_string();
    let mut transaction = state.db.write().await?;
    let before = accounts::search::get(&mut transaction, &id).await?;
    let before = before.ok_or(Error::NotFound)?;
    let now = state.clock.now_ms();
    profiles::set_fullname(&mut transaction, &id, &fullname, now).await?;
    let person = accounts::search::get(&mut transaction, &id).await?;
    let person = person.ok_or(Error::NotFound)?;
    let change = Change {
        action: "user.rename",
        kind: "user",
        id: &id,
        name: &person.account.email,
        before: json!({ "fullname": before.account.fullname }),
        after: json!({ "fullname": fullname }),
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    transaction.commit().await?;
    Ok(Json(person.into()))
}
