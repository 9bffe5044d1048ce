//! `POST /api/v1/newsletter/leave`: ends a subscription, with the token from any newsletter mail.

use axum::extract::State;
use axum::http::StatusCode;
use slovo_accounts::site_messages;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;

use super::Link;

/// Ends the subscription with the emailed link; repeating it does no harm.
#[utoipa::path(post, path = "/newsletter/leave", tag = "site", operation_id = "leave_newsletter",
    security(()), request_body = Link,
    responses(
        (status = NO_CONTENT),
        (status = GONE, body = Document, description = "newsletter_link_invalid"),
    ))]
pub(super) async fn leave(
    State(state): State<AppState>,
    Json(link): Json<Link>,
) -> Result<StatusCode, Problem> {
    site_messages::unsubscribe(&state.site_messages(), &link.token).await?;
    Ok(StatusCode::NO_CONTENT)
}
