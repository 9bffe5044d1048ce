//! `GET /api/v1/admin/contact-messages/export`: contact messages as CSV.

use axum::extract::State;
use axum::response::Response;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Problem};
use slovo_app::state::AppState;
use slovo_db::site::contact::{self, Message};
use slovo_db::{Connection, Result};
use slovo_platform::clock::from_ms;
use uuid::Uuid;

use crate::table::{self, ExportTable, time_or_nothing};

struct Messages;

impl ExportTable for Messages {
    type Row = Message;

    const NAME: &'static str = "messages";

    const COLUMNS: &'static [&'static str] = &[
        "created_at",
        "first_name",
        "last_name",
        "email",
        "locale",
        "message",
        "mailed_at",
        "handled_at",
    ];

    async fn read(
        &self,
        connection: &mut Connection,
        after: Option<(i64, Uuid)>,
        limit: u32,
    ) -> Result<Vec<Message>> {
        contact::list(connection, after, limit).await
    }

    fn place(message: &Message) -> (i64, Uuid) {
        (message.created_at, message.id)
    }

    fn cells(message: Message) -> Vec<String> {
        vec![
            from_ms(message.created_at).to_string(),
            message.first_name,
            message.last_name,
            message.email,
            message.locale.as_str().to_owned(),
            message.message,
            time_or_nothing(message.mailed_at),
            time_or_nothing(message.handled_at),
        ]
    }
}

/// Exports contact form messages as a table.
#[utoipa::path(get, path = "/admin/contact-messages/export", tag = "admin",
    operation_id = "export_contact_messages",
    responses(
        (status = OK, body = String, content_type = "text/csv"),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn export(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Response, Problem> {
    table::answer(&state, Messages)
}
