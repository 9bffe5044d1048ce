//! `GET /api/v1/admin/settings`: the current limits, switches and defaults.

use axum::extract::State;
use serde::Serialize;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_rules::upload::MAX_UPLOAD_BYTES;
use utoipa::ToSchema;

use super::{Body, most_upload_bytes};

/// The settings, and the values that limit them.
#[derive(Serialize, ToSchema)]
#[schema(as = ServerSettingsView)]
pub(super) struct View {
    /// The stored settings.
    settings: Body,
    /// Maximum value for the upload limit, in bytes: what the disk has room for.
    most_upload_bytes: u64,
    /// The default upload limit, in bytes.
    usual_upload_bytes: u64,
    /// Whether sign-in with Google is configured; otherwise its switch has no effect.
    google_configured: bool,
}

/// Returns limits, features and defaults.
#[utoipa::path(get, path = "/admin/settings", tag = "admin", operation_id = "get_server_settings",
    responses(
        (status = OK, body = View),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Json<View>, Problem> {
    // Read from the database, not from this process's cache: the result fills a form.
    let settings = slovo_server_settings::read(&mut *state.db.read().await?).await?;
    Ok(Json(View {
        most_upload_bytes: most_upload_bytes(&state, &settings.limits),
        usual_upload_bytes: MAX_UPLOAD_BYTES,
        settings: settings.into(),
        google_configured: state.openid.is_some(),
    }))
}
