//! The whole router: actions, public pages, the web app's files, and the layers around them.

mod embedded;
#[cfg(test)]
mod tests;
mod web;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use slovo_app::http::finish;
use slovo_app::state::AppState;

use crate::openapi;
use crate::pages::{self, Pages};

/// Largest body of an ordinary action, in bytes. Settings with the longest vocabulary and prompt
/// that the rules allow are far smaller; uploads are streamed and have their own limit.
const MAX_BODY: usize = 1024 * 1024;

/// The whole router.
pub fn router(state: AppState) -> Router {
    let (actions, document) = openapi::actions();
    let actions = actions
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .merge(openapi::document(Arc::clone(&document)));
    let pages = Pages::new(&state, document);
    let web = web::router(state.config.web_folder(), pages.clone());
    finish(actions.merge(pages::router(&pages)).merge(web), state)
}
