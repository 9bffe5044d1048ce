//! Errors as responses: problem documents (RFC 9457).

use std::borrow::Cow;
use std::collections::BTreeMap;

use axum::body::Body;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;
use slovo_rules::codes::is_problem;
use slovo_rules::edit::SegmentChange;
use slovo_rules::violation::{Violation, Violations};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::auth::Limited;
use slovo_platform::storage::is_full;

/// What every error looks like: `application/problem+json`.
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemDocument<'a> {
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
    pub code: &'a str,
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

/// The body of an error, as actions name it in the API's document: a reference to the schema of
/// [`ProblemDocument`], which is made once. Made anew for each of a thousand answers it would take
/// nearly all the time in which a server starts.
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

/// An error on its way to the client. The cause of an internal one is logged at the edge, with
/// the request's id, and not shown.
#[derive(Clone, Debug)]
pub struct Problem(Box<Content>);

/// Boxed, because a `Result` is as large as its error and most requests have none.
#[derive(Clone, Debug)]
struct Content {
    status: StatusCode,
    code: Cow<'static, str>,
    detail: Option<String>,
    params: BTreeMap<String, Value>,
    errors: Option<Violations>,
    conflicts: Option<Vec<SegmentChange>>,
    headers: HeaderMap,
    cause: Option<String>,
}

impl Problem {
    /// A problem of this kind. `code` is stable and in snake case.
    pub fn new(status: StatusCode, code: impl Into<Cow<'static, str>>) -> Self {
        let code = code.into();
        // Without a text a page would show the code itself.
        debug_assert!(
            is_problem(&code),
            "`{code}` is not listed in slovo_rules::codes"
        );
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

    /// Says in English what happened this time.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.0.detail = Some(detail.into());
        self
    }

    /// Gives the figures and names of the code's text.
    #[must_use]
    pub fn params(mut self, params: BTreeMap<String, Value>) -> Self {
        self.0.params = params;
        self
    }

    /// Says what is wrong with the input.
    #[must_use]
    pub fn errors(mut self, errors: Violations) -> Self {
        self.0.errors = Some(errors);
        self
    }

    /// Says how the segments are that were changed in the meantime.
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

    /// Keeps a cause for the log.
    #[must_use]
    pub fn because(mut self, cause: impl Into<String>) -> Self {
        self.0.cause = Some(cause.into());
        self
    }

    /// Something broke on our side: 503 where the database is away, 507 where a disk is full, else
    /// 500. The cause goes to the log only.
    pub fn internal(cause: impl Into<anyhow::Error>) -> Self {
        let cause = cause.into();
        let problem = match cause.chain().find_map(Trouble::of) {
            Some(Trouble::Away) => Self::unavailable(),
            Some(Trouble::Full) => Self::storage_full(),
            None => Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal"),
        };
        // With `{:#}` it tells its whole chain.
        problem.because(format!("{cause:#}"))
    }

    /// What the server needs is away; it may be back in a moment.
    pub fn unavailable() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable")
            .header(header::RETRY_AFTER, HeaderValue::from_static("1"))
    }

    /// There is no room for what was sent.
    pub fn storage_full() -> Self {
        Self::new(StatusCode::INSUFFICIENT_STORAGE, "storage_full")
            .detail("The server's disk is full. What is stored stays; go on later.")
    }

    /// Nobody is signed in.
    pub fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized")
            .header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
    }

    /// Whoever is signed in may not do this.
    pub fn forbidden() -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden")
    }

    /// There is nothing of that kind, or it is somebody else's.
    pub fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found")
    }

    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    /// The stable name.
    pub fn code(&self) -> &str {
        &self.0.code
    }

    /// What is logged and not shown.
    pub(super) fn cause(&self) -> Option<&str> {
        self.0.cause.as_deref()
    }

    /// The problem for a response that some layer made without a document.
    pub(super) fn for_status(status: StatusCode) -> Self {
        let code = match status {
            StatusCode::NOT_FOUND => "not_found",
            StatusCode::METHOD_NOT_ALLOWED => "method_not_allowed",
            StatusCode::PAYLOAD_TOO_LARGE => "body_too_large",
            StatusCode::UNSUPPORTED_MEDIA_TYPE => "unsupported_media_type",
            StatusCode::REQUEST_TIMEOUT | StatusCode::GATEWAY_TIMEOUT => "timed_out",
            StatusCode::SERVICE_UNAVAILABLE => "unavailable",
            StatusCode::INSUFFICIENT_STORAGE => "storage_full",
            _ if status.is_server_error() => "internal",
            _ => "bad_request",
        };
        Self::new(status, code)
    }

    /// The response, with the id of the request in it.
    pub(super) fn render(&self, request_id: &str) -> Response {
        let document = ProblemDocument {
            kind: format!("urn:slovo:problem:{}", self.0.code),
            title: title(&self.0.code),
            status: self.0.status.as_u16(),
            detail: self.0.detail.as_deref(),
            code: &self.0.code,
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

/// What is behind an error that passes, whatever was done when it came.
enum Trouble {
    /// The database cannot be reached now.
    Away,
    /// A disk is full.
    Full,
}

impl Trouble {
    fn of(error: &(dyn std::error::Error + 'static)) -> Option<Self> {
        if let Some(error) = error.downcast_ref::<slovo_db::Error>() {
            return match error {
                slovo_db::Error::Busy(_) | slovo_db::Error::Away(_) => Some(Self::Away),
                slovo_db::Error::Full(_) => Some(Self::Full),
                slovo_db::Error::Constraint { .. }
                | slovo_db::Error::Row { .. }
                | slovo_db::Error::Address(_)
                | slovo_db::Error::Migration(_)
                | slovo_db::Error::Database(_) => None,
            };
        }
        error
            .downcast_ref::<std::io::Error>()
            .filter(|error| is_full(error))
            .map(|_| Self::Full)
    }
}

/// The code in words: `email_taken` becomes `Email taken`.
fn title(code: &str) -> String {
    let mut words = code.replace('_', " ").replace("json", "JSON");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

impl IntoResponse for Problem {
    /// Travels as an extension, because only the edge knows the request's id.
    fn into_response(self) -> Response {
        let mut response = self.render("");
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Violations> for Problem {
    fn from(violations: Violations) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed").errors(violations)
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

impl From<Limited> for Problem {
    fn from(limited: Limited) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited")
            .detail(format!("Try again in {} s.", limited.retry_after))
            .header(header::RETRY_AFTER, HeaderValue::from(limited.retry_after))
    }
}

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Self {
        let (status, code) = match &rejection {
            JsonRejection::MissingJsonContentType(_) => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type")
            }
            JsonRejection::JsonSyntaxError(_) => (StatusCode::BAD_REQUEST, "malformed_json"),
            JsonRejection::JsonDataError(_) => {
                (StatusCode::UNPROCESSABLE_ENTITY, "unexpected_json")
            }
            other if other.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                (StatusCode::PAYLOAD_TOO_LARGE, "body_too_large")
            }
            _ => (StatusCode::BAD_REQUEST, "unreadable_body"),
        };
        Self::new(status, code).detail(rejection.body_text())
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed_query").detail(rejection.body_text())
    }
}

impl From<PathRejection> for Problem {
    /// An id that cannot be one is the id of nothing.
    fn from(_: PathRejection) -> Self {
        Self::not_found()
    }
}
