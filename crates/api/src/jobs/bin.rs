//! `GET /api/v1/jobs/{id}/bin`: the lines that were removed from a text by edits.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use serde::{Deserialize, Serialize};
use slovo_app::http::{Document, Json, Query};
use slovo_app::state::AppState;
use slovo_db::texts::{edits, projection, transcripts};
use slovo_rules::transcript::fill_languages;
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

/// The lines that users have removed from a text.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LineBin {
    /// The run of recognition that they were removed from.
    version: u32,
    /// In their order in the text.
    lines: Vec<RemovedLine>,
}

/// A removed line.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RemovedLine {
    /// Its id, for the edit that restores it.
    id: String,
    /// Its revision.
    revision: u32,
    /// Start in seconds.
    start: f64,
    /// End in seconds.
    end: f64,
    /// `SPEAKER_n`; null if no speaker is set.
    speaker: Option<String>,
    /// Language of its speech (ISO 639-1).
    language: Option<String>,
    /// Its text when it was removed.
    text: String,
}

/// Lists the lines that users have removed from a transcript and that can be restored.
#[utoipa::path(get, path = "/jobs/{id}/bin", tag = "jobs", operation_id = "get_line_bin",
    params(("id" = String, Path, description = "Job id"), QueryParams),
    responses(
        (status = OK, body = LineBin),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "transcript_not_ready: also for a \
            version without a text"),
    ))]
pub(super) async fn bin(
    State(state): State<AppState>,
    own: OwnJob,
    Query(query): Query<QueryParams>,
) -> Result<Json<LineBin>, Error> {
    let mut connection = state.db.read().await?;
    let job = own.job.id;
    let version = match query.version {
        Some(version) => Some(i64::from(version)),
        None => projection::displayed_version(&mut connection, job).await?,
    };
    let version = version.ok_or(Error::NotReady)?;
    let text = edits::seq(&mut connection, job, version).await?;
    text.ok_or(Error::NotReady)?;
    let speakers = edits::read_speakers(&mut connection, job, version).await?;
    let states = edits::bin(&mut connection, job, version).await?;
    let language = transcripts::language(&mut connection, job, version).await?;
    let language = language.unwrap_or_default();
    let lines = states.into_iter().map(|state| {
        let mut segment = state.segment;
        fill_languages([&mut segment.language], &language);
        let speaker = segment.speaker.as_deref();
        RemovedLine {
            speaker: speaker.map(|speaker| speakers.resolve(speaker).to_owned()),
            language: segment.language,
            id: segment.id,
            revision: segment.revision,
            start: segment.start,
            end: segment.end,
            text: segment.text,
        }
    });
    Ok(Json(LineBin {
        version: u32::try_from(version).unwrap_or(u32::MAX),
        lines: lines.collect(),
    }))
}
