//! `POST /api/v1/jobs/{id}/restore`: restores an earlier run, or the state after an earlier edit.

use axum::extract::State;
use serde::Deserialize;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::projection::{self, HistoryPoint};
use slovo_db::texts::search;
use slovo_transcripts::edits::{self, Author, EditError};
use utoipa::ToSchema;
use uuid::Uuid;

use super::OwnJob;
use super::transcript::{self, Error, OpenedTranscript};

/// The state to restore.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Restore {
    /// The run.
    version: u32,
    /// Number of an edit whose state is restored; 0 means as recognised; null leaves the run's
    /// edits unchanged.
    at: Option<u32>,
    /// UUID of the page, which can undo the restoration.
    client: Uuid,
    /// UUID of this step, so that it can safely be sent again.
    edit_id: Uuid,
}

/// Makes a run the current one, and with `at` restores its text and speaker names as they were
/// then. This is an edit like any other: later edits aren't lost.
#[utoipa::path(post, path = "/jobs/{id}/restore", tag = "edits",
    operation_id = "restore_transcript",
    params(("id" = String, Path, description = "Job id")),
    request_body = Restore,
    responses(
        (status = OK, body = OpenedTranscript),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "transcript_not_ready"),
    ))]
pub(super) async fn restore(
    State(state): State<AppState>,
    own: OwnJob,
    Json(body): Json<Restore>,
) -> Result<Json<OpenedTranscript>, Error> {
    let version = i64::from(body.version);
    let author = Author {
        job: own.job.id,
        version,
        client: body.client,
        user_id: own.caller.user_id,
        visitor: None,
        now: state.clock.now_ms(),
    };
    let mut transaction = state.db.write().await?;
    if !projection::show(&mut transaction, author.job, version).await? {
        return Err(Error::NotReady);
    }
    search::mark_stale(&mut transaction, author.job).await?;
    if let Some(at) = body.at {
        let restored = edits::restore(&mut transaction, &author, body.edit_id, at).await;
        restored.map_err(|error: EditError| Error::Other(Problem::from(error)))?;
    }
    let point = HistoryPoint {
        version: Some(version),
        at: None,
    };
    let opened = transcript::opened(&mut transaction, author.job, point, Some(body.client)).await?;
    transaction.commit().await?;
    state.jobs.live().stored(author.job);
    Ok(Json(opened))
}
