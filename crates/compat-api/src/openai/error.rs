//! Errors in OpenAI's form.

use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use slovo_app::http::Json;
use slovo_rules::codes::ProblemCode;
use slovo_rules::violation::Code;
use utoipa::ToSchema;

use crate::refusal::{RECORDING, Refusal, in_form};

/// An error, as OpenAI's clients read it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = OpenAiError)]
pub(super) struct ErrorBody {
    /// The error.
    pub error: ErrorContent,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = OpenAiErrorContent)]
pub(super) struct ErrorContent {
    /// In English.
    pub message: String,
    /// `invalid_request_error`, `rate_limit_error` or `server_error`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The field that is concerned.
    #[schema(required)]
    pub param: Option<String>,
    /// The code: `invalid_api_key`, `model_not_found`, `rate_limit_exceeded`, `insufficient_quota`,
    /// or a code of this server's problems.
    #[schema(required)]
    pub code: Option<String>,
}

/// A refusal in this form.
pub(super) fn body(refusal: &Refusal) -> ErrorBody {
    let (status, code) = named(refusal);
    ErrorBody {
        error: ErrorContent {
            message: refusal.message(field),
            kind: kind(status),
            param: refusal.first_field(field),
            code: Some(code.to_owned()),
        },
    }
}

/// Status and code as OpenAI names them.
fn named(refusal: &Refusal) -> (StatusCode, &str) {
    let status = refusal.status;
    match refusal.code.as_str() {
        code if code == Code::MinutesExceeded.as_str() => {
            (StatusCode::TOO_MANY_REQUESTS, "insufficient_quota")
        }
        code if code == ProblemCode::Unauthorized.as_str() => (status, "invalid_api_key"),
        code if code == ProblemCode::RateLimited.as_str() => (status, "rate_limit_exceeded"),
        code => (status, code),
    }
}

/// The name of the field in the form, for a field of the settings.
fn field(name: &str) -> &str {
    match name {
        RECORDING => "file",
        "language_code" => "language",
        "custom_vocabulary" => "prompt",
        "diarization" | "sentence_diarization" | "speakers" | "transcription_type" => "model",
        other => other,
    }
}

fn kind(status: StatusCode) -> &'static str {
    match status {
        StatusCode::TOO_MANY_REQUESTS => "rate_limit_error",
        status if status.is_server_error() => "server_error",
        _ => "invalid_request_error",
    }
}

/// A model that this server does not have.
pub(super) fn no_model(status: StatusCode, name: &str) -> Refusal {
    let message = format!("The model `{name}` does not exist. GET /v1/models lists them.");
    Refusal::new(status, "model_not_found", message).field("model")
}

/// Turns refusals into errors of this form.
pub(super) async fn in_their_form(response: Response) -> Response {
    in_form(response, |refusal| {
        let (status, _) = named(refusal);
        (status, Json(body(refusal))).into_response()
    })
}

/// The answer for an address below `/v1` that does not exist.
pub(super) async fn unknown_address(request: Request) -> Refusal {
    let (method, path) = (request.method(), request.uri().path());
    let message = format!("Unknown request URL: {method} {path}");
    Refusal::new(StatusCode::NOT_FOUND, "unknown_url", message)
}
