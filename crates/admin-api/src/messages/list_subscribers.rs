//! `GET /api/v1/admin/newsletter`: newsletter subscribers: confirmed, unconfirmed and former ones.

use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::site::newsletter::{self, Subscriber};
use slovo_platform::clock::from_ms;
use slovo_rules::locale::Locale;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::page::{Page, PageParams};

/// An address. It is subscribed if it is confirmed and has not been unsubscribed.
#[derive(Serialize, ToSchema)]
#[schema(as = NewsletterSubscriber)]
pub(super) struct Body {
    id: Uuid,
    /// Normalised e-mail address.
    email: String,
    /// Language of the page on which it was entered.
    locale: Locale,
    /// When the subscription was last requested.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it was confirmed.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    confirmed_at: Option<Timestamp>,
    /// When it was unsubscribed.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    left_at: Option<Timestamp>,
}

impl From<Subscriber> for Body {
    fn from(subscriber: Subscriber) -> Self {
        Self {
            id: subscriber.id,
            email: subscriber.email,
            locale: subscriber.locale,
            created_at: from_ms(subscriber.created_at),
            confirmed_at: subscriber.confirmed_at.map(from_ms),
            left_at: subscriber.left_at.map(from_ms),
        }
    }
}

/// Numbers of addresses.
#[derive(Serialize, ToSchema)]
#[schema(as = NewsletterCounts)]
pub(super) struct Counts {
    /// In all.
    total: i64,
    /// Subscribed addresses.
    subscribed: i64,
}

/// Lists newsletter subscribers.
#[utoipa::path(get, path = "/admin/newsletter", tag = "admin",
    operation_id = "list_newsletter_subscribers", params(PageParams),
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
    let found = newsletter::list(&mut connection, after, query.read()).await?;
    let newsletter::Counts { total, subscribed } = newsletter::count(&mut connection).await?;
    let place = |subscriber: &Subscriber| (subscriber.created_at, subscriber.id);
    Ok(Json(query.page(found, place, Counts { total, subscribed })))
}
