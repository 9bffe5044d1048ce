//! `PUT /api/v1/admin/users/{id}/role`: gives or takes the role of administrator.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::list_users::ManagedUser;
use crate::auth::Administrator;
use crate::auth::session::Role;
use crate::http::{Document, Json, Path, Problem};
use crate::state::AppState;

/// What it is to be.
#[derive(Deserialize, ToSchema)]
#[schema(as = SetRoleForm)]
pub(super) struct Form {
    /// The new one.
    pub role: Role,
}

/// Makes an account an administrator, or takes that away.
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
    State(_state): State<AppState>,
    _administrator: Administrator,
    Path(_id): Path<Uuid>,
    Json(_form): Json<Form>,
) -> Result<Json<ManagedUser>, Problem> {
    Err(Problem::new(
        axum::http::StatusCode::NOT_IMPLEMENTED,
        "not_implemented",
    ))
}
