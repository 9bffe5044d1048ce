//! What actions on administrators' webhook services and on users' webhooks have in common.

mod deliveries;
mod test;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;
use slovo_app::http::Problem;
use slovo_db::webhooks::deliveries::Status;
use slovo_fetch::guard::GuardRefusal;
use slovo_rules::codes::ProblemCode;
use slovo_rules::violation::Violations;
use utoipa::ToSchema;

pub use deliveries::{DeliveryBody, DeliveryPage, list_deliveries, resend};
pub use test::{TestResult, send_test};

/// The state of a delivery.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = WebhookDeliveryStatus)]
pub enum DeliveryStatus {
    /// It is waiting to be sent.
    Pending,
    /// The receiver has accepted it.
    Delivered,
    /// It failed and will not be retried.
    Failed,
}

impl From<Status> for DeliveryStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Pending => Self::Pending,
            Status::Delivered => Self::Delivered,
            Status::Failed => Self::Failed,
        }
    }
}

/// Why an action on a service or webhook is refused.
#[derive(Debug)]
pub enum Error {
    /// The form is invalid.
    Invalid(Violations),
    /// There is no such service or webhook.
    NotFound,
    /// The maximum number is reached.
    TooMany {
        /// The maximum.
        max: i64,
    },
    /// The server must not connect to this address.
    Refused(GuardRefusal),
    /// Tests cannot be resent; run a new one.
    TestNotResent,
    /// It is inactive.
    Inactive,
    /// Another reason.
    Other(Problem),
}

impl From<Violations> for Error {
    fn from(violations: Violations) -> Self {
        Self::Invalid(violations)
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self::Other(problem)
    }
}

impl From<slovo_db::Error> for Error {
    fn from(error: slovo_db::Error) -> Self {
        Self::Other(error.into())
    }
}

impl From<anyhow::Error> for Error {
    fn from(error: anyhow::Error) -> Self {
        Self::Other(error.into())
    }
}

impl From<uuid::Error> for Error {
    fn from(error: uuid::Error) -> Self {
        Self::Other(Problem::internal(error))
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let conflict = |code| Self::new(StatusCode::CONFLICT, code);
        match error {
            Error::Invalid(violations) => violations.into(),
            Error::NotFound => Self::not_found(),
            Error::TooMany { max } => conflict(ProblemCode::TooManyWebhookServices)
                .params([("max".to_owned(), Value::from(max))].into()),
            Error::Refused(refusal) => Self::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                ProblemCode::WebhookAddressRefused,
            )
            .detail(refusal.to_string()),
            Error::TestNotResent => conflict(ProblemCode::WebhookTestNotResent),
            Error::Inactive => conflict(ProblemCode::WebhookServiceInactive),
            Error::Other(problem) => problem,
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        Problem::from(self).into_response()
    }
}
