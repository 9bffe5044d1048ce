//! Errors as responses: problem documents (RFC 9457).

use std::borrow::Cow;
use std::collections::BTreeMap;

use axum::body::Body;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;
use slovo_accounts::auth::RateLimited;
use slovo_platform::disk::is_full;
use slovo_rules::codes::ProblemCode;
use slovo_rules::edit::SegmentChange;
use slovo_rules::violation::{Violation, Violations};
use slovo_storage::is_away;
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// What every error looks like: `application/problem+json`.
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemDocument<'a> {
    /// Names the kind of problem; a URN made of the code.
    #[serde(rename = "type")]
    pub kind: String,
    /// The code, in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What happened this time, in English, for developers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<&'a str>,
    /// Stable name of the problem; clients choose their text by it.
    pub code: ProblemCode,
    /// Names the request in the server's log.
    pub request_id: &'a str,
    /// Figures and names for the code's text, where it has any.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = Option<std::collections::HashMap<String, Value>>)]
    pub params: &'a BTreeMap<String, Value>,
    /// What is wrong with the input, field by field.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Violation>>)]
    pub errors: Option<&'a Violations>,
    /// With `edit_conflict`: how the segments are that were changed in the meantime.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<SegmentChange>>)]
    pub conflicts: Option<&'a [SegmentChange]>,
}

/// The error body as actions refer to it in the API's document: a reference to the schema of
/// [`ProblemDocument`], which is generated once. Generating it for each of a thousand responses
/// would take most of the server's startup time.
pub struct Document;

impl PartialSchema for Document {
    fn schema() -> RefOr<Schema> {
        Ref::from_schema_name(Self::name()).into()
    }
}

impl ToSchema for Document {
    fn name() -> Cow<'static, str> {
        ProblemDocument::name()
    }
}

/// An error response. The cause of an internal error is logged at the edge with the request id, and
/// not shown to the client.
#[derive(Clone, Debug)]
pub struct Problem(Box<Content>);

/// Boxed, because a `Result` is as large as its error and most requests have none.
#[derive(Clone, Debug)]
struct Content {
    status: StatusCode,
    code: ProblemCode,
    detail: Option<String>,
    params: BTreeMap<String, Value>,
    errors: Option<Violations>,
    conflicts: Option<Vec<SegmentChange>>,
    headers: HeaderMap,
    cause: Option<String>,
}

impl Problem {
    /// A problem of this kind.
    pub fn new(status: StatusCode, code: ProblemCode) -> Self {
        Self(Box::new(Content {
            status,
            code,
            detail: None,
            params: BTreeMap::new(),
            errors: None,
            conflicts: None,
            headers: HeaderMap::new(),
            cause: None,
        }))
    }

    /// Adds a description of this occurrence, in English.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.0.detail = Some(detail.into());
        self
    }

    /// Adds the parameters of the code's text.
    #[must_use]
    pub fn params(mut self, params: BTreeMap<String, Value>) -> Self {
        self.0.params = params;
        self
    }

    /// Adds the field errors.
    #[must_use]
    pub fn errors(mut self, errors: Violations) -> Self {
        self.0.errors = Some(errors);
        self
    }

    /// Adds the current state of the segments that were changed in the meantime.
    #[must_use]
    pub fn conflicts(mut self, conflicts: Vec<SegmentChange>) -> Self {
        self.0.conflicts = Some(conflicts);
        self
    }

    /// Adds a header to the response.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.0.headers.insert(name, value);
        self
    }

    /// Adds a cause for the log.
    #[must_use]
    pub fn with_cause(mut self, cause: impl Into<String>) -> Self {
        self.0.cause = Some(cause.into());
        self
    }

    /// An internal error: 503 if the database is unavailable, 507 if a disk is full, else 500. The
    /// cause is logged only.
    pub fn internal(cause: impl Into<anyhow::Error>) -> Self {
        let cause = cause.into();
        let problem = match cause.chain().find_map(TemporaryError::of) {
            Some(TemporaryError::Unavailable) => Self::unavailable(),
            Some(TemporaryError::Full) => Self::storage_full(),
            None => Self::new(StatusCode::INTERNAL_SERVER_ERROR, ProblemCode::Internal),
        };
        // `{:#}` prints the whole chain of sources.
        problem.with_cause(format!("{cause:#}"))
    }

    /// Something the server depends on is temporarily unavailable.
    pub fn unavailable() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, ProblemCode::Unavailable)
            .header(header::RETRY_AFTER, HeaderValue::from_static("1"))
    }

    /// There is no disk space for the request.
    pub fn storage_full() -> Self {
        Self::new(StatusCode::INSUFFICIENT_STORAGE, ProblemCode::StorageFull)
            .detail("The server's disk is full. What is stored stays; go on later.")
    }

    /// The request is not authenticated.
    pub fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, ProblemCode::Unauthorized)
            .header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
    }

    /// The user is not allowed to do this.
    pub fn forbidden() -> Self {
        Self::new(StatusCode::FORBIDDEN, ProblemCode::Forbidden)
    }

    /// The resource does not exist or belongs to another user.
    pub fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, ProblemCode::NotFound)
    }

    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    /// The stable code.
    pub fn code(&self) -> ProblemCode {
        self.0.code
    }

    /// What happened, in English.
    pub fn detail_text(&self) -> Option<&str> {
        self.0.detail.as_deref()
    }

    /// Figures and names for the text.
    pub fn figures(&self) -> &BTreeMap<String, Value> {
        &self.0.params
    }

    /// What is wrong with the input, field by field.
    pub fn violations(&self) -> &[Violation] {
        self.0.errors.as_ref().map_or(&[], |errors| &errors.0)
    }

    /// The headers of the response.
    pub fn headers(&self) -> &HeaderMap {
        &self.0.headers
    }

    /// The code in words: `email_taken` becomes `Email taken`.
    pub fn title(&self) -> String {
        title(self.0.code.as_str())
    }

    /// Logs the problem with its cause, which is not shown. Once, by whoever writes the response.
    pub fn log(&self) {
        let (cause, code) = (self.0.cause.as_deref(), self.0.code.as_str());
        let cause = cause.unwrap_or("none given");
        match self.0.status {
            StatusCode::INTERNAL_SERVER_ERROR => tracing::error!(cause, "failed"),
            status if status.is_server_error() => tracing::warn!(cause, code, "failed"),
            _ => tracing::debug!(code, "refused"),
        }
    }

    /// The problem for a response that another layer created without a document.
    pub(super) fn for_status(status: StatusCode) -> Self {
        let code = match status {
            StatusCode::NOT_FOUND => ProblemCode::NotFound,
            StatusCode::METHOD_NOT_ALLOWED => ProblemCode::MethodNotAllowed,
            StatusCode::PAYLOAD_TOO_LARGE => ProblemCode::BodyTooLarge,
            StatusCode::UNSUPPORTED_MEDIA_TYPE => ProblemCode::UnsupportedMediaType,
            StatusCode::REQUEST_TIMEOUT | StatusCode::GATEWAY_TIMEOUT => ProblemCode::TimedOut,
            StatusCode::SERVICE_UNAVAILABLE => ProblemCode::Unavailable,
            StatusCode::INSUFFICIENT_STORAGE => ProblemCode::StorageFull,
            _ if status.is_server_error() => ProblemCode::Internal,
            _ => ProblemCode::BadRequest,
        };
        Self::new(status, code)
    }

    /// The response, including the request id.
    pub(super) fn render(&self, request_id: &str) -> Response {
        let document = ProblemDocument {
            kind: format!("urn:slovo:problem:{}", self.0.code),
            title: self.title(),
            status: self.0.status.as_u16(),
            detail: self.0.detail.as_deref(),
            code: self.0.code,
            request_id,
            params: &self.0.params,
            errors: self.0.errors.as_ref(),
            conflicts: self.0.conflicts.as_deref(),
        };
        let body = serde_json::to_vec(&document).unwrap_or_default();
        let mut response = (self.0.status, Body::from(body)).into_response();
        response.headers_mut().extend(self.0.headers.clone());
        let json = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, json);
        response
    }
}

/// A temporary error, independent of the action.
enum TemporaryError {
    /// The database is unavailable.
    Unavailable,
    /// A disk is full.
    Full,
}

impl TemporaryError {
    fn of(error: &(dyn std::error::Error + 'static)) -> Option<Self> {
        if let Some(error) = error.downcast_ref::<slovo_db::Error>() {
            return match error {
                slovo_db::Error::Busy(_) | slovo_db::Error::Unreachable(_) => {
                    Some(Self::Unavailable)
                }
                slovo_db::Error::Full(_) => Some(Self::Full),
                slovo_db::Error::Constraint { .. }
                | slovo_db::Error::Row { .. }
                | slovo_db::Error::Address(_)
                | slovo_db::Error::Migration(_)
                | slovo_db::Error::Newer { .. }
                | slovo_db::Error::Transfer { .. }
                | slovo_db::Error::Database(_) => None,
            };
        }
        let error = error.downcast_ref::<std::io::Error>()?;
        if is_full(error) {
            return Some(Self::Full);
        }
        is_away(error).then_some(Self::Unavailable)
    }
}

/// A code and its parameters in English: `too long (limit_seconds 60)`.
#[must_use]
pub fn in_words(code: &str, params: &BTreeMap<String, Value>) -> String {
    let code = code.replace('_', " ");
    if params.is_empty() {
        return code;
    }
    let params = params.iter().map(|(name, value)| format!("{name} {value}"));
    format!("{code} ({})", params.collect::<Vec<_>>().join(", "))
}

/// See [`Problem::title`].
fn title(code: &str) -> String {
    let mut words = code.replace('_', " ").replace("json", "JSON");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

impl IntoResponse for Problem {
    /// Stored as an extension, because only the edge knows the request id.
    fn into_response(self) -> Response {
        let mut response = self.render("");
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Violations> for Problem {
    fn from(violations: Violations) -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            ProblemCode::ValidationFailed,
        )
        .errors(violations)
    }
}

impl From<slovo_db::Error> for Problem {
    fn from(error: slovo_db::Error) -> Self {
        Self::internal(error)
    }
}

impl From<anyhow::Error> for Problem {
    fn from(error: anyhow::Error) -> Self {
        Self::internal(error)
    }
}

impl From<RateLimited> for Problem {
    fn from(limited: RateLimited) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, ProblemCode::RateLimited)
            .detail(format!("Try again in {} s.", limited.retry_after))
            .header(header::RETRY_AFTER, HeaderValue::from(limited.retry_after))
    }
}

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Self {
        let (status, code) = match &rejection {
            JsonRejection::MissingJsonContentType(_) => (
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                ProblemCode::UnsupportedMediaType,
            ),
            JsonRejection::JsonSyntaxError(_) => {
                (StatusCode::BAD_REQUEST, ProblemCode::MalformedJson)
            }
            JsonRejection::JsonDataError(_) => (
                StatusCode::UNPROCESSABLE_ENTITY,
                ProblemCode::UnexpectedJson,
            ),
            other if other.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                (StatusCode::PAYLOAD_TOO_LARGE, ProblemCode::BodyTooLarge)
            }
            _ => (StatusCode::BAD_REQUEST, ProblemCode::UnreadableBody),
        };
        Self::new(status, code).detail(rejection.body_text())
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        Self::new(StatusCode::BAD_REQUEST, ProblemCode::MalformedQuery)
            .detail(rejection.body_text())
    }
}

impl From<PathRejection> for Problem {
    /// A malformed id cannot exist: 404.
    fn from(_: PathRejection) -> Self {
        Self::not_found()
    }
}
