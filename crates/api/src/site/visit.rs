//! `POST /api/v1/site/visits`: counts a visit of a public page, with the visitor's consent.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use slovo_app::auth::ClientAddress;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_rules::locale::Locale;
use slovo_site::Name;
use utoipa::ToSchema;

/// The visited page, without any data about the visitor.
#[derive(Deserialize, ToSchema)]
#[schema(as = SiteVisit)]
pub(super) struct Visit {
    /// The page's path.
    page: String,
    /// Its language.
    locale: Locale,
}

/// Counts a visit. Unknown pages aren't counted, without an error.
#[utoipa::path(post, path = "/site/visits", tag = "site", operation_id = "count_site_visit",
    security(()), request_body = Visit,
    responses(
        (status = NO_CONTENT, description = "It is counted, if there is such a page"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn count(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Json(visit): Json<Visit>,
) -> Result<StatusCode, Problem> {
    let listed = Name::LISTED.iter().map(|name| name.path());
    let Some(page) = listed.into_iter().find(|path| *path == visit.page) else {
        return Ok(StatusCode::NO_CONTENT);
    };
    state.limits.visit(address)?;
    let day = state.clock.now().strftime("%Y-%m-%d").to_string();
    let mut transaction = state.db.write().await?;
    slovo_db::site::visits::count(&mut transaction, &day, page, visit.locale).await?;
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
