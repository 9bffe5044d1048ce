//! The log of deliveries to a service or webhook.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::webhooks::deliveries::{self, Delivery, Status};
use slovo_db::webhooks::services::Service;
use slovo_platform::clock::from_ms;
use slovo_rules::webhook::TEST_EVENT;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{DeliveryStatus, Error};
use crate::page::PageParams;

/// The delivery of an event.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookDelivery)]
pub struct DeliveryBody {
    id: Uuid,
    /// Id of the event, the same for all receivers and attempts.
    event_id: String,
    /// What happened, for example `job.completed`.
    event_type: String,
    status: DeliveryStatus,
    /// Number of attempts.
    attempts: i64,
    /// When the next attempt is made, if there is one.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    next_attempt_at: Option<Timestamp>,
    /// HTTP status of the last response.
    #[schema(required)]
    last_status: Option<u16>,
    /// Code of the last error, as in tests.
    #[schema(required)]
    last_error: Option<String>,
    /// Response time of the last attempt.
    #[schema(required)]
    latency_ms: Option<i64>,
    /// The payload without the links, which are created anew for every attempt.
    payload: Value,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    delivered_at: Option<Timestamp>,
}

impl From<Delivery> for DeliveryBody {
    fn from(delivery: Delivery) -> Self {
        let waits = delivery.status == Status::Pending;
        Self {
            id: delivery.id,
            event_id: delivery.event_id,
            event_type: delivery.event_type,
            status: delivery.status.into(),
            attempts: delivery.attempts,
            next_attempt_at: waits.then(|| from_ms(delivery.run_after)),
            last_status: delivery.last_status,
            last_error: delivery.last_error,
            latency_ms: delivery.latency_ms,
            payload: delivery.payload,
            created_at: from_ms(delivery.created_at),
            delivered_at: delivery.delivered_at.map(from_ms),
        }
    }
}

/// A page of deliveries.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookDeliveryPage)]
pub struct DeliveryPage {
    /// The newest first.
    items: Vec<DeliveryBody>,
    /// Cursor of the next page; null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// A page of the deliveries to a service or webhook.
///
/// # Errors
/// A cursor that is not one of ours.
pub async fn list_deliveries(
    connection: &mut Connection,
    service: &Service,
    query: &PageParams,
) -> Result<DeliveryPage, Error> {
    let after = query.after().map_err(Error::Other)?;
    let mut found = deliveries::list(connection, service.id, after, query.read()).await?;
    let next_cursor = query.cut(&mut found, |delivery| (delivery.created_at, delivery.id));
    Ok(DeliveryPage {
        items: found.into_iter().map(Into::into).collect(),
        next_cursor,
    })
}

/// Queues a delivery again, whatever its outcome.
///
/// # Errors
/// There is no such delivery, it is a test, or the service or webhook is inactive.
pub async fn resend(
    state: &AppState,
    service: &Service,
    delivery_id: Uuid,
) -> Result<DeliveryBody, Error> {
    let mut transaction = state.db.write().await?;
    let found = deliveries::find(&mut transaction, service.id, delivery_id).await?;
    let found = found.ok_or(Error::NotFound)?;
    if found.event_type == TEST_EVENT {
        return Err(Error::TestNotResent);
    }
    if !service.form.is_active {
        return Err(Error::Inactive);
    }
    deliveries::resend(&mut transaction, delivery_id, state.clock.now_ms()).await?;
    let after = deliveries::find(&mut transaction, service.id, delivery_id).await?;
    transaction.commit().await?;
    Ok(after.ok_or(Error::NotFound)?.into())
}
