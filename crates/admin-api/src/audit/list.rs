//! `GET /api/v1/admin/audit`: the audit log.

use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::accounts::audit::{self, Entry};
use slovo_platform::clock::from_ms;
use utoipa::ToSchema;
use uuid::Uuid;

use super::AuditQuery;
use crate::page::PageParams;

/// One change.
#[derive(Serialize, ToSchema)]
#[schema(as = AuditEntry)]
pub(super) struct Body {
    id: Uuid,
    /// The account that made the change; null for the command line, the server itself and deleted
    /// accounts.
    #[schema(required)]
    actor_id: Option<String>,
    /// The address of that account at the time; empty without one.
    actor_email: String,
    /// What was done, as `noun.verb`.
    action: String,
    /// The kind of the changed object.
    target_kind: String,
    /// Its id; empty if it was an account that has been deleted.
    target_id: String,
    /// Its name for users.
    target_name: String,
    /// The previous values by field; null if the object did not exist.
    #[schema(value_type = Option<Value>, required)]
    before: Option<Value>,
    /// The new values by field; null if the object no longer exists.
    #[schema(value_type = Option<Value>, required)]
    after: Option<Value>,
    /// Name of the API key that the change was made with; null for the web app.
    #[schema(required)]
    api_key: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

impl From<Entry> for Body {
    fn from(entry: Entry) -> Self {
        Self {
            id: entry.id,
            actor_id: entry.actor_id,
            actor_email: entry.actor_email,
            action: entry.action,
            target_kind: entry.target_kind,
            target_id: entry.target_id,
            target_name: entry.target_name,
            before: entry.before,
            after: entry.after,
            api_key: entry.api_key,
            created_at: from_ms(entry.created_at),
        }
    }
}

/// A page of changes.
#[derive(Serialize, ToSchema)]
#[schema(as = AuditPage)]
pub(super) struct Page {
    /// The newest first.
    items: Vec<Body>,
    /// Cursor of the next page; null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Lists what administrators have changed: who, when, what, and the values before and after.
#[utoipa::path(get, path = "/admin/audit", tag = "admin", operation_id = "list_audit",
    params(AuditQuery, PageParams),
    responses(
        (status = OK, body = Page),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    _administrator: Administrator,
    Query(wanted): Query<AuditQuery>,
    Query(query): Query<PageParams>,
) -> Result<Json<Page>, Problem> {
    let (filter, after) = (wanted.filter()?, query.after()?);
    let mut connection = state.db.read().await?;
    let mut found = audit::list(&mut connection, &filter, after, query.read()).await?;
    let next_cursor = query.cut(&mut found, |entry| (entry.created_at, entry.id));
    Ok(Json(Page {
        items: found.into_iter().map(Body::from).collect(),
        next_cursor,
    }))
}
