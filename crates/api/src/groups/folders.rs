//! `/api/v1/folders` and `/api/v1/folders/{id}`: the caller's folders.

use axum::extract::State;
use axum::http::StatusCode;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_rules::group::GroupKind;

use super::{Form, GroupBody, OwnGroup, all, end, make, update_group};

/// Lists the caller's folders by name.
#[utoipa::path(get, path = "/folders", tag = "jobs", operation_id = "list_folders",
    responses((status = OK, body = Vec<GroupBody>)))]
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<Vec<GroupBody>>, Problem> {
    all(&state, &caller, GroupKind::Folder).await.map(Json)
}

/// Creates a folder. An account has at most 100.
#[utoipa::path(post, path = "/folders", tag = "jobs", operation_id = "create_folder",
    request_body = Form,
    responses(
        (status = CREATED, body = GroupBody),
        (status = CONFLICT, body = Document, description = "group_name_taken; too_many_folders"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn create(
    State(state): State<AppState>,
    caller: Caller,
    Json(form): Json<Form>,
) -> Result<(StatusCode, Json<GroupBody>), Problem> {
    let created = make(&state, &caller, GroupKind::Folder, &form).await?;
    Ok((StatusCode::CREATED, Json(created)))
}

/// Changes the name and colour of a folder.
#[utoipa::path(put, path = "/folders/{id}", tag = "jobs", operation_id = "update_folder",
    params(("id" = String, Path, description = "Folder id")),
    request_body = Form,
    responses(
        (status = OK, body = GroupBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "group_name_taken"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn change(
    State(state): State<AppState>,
    own: OwnGroup,
    Json(form): Json<Form>,
) -> Result<Json<GroupBody>, Problem> {
    let own = own.of(GroupKind::Folder)?;
    update_group(&state, own, &form).await.map(Json)
}

/// Deletes a folder; the jobs in it are kept.
#[utoipa::path(delete, path = "/folders/{id}", tag = "jobs", operation_id = "delete_folder",
    params(("id" = String, Path, description = "Folder id")),
    responses(
        (status = NO_CONTENT),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn remove(
    State(state): State<AppState>,
    own: OwnGroup,
) -> Result<StatusCode, Problem> {
    let own = own.of(GroupKind::Folder)?;
    end(&state, own).await
}
