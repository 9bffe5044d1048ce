//! `PUT /api/v1/jobs/{id}/title`: the owner's title for a job.

use axum::extract::State;
use serde::Deserialize;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::jobs;
use slovo_db::texts::search;
use slovo_rules::title as rules;
use utoipa::ToSchema;

use super::{JobBody, OwnJob, reread};

/// A title for a job.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewTitle {
    /// At most 200 characters after trimming. Line breaks become spaces, and invisible characters
    /// are removed. If nothing is left, the file name is used again.
    title: String,
}

/// Sets the title of one of the caller's jobs, which is shown instead of the file name.
#[utoipa::path(put, path = "/jobs/{id}/title", tag = "jobs", operation_id = "set_title",
    params(("id" = String, Path, description = "Job id")),
    request_body = NewTitle,
    responses(
        (status = OK, body = JobBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn title(
    State(state): State<AppState>,
    own: OwnJob,
    Json(body): Json<NewTitle>,
) -> Result<Json<JobBody>, Problem> {
    let title = rules::validate(&body.title)?;
    let mut transaction = state.db.write().await?;
    let user = &own.caller.user_id;
    if !jobs::set_title(&mut transaction, user, own.job.id, title.as_deref()).await? {
        return Err(Problem::not_found());
    }
    search::mark_stale(&mut transaction, own.job.id).await?;
    transaction.commit().await?;
    Ok(Json(reread(&state, &own).await?))
}
