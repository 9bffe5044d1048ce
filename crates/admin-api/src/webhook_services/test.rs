//! `POST /api/v1/admin/webhook-services/{id}/test`: tests a service.

use axum::extract::State;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;
use slovo_db::webhooks::deliveries::{self, NewDelivery, event_id};
use slovo_db::webhooks::events::EventType;
use slovo_db::webhooks::services::Service;
use uuid::Uuid;

use super::{Error, TestResult, find_service};

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

/// Sends a test to a service and logs it.
pub(super) async fn send_test(state: &AppState, service: &Service) -> TestResult {
    let id = event_id(&[EventType::Test.as_str(), &state.random.uuid()]);
    let message = state.webhooks.test_message(service, id.clone());
    let result = state.webhooks.send(service, &message).await;
    let mut payload = message.body["data"].clone();
    payload["test"] = true.into();
    let new = NewDelivery {
        service_id: service.id,
        event_id: id,
        event_type: EventType::Test.as_str(),
        job_id: None,
        payload: &payload,
        now: state.clock.now_ms(),
    };
    let written = async {
        let mut transaction = state.db.write().await?;
        deliveries::insert_sent(&mut transaction, &new, result.attempt_result).await?;
        transaction.commit().await
    };
    // The service may have been deleted meanwhile; the result is returned anyway.
    if let Err(error) = written.await {
        tracing::warn!(service = %service.id, %error, "the result of a test could not be logged");
    }
    TestResult {
        service_id: service.id,
        name: service.form.name.clone(),
        working: result.attempt_result.error.is_none(),
        status: result.attempt_result.status,
        error: result.attempt_result.error.map(str::to_owned),
    }
}
