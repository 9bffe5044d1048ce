//! What the actions on sources answer.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use slovo_app::auth::Caller;
use slovo_app::state::AppState;
use slovo_db::sources::recordings::{self, SourceRecording};
use slovo_db::sources::{Problem, Source};
use slovo_db::{Connection, presets};
use slovo_platform::clock::from_ms;
use slovo_rules::source::{SourceKind, SourceRecordingState};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::presets::viewer;

/// The sources of an account.
#[derive(Serialize, ToSchema)]
#[schema(as = SourceList)]
pub(in crate::me) struct List {
    /// At most 20, the oldest first.
    pub sources: Vec<SourceBody>,
    /// What the caller may add.
    pub kinds: Vec<SourceKind>,
    /// Folders on the server below which administrators may watch; empty for others.
    pub watched_folders: Vec<String>,
}

/// A source.
#[derive(Serialize, ToSchema)]
#[schema(as = Source)]
pub(in crate::me) struct SourceBody {
    id: Uuid,
    name: String,
    kind: SourceKind,
    /// Its address, or the path of its folder.
    location: String,
    region: String,
    user: String,
    /// Whether a password is stored.
    has_password: bool,
    /// The preset of its jobs; null for Full with the defaults.
    #[schema(required)]
    preset_id: Option<String>,
    /// Its name; null without one, or if it does not exist any more.
    #[schema(required)]
    preset_name: Option<String>,
    /// Whether it is looked at; otherwise it is paused.
    is_active: bool,
    /// When the last look ended.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    checked_at: Option<Timestamp>,
    /// When it is looked at next, unless it is paused.
    #[schema(value_type = String, format = DateTime)]
    next_check_at: Timestamp,
    /// Whether it is being looked at.
    is_checking: bool,
    /// Why the last look failed.
    #[schema(required)]
    problem: Option<ProblemBody>,
    /// Whether what the first look finds is transcribed, too.
    take_existing: bool,
    counts: Counts,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

impl SourceBody {
    pub(super) async fn of(
        state: &AppState,
        connection: &mut Connection,
        caller: &Caller,
        source: Source,
    ) -> slovo_db::Result<Self> {
        let counts = recordings::counts(&mut *connection, source.id).await?;
        let preset = match source.preset_id.as_deref().and_then(|id| id.parse().ok()) {
            Some(id) => presets::find(connection, viewer(caller), id).await?,
            None => None,
        };
        let is_leased = source.lease_id.is_some() && source.next_check_at > state.clock.now_ms();
        Ok(Self {
            id: source.id,
            name: source.name,
            kind: source.kind,
            location: source.location,
            region: source.region,
            user: source.user,
            has_password: source.password.is_some(),
            preset_id: source.preset_id,
            preset_name: preset.map(|preset| preset.name),
            is_active: source.is_active,
            checked_at: source.checked_at.map(from_ms),
            next_check_at: from_ms(source.next_check_at),
            is_checking: is_leased,
            problem: source.problem.map(Into::into),
            take_existing: source.take_existing,
            counts: Counts::of(&counts),
            created_at: from_ms(source.created_at),
            updated_at: from_ms(source.updated_at),
        })
    }
}

/// How many recordings of a source there are.
#[derive(Serialize, ToSchema)]
#[schema(as = SourceCounts)]
pub(in crate::me) struct Counts {
    /// They were there before the source was added.
    skipped: i64,
    /// They become jobs.
    waiting: i64,
    /// They became jobs.
    started: i64,
    /// They could not become jobs.
    failed: i64,
}

impl Counts {
    fn of(counts: &[(SourceRecordingState, i64)]) -> Self {
        let count = |state| {
            let found = counts.iter().find(|(counted, _)| *counted == state);
            found.map_or(0, |(_, count)| *count)
        };
        Self {
            skipped: count(SourceRecordingState::Skipped),
            waiting: count(SourceRecordingState::Waiting),
            started: count(SourceRecordingState::Started),
            failed: count(SourceRecordingState::Failed),
        }
    }
}

/// Why a look or a recording failed, or why a recording waits.
#[derive(Serialize, ToSchema)]
#[schema(as = SourceProblem)]
pub(in crate::me) struct ProblemBody {
    /// A code of its own, such as `source_not_found`, or one of this API's problems or violations.
    code: String,
    /// Figures and names for its text.
    params: BTreeMap<String, Value>,
    /// What more is known, in English.
    #[schema(required)]
    detail: Option<String>,
}

impl From<Problem> for ProblemBody {
    fn from(problem: Problem) -> Self {
        Self {
            code: problem.code,
            params: problem.params,
            detail: problem.detail,
        }
    }
}

/// A recording at a source.
#[derive(Serialize, ToSchema)]
#[schema(as = SourceRecording)]
pub(in crate::me) struct RecordingBody {
    id: Uuid,
    name: String,
    /// In bytes.
    #[schema(required)]
    size: Option<i64>,
    state: SourceRecordingState,
    /// Its recording in the library; null without one, or if it was deleted there.
    #[schema(required)]
    job_id: Option<Uuid>,
    /// Why it waits, or why it failed.
    #[schema(required)]
    problem: Option<ProblemBody>,
    #[schema(value_type = String, format = DateTime)]
    found_at: Timestamp,
}

impl From<SourceRecording> for RecordingBody {
    fn from(recording: SourceRecording) -> Self {
        Self {
            id: recording.id,
            name: recording.name,
            size: recording.size,
            state: recording.state,
            job_id: recording.job_id,
            problem: recording.problem.map(Into::into),
            found_at: from_ms(recording.found_at),
        }
    }
}

/// A page of recordings at a source.
#[derive(Serialize, ToSchema)]
#[schema(as = SourceRecordingPage)]
pub(in crate::me) struct RecordingPage {
    /// The newest first.
    pub items: Vec<RecordingBody>,
    /// Cursor of the next page; null on the last page.
    #[schema(required)]
    pub next_cursor: Option<String>,
}
