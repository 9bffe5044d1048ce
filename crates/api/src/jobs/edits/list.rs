//! `GET /api/v1/jobs/{id}/edits`: the edits after a known position.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use serde::Deserialize;
use slovo_app::http::{Document, Json, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::texts::edits;
use slovo_transcripts::edits::listed;
use utoipa::IntoParams;
use uuid::Uuid;

use super::{EditEntry, EditList};
use crate::jobs::OwnJob;

/// Maximum number of edits per response.
const PAGE: u32 = 500;

/// The edits to list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(in crate::jobs) struct QueryParams {
    /// The run of recognition.
    pub(super) version: u32,
    /// Only edits after this number; 0 for all.
    #[serde(default)]
    pub(super) since: u32,
}

/// Lists the edits of a run after a given one, in order.
#[utoipa::path(get, path = "/jobs/{id}/edits", tag = "edits", operation_id = "list_edits",
    params(("id" = String, Path, description = "Job id"), QueryParams),
    responses(
        (status = OK, body = EditList),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(in crate::jobs) async fn list(
    State(state): State<AppState>,
    own: OwnJob,
    Query(query): Query<QueryParams>,
) -> Result<Json<EditList>, Problem> {
    let list = since(&state, own.job.id, i64::from(query.version), query.since).await?;
    Ok(Json(list))
}

/// The next edits after `since`.
pub(super) async fn since(
    state: &AppState,
    job: Uuid,
    version: i64,
    since: u32,
) -> Result<EditList, Problem> {
    let mut connection = state.db.read().await?;
    let mut entries = edits::since(&mut connection, job, version, since, PAGE + 1).await?;
    let more = entries.len() > PAGE as usize;
    entries.truncate(PAGE as usize);
    let edits = listed::load(&mut connection, job, version, entries).await?;
    Ok(EditList {
        seq: edits.last().map_or(since, |edit| edit.entry.of.seq),
        edits: edits
            .into_iter()
            .map(|edit| EditEntry::new(edit.entry, edit.changes, edit.speakers))
            .collect::<Result<_, _>>()?,
        more,
    })
}
