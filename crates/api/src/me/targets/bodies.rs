//! What the actions on targets answer.

use jiff::Timestamp;
use serde::Serialize;
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::targets::Target;
use slovo_db::targets::files::{self, TargetFile};
use slovo_platform::clock::from_ms;
use slovo_rules::target::{TargetFileState, TargetFormat, TargetKind};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::me::sources::ProblemBody;

/// The targets of an account.
#[derive(Serialize, ToSchema)]
#[schema(as = TargetList)]
pub(in crate::me) struct List {
    /// At most 10, the oldest first.
    pub targets: Vec<TargetBody>,
    /// What the caller may add.
    pub kinds: Vec<TargetKind>,
    /// Folders on the server below which administrators may have texts written; empty for others.
    pub folders: Vec<String>,
}

/// A target.
#[derive(Serialize, ToSchema)]
#[schema(as = Target)]
pub(in crate::me) struct TargetBody {
    id: Uuid,
    name: String,
    kind: TargetKind,
    /// Its address, or the path of its folder.
    location: String,
    user: String,
    /// Whether a password is stored.
    has_password: bool,
    format: TargetFormat,
    /// The folder or tag whose texts are written; null for all texts.
    #[schema(required)]
    group_id: Option<String>,
    /// Whether texts are written; otherwise it is paused.
    is_active: bool,
    /// When the last run ended.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    ran_at: Option<Timestamp>,
    /// When the next run may begin.
    #[schema(value_type = String, format = DateTime)]
    next_run_at: Timestamp,
    /// Whether something is being written.
    is_running: bool,
    /// Why the last run failed.
    #[schema(required)]
    problem: Option<ProblemBody>,
    counts: Counts,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

impl TargetBody {
    pub(super) async fn of(
        state: &AppState,
        connection: &mut Connection,
        target: Target,
    ) -> slovo_db::Result<Self> {
        let counts = files::counts(connection, target.id).await?;
        let is_leased = target.lease_id.is_some() && target.next_run_at > state.clock.now_ms();
        Ok(Self {
            id: target.id,
            name: target.name,
            kind: target.kind,
            location: target.location,
            user: target.user,
            has_password: target.password.is_some(),
            format: target.format,
            group_id: target.group_id,
            is_active: target.is_active,
            ran_at: target.ran_at.map(from_ms),
            next_run_at: from_ms(target.next_run_at),
            is_running: is_leased,
            problem: target.problem.map(Into::into),
            counts: Counts::of(&counts),
            created_at: from_ms(target.created_at),
            updated_at: from_ms(target.updated_at),
        })
    }
}

/// How many texts of a target there are.
#[derive(Serialize, ToSchema)]
#[schema(as = TargetCounts)]
pub(in crate::me) struct Counts {
    /// They are written as soon as possible, if they are finished.
    waiting: i64,
    /// Their files are up to date.
    written: i64,
    /// Their files were changed or removed there.
    foreign: i64,
    /// They could not be written.
    failed: i64,
}

impl Counts {
    fn of(counts: &[(TargetFileState, i64)]) -> Self {
        let count = |state| {
            let found = counts.iter().find(|(counted, _)| *counted == state);
            found.map_or(0, |(_, count)| *count)
        };
        Self {
            waiting: count(TargetFileState::Waiting),
            written: count(TargetFileState::Written),
            foreign: count(TargetFileState::Foreign),
            failed: count(TargetFileState::Failed),
        }
    }
}

/// The file of a text at a target.
#[derive(Serialize, ToSchema)]
#[schema(as = TargetFile)]
pub(in crate::me) struct FileBody {
    /// The job whose text it has.
    job_id: Uuid,
    /// Its title, or the name of its recording.
    title: String,
    state: TargetFileState,
    /// Name of the file; null before it was written.
    #[schema(required)]
    path: Option<String>,
    /// Why it waits or is not written.
    #[schema(required)]
    problem: Option<ProblemBody>,
    /// When it was written last.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    written_at: Option<Timestamp>,
}

impl From<TargetFile> for FileBody {
    fn from(file: TargetFile) -> Self {
        Self {
            job_id: file.job_id,
            title: file.title,
            state: file.state,
            path: file.path,
            problem: file.problem.map(Into::into),
            written_at: file.written_at.map(from_ms),
        }
    }
}

/// A page of a target's files.
#[derive(Serialize, ToSchema)]
#[schema(as = TargetFilePage)]
pub(in crate::me) struct FilePage {
    /// Those of the newest recordings first.
    pub items: Vec<FileBody>,
    /// Cursor of the next page; null on the last page.
    #[schema(required)]
    pub next_cursor: Option<String>,
}
