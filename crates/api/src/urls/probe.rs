//! `POST /api/v1/urls/probe`: inspects a URL before a job is created from it.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use reqwest::Url;
use serde::{Deserialize, Serialize};
use slovo_app::auth::{Caller, RateLimited};
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_fetch::FetchError;
use slovo_fetch::probe::{self, UrlInfo};
use slovo_rules::codes::ProblemCode;
use slovo_rules::transcript::rounded;
use slovo_rules::url::classify;
use slovo_rules::violation::{Code, Violation, Violations};
use utoipa::ToSchema;

use super::fetch_problem;

/// The URL to inspect.
#[derive(Deserialize, ToSchema)]
#[schema(as = UrlForm)]
#[serde(deny_unknown_fields)]
pub(super) struct Form {
    /// URL of a recording, or of a page that plays one; http or https.
    url: String,
}

/// The kind of a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = UrlProbeKind)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// A recording.
    File,
    /// A page that plays one.
    Page,
    /// A YouTube video.
    Youtube,
}

/// What is at a URL, as far as it can be determined without downloading all of it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UrlProbe)]
pub(super) struct Body {
    /// The kind of the URL.
    kind: Kind,
    /// Title of the page.
    title: Option<String>,
    /// The sanitised file name.
    filename: Option<String>,
    /// Duration in seconds.
    duration: Option<f64>,
    /// Size in bytes.
    size: Option<u64>,
    /// MIME type, detected from the content.
    content_type: Option<String>,
}

/// Checks what is at a URL. Nothing is stored.
#[utoipa::path(post, path = "/urls/probe", tag = "jobs", operation_id = "probe_url",
    request_body = Form,
    responses(
        (status = OK, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "url_fetch_off"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed, \
            url_refused (where the address leads is not for this server to fetch), \
            url_redirects (too many of them), url_unreachable, url_not_found, url_forbidden, \
            url_server_error, url_status (params: status), url_not_media (params: found), url_too_large (params: max_mb), \
            url_needs_downloader (a page, and yt-dlp is not installed), url_not_public (a shared link \
            that opens a page instead of the file), url_is_folder (a shared link that opens a folder)"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn probe(
    State(state): State<AppState>,
    caller: Caller,
    Json(form): Json<Form>,
) -> Result<Json<Body>, Error> {
    let settings = state.settings.current().await?;
    if !settings.switches.url_fetch {
        return Err(Error::Off);
    }
    let kind = classify(&form.url).map_err(|violation| Error::Invalid(violation.into()))?;
    let unreadable = |_| Error::Invalid(Violation::new("url", Code::UrlInvalid).into());
    let url = Url::parse(form.url.trim()).map_err(unreadable)?;
    state.limits.url_probe(&caller.user_id)?;
    let found = state
        .fetch
        .probe(&url, &kind, settings.limits.upload_bytes())
        .await?;
    Ok(Json(found.into()))
}

/// Why there is no result.
#[derive(Debug)]
pub(super) enum Error {
    /// An administrator has disabled fetching.
    Off,
    /// The text is not a valid URL.
    Invalid(Violations),
    /// Nothing at the URL can be fetched.
    Fetch(FetchError),
    /// Rate limit exceeded.
    Limited(RateLimited),
    /// An internal error.
    Internal(Problem),
}

impl From<slovo_db::Error> for Error {
    fn from(error: slovo_db::Error) -> Self {
        Self::Internal(error.into())
    }
}

impl From<FetchError> for Error {
    fn from(error: FetchError) -> Self {
        Self::Fetch(error)
    }
}

impl From<RateLimited> for Error {
    fn from(limited: RateLimited) -> Self {
        Self::Limited(limited)
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Off => Problem::new(StatusCode::FORBIDDEN, ProblemCode::UrlFetchOff),
            Self::Internal(problem) => problem,
            Self::Invalid(violations) => violations.into(),
            Self::Fetch(error) => fetch_problem(&error),
            Self::Limited(limited) => limited.into(),
        }
        .into_response()
    }
}

impl From<UrlInfo> for Body {
    fn from(found: UrlInfo) -> Self {
        Self {
            kind: match found.kind {
                probe::Kind::File => Kind::File,
                probe::Kind::Page => Kind::Page,
                probe::Kind::Youtube => Kind::Youtube,
            },
            title: found.title,
            filename: found.filename,
            duration: found.duration.map(rounded),
            size: found.size,
            content_type: found.content_type,
        }
    }
}
