//! `POST /api/v1/admin/webhook-services/{id}/deliveries/{delivery_id}/resend`: repeats a delivery.

use axum::extract::State;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;
use slovo_db::webhooks::deliveries;
use slovo_db::webhooks::events::EventType;
use uuid::Uuid;

use super::list_deliveries::Body;
use super::{Error, find_service};

/// Queues a call again, whatever its outcome. The event keeps its id, so that the receiver can
/// recognise it.
#[utoipa::path(post, path = "/admin/webhook-services/{id}/deliveries/{delivery_id}/resend",
    tag = "admin", operation_id = "resend_webhook_delivery",
    params(("id" = Uuid, Path, description = "Service id"),
        ("delivery_id" = Uuid, Path, description = "Delivery id")),
    responses(
        (status = OK, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "webhook_test_not_resent, \
            webhook_service_inactive"),
    ))]
pub(super) async fn resend(
    State(state): State<AppState>,
    _administrator: Administrator,
    Path((id, delivery_id)): Path<(Uuid, Uuid)>,
) -> Result<Json<Body>, Error> {
    let mut transaction = state.db.write().await?;
    let service = find_service(&mut transaction, id).await?;
    let found = deliveries::find(&mut transaction, id, delivery_id).await?;
    let found = found.ok_or(Error::NotFound)?;
    if found.event_type == EventType::Test.as_str() {
        return Err(Error::TestNotResent);
    }
    if !service.form.is_active {
        return Err(Error::Inactive);
    }
    deliveries::resend(&mut transaction, delivery_id, state.clock.now_ms()).await?;
    let after = deliveries::find(&mut transaction, id, delivery_id).await?;
    transaction.commit().await?;
    Ok(Json(after.ok_or(Error::NotFound)?.into()))
}
