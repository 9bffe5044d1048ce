//! `POST /api/v1/admin/webhook-services/test`: tests all active services.

use axum::extract::State;
use futures_util::future::join_all;
use serde::Serialize;
use slovo_api::webhooks::{TestResult, send_test};
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::webhooks::services;
use utoipa::ToSchema;

/// The results of testing several services.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookTestResults)]
pub(super) struct Results {
    /// One for each active service.
    results: Vec<TestResult>,
}

/// Sends a test to every active service at the same time.
#[utoipa::path(post, path = "/admin/webhook-services/test", tag = "admin",
    operation_id = "test_webhook_services",
    responses(
        (status = OK, body = Results),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn test_all(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Json<Results>, Problem> {
    let all = services::active(&mut *state.db.read().await?).await?;
    let tests = all.iter().map(|service| send_test(&state, service));
    Ok(Json(Results {
        results: join_all(tests).await,
    }))
}
