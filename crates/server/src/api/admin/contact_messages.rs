//! `GET /api/v1/admin/contact-messages`: what visitors have written.

use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use slovo_db::contact::{self, Message};
use slovo_rules::locale::Locale;
use utoipa::ToSchema;
use uuid::Uuid;

use super::page::Asked;
use crate::auth::Administrator;
use crate::clock::from_ms;
use crate::http::{Document, Json, Problem, Query};
use crate::state::AppState;

/// A message by the contact form.
#[derive(Serialize, ToSchema)]
#[schema(as = ContactMessage)]
pub(super) struct Body {
    id: Uuid,
    first_name: String,
    last_name: String,
    /// Normalised e-mail address; nothing proves that it is the writer's.
    email: String,
    /// Plain text of several lines.
    message: String,
    /// Language of the page.
    locale: Locale,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it was mailed on; null where that is not configured or has not succeeded.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    mailed_at: Option<Timestamp>,
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
        }
    }
}

/// A page of messages.
#[derive(Serialize, ToSchema)]
#[schema(as = ContactMessagePage)]
pub(super) struct Page {
    /// The newest first.
    items: Vec<Body>,
    /// Where the next page begins; null at the end.
    #[schema(required)]
    next_cursor: Option<String>,
    /// How many there are in all.
    total: i64,
}

/// Messages by the contact form.
#[utoipa::path(get, path = "/admin/contact-messages", tag = "admin",
    operation_id = "list_contact_messages", params(Asked),
    responses(
        (status = OK, body = Page),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    _administrator: Administrator,
    Query(asked): Query<Asked>,
) -> Result<Json<Page>, Problem> {
    let after = asked.after()?;
    let mut connection = state.db.read().await?;
    let mut found = contact::list(&mut connection, after, asked.read()).await?;
    let total = contact::count(&mut connection).await?;
    let next_cursor = asked.cut(&mut found, |message| (message.created_at, message.id));
    Ok(Json(Page {
        items: found.into_iter().map(Into::into).collect(),
        next_cursor,
        total,
    }))
}
