//! Webhook services: `/api/v1/admin/webhook-services`. The requests to them are in
//! `slovo_work::webhooks`.

use axum::http::StatusCode;
use jiff::Timestamp;
use reqwest::Url;
use serde::Serialize;
use serde_json::{Value, json};
use slovo_api::webhooks::{DeliveryStatus, Error};
use slovo_app::http::Problem;
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::webhooks::services::{self, Service};
use slovo_platform::clock::from_ms;
use slovo_rules::codes::ProblemCode;
use slovo_rules::settings::TranscriptionType;
use slovo_rules::webhook::{WebhookCategory, WebhookForm};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

mod create;
mod delete;
mod list;
mod list_deliveries;
mod resend;
mod rotate_secret;
mod test;
mod test_all;
mod update;

/// Maximum number of services: all of them are tested at once.
const MAX_SERVICES: i64 = 50;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list, create::create))
        .routes(routes!(test_all::test_all))
        .routes(routes!(update::update, delete::delete))
        .routes(routes!(rotate_secret::rotate))
        .routes(routes!(test::test))
        .routes(routes!(list_deliveries::list))
        .routes(routes!(resend::resend))
}

/// A webhook service as administrators see it.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookService)]
struct Body {
    id: Uuid,
    name: String,
    url: String,
    description: String,
    category: WebhookCategory,
    /// Whether it is called.
    is_active: bool,
    /// Modes that it recognises instead of the built-in engine; only for the category
    /// transcription.
    modes: Vec<TranscriptionType>,
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

impl From<Service> for Body {
    fn from(service: Service) -> Self {
        Self {
            id: service.id,
            name: service.form.name,
            url: service.form.url,
            description: service.form.description,
            category: service.form.category,
            is_active: service.form.is_active,
            modes: service.form.modes,
            disabled_by: service.disabled_by,
            last_delivery: service.last_delivery.map(Into::into),
            rotated_at: service.rotated_at.map(from_ms),
            created_at: from_ms(service.created_at),
            updated_at: from_ms(service.updated_at),
        }
    }
}

/// A service with its secret, which is returned only this once.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookServiceWithSecret)]
struct WithSecret {
    service: Body,
    /// The key with which the receiver verifies signatures (Standard Webhooks).
    secret: String,
}

impl WithSecret {
    fn of(state: &AppState, service: Service) -> Self {
        Self {
            secret: state.webhooks.shown_secret(&service),
            service: service.into(),
        }
    }
}

/// Another service already recognises in this mode.
fn mode_taken(by: String, mode: TranscriptionType) -> Error {
    let params = [
        ("service".to_owned(), by.into()),
        ("mode".to_owned(), mode.as_str().into()),
    ];
    let problem = Problem::new(StatusCode::CONFLICT, ProblemCode::WebhookModeTaken);
    Error::Other(problem.params(params.into()))
}

/// The service `id`; webhooks of users are not found.
async fn find_service(connection: &mut Connection, id: Uuid) -> Result<Service, Error> {
    let found = services::find(connection, id).await?;
    let found = found.filter(|service| service.subscription.is_none());
    found.ok_or(Error::NotFound)
}

/// Checks that no other active service recognises in one of these modes.
async fn modes_are_free(
    connection: &mut Connection,
    form: &WebhookForm,
    id: Option<Uuid>,
) -> Result<(), Error> {
    if !form.is_active || form.category != WebhookCategory::Transcription {
        return Ok(());
    }
    for other in services::active(connection).await? {
        let is_other = Some(other.id) != id;
        let conflict = form
            .modes
            .iter()
            .find(|mode| other.form.modes.contains(mode));
        if let Some(mode) = conflict.filter(|_| is_other) {
            return Err(mode_taken(other.form.name, *mode));
        }
    }
    Ok(())
}

/// A service in the audit log. It includes only the origin of the URL; the rest may be secret.
fn audited(form: &WebhookForm) -> Value {
    let url = Url::parse(&form.url).ok();
    let host = url.map(|url| url.origin().ascii_serialization());
    json!({
        "name": form.name,
        "host": host,
        "description": form.description,
        "category": form.category,
        "is_active": form.is_active,
        "modes": form.modes,
    })
}
