//! `GET /api/v1/jobs/{id}/removed`: the passages that the engine removed from a text.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use serde::{Deserialize, Serialize};
use slovo_app::http::{Document, Json, Query};
use slovo_app::state::AppState;
use slovo_db::texts::projection::{self, HistoryPoint};
use slovo_rules::removed::{self, Removed};
use utoipa::{IntoParams, ToSchema};

use super::OwnJob;
use super::transcript::Error;

/// Which text of the job is requested.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct QueryParams {
    /// A run of recognition; the current one if absent.
    version: Option<u32>,
}

/// The passages that the engine removed from a text.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RemovedPassages {
    /// The run of recognition that they were removed from.
    version: u32,
    /// In order of time.
    passages: Vec<RemovedPassage>,
}

/// A removed passage.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RemovedPassage {
    /// Its number for the edit that restores it, from 0.
    number: u32,
    /// Id of its segment if it is restored.
    segment: String,
    /// The passage and the reason for its removal.
    #[serde(flatten)]
    removed: Removed,
}

/// Lists passages the engine removed because no one said them, with the reasons, and which of them
/// have been restored.
#[utoipa::path(get, path = "/jobs/{id}/removed", tag = "jobs", operation_id = "get_removed",
    params(("id" = String, Path, description = "Job id"), QueryParams),
    responses(
        (status = OK, body = RemovedPassages),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "transcript_not_ready: also for a \
            version without a text"),
    ))]
pub(super) async fn removed(
    State(state): State<AppState>,
    own: OwnJob,
    Query(query): Query<QueryParams>,
) -> Result<Json<RemovedPassages>, Error> {
    let point = HistoryPoint {
        version: query.version.map(i64::from),
        at: None,
    };
    let mut connection = state.db.read().await?;
    let text = projection::read(&mut connection, own.job.id, point).await?;
    let text = text.ok_or(Error::NotReady)?;
    let passages = (0..)
        .zip(text.removed)
        .map(|(number, removed)| RemovedPassage {
            number,
            segment: removed::segment_id(number),
            removed,
        });
    Ok(Json(RemovedPassages {
        version: text.version,
        passages: passages.collect(),
    }))
}
