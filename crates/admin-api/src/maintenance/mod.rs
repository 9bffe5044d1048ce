//! Backups and checks of the server: `/api/v1/admin/backups` and `/api/v1/admin/doctor`.

use jiff::Timestamp;
use serde::Serialize;
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_backup::Recordings;
use slovo_db::backup_runs::{self, Run};
use slovo_platform::clock::from_ms;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

mod doctor;
mod list;
mod start;

/// Runs in an answer.
const RUNS: i64 = 20;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list))
        .routes(routes!(start::start))
        .routes(routes!(doctor::examine))
}

/// The backups of the server.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Backups)]
pub(super) struct View {
    /// Whether one is made every day.
    daily: bool,
    /// The folder or the address of the object store.
    #[schema(example = "s3://backups/slovo")]
    place: String,
    /// Whether the recordings are copied, too.
    with_recordings: bool,
    /// Whether backups are encrypted.
    encrypted: bool,
    /// How many are kept.
    kept: u16,
    /// Whether one is being made now.
    running: bool,
    /// The last runs, newest first.
    runs: Vec<RunView>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = BackupOutcome)]
pub(super) enum Outcome {
    /// It goes on.
    Running,
    /// The backup is stored.
    Done,
    /// There is no backup; the error says why.
    Failed,
    /// The process was killed. What it stored is used by the next backup.
    Interrupted,
}

/// A run.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BackupRun)]
pub(super) struct RunView {
    /// Its id.
    id: String,
    /// How it ended.
    outcome: Outcome,
    /// When it began.
    #[schema(value_type = String, format = DateTime)]
    started_at: Timestamp,
    /// When it ended.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    finished_at: Option<Timestamp>,
    /// The backup's name, for `slovo restore`.
    #[schema(required)]
    name: Option<String>,
    /// Why there is none, in English.
    #[schema(required)]
    error: Option<String>,
    /// Bytes that had to be stored.
    stored_bytes: i64,
    /// Bytes of everything in the backup.
    total_bytes: i64,
}

impl RunView {
    fn new(run: Run, now: i64) -> Self {
        let outcome = match (&run.snapshot, &run.error) {
            (Some(_), _) => Outcome::Done,
            (None, Some(_)) => Outcome::Failed,
            (None, None) if run.is_running(now) => Outcome::Running,
            (None, None) => Outcome::Interrupted,
        };
        Self {
            id: run.id,
            outcome,
            started_at: from_ms(run.started_at),
            finished_at: run.finished_at.map(from_ms),
            name: run.snapshot,
            error: run.error,
            stored_bytes: run.stored_bytes,
            total_bytes: run.total_bytes,
        }
    }
}

async fn view(state: &AppState) -> slovo_db::Result<View> {
    let config = &state.config.backups;
    let now = state.clock.now_ms();
    let runs = backup_runs::list(&mut *state.db.read().await?, RUNS).await?;
    let runs: Vec<_> = runs.into_iter().map(|run| RunView::new(run, now)).collect();
    Ok(View {
        daily: config.are_made(),
        place: config.place_name(state.config.data()),
        with_recordings: config.recordings() == Recordings::Copied,
        encrypted: !config.backup_recipients.is_empty(),
        kept: config.backup_keep,
        running: runs.iter().any(|run| run.outcome == Outcome::Running),
        runs,
    })
}
