//! The actions: one file each, named by its URL and verb.

use axum::Router;
use axum::http::header;
use axum::routing::get;
use utoipa_axum::router::OpenApiRouter;

use crate::http::time_limit;
use crate::state::AppState;

pub mod admin;
pub mod auth;
mod capabilities;
mod cursor;
mod exports;
pub mod health;
pub mod jobs;
pub mod me;
#[cfg(test)]
mod permissions;
pub mod presets;
pub mod search;
pub(crate) mod shared;
mod site;
pub mod uploads;
pub mod urls;

/// All actions, with the document that they make of themselves.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    let version_1 = OpenApiRouter::new()
        .nest("/auth", time_limit(auth::router()))
        .merge(uploads::router())
        .merge(urls::router())
        .merge(jobs::router())
        .merge(exports::router())
        .merge(shared::router())
        .merge(search::router())
        .merge(presets::router())
        .merge(capabilities::router())
        .merge(me::router())
        .merge(site::router())
        .merge(admin::router());
    time_limit(health::router()).nest("/api/v1", version_1)
}

/// Where the document itself is read.
pub(crate) fn document(document: &utoipa::openapi::OpenApi) -> Router<AppState> {
    let text: axum::body::Bytes = document.to_pretty_json().unwrap_or_default().into();
    Router::new().route(
        "/api/openapi.json",
        get(move || async move { ([(header::CONTENT_TYPE, "application/json")], text) }),
    )
}
