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

/// What became of a transcript over time.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct History {
    /// The run that is shown.
    shown: u32,
    /// The runs that have a text, the oldest first.
    runs: Vec<HistoryRun>,
    /// The named versions, the oldest first.
    marks: Vec<MarkBody>,
    /// Who edited when, the oldest first: edits of one author, or of one visitor, with no pause over
    /// 10 minutes.
    sessions: Vec<EditSession>,
}

/// A run of recognition that has a text.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct HistoryRun {
    /// Its number, from 1.
    version: u32,
    /// When it came to its end.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// The model that made it.
    model: String,
    /// Language given or found.
    language: String,
    /// Mode of recognition.
    mode: TranscriptionType,
    /// Number of its last edit; 0 if there is none.
    seq: u32,
    /// What was asked for.
    settings: TranscriptionSettings,
}

/// A named version.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Mark)]
pub(super) struct MarkBody {
    /// Its id.
    id: Uuid,
    /// The run that it is of.
    version: u32,
    /// The last edit in it; 0 if there is none.
    seq: u32,
    /// The name that somebody gave it.
    name: String,
    /// Who did: the account's name, or what stands before the @ of its address; null if it is
    /// gone.
    author_name: Option<String>,
    /// Whether it was the one who asks.
    by_me: bool,
    /// When.
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

/// Edits of one author in one go.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EditSession {
    /// The run.
    version: u32,
    /// Its first edit.
    from_seq: u32,
    /// Its last one.
    to_seq: u32,
    /// Who edited: the account's name, or what stands before the @ of its address; null if it is
    /// gone. Of a visitor the name that they gave, which nobody has checked.
    author_name: Option<String>,
    /// The link by which a visitor edited; null: an account did.
    share: Option<EditShare>,
    /// Whether it was the one who asks.
    by_me: bool,
    /// When it began.
    #[schema(value_type = String, format = DateTime)]
    from: Timestamp,
    /// When it ended.
    #[schema(value_type = String, format = DateTime)]
    to: Timestamp,
    /// How many edits there are in it.
    edits: u32,
    /// The languages of the stretches that were recognised again in it (ISO 639-1), in order; each
    /// is one of its edits.
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
    let moments = edits::moments(&mut connection, own.job.id).await?;
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
        sessions: sessions::of(moments)
            .into_iter()
            .map(|session| {
                let session_span = (session.version, session.from_seq..=session.to_seq);
                EditSession {
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
                    recognised_again: languages_in(&again, &session_span),
                }
            })
            .collect(),
    }))
}

/// The languages of the stretches that were recognised again among these edits of a run.
fn languages_in(again: &[Edited], (version, seqs): &(u32, RangeInclusive<u32>)) -> Vec<String> {
    let among = again
        .iter()
        .filter(|edited| edited.version == *version && seqs.contains(&edited.seq));
    among.map(|edited| edited.language.clone()).collect()
}
