//! `POST /api/v1/admin/nocodb/prepare`: creates missing tables and fields in the external database.

use axum::extract::State;
use serde_json::{Value, json};
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_nocodb::ConnectionTest;

/// Creates missing tables and fields, then tests the connection. Existing ones are left unchanged.
#[utoipa::path(post, path = "/admin/nocodb/prepare", tag = "admin",
    operation_id = "prepare_nocodb",
    responses(
        (status = OK, body = ConnectionTest),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = CONFLICT, body = Document, description = "nocodb_not_configured"),
    ))]
pub(super) async fn prepare(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
) -> Result<Json<ConnectionTest>, Problem> {
    let config = super::config(&state).await?;
    let tested = slovo_nocodb::prepare(&state.nocodb(), &config).await?;
    let change = Change {
        action: "nocodb.configure",
        kind: "nocodb",
        id: "1",
        name: &config.api_url,
        before: Value::Null,
        after: json!({"prepared": tested.success, "tables": tested.tables_found}),
    };
    let mut transaction = state.db.write().await?;
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    transaction.commit().await?;
    Ok(Json(tested))
}
