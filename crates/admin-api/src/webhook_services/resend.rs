//! `POST /api/v1/admin/webhook-services/{id}/deliveries/{delivery_id}/resend`: repeats a delivery.

use axum::extract::State;
use slovo_api::webhooks::{self, DeliveryBody};
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;
use uuid::Uuid;

use super::{Error, find_service};

/// Queues a call again, whatever its outcome. The event keeps its id, so that the receiver can
/// recognise it.
#[utoipa::path(post, path = "/admin/webhook-services/{id}/deliveries/{delivery_id}/resend",
    tag = "admin", operation_id = "resend_webhook_delivery",
    params(("id" = Uuid, Path, description = "Service id"),
        ("delivery_id" = Uuid, Path, description = "Delivery id")),
    responses(
        (status = OK, body = DeliveryBody),
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
) -> Result<Json<DeliveryBody>, Error> {
    let service = find_service(&mut *state.db.read().await?, id).await?;
    Ok(Json(webhooks::resend(&state, &service, delivery_id).await?))
}
