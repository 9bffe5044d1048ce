//! `POST /api/v1/newsletter`: subscribes to the newsletter. The answer is the same for an address
//! that is already subscribed.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use slovo_accounts::site_messages;
use slovo_app::auth::ClientAddress;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_rules::locale::Locale;
use utoipa::ToSchema;

/// The address to subscribe.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewsletterForm)]
pub(super) struct Form {
    /// E-mail address.
    #[serde(default)]
    email: String,
    /// Language of the page, and of the mails.
    #[serde(default)]
    locale: Locale,
    /// Honeypot field: users do not see it, and only bots fill it in.
    #[serde(default)]
    website: String,
}

/// Emails a link to confirm a newsletter subscription.
#[utoipa::path(post, path = "/newsletter", tag = "site", operation_id = "subscribe_newsletter",
    security(()), request_body = Form,
    responses(
        (status = ACCEPTED, description = "Whether or not it was subscribed before"),
        (status = FORBIDDEN, body = Document, description = "newsletter_off"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn subscribe(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Json(form): Json<Form>,
) -> Result<StatusCode, Problem> {
    site_messages::subscribe(
        &state.site_messages(),
        address,
        form.locale,
        &form.email,
        &form.website,
    )
    .await?;
    Ok(StatusCode::ACCEPTED)
}
