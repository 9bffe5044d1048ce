//! `/api/v1/tags` and `/api/v1/tags/{id}`: the caller's tags.

use axum::extract::State;
use axum::http::StatusCode;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_rules::group::GroupKind;

use super::{Form, GroupBody, OwnGroup, all, end, make, update_group};

/// Lists the caller's tags by name.
#[utoipa::path(get, path = "/tags", tag = "jobs", operation_id = "list_tags",
    responses((status = OK, body = Vec<GroupBody>)))]
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<Vec<GroupBody>>, Problem> {
    all(&state, &caller, GroupKind::Tag).await.map(Json)
}

/// Creates a tag. An account has at most 100.
#[utoipa::path(post, path = "/tags", tag = "jobs", operation_id = "create_tag",
    request_body = Form,
    responses(
        (status = CREATED, body = GroupBody),
        (status = CONFLICT, body = Document, description = "group_name_taken; too_many_tags"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn create(
    State(state): State<AppState>,
    caller: Caller,
    Json(form): Json<Form>,
) -> Result<(StatusCode, Json<GroupBody>), Problem> {
    let created = make(&state, &caller, GroupKind::Tag, &form).await?;
    Ok((StatusCode::CREATED, Json(created)))
}

/// Changes the name and colour of a tag.
#[utoipa::path(put, path = "/tags/{id}", tag = "jobs", operation_id = "update_tag",
    params(("id" = String, Path, description = "Tag id")),
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
    let own = own.of(GroupKind::Tag)?;
    update_group(&state, own, &form).await.map(Json)
}

/// Deletes a tag; the jobs that have it are kept.
#[utoipa::path(delete, path = "/tags/{id}", tag = "jobs", operation_id = "delete_tag",
    params(("id" = String, Path, description = "Tag id")),
    responses(
        (status = NO_CONTENT),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn remove(
    State(state): State<AppState>,
    own: OwnGroup,
) -> Result<StatusCode, Problem> {
    let own = own.of(GroupKind::Tag)?;
    end(&state, own).await
}
