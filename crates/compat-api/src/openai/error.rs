//! Errors in OpenAI's form.

use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use slovo_app::http::{Json, Problem, in_words};
use slovo_rules::codes::ProblemCode;
use slovo_rules::media::Fault;
use slovo_rules::violation::{Code, Violation};
use utoipa::ToSchema;

use crate::run::Failure;

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

/// An error response.
#[derive(Debug)]
pub(super) struct OpenAiError {
    status: StatusCode,
    headers: HeaderMap,
    content: Box<ErrorContent>,
}

impl OpenAiError {
    fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Self {
        Self {
            status,
            headers: HeaderMap::new(),
            content: Box::new(ErrorContent {
                message: message.into(),
                kind: kind(status),
                param: None,
                code: Some(code.to_owned()),
            }),
        }
    }

    /// Names the field.
    fn param(mut self, name: &str) -> Self {
        self.content.param = Some(name.to_owned());
        self
    }

    /// A field that cannot be used.
    pub(super) fn of_field(param: &str, code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message).param(param)
    }

    /// A model that this server does not have.
    pub(super) fn no_model(name: &str) -> Self {
        let message = format!("The model `{name}` does not exist. GET /v1/models lists them.");
        Self::new(StatusCode::NOT_FOUND, "model_not_found", message).param("model")
    }

    /// The body, for events of a stream whose status was sent before.
    pub(super) fn body(self) -> ErrorBody {
        ErrorBody {
            error: *self.content,
        }
    }
}

impl From<Problem> for OpenAiError {
    fn from(problem: Problem) -> Self {
        problem.log();
        let status = match problem.status() {
            // Its clients expect 400 where the input breaks a rule.
            StatusCode::UNPROCESSABLE_ENTITY | StatusCode::UNSUPPORTED_MEDIA_TYPE => {
                StatusCode::BAD_REQUEST
            }
            status => status,
        };
        let violations = problem.violations();
        let first = violations.first().map(|it| it.code);
        let (status, code) = match (first, problem.code()) {
            (Some(Code::MinutesExceeded), _) => {
                (StatusCode::TOO_MANY_REQUESTS, "insufficient_quota")
            }
            (Some(Code::FeatureNotInPlan), _) => {
                (StatusCode::FORBIDDEN, Code::FeatureNotInPlan.as_str())
            }
            (Some(code), _) => (status, code.as_str()),
            (None, ProblemCode::Unauthorized) => (status, "invalid_api_key"),
            (None, ProblemCode::RateLimited) => (status, "rate_limit_exceeded"),
            (None, code) => (status, code.as_str()),
        };
        let error = Self {
            headers: problem.headers().clone(),
            ..Self::new(status, code, message(&problem))
        };
        match violations.first() {
            Some(violation) => error.param(field(violation)),
            None => error,
        }
    }
}

impl From<Failure> for OpenAiError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Problem(problem) => problem.into(),
            Failure::Failed(fault) => of_fault(&fault),
            Failure::Cancelled => {
                let message = "The transcription was cancelled or deleted.";
                Self::new(StatusCode::CONFLICT, "cancelled", message).param("file")
            }
            Failure::Stopping => Problem::unavailable()
                .detail("The server restarts. The transcription goes on and stays in the library.")
                .into(),
            Failure::AccessLost => Problem::unauthorized()
                .detail("The API key was revoked, or the account was blocked.")
                .into(),
        }
    }
}

/// The error of a job that failed: the recording is the reason, or the server.
fn of_fault(fault: &Fault) -> OpenAiError {
    let is_of_file = ProblemCode::parse(&fault.code).is_some_and(ProblemCode::is_of_file);
    let status = if is_of_file {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::INTERNAL_SERVER_ERROR
    };
    let reason = in_words(&fault.code, &fault.params);
    let message = format!("The recording could not be transcribed: {reason}.");
    OpenAiError::new(status, &fault.code, message).param("file")
}

fn message(problem: &Problem) -> String {
    let violations = problem.violations();
    if violations.is_empty() {
        let detail = problem.detail_text().map(str::to_owned);
        return detail.unwrap_or_else(|| problem.title() + ".");
    }
    let each = violations.iter().map(|it| {
        let reason = in_words(it.code.as_str(), &it.params);
        format!("{}: {reason}", field(it))
    });
    each.collect::<Vec<_>>().join("; ")
}

/// The name of the field in the form, for a field of the settings.
fn field(violation: &Violation) -> &str {
    let name = violation.field.as_str();
    match name.strip_prefix("settings.").unwrap_or(name) {
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

impl IntoResponse for OpenAiError {
    fn into_response(self) -> Response {
        let (status, headers) = (self.status, self.headers.clone());
        (status, headers, Json(self.body())).into_response()
    }
}

/// Turns the problems of extractors and layers into errors of this form.
pub(super) async fn in_their_form(mut response: Response) -> Response {
    match response.extensions_mut().remove::<Problem>() {
        Some(problem) => OpenAiError::from(problem).into_response(),
        None => response,
    }
}

/// The answer for an address below `/v1` that does not exist.
pub(super) async fn unknown_address(request: Request) -> OpenAiError {
    let (method, path) = (request.method(), request.uri().path());
    let message = format!("Unknown request URL: {method} {path}");
    OpenAiError::new(StatusCode::NOT_FOUND, "unknown_url", message)
}
