//! `/api/v1/me/export`: all of the caller's data as one archive.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slovo_accounts::account_export::links::{self, ExportLinks};
use slovo_accounts::account_export::owner;
use slovo_app::auth::{Caller, RateLimited, session};
use slovo_app::http::{Document, Json, Path, Problem};
use slovo_app::state::AppState;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::ToSchema;

mod contents;

/// Downloads of one account's archive that may run at once.
const MAX_CONCURRENT: usize = 2;

/// `Retry-After` when too many archives are being downloaded, in seconds.
const RETRY_SECONDS: u64 = 30;

/// The content of the archive.
#[derive(Deserialize, ToSchema)]
#[schema(as = ExportForm)]
pub struct Form {
    /// Whether the archive includes the recordings, which can be gigabytes.
    #[serde(default)]
    pub recordings: bool,
}

/// A link that works for a few minutes without other authorisation.
#[derive(Serialize, ToSchema)]
#[schema(as = ExportLink)]
pub struct Link {
    /// Path of the archive.
    url: String,
    /// When it stops working.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

/// Creates a link to an archive of all the caller's data.
#[utoipa::path(post, path = "/me/export", tag = "me", operation_id = "link_export",
    request_body = Form,
    responses(
        (status = OK, body = Link),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn link(
    State(state): State<AppState>,
    caller: Caller,
    Json(form): Json<Form>,
) -> Result<Json<Link>, Problem> {
    let user_id = caller.user_id.clone();
    make_link(&state, &caller, user_id, form.recordings)
}

/// A link to the archive of an account, valid with the caller's session only.
///
/// # Errors
/// Rate limit exceeded.
pub fn make_link(
    state: &AppState,
    caller: &Caller,
    user_id: String,
    recordings: bool,
) -> Result<Json<Link>, Problem> {
    state.limits.export(&caller.user_id)?;
    let expires = state.clock.now().as_second() + links::LINK_SECONDS;
    let link = links::Link {
        user_id,
        session_id: caller.credential.id().to_owned(),
        recordings,
    };
    let token = ExportLinks::new(&state.secret).issue(&link, expires);
    let token = token.map_err(Problem::internal)?;
    Ok(Json(Link {
        url: format!("/api/v1/me/export/{token}"),
        expires_at: Timestamp::from_second(expires).map_err(Problem::internal)?,
    }))
}

/// Downloads the archive.
#[utoipa::path(get, path = "/me/export/{token}", tag = "me", operation_id = "download_export",
    security(()), params(("token" = String, Path, description = "From the link")),
    responses(
        (status = OK, content_type = "application/zip", body = [u8]),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited: two are on \
            their way"),
    ))]
pub(super) async fn download(
    State(state): State<AppState>,
    Path(token): Path<String>,
) -> Result<Response, Problem> {
    let now = state.clock.now();
    let link = ExportLinks::new(&state.secret).read(&token, now.as_second());
    let link = link.ok_or_else(Problem::not_found)?;
    let mut connection = state.db.read().await?;
    let account = session::active(&mut connection, &link.session_id, now).await?;
    drop(connection);
    // The downloads of an administrator count together, whichever accounts they export.
    let reader = account.as_ref().map(|account| account.id.clone());
    let account = owner(&state.db, account, &link).await?;
    let account = account.ok_or_else(Problem::not_found)?;
    let place = state
        .exports
        .open_limited(reader.as_ref().unwrap_or(&account.id), MAX_CONCURRENT);
    let place = place.ok_or(RateLimited {
        retry_after: RETRY_SECONDS,
    })?;
    let pieces = contents::begin(&state, account, link, place);
    let disposition = format!("attachment; filename=\"slovo-{}.zip\"", now.strftime("%F"));
    let headers = HeaderMap::from_iter([
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/zip"),
        ),
        (
            header::CONTENT_DISPOSITION,
            HeaderValue::try_from(disposition).map_err(Problem::internal)?,
        ),
    ]);
    Ok((headers, Body::from_stream(ReceiverStream::new(pieces))).into_response())
}
