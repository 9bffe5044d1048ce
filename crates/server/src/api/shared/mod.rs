//! What somebody with a link sees, without an account: `/api/v1/shared`.
//!
//! A link that is unknown, withdrawn or expired gives the same answer, and no answer says whose the
//! recording is. Before the password of a link that has one, no answer says anything of the recording
//! either. Nothing of it is to be found by search engines or told to other sites.

use axum::extract::DefaultBodyLimit;
use axum::http::HeaderMap;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::{Problem, REFERRER, ROBOTS, time_limit};
use crate::state::AppState;
use slovo_transcripts::shares::Visit;

mod comments;
mod edits;
mod get;
mod media;
#[cfg(test)]
mod tests;
mod text;
mod unlock;
mod waveform;

/// Most bytes of what a visitor sends: a password of the longest, or a comment, with every character
/// escaped.
const MAX_BODY: usize = 16 * 1024;
/// The same for an edit, with a line of the longest.
const MAX_EDIT: usize = 64 * 1024;

/// The header that a grant goes in.
const GRANT_HEADER: &str = "share-grant";

/// What a link opens for somebody who sends these headers.
///
/// # Errors
/// `not_found` for a link that is unknown, withdrawn or expired; `share_password_required` without a
/// grant for the present password.
async fn visit(state: &AppState, token: &str, headers: &HeaderMap) -> Result<Visit, Problem> {
    let shown = headers.get(GRANT_HEADER).and_then(|it| it.to_str().ok());
    Ok(state.sharing().visit(token, shown).await?)
}

/// The actions of this folder.
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
    // Media take as long as they take.
    let long = OpenApiRouter::new().routes(routes!(media::media));
    short
        .merge(long)
        .layer(SetResponseHeaderLayer::overriding(ROBOTS.0, ROBOTS.1))
        .layer(SetResponseHeaderLayer::overriding(REFERRER.0, REFERRER.1))
}
