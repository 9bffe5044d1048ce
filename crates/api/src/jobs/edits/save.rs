//! `POST /api/v1/jobs/{id}/edits`.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::WriteTransaction;
use slovo_rules::edit::{self, Edit};
use slovo_transcripts::edits::{self, Author, EditError};
use utoipa::ToSchema;
use uuid::Uuid;

use super::EditsSaved;
use super::state::change;
use crate::jobs::OwnJob;

/// Largest body, in bytes: a find and replace in 20,000 segments of typical length.
pub(in crate::jobs) const MAX_BODY: usize = 8 * 1024 * 1024;

/// Edits to be applied, in order.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::jobs) struct NewEdits {
    /// The run of recognition to be changed.
    version: u32,
    /// UUID of the page that sends them; a page can undo its own edits.
    client: Uuid,
    /// At most 100. A segment's revision increases by one with each edit that changes it; that of a
    /// new segment starts at 1.
    edits: Vec<Edit>,
}

/// Edits a transcript: all of these edits are applied, or none. An edit whose `edit_id` is already
/// stored isn't applied again and returns the same answer.
#[utoipa::path(post, path = "/jobs/{id}/edits", tag = "edits", operation_id = "save_edits",
    params(("id" = String, Path, description = "Job id"),
        ("If-Match" = Option<String>, Header, description = "The ETag of the transcript that the \
            edits are meant for")),
    request_body = NewEdits,
    responses(
        (status = OK, body = EditsSaved,
            headers(("ETag" = String, description = "The transcript's new state"))),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "edit_conflict: segments were changed \
            since, `conflicts` says how they are now; split_too_deep; transcript_not_ready"),
        (status = PRECONDITION_FAILED, body = Document, description = "edit_conflict: the \
            transcript was changed after the state that If-Match names"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(in crate::jobs) async fn save(
    State(state): State<AppState>,
    own: OwnJob,
    headers: HeaderMap,
    Json(body): Json<NewEdits>,
) -> Result<Response, Problem> {
    let valid = edit::validate(&body.edits)
        .map_err(|violations| EditError::Invalid(violations.under("edits")))?;
    let author = Author {
        job: own.job.id,
        version: i64::from(body.version),
        client: body.client,
        user_id: own.caller.user_id,
        visitor: None,
        now: state.clock.now_ms(),
    };
    let save =
        async |transaction: &mut WriteTransaction| edits::save(transaction, &author, &valid).await;
    change(&state, &headers, &author, save).await
}
