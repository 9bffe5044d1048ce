//! `/api/v1/me/export`: everything that the caller has, as one archive.

use axum::extract::State;
use axum::response::Response;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::auth::Caller;
use crate::http::{Document, Json, Path, Problem};
use crate::state::AppState;

/// What the archive is to hold.
#[derive(Deserialize, ToSchema)]
#[schema(as = ExportForm)]
pub(super) struct Form {
    /// Whether the recordings themselves go with it: that can be gigabytes.
    #[serde(default)]
    pub recordings: bool,
}

/// A link that works by itself for a few minutes.
#[derive(Serialize, ToSchema)]
#[schema(as = ExportLink)]
pub(super) struct Link {
    /// Path of the archive.
    url: String,
    /// When it stops working.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

/// Makes a link to an archive of everything that the caller has.
#[utoipa::path(post, path = "/me/export", tag = "me", operation_id = "link_export",
    request_body = Form,
    responses(
        (status = OK, body = Link),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn link(
    State(_state): State<AppState>,
    _caller: Caller,
    Json(_form): Json<Form>,
) -> Result<Json<Link>, Problem> {
    Err(Problem::new(
        axum::http::StatusCode::NOT_IMPLEMENTED,
        "not_implemented",
    ))
}

/// The archive behind a link.
#[utoipa::path(get, path = "/me/export/{token}", tag = "me", operation_id = "download_export",
    security(()), params(("token" = String, Path, description = "From the link")),
    responses(
        (status = OK, content_type = "application/zip", body = [u8]),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn download(
    State(_state): State<AppState>,
    Path(_token): Path<String>,
) -> Result<Response, Problem> {
    Err(Problem::new(
        axum::http::StatusCode::NOT_IMPLEMENTED,
        "not_implemented",
    ))
}
