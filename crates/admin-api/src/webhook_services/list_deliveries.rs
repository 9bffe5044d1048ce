//! `GET /api/v1/admin/webhook-services/{id}/deliveries`: the delivery log of a service.

use axum::extract::State;
use slovo_api::page::PageParams;
use slovo_api::webhooks::{self, DeliveryPage};
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path, Query};
use slovo_app::state::AppState;
use uuid::Uuid;

use super::{Error, find_service};

/// Lists past and pending calls to a service, from the last 30 days.
#[utoipa::path(get, path = "/admin/webhook-services/{id}/deliveries", tag = "admin",
    operation_id = "list_webhook_deliveries",
    params(("id" = Uuid, Path, description = "Service id"), PageParams),
    responses(
        (status = OK, body = DeliveryPage),
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
) -> Result<Json<DeliveryPage>, Error> {
    let mut connection = state.db.read().await?;
    let service = find_service(&mut connection, id).await?;
    let page = webhooks::list_deliveries(&mut connection, &service, &query).await?;
    Ok(Json(page))
}
