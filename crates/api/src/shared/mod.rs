//! Shared links, used without an account: `/api/v1/shared`.
//!
//! Unknown, withdrawn and expired links give the same answer, and no answer names the owner. If the
//! link has a password, nothing about the recording is revealed before it is entered. Search
//! engines must not index these answers, and browsers send no referrer.

use axum::extract::DefaultBodyLimit;
use axum::http::HeaderMap;
use slovo_app::http::{Problem, REFERRER, ROBOTS, time_limit};
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_transcripts::shares::Visit;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa_axum::router::OpenApiRouter;

pub(crate) mod comments;
mod edits;
mod get;
mod media;
mod text;
mod unlock;
mod waveform;

/// Largest body from a visitor, in bytes: the longest password or comment with every character
/// escaped.
const MAX_BODY: usize = 16 * 1024;
/// Largest body with an edit, in bytes: the longest line with every character escaped.
const MAX_EDIT: usize = 64 * 1024;

/// The header with the grant of an unlocked link.
const GRANT_HEADER: &str = "share-grant";

/// The visit that a link allows with these headers.
///
/// # Errors
/// `not_found` for a link that is unknown, withdrawn or expired; `share_password_required` without
/// a grant for the current password.
async fn visit(state: &AppState, token: &str, headers: &HeaderMap) -> Result<Visit, Problem> {
    let grant = headers.get(GRANT_HEADER).and_then(|it| it.to_str().ok());
    Ok(state.sharing().visit(token, grant).await?)
}

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    let short = OpenApiRouter::new()
        .routes(routes!(get::get))
        .routes(routes!(unlock::unlock))
        .routes(routes!(comments::list, comments::create))
        .routes(routes!(waveform::waveform))
        .layer(DefaultBodyLimit::max(MAX_BODY));
    let edits = OpenApiRouter::new()
        .routes(routes!(edits::save))
        .routes(routes!(edits::undo))
        .layer(DefaultBodyLimit::max(MAX_EDIT));
    let short = time_limit(short.merge(edits));
    // No time limit: sending a recording may take long.
    let long = OpenApiRouter::new().routes(routes!(media::media));
    short
        .merge(long)
        .layer(SetResponseHeaderLayer::overriding(ROBOTS.0, ROBOTS.1))
        .layer(SetResponseHeaderLayer::overriding(REFERRER.0, REFERRER.1))
}
