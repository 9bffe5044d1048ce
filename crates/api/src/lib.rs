//! The users' HTTP API: one file per route, named by its URL and verb. Administrators' actions are in
//! `slovo-admin-api`.

use slovo_app::http::time_limit;
use slovo_app::state::AppState;
use utoipa_axum::router::OpenApiRouter;

pub mod auth;
mod capabilities;
mod exports;
mod faults;
pub(crate) mod groups;
mod health;
mod held_analyses;
mod hooks;
pub mod jobs;
pub mod me;
pub mod page;
mod places;
pub mod plans;
pub mod presets;
pub mod search;
mod shared;
mod site;
pub mod sources;
pub mod targets;
#[cfg(feature = "testing")]
pub mod testing;
mod transcript_times;
pub mod uploads;
mod urls;
mod voices;
pub mod webhooks;

/// All routes of users and of the health checks, with their OpenAPI document.
#[must_use]
pub fn router() -> OpenApiRouter<AppState> {
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
        .merge(site::router());
    time_limit(health::router()).nest("/api/v1", version_1)
}
