//! `POST /api/v1/admin/site/preview`: a link to the public pages with a draft of the settings.

use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::public_site::preview;
use slovo_app::state::AppState;
use slovo_platform::clock::from_ms;
use slovo_rules::site::{SiteSettings, validate};
use slovo_site::PREVIEW;
use utoipa::ToSchema;

/// A link to a draft.
#[derive(Serialize, ToSchema)]
#[schema(as = SitePreview)]
pub(super) struct Body {
    /// The landing page with the draft's token, for example `/?preview=…`.
    path: String,
    /// When it stops working.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

/// Creates a link to a preview of the public pages with this draft. It works for an hour and
/// replaces the previous preview; nothing else changes.
#[utoipa::path(post, path = "/admin/site/preview", tag = "admin", operation_id = "preview_site",
    request_body = SiteSettings,
    responses(
        (status = OK, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn preview(
    State(state): State<AppState>,
    _administrator: Administrator,
    Json(form): Json<SiteSettings>,
) -> Result<Json<Body>, Problem> {
    let draft = validate(&form)?;
    let mut transaction = state.db.write().await?;
    let (token, expires_at) = preview::store_draft(&state, &mut transaction, &draft).await?;
    transaction.commit().await?;
    Ok(Json(Body {
        path: format!("/?{PREVIEW}={token}"),
        expires_at: from_ms(expires_at),
    }))
}
