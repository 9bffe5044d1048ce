//! `POST /api/v1/jobs/bulk/tag` and `POST /api/v1/jobs/bulk/folder`: assigns jobs to the caller's
//! tags and folders.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::jobs::groups;
use slovo_db::targets::files;
use slovo_db::texts::search;
use slovo_rules::codes::ProblemCode;
use slovo_rules::group::{GroupKind, MAX_TAGS_OF_JOB};
use utoipa::ToSchema;
use uuid::Uuid;

use super::bulk::{BulkResponse, distinct, find_own, result};
use super::{JobBody, OwnJob, reread};
use crate::groups::ensure_exists;

/// Jobs to which a tag is added, or from which it is removed.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Tagging {
    /// At most 100 ids; duplicates count once.
    jobs: Vec<Uuid>,
    /// Id of the tag.
    tag: Uuid,
    /// Whether the tag is added (true) or removed (false).
    on: bool,
}

/// Adds a tag to jobs, or removes it. A job has at most 20 tags.
#[utoipa::path(post, path = "/jobs/bulk/tag", tag = "jobs", operation_id = "tag_jobs",
    request_body = Tagging,
    responses(
        (status = OK, body = BulkResponse, description = "not_found, too_many_tags_of_job: `code` of \
            single results"),
        (status = NOT_FOUND, body = Document, description = "not_found: no such tag"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "too_many_jobs"),
    ))]
pub(super) async fn tag_all(
    State(state): State<AppState>,
    caller: Caller,
    Json(body): Json<Tagging>,
) -> Result<Json<BulkResponse>, Problem> {
    let ids = distinct(&body.jobs)?;
    ensure_exists(&state, &caller, body.tag, GroupKind::Tag).await?;
    let mut results = Vec::new();
    for id in ids {
        let done = match find_own(&state, &caller, id).await {
            Ok(own) => tag(&state, &own, &body).await,
            Err(problem) => Err(problem),
        };
        results.push(result(id, done)?);
    }
    Ok(Json(BulkResponse { results }))
}

async fn tag(state: &AppState, own: &OwnJob, body: &Tagging) -> Result<Option<JobBody>, Problem> {
    let (user, job) = (&own.caller.user_id, own.job.id);
    let mut transaction = state.db.write().await?;
    let tags = groups::tags_to_change(&mut transaction, user, job).await?;
    let full = tags.len() >= MAX_TAGS_OF_JOB && !tags.contains(&body.tag);
    if body.on && full {
        let params = BTreeMap::from([("max".to_owned(), MAX_TAGS_OF_JOB.into())]);
        return Err(
            Problem::new(StatusCode::CONFLICT, ProblemCode::TooManyTagsOfJob).params(params),
        );
    }
    let other_tags = match body.on {
        true => groups::add_job(&mut transaction, user, job, body.tag).await?,
        false => groups::remove_tag(&mut transaction, user, job, body.tag).await?,
    };
    if other_tags {
        search::mark_stale(&mut transaction, job).await?;
    }
    transaction.commit().await?;
    reread(state, own).await.map(Some)
}

/// Jobs to be moved.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Moving)]
pub(super) struct MoveForm {
    /// At most 100 ids; duplicates count once.
    jobs: Vec<Uuid>,
    /// Id of the folder; null removes them from their folders.
    folder: Option<Uuid>,
}

/// Moves jobs to a folder, or out of the one they are in.
#[utoipa::path(post, path = "/jobs/bulk/folder", tag = "jobs", operation_id = "move_jobs",
    request_body = MoveForm,
    responses(
        (status = OK, body = BulkResponse, description = "not_found: `code` of single results"),
        (status = NOT_FOUND, body = Document, description = "not_found: no such folder"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "too_many_jobs"),
    ))]
pub(super) async fn move_all(
    State(state): State<AppState>,
    caller: Caller,
    Json(body): Json<MoveForm>,
) -> Result<Json<BulkResponse>, Problem> {
    let ids = distinct(&body.jobs)?;
    if let Some(folder) = body.folder {
        ensure_exists(&state, &caller, folder, GroupKind::Folder).await?;
    }
    let mut results = Vec::new();
    for id in ids {
        let done = match find_own(&state, &caller, id).await {
            Ok(own) => move_to_folder(&state, &own, body.folder).await,
            Err(problem) => Err(problem),
        };
        results.push(result(id, done)?);
    }
    Ok(Json(BulkResponse { results }))
}

async fn move_to_folder(
    state: &AppState,
    own: &OwnJob,
    folder: Option<Uuid>,
) -> Result<Option<JobBody>, Problem> {
    let (user, job) = (&own.caller.user_id, own.job.id);
    let mut transaction = state.db.write().await?;
    // The search index does not contain folders, but targets may have those of one.
    match folder {
        Some(folder) => {
            groups::add_job(&mut transaction, user, job, folder).await?;
        }
        None => groups::remove_from_folder(&mut transaction, user, job).await?,
    }
    files::mark(&mut transaction, job).await?;
    transaction.commit().await?;
    reread(state, own).await.map(Some)
}
