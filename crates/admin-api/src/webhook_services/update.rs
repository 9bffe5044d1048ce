//! `PUT /api/v1/admin/webhook-services/{id}`: changes a service.

use axum::extract::State;
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;
use slovo_db::webhooks::deliveries::Lane;
use slovo_db::webhooks::services;
use slovo_rules::webhook::{WebhookForm, validate};
use uuid::Uuid;

use super::{Body, Error, audited, find_service, modes_are_free};

/// Updates a webhook service; its secret is kept.
#[utoipa::path(put, path = "/admin/webhook-services/{id}", tag = "admin",
    operation_id = "update_webhook_service",
    params(("id" = Uuid, Path, description = "Service id")), request_body = WebhookForm,
    responses(
        (status = OK, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "webhook_mode_taken"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed, \
            webhook_address_refused"),
    ))]
pub(super) async fn update(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<Uuid>,
    Json(form): Json<WebhookForm>,
) -> Result<Json<Body>, Error> {
    let form = validate(&form)?;
    let mut transaction = state.db.write().await?;
    let before = find_service(&mut transaction, id).await?;
    // An unchanged URL is not checked, so that a service at a forbidden address can be deactivated.
    if form.url != before.form.url {
        let accepted = state.webhooks.accepts(Lane::Administrators, &form.url);
        accepted.map_err(Error::Refused)?;
    }
    modes_are_free(&mut transaction, &form, Some(id)).await?;
    services::update(&mut transaction, id, &form, state.clock.now_ms()).await?;
    let change = Change {
        action: "webhook_service.update",
        kind: "webhook_service",
        id: &id.to_string(),
        name: &form.name,
        before: audited(&before.form),
        after: audited(&form),
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    let after = find_service(&mut transaction, id).await?;
    transaction.commit().await?;
    Ok(Json(after.into()))
}
