//! `GET /api/v1/admin/audit/export`: the audit log as CSV.

use axum::extract::State;
use axum::response::Response;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::accounts::audit::{self, Entry, Filter};
use slovo_db::{Connection, Result};
use slovo_platform::clock::from_ms;
use uuid::Uuid;

use super::AuditQuery;
use crate::table::{self, ExportTable};

struct Changes(Filter);

impl ExportTable for Changes {
    type Row = Entry;

    const NAME: &'static str = "audit";

    const COLUMNS: &'static [&'static str] = &[
        "created_at",
        "actor_email",
        "action",
        "target_kind",
        "target_id",
        "target_name",
        "before",
        "after",
        "api_key",
    ];

    async fn read(
        &self,
        connection: &mut Connection,
        after: Option<(i64, Uuid)>,
        limit: u32,
    ) -> Result<Vec<Entry>> {
        audit::list(connection, &self.0, after, limit).await
    }

    fn place(entry: &Entry) -> (i64, Uuid) {
        (entry.created_at, entry.id)
    }

    fn cells(entry: Entry) -> Vec<String> {
        vec![
            from_ms(entry.created_at).to_string(),
            entry.actor_email,
            entry.action,
            entry.target_kind,
            entry.target_id,
            entry.target_name,
            entry
                .before
                .map(|value| value.to_string())
                .unwrap_or_default(),
            entry
                .after
                .map(|value| value.to_string())
                .unwrap_or_default(),
            entry.api_key.unwrap_or_default(),
        ]
    }
}

/// Exports the audit log as a table.
#[utoipa::path(get, path = "/admin/audit/export", tag = "admin", operation_id = "export_audit",
    params(AuditQuery),
    responses(
        (status = OK, body = String, content_type = "text/csv"),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn export(
    State(state): State<AppState>,
    _administrator: Administrator,
    Query(wanted): Query<AuditQuery>,
) -> Result<Response, Problem> {
    table::answer(&state, Changes(wanted.filter()?))
}
