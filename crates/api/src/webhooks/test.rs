//! Tests of a service or webhook.

use serde::Serialize;
use slovo_app::state::AppState;
use slovo_db::webhooks::deliveries::{self, NewDelivery, event_id};
use slovo_db::webhooks::services::Service;
use slovo_rules::webhook::TEST_EVENT;
use utoipa::ToSchema;
use uuid::Uuid;

/// The result of a test.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookTestResult)]
pub struct TestResult {
    service_id: Uuid,
    name: String,
    /// Whether it responded with a status of 200 to 299.
    working: bool,
    /// The HTTP status, if it responded.
    #[schema(required)]
    status: Option<u16>,
    /// Code of the error: `http_status`, `redirected`, `timed_out`, `no_connection`, `not_http`,
    /// `refused_address`, `refused_port`, `refused_url`.
    #[schema(required)]
    error: Option<String>,
}

/// Sends a test to a service or webhook and logs it.
pub async fn send_test(state: &AppState, service: &Service) -> TestResult {
    let id = event_id(&[TEST_EVENT, &state.random.uuid()]);
    let message = state.webhooks.test_message(service, id.clone());
    let result = state.webhooks.send(service, &message).await;
    let mut payload = message.body["data"].clone();
    payload["test"] = true.into();
    let new = NewDelivery {
        service_id: service.id,
        event_id: id,
        event_type: TEST_EVENT,
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
