//! `GET /api/v1/admin/webhook-services/{id}/deliveries`: the delivery log of a service.

use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path, Query};
use slovo_app::state::AppState;
use slovo_db::webhooks::deliveries::{self, Delivery, Status};
use slovo_platform::clock::from_ms;
use utoipa::ToSchema;
use uuid::Uuid;

use super::super::page::PageParams;
use super::{DeliveryStatus, Error, find_service};

/// The delivery of an event to a service.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookDelivery)]
pub(super) struct Body {
    id: Uuid,
    /// Id of the event, the same for all services and attempts.
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

impl From<Delivery> for Body {
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
pub(super) struct Page {
    /// The newest first.
    items: Vec<Body>,
    /// Cursor of the next page; null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Lists past and pending calls to a service, from the last 30 days.
#[utoipa::path(get, path = "/admin/webhook-services/{id}/deliveries", tag = "admin",
    operation_id = "list_webhook_deliveries",
    params(("id" = Uuid, Path, description = "Service id"), PageParams),
    responses(
        (status = OK, body = Page),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    _administrator: Administrator,
    Path(id): Path<Uuid>,
    Query(query): Query<PageParams>,
) -> Result<Json<Page>, Error> {
    let after = query.after().map_err(Error::Internal)?;
    let mut connection = state.db.read().await?;
    find_service(&mut connection, id).await?;
    let mut found = deliveries::list(&mut connection, id, after, query.read()).await?;
    let next_cursor = query.cut(&mut found, |delivery| (delivery.created_at, delivery.id));
    Ok(Json(Page {
        items: found.into_iter().map(Into::into).collect(),
        next_cursor,
    }))
}
