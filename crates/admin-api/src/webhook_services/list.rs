//! `GET /api/v1/admin/webhook-services`: all services.

use axum::extract::State;
use serde::Serialize;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::webhooks::services;
use utoipa::ToSchema;

use super::Body;

/// Webhook services.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookServiceList)]
pub(super) struct List {
    /// By category, then the oldest first.
    services: Vec<Body>,
}

/// Lists all webhook services.
#[utoipa::path(get, path = "/admin/webhook-services", tag = "admin",
    operation_id = "list_webhook_services",
    responses(
        (status = OK, body = List),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Json<List>, Problem> {
    let mut connection = state.db.read().await?;
    let all = services::list(&mut connection).await?;
    Ok(Json(List {
        services: all.into_iter().map(Into::into).collect(),
    }))
}
