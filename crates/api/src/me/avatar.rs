//! `/api/v1/me/avatar`: the caller's avatar.

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use slovo_accounts::avatars::{self, UnreadableImage};
use slovo_app::auth::session::User;
use slovo_app::auth::{Caller, RateLimited};
use slovo_app::http::{Document, Json, Problem, is_known};
use slovo_app::state::AppState;
use slovo_db::accounts::{self, Account, profiles};
use slovo_rules::codes::ProblemCode;
use slovo_rules::profile::{MAX_AVATAR_BYTES, validate_avatar};
use slovo_rules::violation::{Code, Violations};

/// Largest body that is read, in bytes: above the rule's maximum, so that the rule reports the
/// violation.
pub(super) const MAX_BODY: usize = 3 * 1024 * 1024;

/// Why the avatar is unchanged.
#[derive(Debug)]
pub(super) enum Error {
    /// Larger than `MAX_BODY`.
    TooLarge(Violations),
    /// The body could not be read.
    Broken(BytesRejection),
    Invalid(Violations),
    Limited(RateLimited),
    Unreadable(UnreadableImage),
    /// The account was deleted meanwhile.
    NoAccount,
    Internal(anyhow::Error),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::TooLarge(violations) => {
                Problem::new(StatusCode::PAYLOAD_TOO_LARGE, ProblemCode::ValidationFailed)
                    .errors(violations)
            }
            Self::Broken(rejection) => {
                Problem::new(StatusCode::BAD_REQUEST, ProblemCode::UnreadableBody)
                    .detail(rejection.body_text())
            }
            Self::Invalid(violations) => Problem::from(violations),
            Self::Limited(limited) => Problem::from(limited),
            Self::Unreadable(reason) => Problem::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                ProblemCode::AvatarUnreadable,
            )
            .with_cause(reason.to_string()),
            Self::NoAccount => Problem::unauthorized(),
            Self::Internal(error) => Problem::internal(error),
        }
        .into_response()
    }
}

impl<E: Into<anyhow::Error>> From<E> for Error {
    fn from(error: E) -> Self {
        Self::Internal(error.into())
    }
}

/// Returns the caller's photo, 400 by 400 pixels.
#[utoipa::path(get, path = "/me/avatar", tag = "me", operation_id = "get_avatar",
    responses(
        (status = OK, content(([u8] = "image/webp"), ([u8] = "image/jpeg"))),
        (status = NOT_MODIFIED, description = "If-None-Match names what is there"),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = NOT_FOUND, body = Document, description = "not_found: there is none"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    caller: Caller,
    request_headers: HeaderMap,
) -> Result<Response, Problem> {
    let version = caller.account.avatar.ok_or_else(Problem::not_found)?;
    let etag = HeaderValue::try_from(format!("\"{version}\"")).map_err(Problem::internal)?;
    // The browser may store it but must revalidate: another account may be signed in by then.
    let mut headers = HeaderMap::from_iter([
        (header::ETAG, etag.clone()),
        (
            header::CACHE_CONTROL,
            HeaderValue::from_static("private, no-cache"),
        ),
    ]);
    if is_known(&request_headers, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let image = state.avatars.read(&caller.user_id, &version).await;
    let image = image.map_err(Problem::internal)?;
    let image = image.ok_or_else(Problem::not_found)?;
    let kind = HeaderValue::from_static(avatars::content_type(&image));
    headers.insert(header::CONTENT_TYPE, kind);
    Ok((headers, image).into_response())
}

/// Replaces the photo: a png, jpeg or webp image of at most 2 MB, re-encoded as 400 by 400 pixels.
#[utoipa::path(put, path = "/me/avatar", tag = "me", operation_id = "set_avatar",
    request_body(content = [u8], content_type = "application/octet-stream"),
    responses(
        (status = OK, body = User),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = BAD_REQUEST, body = Document, description = "unreadable_body"),
        (status = PAYLOAD_TOO_LARGE, body = Document, description = "validation_failed"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed, avatar_unreadable"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn set(
    State(state): State<AppState>,
    caller: Caller,
    image: Result<Bytes, BytesRejection>,
) -> Result<Json<User>, Error> {
    let image = image.map_err(|rejection| refuse_body(rejection, MAX_AVATAR_BYTES + 1))?;
    let size = u64::try_from(image.len()).unwrap_or(u64::MAX);
    let kind = validate_avatar(&image, size).map_err(Error::Invalid)?;
    let limits = state.limits.avatar(&caller.user_id);
    limits.map_err(Error::Limited)?;
    let drawn = state.avatars.draw(image.into(), kind).await;
    let drawn = drawn.map_err(Error::Unreadable)?;
    let version = state.new_id();
    state
        .avatars
        .store(&caller.user_id, &version, drawn)
        .await?;
    let updated = name(&state, &caller.user_id, Some(&version)).await;
    match updated {
        Ok(Some(account)) => Ok(Json(account.into())),
        Ok(None) => {
            forget(&state, &caller.user_id, &version).await;
            Err(Error::NoAccount)
        }
        Err(error) => {
            forget(&state, &caller.user_id, &version).await;
            Err(error.into())
        }
    }
}

/// The reason why the body was not read completely.
fn refuse_body(rejection: BytesRejection, size: u64) -> Error {
    if rejection.status() != StatusCode::PAYLOAD_TOO_LARGE {
        return Error::Broken(rejection);
    }
    // Its bytes are unknown, so only the violation of its size is reported.
    let mut violations = validate_avatar(&[], size).err().unwrap_or_default();
    violations
        .0
        .retain(|violation| violation.code == Code::AvatarTooLarge);
    Error::TooLarge(violations)
}

/// Stores the new version in the profile, and deletes the previous one.
async fn name(
    state: &AppState,
    user_id: &str,
    version: Option<&str>,
) -> slovo_db::Result<Option<Account>> {
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let before = profiles::set_avatar(&mut transaction, user_id, version, now).await?;
    let account = accounts::get(&mut transaction, user_id).await?;
    transaction.commit().await?;
    if before.is_some()
        && let Err(error) = state.file_removals().process_due().await
    {
        tracing::error!(%error, "an old avatar could not be removed; trying again soon");
    }
    Ok(account)
}

/// Deletes a version that no profile refers to. If that fails, the periodic cleanup deletes it.
async fn forget(state: &AppState, user_id: &str, version: &str) {
    if let Err(error) = state.avatars.remove(user_id, version).await {
        tracing::error!(%error, "an avatar could not be removed; cleaned up later");
    }
}

/// Removes the photo.
#[utoipa::path(delete, path = "/me/avatar", tag = "me", operation_id = "remove_avatar",
    responses(
        (status = NO_CONTENT),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn remove(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<StatusCode, Problem> {
    name(&state, &caller.user_id, None).await?;
    Ok(StatusCode::NO_CONTENT)
}
