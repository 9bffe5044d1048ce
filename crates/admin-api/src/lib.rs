//! The administrators' HTTP API, `/api/v1/admin`: one file per route, named by its URL and verb.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use slovo_app::http::{Problem, time_limit};
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_rules::codes::ProblemCode;
use slovo_rules::violation::{Violation, Violations};
use utoipa_axum::router::OpenApiRouter;

mod adjust_balance;
mod analysis_endpoint;
mod api_keys;
mod audit;
mod endpoint_audit;
mod endpoint_test;
mod jobs;
mod list_users;
mod mail;
mod maintenance;
mod messages;
mod models;
mod nocodb;
mod overview;
mod page;
mod plan_requests;
mod plans;
mod presets;
mod set_plan;
mod set_role;
mod set_status;
mod settings;
mod setup;
mod sign_ins;
mod site;
mod site_visits;
mod speech_endpoint;
mod table;
mod user_usage;
mod users;
mod waiting;
mod webhook_services;

/// All routes with their OpenAPI document.
#[must_use]
pub fn router() -> OpenApiRouter<AppState> {
    let router = OpenApiRouter::new()
        .routes(routes!(list_users::list))
        .routes(routes!(set_status::set))
        .routes(routes!(set_role::set))
        .routes(routes!(set_plan::set))
        .routes(routes!(adjust_balance::adjust))
        .routes(routes!(user_usage::minutes))
        .routes(routes!(user_usage::history))
        .routes(routes!(site_visits::list))
        .merge(users::router())
        .routes(routes!(waiting::get))
        .routes(routes!(sign_ins::list))
        .routes(routes!(api_keys::list))
        .routes(routes!(api_keys::revoke))
        .merge(plans::router())
        .merge(plan_requests::router())
        .merge(models::router())
        .merge(settings::router())
        .merge(setup::router())
        .merge(site::router())
        .merge(analysis_endpoint::router())
        .merge(speech_endpoint::router())
        .merge(mail::router())
        .merge(maintenance::router())
        .merge(webhook_services::router())
        .merge(overview::router())
        .merge(audit::router())
        .merge(jobs::router())
        .merge(messages::router())
        .merge(presets::router());
    OpenApiRouter::new().nest("/api/v1", time_limit(router).merge(nocodb::router()))
}

/// Why an account is unchanged.
#[derive(Debug)]
enum Error {
    /// There is no such account.
    NotFound,
    /// The server would have no administrator left.
    LastAdmin,
    /// The caller's own account, which is changed in its settings.
    OwnAccount,
    /// Another account has the address.
    EmailTaken,
    /// The form is invalid.
    Invalid(Violations),
    Internal(anyhow::Error),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        Problem::from(self).into_response()
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::NotFound => Self::not_found(),
            Error::LastAdmin => Self::new(StatusCode::CONFLICT, ProblemCode::LastAdmin),
            Error::OwnAccount => Self::new(StatusCode::CONFLICT, ProblemCode::OwnAccount),
            Error::EmailTaken => Self::new(StatusCode::CONFLICT, ProblemCode::EmailTaken),
            Error::Invalid(violations) => Self::from(violations),
            Error::Internal(error) => Self::internal(error),
        }
    }
}

impl From<Violation> for Error {
    fn from(violation: Violation) -> Self {
        Self::Invalid(violation.into())
    }
}

impl From<slovo_db::Error> for Error {
    fn from(error: slovo_db::Error) -> Self {
        Self::Internal(error.into())
    }
}

impl From<anyhow::Error> for Error {
    fn from(error: anyhow::Error) -> Self {
        Self::Internal(error)
    }
}
