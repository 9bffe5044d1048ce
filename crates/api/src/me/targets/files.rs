//! The files of a target.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use serde::Deserialize;
use slovo_app::http::{Document, Json, Path, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::targets::{self, Target, files};
use slovo_rules::target::TargetFileState;
use utoipa::IntoParams;
use uuid::Uuid;

use super::bodies::{FileBody, FilePage};
use crate::me::own::Own;
use crate::page::PageParams;
use crate::places;

/// Which files.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(in crate::me) struct StateParam {
    /// Only those in this state.
    state: Option<TargetFileState>,
}

/// The path of a target's file.
#[derive(Deserialize)]
pub(in crate::me) struct FilePath {
    job_id: Uuid,
}

/// Lists the files of a target.
#[utoipa::path(get, path = "/me/targets/{id}/files", tag = "me", operation_id = "list_target_files",
    params(("id" = Uuid, Path, description = "Target id"), PageParams, StateParam),
    responses(
        (status = OK, body = FilePage),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(in crate::me) async fn list(
    State(state): State<AppState>,
    own: Own<Target>,
    Query(page): Query<PageParams>,
    Query(only): Query<StateParam>,
) -> Result<Json<FilePage>, Problem> {
    let after = page.after()?;
    let mut connection = state.db.read().await?;
    let target = own.item.id;
    let mut found = files::list(&mut connection, target, only.state, after, page.read()).await?;
    let next_cursor = page.cut(&mut found, |file| (file.created_at, file.job_id));
    Ok(Json(FilePage {
        items: found.into_iter().map(Into::into).collect(),
        next_cursor,
    }))
}

/// Has a text written again: to a new file if its file was changed or removed there, and otherwise as
/// before. One that waits or is up to date stays as it is.
#[utoipa::path(post, path = "/me/targets/{id}/files/{job_id}/write", tag = "me",
    operation_id = "write_target_file",
    params(("id" = Uuid, Path, description = "Target id"),
        ("job_id" = Uuid, Path, description = "Job id")),
    responses(
        (status = OK, body = FileBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "source_paused"),
    ))]
pub(in crate::me) async fn write_again(
    State(state): State<AppState>,
    own: Own<Target>,
    Path(FilePath { job_id }): Path<FilePath>,
) -> Result<Json<FileBody>, Problem> {
    places::refuse_paused(own.item.is_active)?;
    let target = own.item.id;
    let mut transaction = state.db.write().await?;
    if files::write_again(&mut transaction, target, job_id).await? {
        targets::run_soon(&mut transaction, target, state.clock.now_ms()).await?;
    }
    let file = files::find(&mut transaction, target, job_id).await?;
    transaction.commit().await?;
    Ok(Json(file.ok_or_else(Problem::not_found)?.into()))
}
