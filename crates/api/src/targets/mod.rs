//! Keeps the texts of accounts up to date in their targets.
//!
//! A target is leased while a process writes there. A file is reserved in the database, with the
//! digest of what is being written, before it is written: after a crash it is known as ours. A file
//! that somebody else changed is left alone.

mod write;

use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::sources::Problem;
use slovo_db::targets::{self, Target, files};
use slovo_rules::codes::ProblemCode;
use slovo_rules::target::TargetFileState;
use slovo_sources::{Place, SourceError};
use slovo_work::minutes::{self, ExportError};

use crate::places::lease::{self, Ended, Leased};
use crate::places::problem::{internal, problem, unread};
use crate::places::{self, password};
use crate::sources::pause_after;
use write::{Outcome, Run};

/// Targets that one process writes to simultaneously.
const AT_ONCE: usize = 8;
/// Files that are read from the database at once.
const BATCH: u32 = 20;
/// Most files of one run; the next one goes on, after those of other accounts.
const MAX_FILES: usize = 500;
/// How long after a run the next one begins, in milliseconds: edits come one after the other.
const PAUSE_MS: i64 = 10_000;
/// After so many attempts that failed, a file is not tried again by itself.
const MAX_ATTEMPTS: i64 = 12;

/// Writes to the targets that are due, until the server stops.
pub async fn watch(state: AppState) {
    lease::watch::<Target>(state, AT_ONCE).await;
}

/// Writes to the target that has been due for longest. `false` if none is due.
///
/// # Errors
/// When the database fails.
pub async fn run_once(state: &AppState) -> slovo_db::Result<bool> {
    lease::run_once::<Target>(state).await
}

impl Leased for Target {
    async fn any_due(connection: &mut Connection, now: i64) -> slovo_db::Result<bool> {
        targets::any_due(connection, now).await
    }

    async fn claim(
        connection: &mut Connection,
        lease: &str,
        now: i64,
        until: i64,
    ) -> slovo_db::Result<Option<Self>> {
        targets::claim(connection, lease, now, until).await
    }

    async fn renew(&self, connection: &mut Connection, until: i64) -> slovo_db::Result<bool> {
        targets::renew(connection, self, until).await
    }

    async fn run(&self, state: &AppState) -> slovo_db::Result<()> {
        run(state, self).await
    }
}

/// Writes to a claimed target, and stores the outcome.
async fn run(state: &AppState, target: &Target) -> slovo_db::Result<()> {
    let outcome = match lease::keep(state, target, write_all(state, target)).await {
        Ended::Done(outcome) => outcome,
        Ended::Lost => return Ok(()),
        Ended::Stopped => {
            let mut transaction = state.db.write().await?;
            targets::release(&mut transaction, target, state.clock.now_ms()).await?;
            return transaction.commit().await;
        }
    };
    if let Err(problem) = &outcome {
        let (code, detail) = (&problem.code, &problem.detail);
        tracing::info!(target = %target.id, code, detail, "a target could not be written to");
    }
    let now = state.clock.now_ms();
    let pause = match &outcome {
        Ok(()) => PAUSE_MS,
        Err(_) => pause_after(target.kind.place(), target.failures),
    };
    let mut transaction = state.db.write().await?;
    let after = targets::find(&mut transaction, target.id).await?;
    if after.is_some_and(|after| after.updated_at == target.updated_at) {
        let times = (now, now + pause);
        targets::finish(&mut transaction, target, outcome.as_ref().copied(), times).await?;
    } else {
        targets::release(&mut transaction, target, now).await?;
    }
    transaction.commit().await
}

/// Writes what has changed.
///
/// # Errors
/// The target cannot be written to.
async fn write_all(state: &AppState, target: &Target) -> Result<(), Problem> {
    let owner = places::owner(state, &target.account_id, target.kind.place()).await?;
    let settings = state.settings.current().await.map_err(internal)?;
    if target.kind.place().has_address() && !settings.switches.url_fetch {
        return Err(problem("target_off", None));
    }
    check_plan(state, target).await?;
    let password = password::open(state, &target.location, target.password.as_ref())?;
    let run = Run {
        state,
        target,
        owner: &owner,
        place: Place {
            kind: target.kind.place(),
            location: &target.location,
            region: "",
            user: &target.user,
            password: password.as_deref(),
        },
    };
    let mut done = 0;
    loop {
        let now = state.clock.now_ms();
        let mut connection = state.db.read().await.map_err(internal)?;
        let due = files::due(&mut connection, target.id, BATCH, now).await;
        let due = due.map_err(internal)?;
        drop(connection);
        if due.is_empty() || done >= MAX_FILES {
            return Ok(());
        }
        for file in &due {
            done += 1;
            let outcome = run.write(file).await?;
            if !note(state, target, file, outcome).await.map_err(internal)? {
                return Ok(());
            }
        }
    }
}

/// Checks that the plan has files of this format.
async fn check_plan(state: &AppState, target: &Target) -> Result<(), Problem> {
    let now = state.clock.now_ms();
    let mut connection = state.db.read().await.map_err(internal)?;
    let format = write::format_of(target.format);
    match minutes::check_export(&mut connection, &target.account_id, format, now).await {
        Ok(()) => Ok(()),
        Err(ExportError::NotInPlan(_)) => Err(problem(ProblemCode::FormatNotInPlan.as_str(), None)),
        Err(ExportError::Storage(error)) => Err(internal(error)),
    }
}

/// Stores what has become of a file. `false` if the target is another one now, or was leased to
/// another process.
async fn note(
    state: &AppState,
    target: &Target,
    file: &files::TargetFile,
    outcome: Outcome,
) -> slovo_db::Result<bool> {
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let until = slovo_db::core::lease::expires_at(now);
    if !targets::hold(&mut transaction, target, until).await? {
        return Ok(false);
    }
    let job = file.job_id;
    match outcome {
        Outcome::Written(digest) => {
            files::written(&mut transaction, target, file, &digest, now).await?;
        }
        Outcome::Left => files::leave(&mut transaction, target, file).await?,
        Outcome::Foreign(problem) => {
            let state = TargetFileState::Foreign;
            files::end(&mut transaction, target, job, state, &problem).await?;
        }
        Outcome::Failed(problem) if file.attempts + 1 >= MAX_ATTEMPTS => {
            let state = TargetFileState::Failed;
            files::end(&mut transaction, target, job, state, &problem).await?;
        }
        Outcome::Failed(problem) => {
            let at = now + pause_after(target.kind.place(), file.attempts);
            files::retry(&mut transaction, target, job, &problem, at).await?;
        }
        Outcome::Changed => return Ok(false),
    }
    transaction.commit().await?;
    Ok(true)
}

/// The problem of a place that cannot be written to.
fn unwritten(error: &SourceError) -> Problem {
    match error {
        SourceError::NotFound => unread(&SourceError::FolderMissing),
        error => unread(error),
    }
}
