//! `POST /api/v1/newsletter/confirm`: confirms a newsletter subscription, with the token from the
//! mail. The link opens a page whose button sends this request, so that programs that follow links
//! in mails confirm nothing.

use axum::extract::State;
use axum::http::StatusCode;
use slovo_accounts::site_messages;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;

use super::Link;

/// Confirms the subscription with the emailed link; repeating it does no harm.
#[utoipa::path(post, path = "/newsletter/confirm", tag = "site", operation_id = "confirm_newsletter",
    security(()), request_body = Link,
    responses(
        (status = NO_CONTENT),
        (status = GONE, body = Document, description = "newsletter_link_invalid"),
    ))]
pub(super) async fn confirm(
    State(state): State<AppState>,
    Json(link): Json<Link>,
) -> Result<StatusCode, Problem> {
    site_messages::confirm(&state.site_messages(), &link.token).await?;
    Ok(StatusCode::NO_CONTENT)
}
