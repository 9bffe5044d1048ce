//! `POST /api/v1/admin/webhook-services/{id}/test`: tests a service.

use axum::extract::State;
use slovo_api::webhooks::{TestResult, send_test};
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;
use uuid::Uuid;

use super::{Error, find_service};

/// Sends a test to a service and returns its response.
#[utoipa::path(post, path = "/admin/webhook-services/{id}/test", tag = "admin",
    operation_id = "test_webhook_service",
    params(("id" = Uuid, Path, description = "Service id")),
    responses(
        (status = OK, body = TestResult),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn test(
    State(state): State<AppState>,
    _administrator: Administrator,
    Path(id): Path<Uuid>,
) -> Result<Json<TestResult>, Error> {
    let service = find_service(&mut *state.db.read().await?, id).await?;
    let result = send_test(&state, &service).await;
    Ok(Json(result))
}
