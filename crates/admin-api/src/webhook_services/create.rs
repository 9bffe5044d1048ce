//! `POST /api/v1/admin/webhook-services`: creates a service.

use axum::extract::State;
use axum::http::StatusCode;
use serde_json::Value;
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json};
use slovo_app::state::AppState;
use slovo_db::webhooks::deliveries::Lane;
use slovo_db::webhooks::services;
use slovo_rules::webhook::{WebhookForm, validate};
use uuid::Uuid;

use super::{Error, MAX_SERVICES, WithSecret, audited, find_service, modes_are_free};

/// Creates a webhook service and returns its secret, only this once.
#[utoipa::path(post, path = "/admin/webhook-services", tag = "admin",
    operation_id = "create_webhook_service", request_body = WebhookForm,
    responses(
        (status = CREATED, body = WithSecret),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = CONFLICT, body = Document, description = "too_many_webhook_services, \
            webhook_mode_taken"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed, \
            webhook_address_refused"),
    ))]
pub(super) async fn create(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Json(form): Json<WebhookForm>,
) -> Result<(StatusCode, Json<WithSecret>), Error> {
    let form = validate(&form)?;
    let accepted = state.webhooks.accepts(Lane::Administrators, &form.url);
    accepted.map_err(Error::Refused)?;
    let id: Uuid = state.new_id().parse()?;
    let mut transaction = state.db.write().await?;
    if services::count(&mut transaction).await? >= MAX_SERVICES {
        return Err(Error::TooMany { max: MAX_SERVICES });
    }
    modes_are_free(&mut transaction, &form, None).await?;
    services::insert(&mut transaction, id, &form, state.clock.now_ms()).await?;
    let change = Change {
        action: "webhook_service.create",
        kind: "webhook_service",
        id: &id.to_string(),
        name: &form.name,
        before: Value::Null,
        after: audited(&form),
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    let service = find_service(&mut transaction, id).await?;
    transaction.commit().await?;
    let created = WithSecret::of(&state, service);
    Ok((StatusCode::CREATED, Json(created)))
}
