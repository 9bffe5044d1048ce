//! The HTTP API: one file per route, named by its URL and verb.

use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::body::Bytes;
use axum::http::header;
use axum::routing::get;
use utoipa_axum::router::OpenApiRouter;

use crate::http::time_limit;
use crate::openapi::Written;
use crate::state::AppState;

pub mod admin;
mod asked;
pub mod auth;
pub(crate) mod capabilities;
mod cursor;
mod exports;
pub(crate) mod groups;
pub mod health;
mod held_analyses;
mod hooks;
pub mod jobs;
pub mod me;
#[cfg(test)]
mod permissions;
mod plans;
pub mod presets;
mod problems;
pub mod search;
pub(crate) mod shared;
mod site;
mod timed;
pub mod uploads;
pub mod urls;

/// All routes with their OpenAPI document.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    let version_1 = OpenApiRouter::new()
        .nest("/auth", time_limit(auth::router()))
        .merge(uploads::router())
        .merge(urls::router())
        .merge(jobs::router())
        .merge(held_analyses::router())
        .merge(groups::router())
        .merge(exports::router())
        .merge(shared::router())
        .merge(hooks::router())
        .merge(search::router())
        .merge(plans::router())
        .merge(presets::router())
        .merge(capabilities::router())
        .merge(me::router())
        .merge(site::router())
        .merge(admin::router());
    time_limit(health::router()).nest("/api/v1", version_1)
}

/// The route of the OpenAPI document.
pub(crate) fn document(document: Written) -> Router<AppState> {
    // Serialised on first request: it is rarely read, and would delay every start.
    let written: OnceLock<Bytes> = OnceLock::new();
    let written = Arc::new(written);
    let read = async move || {
        let text = written.get_or_init(|| document.to_pretty_json().unwrap_or_default().into());
        ([(header::CONTENT_TYPE, "application/json")], text.clone())
    };
    Router::new().route("/api/openapi.json", get(read))
}
