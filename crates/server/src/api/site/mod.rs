//! The forms of the public pages: `/api/v1/contact` and `/api/v1/newsletter`.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::{Problem, time_limit};
use crate::site_messages::{LinkRefused, Refused};
use crate::state::AppState;

mod confirm;
mod contact;
mod leave;
mod subscribe;
#[cfg(test)]
mod tests;
mod visit;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    let router = OpenApiRouter::new()
        .routes(routes!(contact::send))
        .routes(routes!(subscribe::subscribe))
        .routes(routes!(confirm::confirm))
        .routes(routes!(leave::leave))
        .routes(routes!(visit::count));
    time_limit(router)
}

/// The right that a newsletter mail's link carries.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewsletterLink)]
struct Link {
    /// From the link.
    token: String,
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        match self {
            Self::Off(code) => Problem::new(StatusCode::FORBIDDEN, code),
            Self::Invalid(violations) => Problem::from(violations),
            Self::Limited(limited) => Problem::from(limited),
            Self::Internal(error) => Problem::internal(error),
        }
        .into_response()
    }
}

impl IntoResponse for LinkRefused {
    fn into_response(self) -> Response {
        match self {
            Self::Unknown => Problem::new(StatusCode::GONE, "newsletter_link_invalid"),
            Self::Internal(error) => Problem::internal(error),
        }
        .into_response()
    }
}
