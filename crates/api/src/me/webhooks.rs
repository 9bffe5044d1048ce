//! `/api/v1/me/webhooks`: addresses that are notified of the caller's recordings. No API key can add or
//! change them, because they outlive the key.

use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use reqwest::Url;
use serde::{Deserialize, Serialize};
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Path, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::jobs::groups;
use slovo_db::plans::ledger::{self, Balance};
use slovo_db::webhooks::deliveries::{self, Lane};
use slovo_db::webhooks::services::{self, Service};
use slovo_platform::clock::from_ms;
use slovo_rules::codes::ProblemCode;
use slovo_rules::group::GroupKind;
use slovo_rules::plan::PlanFeature;
use slovo_rules::user_webhook::{MAX_WEBHOOKS, UserWebhookForm, validate};
use slovo_rules::webhook::WebhookEvent;
use utoipa::ToSchema;
use uuid::Uuid;

use super::own::{Own, Owned};
use crate::page::PageParams;
use crate::webhooks::{self, DeliveryBody, DeliveryPage, DeliveryStatus, Error, TestResult};

/// Error code of deliveries that waited when a webhook was turned off.
const TURNED_OFF: &str = "turned_off";

/// A webhook.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UserWebhook)]
pub struct WebhookBody {
    id: Uuid,
    name: String,
    url: String,
    /// Whether it is called.
    is_active: bool,
    /// What it is notified of.
    events: Vec<WebhookEvent>,
    /// Ids of the folders that it is limited to; empty for all recordings.
    folders: Vec<String>,
    /// Why the server has deactivated it: `gone` after a response with status 410.
    #[schema(required)]
    disabled_by: Option<String>,
    /// State of the newest delivery, including tests.
    #[schema(required)]
    last_delivery: Option<DeliveryStatus>,
    /// When its secret was last replaced; null if it is the first one.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    rotated_at: Option<Timestamp>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

impl From<Service> for WebhookBody {
    fn from(service: Service) -> Self {
        let subscription = service.subscription;
        let (events, folders) = subscription.map_or_else(Default::default, |subscription| {
            (subscription.events, subscription.folders)
        });
        Self {
            id: service.id,
            name: service.form.name,
            url: service.form.url,
            is_active: service.form.is_active,
            events,
            folders,
            disabled_by: service.disabled_by,
            last_delivery: service.last_delivery.map(Into::into),
            rotated_at: service.rotated_at.map(from_ms),
            created_at: from_ms(service.created_at),
            updated_at: from_ms(service.updated_at),
        }
    }
}

/// The webhooks of an account.
#[derive(Serialize, ToSchema)]
#[schema(as = UserWebhookList)]
pub(super) struct List {
    /// At most 20, the oldest first.
    webhooks: Vec<WebhookBody>,
    /// Whether the plan includes the API. Without it nothing is sent.
    in_plan: bool,
}

/// A webhook with its secret, which is returned only this once.
#[derive(Serialize, ToSchema)]
#[schema(as = UserWebhookWithSecret)]
pub(super) struct WithSecret {
    webhook: WebhookBody,
    /// The key with which the receiver verifies signatures (Standard Webhooks).
    secret: String,
}

impl WithSecret {
    fn of(state: &AppState, service: Service) -> Self {
        Self {
            secret: state.webhooks.shown_secret(&service),
            webhook: service.into(),
        }
    }
}

/// The path of a delivery.
#[derive(Deserialize)]
pub(super) struct DeliveryPath {
    delivery_id: Uuid,
}

impl Owned for Service {
    async fn find(connection: &mut Connection, id: Uuid) -> slovo_db::Result<Option<Self>> {
        services::find(connection, id).await
    }

    fn is_of_user(&self, user_id: &str) -> bool {
        Self::is_of_user(self, user_id)
    }
}

/// The webhook, read again after a change.
async fn reread(connection: &mut Connection, id: Uuid) -> Result<Service, Error> {
    services::find(connection, id).await?.ok_or(Error::NotFound)
}

/// Checks that the caller has these folders, apart from those that the webhook already names: one of
/// them may have been deleted.
async fn check_folders(
    connection: &mut Connection,
    caller: &Caller,
    wanted: &[String],
    kept: &[String],
) -> Result<(), Error> {
    for folder in wanted.iter().filter(|folder| !kept.contains(folder)) {
        let found = match folder.parse() {
            Ok(id) => groups::find(&mut *connection, &caller.user_id, id).await?,
            Err(_) => None,
        };
        if found.is_none_or(|group| group.kind != GroupKind::Folder) {
            let unknown = Problem::not_found().detail("The account has no such folder.");
            return Err(unknown.into());
        }
    }
    Ok(())
}

/// Logs an action on a webhook, with the host of its URL: the rest may be secret.
fn noted(user_id: &str, service: &Service, action: &str) {
    let url = Url::parse(&service.form.url).ok();
    let host = url.as_ref().and_then(Url::host_str);
    tracing::info!(user = user_id, webhook = %service.id, host, "{action}");
}

/// Lists the webhooks of the account.
#[utoipa::path(get, path = "/me/webhooks", tag = "me", operation_id = "list_webhooks",
    responses((status = OK, body = List)))]
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<List>, Problem> {
    let (user_id, now) = (&caller.user_id, state.clock.now_ms());
    let mut connection = state.db.read().await?;
    let found = services::of_user(&mut connection, user_id).await?;
    let balance = ledger::read_balance(&mut connection, user_id, now).await?;
    Ok(Json(List {
        webhooks: found.into_iter().map(Into::into).collect(),
        in_plan: balance.has(PlanFeature::Api),
    }))
}

/// Adds a webhook and returns its secret, only this once.
#[utoipa::path(post, path = "/me/webhooks", tag = "me", operation_id = "create_webhook",
    request_body = UserWebhookForm,
    responses(
        (status = CREATED, body = WithSecret),
        (status = FORBIDDEN, body = Document, description = "api_not_in_plan"),
        (status = NOT_FOUND, body = Document, description = "not_found: a folder does not exist"),
        (status = CONFLICT, body = Document, description = "too_many_webhook_services (params: max)"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed, \
            webhook_address_refused"),
    ))]
pub(super) async fn create(
    State(state): State<AppState>,
    caller: Caller,
    Json(form): Json<UserWebhookForm>,
) -> Result<(StatusCode, Json<WithSecret>), Error> {
    let form = validate(&form)?;
    let accepted = state.webhooks.accepts(Lane::Users, &form.url);
    accepted.map_err(Error::Refused)?;
    let id: Uuid = state.new_id().parse()?;
    let (user_id, now) = (&caller.user_id, state.clock.now_ms());
    let mut transaction = state.db.write().await?;
    // Also locks the account, so that webhooks are counted one request after the other.
    let balance = ledger::lock_balance(&mut transaction, user_id, now).await?;
    check_api_in_plan(&balance)?;
    if services::count_of_user(&mut transaction, user_id).await? >= MAX_WEBHOOKS {
        return Err(Error::TooMany { max: MAX_WEBHOOKS });
    }
    check_folders(&mut transaction, &caller, &form.folders, &[]).await?;
    services::insert_of_user(&mut transaction, user_id, id, &form, now).await?;
    let service = reread(&mut transaction, id).await?;
    transaction.commit().await?;
    noted(user_id, &service, "a webhook was added");
    let created = WithSecret::of(&state, service);
    Ok((StatusCode::CREATED, Json(created)))
}

/// Changes a webhook; its secret is kept.
#[utoipa::path(put, path = "/me/webhooks/{id}", tag = "me", operation_id = "update_webhook",
    params(("id" = Uuid, Path, description = "Webhook id")), request_body = UserWebhookForm,
    responses(
        (status = OK, body = WebhookBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed, \
            webhook_address_refused"),
    ))]
pub(super) async fn update(
    State(state): State<AppState>,
    own: Own<Service>,
    Json(form): Json<UserWebhookForm>,
) -> Result<Json<WebhookBody>, Error> {
    let form = validate(&form)?;
    let Own {
        caller,
        item: service,
    } = own;
    let before = service;
    // An unchanged URL is not checked, so that a webhook at a forbidden address can be deactivated.
    if form.url != before.form.url {
        let accepted = state.webhooks.accepts(Lane::Users, &form.url);
        accepted.map_err(Error::Refused)?;
    }
    let kept = before.subscription.map(|it| it.folders).unwrap_or_default();
    let mut transaction = state.db.write().await?;
    check_folders(&mut transaction, &caller, &form.folders, &kept).await?;
    let (user_id, now) = (&caller.user_id, state.clock.now_ms());
    services::update_of_user(&mut transaction, user_id, before.id, &form, now).await?;
    if !form.is_active {
        deliveries::give_up(&mut transaction, before.id, TURNED_OFF, now).await?;
    }
    let after = reread(&mut transaction, before.id).await?;
    transaction.commit().await?;
    noted(user_id, &after, "a webhook was changed");
    Ok(Json(after.into()))
}

/// Deletes a webhook with its log of deliveries; pending ones are dropped.
#[utoipa::path(delete, path = "/me/webhooks/{id}", tag = "me", operation_id = "delete_webhook",
    params(("id" = Uuid, Path, description = "Webhook id")),
    responses(
        (status = NO_CONTENT),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn remove(
    State(state): State<AppState>,
    own: Own<Service>,
) -> Result<StatusCode, Error> {
    let mut transaction = state.db.write().await?;
    services::delete(&mut transaction, own.item.id).await?;
    transaction.commit().await?;
    noted(&own.caller.user_id, &own.item, "a webhook was deleted");
    Ok(StatusCode::NO_CONTENT)
}

/// Creates a new secret for a webhook and returns it, only this once. For a day, deliveries are signed
/// with the previous one as well.
#[utoipa::path(post, path = "/me/webhooks/{id}/rotate-secret", tag = "me",
    operation_id = "rotate_own_webhook_secret",
    params(("id" = Uuid, Path, description = "Webhook id")),
    responses(
        (status = OK, body = WithSecret),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn rotate(
    State(state): State<AppState>,
    own: Own<Service>,
) -> Result<Json<WithSecret>, Error> {
    let id = own.item.id;
    let mut transaction = state.db.write().await?;
    services::rotate(&mut transaction, id, state.clock.now_ms()).await?;
    let after = reread(&mut transaction, id).await?;
    transaction.commit().await?;
    noted(
        &own.caller.user_id,
        &after,
        "the secret of a webhook was replaced",
    );
    Ok(Json(WithSecret::of(&state, after)))
}

/// Sends a test to a webhook and returns its response.
#[utoipa::path(post, path = "/me/webhooks/{id}/test", tag = "me", operation_id = "test_webhook",
    params(("id" = Uuid, Path, description = "Webhook id")),
    responses(
        (status = OK, body = TestResult),
        (status = FORBIDDEN, body = Document, description = "api_not_in_plan"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn test(
    State(state): State<AppState>,
    own: Own<Service>,
) -> Result<Json<TestResult>, Error> {
    check_call(&state, &own.caller).await?;
    Ok(Json(webhooks::send_test(&state, &own.item).await))
}

fn check_api_in_plan(balance: &Balance) -> Result<(), Problem> {
    if balance.has(PlanFeature::Api) {
        Ok(())
    } else {
        Err(Problem::new(
            StatusCode::FORBIDDEN,
            ProblemCode::ApiNotInPlan,
        ))
    }
}

/// Whether the plan includes the API and the rate limit permits another call.
async fn check_call(state: &AppState, caller: &Caller) -> Result<(), Error> {
    let (user_id, now) = (&caller.user_id, state.clock.now_ms());
    let mut connection = state.db.read().await?;
    let balance = ledger::read_balance(&mut connection, user_id, now).await?;
    check_api_in_plan(&balance)?;
    state.limits.webhook_call(user_id).map_err(Problem::from)?;
    Ok(())
}

/// Lists past and pending deliveries to a webhook, from the last 30 days.
#[utoipa::path(get, path = "/me/webhooks/{id}/deliveries", tag = "me",
    operation_id = "list_own_webhook_deliveries",
    params(("id" = Uuid, Path, description = "Webhook id"), PageParams),
    responses(
        (status = OK, body = DeliveryPage),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn list_deliveries(
    State(state): State<AppState>,
    own: Own<Service>,
    Query(query): Query<PageParams>,
) -> Result<Json<DeliveryPage>, Error> {
    let mut connection = state.db.read().await?;
    let page = webhooks::list_deliveries(&mut connection, &own.item, &query).await?;
    Ok(Json(page))
}

/// Queues a delivery again, whatever its outcome. The event keeps its id, so that the receiver can
/// recognise it.
#[utoipa::path(post, path = "/me/webhooks/{id}/deliveries/{delivery_id}/resend", tag = "me",
    operation_id = "resend_own_webhook_delivery",
    params(("id" = Uuid, Path, description = "Webhook id"),
        ("delivery_id" = Uuid, Path, description = "Delivery id")),
    responses(
        (status = OK, body = DeliveryBody),
        (status = FORBIDDEN, body = Document, description = "api_not_in_plan"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "webhook_test_not_resent, \
            webhook_service_inactive"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn resend(
    State(state): State<AppState>,
    own: Own<Service>,
    Path(DeliveryPath { delivery_id }): Path<DeliveryPath>,
) -> Result<Json<DeliveryBody>, Error> {
    check_call(&state, &own.caller).await?;
    let queued = webhooks::resend(&state, &own.item, delivery_id).await?;
    Ok(Json(queued))
}
