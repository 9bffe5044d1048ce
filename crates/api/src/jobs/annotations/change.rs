//! `PATCH /api/v1/jobs/{id}/annotations/{annotation_id}`: changes a note or a colour.

use axum::extract::State;
use serde::Deserialize;
use slovo_app::http::{Document, Json, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::annotations;
use slovo_rules::annotation::{AnnotationColour, validate_note};
use slovo_rules::{Valid, Violations};
use utoipa::ToSchema;

use super::super::OwnJob;
use super::{AnnotationBody, AnnotationPath};

/// Changes to a bookmark or a highlight; absent or null fields are left unchanged.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct AnnotationChange {
    /// The colour.
    colour: Option<AnnotationColour>,
    /// 0 to 2,000 characters; an empty text removes the note.
    note: Option<String>,
}

/// Changes the note or the colour of a bookmark or a highlight.
#[utoipa::path(patch, path = "/jobs/{id}/annotations/{annotation_id}", tag = "edits",
    operation_id = "change_annotation",
    params(("id" = String, Path, description = "Job id"),
        ("annotation_id" = String, Path, description = "Id of the bookmark or highlight")),
    request_body = AnnotationChange,
    responses(
        (status = OK, body = AnnotationBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(in super::super) async fn change(
    State(state): State<AppState>,
    own: OwnJob,
    Path(AnnotationPath { annotation_id }): Path<AnnotationPath>,
    Json(body): Json<AnnotationChange>,
) -> Result<Json<AnnotationBody>, Problem> {
    let note = body.note.as_deref().map(validate_note).transpose();
    let note = note.map_err(Violations::from)?.map(Valid::into_inner);
    let (job, now) = (own.job.id, state.clock.now_ms());
    let key = (job, annotation_id);
    let mut transaction = state.db.write().await?;
    annotations::change(&mut transaction, key, body.colour, note.as_deref(), now).await?;
    let changed = annotations::find(&mut transaction, job, annotation_id).await?;
    transaction.commit().await?;
    let changed = changed.ok_or_else(Problem::not_found)?;
    Ok(Json(changed.into()))
}
