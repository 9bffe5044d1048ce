//! `GET /api/v1/jobs/{id}/history`: the runs of a job, its editing sessions, and its named
//! versions.

use std::ops::RangeInclusive;

use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use slovo_app::http::{Document, Json};
use slovo_app::state::AppState;
use slovo_db::texts::edits::{self, WithAuthor};
use slovo_db::texts::marks::{self, Mark};
use slovo_db::texts::projection;
use slovo_db::texts::stretches::{self, Edited};
use slovo_platform::clock::from_ms;
use slovo_rules::settings::{TranscriptionSettings, TranscriptionType};
use slovo_transcripts::edits::sessions;
use utoipa::ToSchema;
use uuid::Uuid;

use super::OwnJob;
use super::edits::EditShare;
use super::transcript::Error;

/// The history of a transcript.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct History {
    /// The current run.
    shown: u32,
    /// The runs with a text, the oldest first.
    runs: Vec<HistoryRun>,
    /// The named versions, the oldest first.
    marks: Vec<MarkBody>,
    /// Editing sessions, the oldest first: edits by one author or one visitor without a pause of
    /// more than 10 minutes.
    sessions: Vec<EditSession>,
}

/// A run of recognition with a text.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct HistoryRun {
    /// Its number, from 1.
    version: u32,
    /// When it ended.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// Id of the model.
    model: String,
    /// Language as set or detected.
    language: String,
    /// Mode of recognition.
    mode: TranscriptionType,
    /// Number of its last edit; 0 if there is none.
    seq: u32,
    /// The settings.
    settings: TranscriptionSettings,
}

/// A named version.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Mark)]
pub(super) struct MarkBody {
    /// Its id.
    id: Uuid,
    /// The run.
    version: u32,
    /// Number of its last edit; 0 if there is none.
    seq: u32,
    /// Its name.
    name: String,
    /// Who named it: the account's name, or the part of its address before the @; null if the
    /// account has been deleted.
    author_name: Option<String>,
    /// Whether the caller named it.
    by_me: bool,
    /// When it was named.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
}

impl MarkBody {
    /// The mark as this account sees it.
    pub(super) fn of(mark: WithAuthor<Mark>, me: &str) -> Self {
        Self {
            id: mark.of.id,
            version: mark.of.version,
            seq: mark.of.seq,
            name: mark.of.name,
            author_name: mark.author_name,
            by_me: mark.of.author_id == me,
            at: from_ms(mark.of.at),
        }
    }
}

/// Consecutive edits by one author.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EditSession {
    /// The run.
    version: u32,
    /// Number of its first edit.
    from_seq: u32,
    /// Number of its last edit.
    to_seq: u32,
    /// The author: the account's name, or the part of its address before the @; null if the account
    /// has been deleted. For a visitor, the name that they entered, which is not verified.
    author_name: Option<String>,
    /// The link that a visitor used; null if the author is an account.
    share: Option<EditShare>,
    /// Whether the author is the caller.
    by_me: bool,
    /// When it began.
    #[schema(value_type = String, format = DateTime)]
    from: Timestamp,
    /// When it ended.
    #[schema(value_type = String, format = DateTime)]
    to: Timestamp,
    /// Number of edits in it.
    edits: u32,
    /// The languages of the stretches that were recognised again in it (ISO 639-1), in order; each
    /// of these is one of its edits.
    recognised_again: Vec<String>,
}

/// Returns the history of a transcript.
#[utoipa::path(get, path = "/jobs/{id}/history", tag = "edits", operation_id = "get_history",
    params(("id" = String, Path, description = "Job id")),
    responses(
        (status = OK, body = History),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "transcript_not_ready"),
    ))]
pub(super) async fn history(
    State(state): State<AppState>,
    own: OwnJob,
) -> Result<Json<History>, Error> {
    let mut connection = state.db.read().await?;
    let me = own.caller.user_id.as_str();
    let current = projection::displayed_version(&mut connection, own.job.id).await?;
    let current = current.ok_or(Error::NotReady)?;
    let runs = projection::finished_runs(&mut connection, own.job.id).await?;
    let marks = marks::list(&mut connection, own.job.id).await?;
    let stamps = edits::edit_stamps(&mut connection, own.job.id).await?;
    let again = stretches::edited(&mut connection, own.job.id).await?;
    Ok(Json(History {
        shown: u32::try_from(current).unwrap_or_default(),
        runs: runs
            .into_iter()
            .map(|run| HistoryRun {
                version: run.version,
                at: from_ms(run.at),
                model: run.model,
                language: run.language,
                mode: run.mode,
                seq: run.seq,
                settings: run.plan.unwrap_or_else(|| own.job.plan.clone()).into(),
            })
            .collect(),
        marks: marks
            .into_iter()
            .map(|mark| MarkBody::of(mark, me))
            .collect(),
        sessions: sessions::of(stamps)
            .into_iter()
            .map(|session| EditSession {
                version: session.version,
                from_seq: session.from_seq,
                to_seq: session.to_seq,
                by_me: session.visitor.is_none() && session.author_id == me,
                share: session.visitor.as_ref().map(EditShare::from),
                author_name: session
                    .visitor
                    .map(|visitor| visitor.name)
                    .or(session.author_name),
                from: from_ms(session.from),
                to: from_ms(session.to),
                edits: session.edits,
                recognised_again: languages_in(
                    &again,
                    session.version,
                    session.from_seq..=session.to_seq,
                ),
            })
            .collect(),
    }))
}

/// The languages of the stretches that were recognised again among these edits of a run.
fn languages_in(again: &[Edited], version: u32, seqs: RangeInclusive<u32>) -> Vec<String> {
    let among = again
        .iter()
        .filter(|edited| edited.version == version && seqs.contains(&edited.seq));
    among.map(|edited| edited.language.clone()).collect()
}
