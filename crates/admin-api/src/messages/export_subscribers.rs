//! `GET /api/v1/admin/newsletter/export`: newsletter addresses as CSV.

use axum::extract::State;
use axum::response::Response;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Problem};
use slovo_app::state::AppState;
use slovo_db::site::newsletter::{self, Subscriber};
use slovo_db::{Connection, Result};
use slovo_platform::clock::from_ms;
use uuid::Uuid;

use crate::table::{self, ExportTable, time_or_nothing};

struct Subscribers;

impl ExportTable for Subscribers {
    type Row = Subscriber;

    const NAME: &'static str = "newsletter";

    const COLUMNS: &'static [&'static str] =
        &["created_at", "email", "locale", "confirmed_at", "left_at"];

    async fn read(
        &self,
        connection: &mut Connection,
        after: Option<(i64, Uuid)>,
        limit: u32,
    ) -> Result<Vec<Subscriber>> {
        newsletter::list(connection, after, limit).await
    }

    fn place(subscriber: &Subscriber) -> (i64, Uuid) {
        (subscriber.created_at, subscriber.id)
    }

    fn cells(subscriber: Subscriber) -> Vec<String> {
        vec![
            from_ms(subscriber.created_at).to_string(),
            subscriber.email,
            subscriber.locale.as_str().to_owned(),
            time_or_nothing(subscriber.confirmed_at),
            time_or_nothing(subscriber.left_at),
        ]
    }
}

/// Exports newsletter subscribers as a table.
#[utoipa::path(get, path = "/admin/newsletter/export", tag = "admin",
    operation_id = "export_newsletter",
    responses(
        (status = OK, body = String, content_type = "text/csv"),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn export(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Response, Problem> {
    table::answer(&state, Subscribers)
}
