//! `/status`: the server's health at the time of the request.

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use slovo_app::state::AppState;
use slovo_rules::matrix::Feature;
use slovo_site::{Page, Part, StatusPage};

use super::Extension;
use super::language::Language;

pub(super) async fn show(
    axum::Extension(pages): Extension,
    State(state): State<AppState>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let language = Language::of(&uri, &headers);
    let report = state.condition.report().await;
    let serves = !state.shutdown.is_cancelled() && report.can_store();
    let engine = state.analyses.engines().supports(Feature::Transcription);
    let page = StatusPage {
        version: env!("CARGO_PKG_VERSION"),
        parts: vec![
            (Part::Program, serves),
            (Part::Database, report.database.is_none()),
            (Part::Engine, engine),
        ],
    };
    pages.fresh(Page::Status(page), &language).await
}
