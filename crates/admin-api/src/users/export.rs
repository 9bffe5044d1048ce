//! `POST /api/v1/admin/users/{id}/export`: the archive of a user's data.

use axum::extract::State;
use serde_json::{Value, json};
use slovo_accounts::audit::Change;
use slovo_api::me::export::{Form, Link, make_link};
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::accounts;
use uuid::Uuid;

use super::super::Error;

/// Creates a link to an archive of all of a user's data, for example before deleting the account.
/// Only the caller can use it.
#[utoipa::path(post, path = "/admin/users/{id}/export", tag = "admin",
    operation_id = "link_user_export",
    params(("id" = Uuid, Path, description = "Account id")), request_body = Form,
    responses(
        (status = OK, body = Link),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn link(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<Uuid>,
    Json(form): Json<Form>,
) -> Result<Json<Link>, Problem> {
    let id = id.to_string();
    let mut transaction = state.db.write().await?;
    let account = accounts::get(&mut transaction, &id).await?;
    let account = account.ok_or_else(Problem::not_found)?;
    let link = make_link(&state, &caller, id, form.recordings)?;
    let change = Change {
        action: "user.export",
        kind: "user",
        id: &account.id,
        name: &account.email,
        before: Value::Null,
        after: json!({ "recordings": form.recordings }),
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await
        .map_err(Error::from)
        .map_err(Problem::from)?;
    transaction.commit().await?;
    Ok(link)
}
