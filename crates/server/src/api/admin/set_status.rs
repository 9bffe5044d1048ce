//! `PUT /api/v1/admin/users/{id}/status`: blocks or unblocks an account.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::list_users::{ManagedUser, Status};
use crate::auth::Administrator;
use crate::http::{Document, Json, Path, Problem};
use crate::state::AppState;

/// What it is to be.
#[derive(Deserialize, ToSchema)]
#[schema(as = SetStatusForm)]
pub(super) struct Form {
    /// The new one.
    pub status: Status,
}

/// Blocks an account, which ends its sessions at once, or lets it in again.
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
