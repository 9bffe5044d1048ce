//! `PUT /api/v1/jobs/{id}/shares/{share_id}`: changes what visitors of a link can see and do.

use axum::extract::State;
use serde::Deserialize;
use slovo_app::http::{Document, Json, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::shares::{self, SharePermissions};
use slovo_rules::share::{ShareRights, validate_open_edit};
use slovo_rules::violation::Violations;
use utoipa::ToSchema;

use super::super::OwnJob;
use super::ShareBody;
use super::remove::SharePath;

/// The new rights of visitors.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct ShareChange {
    /// Whether the link includes the recording.
    with_media: bool,
    /// Whether visitors see the confidence of each word.
    with_confidence: bool,
    /// What visitors may do.
    rights: ShareRights,
    /// Required if the link starts to allow editing and has no password: confirms that anyone with
    /// the link may edit.
    #[serde(default)]
    edit_without_password: bool,
}

/// Changes what visitors of a share link can see and do. Takes effect immediately: playback stops
/// within seconds if the recording is no longer included, and edits are refused if they are no
/// longer allowed.
#[utoipa::path(put, path = "/jobs/{id}/shares/{share_id}", tag = "shares",
    operation_id = "change_share",
    params(("id" = String, Path, description = "Job id"),
        ("share_id" = String, Path, description = "Id of the link")),
    request_body = ShareChange,
    responses(
        (status = OK, body = ShareBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(in super::super) async fn change(
    State(state): State<AppState>,
    own: OwnJob,
    Path(SharePath { share_id }): Path<SharePath>,
    Json(form): Json<ShareChange>,
) -> Result<Json<ShareBody>, Problem> {
    let settings = SharePermissions {
        with_media: form.with_media,
        with_confidence: form.with_confidence,
        rights: form.rights,
    };
    let mut transaction = state.db.write().await?;
    let current = shares::lock(&mut transaction, own.job.id, share_id).await?;
    let current = current.ok_or_else(Problem::not_found)?;
    // If the link already allows edits, this was confirmed before.
    let confirmed = form.edit_without_password || current.rights.edits();
    let locked = current.password_hash.is_some();
    validate_open_edit(form.rights, locked, confirmed).map_err(Violations::from)?;
    shares::change(&mut transaction, own.job.id, share_id, settings).await?;
    let share = shares::find(&mut transaction, own.job.id, share_id).await?;
    transaction.commit().await?;
    let share = share.ok_or_else(Problem::not_found)?;
    Ok(Json(ShareBody::of(&state, &share)))
}
