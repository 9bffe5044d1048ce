//! Errors in OpenAI's form.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use slovo_app::http::Problem;
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
    /// A field that cannot be used.
    pub(super) fn of_field(param: &str, code: &str, message: impl Into<String>) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            headers: HeaderMap::new(),
            content: Box::new(ErrorContent {
                message: message.into(),
                kind: kind(StatusCode::BAD_REQUEST),
                param: Some(param.to_owned()),
                code: Some(code.to_owned()),
            }),
        }
    }

    /// A model that this server does not have.
    pub(super) fn no_model(name: &str) -> Self {
        let message = format!("The model `{name}` does not exist. GET /v1/models lists them.");
        Self {
            status: StatusCode::NOT_FOUND,
            ..Self::of_field("model", "model_not_found", message)
        }
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
        let content = ErrorContent {
            message: message(&problem, violations),
            kind: kind(status),
            param: violations.first().map(|it| field(it).to_owned()),
            code: Some(code.to_owned()),
        };
        Self {
            status,
            headers: problem.headers().clone(),
            content: Box::new(content),
        }
    }
}

impl From<Failure> for OpenAiError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Problem(problem) => problem.into(),
            Failure::Failed(fault) => of_fault(&fault),
            Failure::Cancelled => Self {
                status: StatusCode::CONFLICT,
                ..Self::of_field(
                    "file",
                    "cancelled",
                    "The transcription was cancelled or deleted.",
                )
            },
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
    let params: Vec<_> = fault
        .params
        .iter()
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    let message = format!(
        "The recording could not be transcribed: {}.",
        words(&fault.code)
    );
    let error = OpenAiError::of_field("file", &fault.code, message);
    let mut content = error.content;
    content.kind = kind(status);
    if !params.is_empty() {
        content.message = format!("{} ({})", content.message, params.join(", "));
    }
    OpenAiError {
        status,
        headers: error.headers,
        content,
    }
}

fn message(problem: &Problem, violations: &[Violation]) -> String {
    if violations.is_empty() {
        let detail = problem.detail_text();
        return detail.map_or_else(|| sentence(problem.code().as_str()), str::to_owned);
    }
    let each = violations.iter().map(|it| {
        let params: Vec<_> = it
            .params
            .iter()
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        let params = if params.is_empty() {
            String::new()
        } else {
            format!(" ({})", params.join(", "))
        };
        format!("{}: {}{params}", field(it), words(it.code.as_str()))
    });
    each.collect::<Vec<_>>().join("; ")
}

/// The name of the field in the form, for a field of the settings.
fn field(violation: &Violation) -> &str {
    let name = violation.field.as_str();
    match name.strip_prefix("settings.").unwrap_or(name) {
        "language_code" => "language",
        "custom_vocabulary" => "prompt",
        "diarization" | "sentence_diarization" | "speakers" => "model",
        "transcription_type" => "model",
        other => other,
    }
}

fn words(code: &str) -> String {
    code.replace('_', " ")
}

fn sentence(code: &str) -> String {
    let mut text = words(code);
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text + "."
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
        let body = serde_json::to_vec(&self.body()).unwrap_or_default();
        let json = [(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        )];
        let mut response = (status, headers, body).into_response();
        for (name, value) in json {
            response.headers_mut().insert(name, value);
        }
        response
    }
}

/// Turns the problems of extractors and layers into errors of this form.
pub(super) async fn in_their_form(mut response: Response) -> Response {
    let Some(problem) = response.extensions_mut().remove::<Problem>() else {
        return response;
    };
    if let Some(cause) = problem.cause() {
        tracing::warn!(cause, code = problem.code().as_str(), "failed");
    }
    OpenAiError::from(problem).into_response()
}

/// The answer for an address below `/v1` that does not exist.
pub(super) async fn unknown_address(request: Request) -> OpenAiError {
    let message = format!(
        "Unknown request URL: {} {}",
        request.method(),
        request.uri().path()
    );
    let error = OpenAiError::of_field("", "unknown_url", message);
    let mut content = error.content;
    content.param = None;
    OpenAiError {
        status: StatusCode::NOT_FOUND,
        headers: error.headers,
        content,
    }
}
