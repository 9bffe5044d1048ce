//! `PUT /api/v1/admin/site/edition`: sets the edition of the public pages.

use axum::extract::State;
use serde::Deserialize;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_rules::site::{Edition, with_edition};
use slovo_server_settings::read_site;
use utoipa::ToSchema;

use super::{View, store};

/// The chosen edition.
#[derive(Deserialize, ToSchema)]
#[schema(as = EditionChoice)]
#[serde(deny_unknown_fields)]
pub(super) struct Body {
    /// Who the server is for.
    edition: Edition,
}

/// Sets who the server is for, and leaves everything else on the public pages unchanged.
#[utoipa::path(put, path = "/admin/site/edition", tag = "admin", operation_id = "choose_edition",
    request_body = Body,
    responses(
        (status = OK, body = View),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn choose(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Json(body): Json<Body>,
) -> Result<Json<View>, Problem> {
    let mut transaction = state.db.write().await?;
    let before = read_site(&mut transaction).await?;
    let after = with_edition(before.clone(), body.edition);
    if before != *after {
        store(&mut transaction, &state, &caller, &before, &after).await?;
        transaction.commit().await?;
        state.settings.changed();
    }
    Ok(Json(View::of(&state, after.into_inner()).await?))
}
