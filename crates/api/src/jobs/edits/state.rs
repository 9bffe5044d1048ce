//! The state of a transcript as an ETag, and changes that are meant for one state only.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use slovo_app::http::{Json, Problem, is_meant};
use slovo_app::state::AppState;
use slovo_db::WriteTransaction;
use slovo_db::texts::edits;
use slovo_rules::codes::ProblemCode;
use slovo_transcripts::edits::{Author, EditError, SavedEdits};

use super::EditsSaved;

/// The ETag of a run after its edit `seq`.
pub(in crate::jobs) fn etag(version: i64, seq: u32) -> Result<HeaderValue, Problem> {
    HeaderValue::try_from(format!("\"{version}.{seq}\"")).map_err(Problem::internal)
}

/// Changes a transcript and answers with its new state. `If-Match` may name the state that the
/// change is meant for; a repeated request, whose change is stored already, is answered in any case.
pub(super) async fn change(
    state: &AppState,
    headers: &HeaderMap,
    author: &Author,
    change: impl AsyncFnOnce(&mut WriteTransaction) -> Result<SavedEdits, EditError>,
) -> Result<Response, Problem> {
    let mut transaction = state.db.write().await?;
    let before = edits::lock(&mut transaction, author.job, author.version).await?;
    let before = before.unwrap_or(0);
    let is_meant = is_meant(headers, &etag(author.version, before)?);
    let saved = change(&mut transaction).await;
    let is_late = match &saved {
        Ok(saved) => saved.seq > before,
        Err(error) => matches!(error, EditError::Conflict(_)),
    };
    if !is_meant && is_late {
        return Err(
            Problem::new(StatusCode::PRECONDITION_FAILED, ProblemCode::EditConflict)
                .detail("The transcript was changed after the state that If-Match names."),
        );
    }
    let saved = saved?;
    transaction.commit().await?;
    state.jobs.live().stored(author.job);
    let etag = etag(author.version, saved.seq.max(before))?;
    let body = Json(EditsSaved::from(saved));
    Ok(([(header::ETAG, etag)], body).into_response())
}
