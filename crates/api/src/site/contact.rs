//! `POST /api/v1/contact`: sends a message from the contact form.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use slovo_accounts::site_messages;
use slovo_app::auth::ClientAddress;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_rules::contact::ContactForm;
use slovo_rules::locale::Locale;
use utoipa::ToSchema;

/// A message and its sender.
#[derive(Deserialize, ToSchema)]
#[schema(as = ContactMessageForm)]
pub(super) struct Form {
    #[serde(flatten)]
    form: ContactForm,
    /// Language of the page.
    #[serde(default)]
    locale: Locale,
    /// Honeypot field: users do not see it, and only bots fill it in.
    #[serde(default)]
    website: String,
}

/// Sends a message to the people who run the server.
#[utoipa::path(post, path = "/contact", tag = "site", operation_id = "send_contact_message",
    security(()), request_body = Form,
    responses(
        (status = ACCEPTED, description = "It is kept, and mailed on where that is configured"),
        (status = FORBIDDEN, body = Document, description = "contact_off"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn send(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Json(form): Json<Form>,
) -> Result<StatusCode, Problem> {
    site_messages::send_contact(
        &state.site_messages(),
        address,
        form.locale,
        &form.form,
        &form.website,
    )
    .await?;
    Ok(StatusCode::ACCEPTED)
}
