//! The HTTP API: one file per route, named by its URL and verb.

use utoipa_axum::router::OpenApiRouter;

use crate::http::time_limit;
use crate::state::AppState;

pub mod admin;
mod asked;
pub mod auth;
mod capabilities;
mod cursor;
mod exports;
mod faults;
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
mod shared;
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
