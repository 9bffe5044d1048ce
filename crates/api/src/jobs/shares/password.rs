//! `PUT /api/v1/jobs/{id}/shares/{share_id}/password`: sets or removes the password of a link.

use axum::extract::State;
use serde::Deserialize;
use slovo_app::http::{Document, Json, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::shares;
use slovo_rules::share::validate_open_edit;
use slovo_rules::violation::Violations;
use utoipa::ToSchema;

use super::super::OwnJob;
use super::remove::SharePath;
use super::{ShareBody, hashed};

/// The new password of a link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct NewSharePassword {
    /// 8 to 1,024 characters, and not easy to guess; null removes the password.
    password: Option<String>,
    /// Required if the password is removed and the link allows editing: confirms that anyone with
    /// the link may edit.
    #[serde(default)]
    edit_without_password: bool,
}

/// Sets, changes or removes the password of a share link. All visitors have to open the link again,
/// and playback stops within seconds.
#[utoipa::path(put, path = "/jobs/{id}/shares/{share_id}/password", tag = "shares",
    operation_id = "set_share_password",
    params(("id" = String, Path, description = "Job id"),
        ("share_id" = String, Path, description = "Id of the link")),
    request_body = NewSharePassword,
    responses(
        (status = OK, body = ShareBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited: 60 passwords an \
            hour"),
    ))]
pub(in super::super) async fn password(
    State(state): State<AppState>,
    own: OwnJob,
    Path(SharePath { share_id }): Path<SharePath>,
    Json(form): Json<NewSharePassword>,
) -> Result<Json<ShareBody>, Problem> {
    // Before the transaction, because hashing is slow.
    let hash = match &form.password {
        Some(password) => Some(hashed(&state, &own.job.user_id, password).await?),
        None => None,
    };
    let mut transaction = state.db.write().await?;
    let current = shares::lock(&mut transaction, own.job.id, share_id).await?;
    let current = current.ok_or_else(Problem::not_found)?;
    let (locked, was_locked) = (hash.is_some(), current.password_hash.is_some());
    // If there was no password, this was confirmed when the link was allowed to edit.
    let confirmed = form.edit_without_password || !was_locked;
    validate_open_edit(current.rights, locked, confirmed).map_err(Violations::from)?;
    shares::set_password(&mut transaction, own.job.id, share_id, hash.as_deref()).await?;
    let share = shares::find(&mut transaction, own.job.id, share_id).await?;
    transaction.commit().await?;
    let share = share.ok_or_else(Problem::not_found)?;
    Ok(Json(ShareBody::of(&state, &share)))
}
