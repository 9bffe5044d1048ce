//! `GET /api/v1/admin/contact-messages`: contact messages.

use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::site::contact::{self, Message};
use slovo_platform::clock::from_ms;
use slovo_rules::locale::Locale;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::page::{Page, PageParams};

/// A message from the contact form.
#[derive(Serialize, ToSchema)]
#[schema(as = ContactMessage)]
pub(super) struct Body {
    id: Uuid,
    first_name: String,
    last_name: String,
    /// Normalised e-mail address; it is not verified.
    email: String,
    /// Plain text, which may have several lines.
    message: String,
    /// Language of the page.
    locale: Locale,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it was forwarded by mail; null if that is not configured or has not succeeded.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    mailed_at: Option<Timestamp>,
    /// When an administrator marked it as handled.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    handled_at: Option<Timestamp>,
}

impl From<Message> for Body {
    fn from(message: Message) -> Self {
        Self {
            id: message.id,
            first_name: message.first_name,
            last_name: message.last_name,
            email: message.email,
            message: message.message,
            locale: message.locale,
            created_at: from_ms(message.created_at),
            mailed_at: message.mailed_at.map(from_ms),
            handled_at: message.handled_at.map(from_ms),
        }
    }
}

/// Numbers of messages.
#[derive(Serialize, ToSchema)]
#[schema(as = ContactMessageCounts)]
pub(super) struct Counts {
    /// In all.
    total: i64,
    /// Not marked as handled.
    open: i64,
}

/// Lists contact form messages.
#[utoipa::path(get, path = "/admin/contact-messages", tag = "admin",
    operation_id = "list_contact_messages", params(PageParams),
    responses(
        (status = OK, body = inline(Page<Body, Counts>)),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    _administrator: Administrator,
    Query(query): Query<PageParams>,
) -> Result<Json<Page<Body, Counts>>, Problem> {
    let after = query.after()?;
    let mut connection = state.db.read().await?;
    let found = contact::list(&mut connection, after, query.read()).await?;
    let contact::Counts { total, open } = contact::count(&mut connection).await?;
    let place = |message: &Message| (message.created_at, message.id);
    Ok(Json(query.page(found, place, Counts { total, open })))
}
