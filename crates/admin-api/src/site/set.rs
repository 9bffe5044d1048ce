//! `PUT /api/v1/admin/site`: changes the server's data on the public pages.

use axum::extract::State;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_rules::site::{SiteSettings, validate};
use slovo_server_settings::read_site;

use super::{View, store};

/// Sets what the public pages say. It is shown immediately here and within seconds by other
/// processes.
#[utoipa::path(put, path = "/admin/site", tag = "admin", operation_id = "set_site",
    request_body = SiteSettings,
    responses(
        (status = OK, body = View),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn set(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Json(form): Json<SiteSettings>,
) -> Result<Json<View>, Problem> {
    let after = validate(&form)?;
    let mut transaction = state.db.write().await?;
    let before = read_site(&mut transaction).await?;
    if before != *after {
        store(&mut transaction, &state, &caller, &before, &after).await?;
        transaction.commit().await?;
        state.settings.changed();
    }
    Ok(Json(View::of(&state, after.into_inner()).await?))
}
