//! What administrators do: `/api/v1/admin`.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::{Problem, time_limit};
use crate::state::AppState;

mod contact_messages;
mod list_users;
mod newsletter;
mod page;
mod set_role;
mod set_status;
mod site_visits;
#[cfg(test)]
mod tests;

/// The actions of this folder.
pub(super) fn router() -> OpenApiRouter<AppState> {
    let router = OpenApiRouter::new()
        .routes(routes!(list_users::list))
        .routes(routes!(set_status::set))
        .routes(routes!(set_role::set))
        .routes(routes!(contact_messages::list))
        .routes(routes!(newsletter::list))
        .routes(routes!(site_visits::list));
    time_limit(router)
}

/// Why an account stays as it is.
#[derive(Debug)]
enum Error {
    /// There is none.
    NotFound,
    /// Nobody would be left to administer the server.
    LastAdmin,
    Internal(anyhow::Error),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::NotFound => Problem::not_found(),
            Self::LastAdmin => Problem::new(StatusCode::CONFLICT, "last_admin"),
            Self::Internal(error) => Problem::internal(error),
        }
        .into_response()
    }
}

impl From<slovo_db::Error> for Error {
    fn from(error: slovo_db::Error) -> Self {
        Self::Internal(error.into())
    }
}
