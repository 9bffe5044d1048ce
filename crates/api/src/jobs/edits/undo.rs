//! `POST /api/v1/jobs/{id}/edits/undo` and `/redo`.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::WriteTransaction;
use slovo_transcripts::edits::{self, Author, Direction};
use utoipa::ToSchema;
use uuid::Uuid;

use super::EditsSaved;
use super::state::change;
use crate::jobs::OwnJob;

/// The page whose last edit is undone or redone.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::jobs) struct Step {
    /// The run of recognition.
    version: u32,
    /// UUID of the page, whose own edits are undone or redone.
    client: Uuid,
    /// UUID of this step, so that it can safely be sent again.
    edit_id: Uuid,
}

/// Undoes this page's last edit.
#[utoipa::path(post, path = "/jobs/{id}/edits/undo", tag = "edits", operation_id = "undo_edit",
    params(("id" = String, Path, description = "Job id"),
        ("If-Match" = Option<String>, Header, description = "The ETag of the transcript that the \
            step is meant for")),
    request_body = Step,
    responses(
        (status = OK, body = EditsSaved,
            headers(("ETag" = String, description = "The transcript's new state"))),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "nothing_to_undo; edit_conflict: \
            somebody else has changed one of its segments since; transcript_not_ready"),
        (status = PRECONDITION_FAILED, body = Document, description = "edit_conflict: the \
            transcript was changed after the state that If-Match names"),
    ))]
pub(in crate::jobs) async fn undo(
    State(state): State<AppState>,
    own: OwnJob,
    headers: HeaderMap,
    Json(body): Json<Step>,
) -> Result<Response, Problem> {
    step(&state, own, &headers, &body, Direction::Undo).await
}

/// Redoes this page's last undone edit.
#[utoipa::path(post, path = "/jobs/{id}/edits/redo", tag = "edits", operation_id = "redo_edit",
    params(("id" = String, Path, description = "Job id"),
        ("If-Match" = Option<String>, Header, description = "The ETag of the transcript that the \
            step is meant for")),
    request_body = Step,
    responses(
        (status = OK, body = EditsSaved,
            headers(("ETag" = String, description = "The transcript's new state"))),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "nothing_to_redo; edit_conflict: \
            somebody else has changed one of its segments since; transcript_not_ready"),
        (status = PRECONDITION_FAILED, body = Document, description = "edit_conflict: the \
            transcript was changed after the state that If-Match names"),
    ))]
pub(in crate::jobs) async fn redo(
    State(state): State<AppState>,
    own: OwnJob,
    headers: HeaderMap,
    Json(body): Json<Step>,
) -> Result<Response, Problem> {
    step(&state, own, &headers, &body, Direction::Redo).await
}

async fn step(
    state: &AppState,
    own: OwnJob,
    headers: &HeaderMap,
    body: &Step,
    direction: Direction,
) -> Result<Response, Problem> {
    let author = Author {
        job: own.job.id,
        version: i64::from(body.version),
        client: body.client,
        user_id: own.caller.user_id,
        visitor: None,
        now: state.clock.now_ms(),
    };
    let step = async |transaction: &mut WriteTransaction| {
        edits::step(transaction, &author, body.edit_id, direction).await
    };
    change(state, headers, &author, step).await
}
