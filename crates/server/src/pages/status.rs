//! `/status`: the server's health at the time of the request; for Bazarr, which tests a connection
//! there, whether its key is accepted.

use axum::extract::{FromRequestParts as _, State};
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, AUTHORIZATION};
use axum::http::request::Parts;
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use slovo_app::auth::Caller;
use slovo_app::http::Json;
use slovo_app::state::AppState;
use slovo_rules::matrix::Feature;
use slovo_site::{Page, Part, StatusPage};

use super::Extension;
use super::language::Language;

/// The answer to a connection test.
#[derive(Serialize)]
struct Service {
    /// What Bazarr shows.
    version: &'static str,
}

impl Service {
    const THIS: Self = Self {
        version: concat!("Slovo ", env!("CARGO_PKG_VERSION")),
    };
}

/// Whether a program with a key asks. A browser behind a proxy with a password of its own sends one,
/// too, but asks for a page.
fn is_connection_test(headers: &HeaderMap) -> bool {
    let accepted = headers.get(ACCEPT).and_then(|value| value.to_str().ok());
    headers.contains_key(AUTHORIZATION)
        && !accepted.is_some_and(|kinds| kinds.contains("text/html"))
}

pub(super) async fn show(
    axum::Extension(pages): Extension,
    State(state): State<AppState>,
    mut parts: Parts,
) -> Response {
    if is_connection_test(&parts.headers) {
        return match Caller::from_request_parts(&mut parts, &state).await {
            Ok(_) => Json(Service::THIS).into_response(),
            // Bazarr shows its own sentence for the status.
            Err(refused) => refused.into_response().status().into_response(),
        };
    }
    let language = Language::of(&parts.uri, &parts.headers);
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
