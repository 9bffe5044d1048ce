//! Backups of this server: every day, and on request.

pub mod restore;

use std::time::Duration;

use anyhow::{Context, Result};
use slovo_backup::{Created, Place, Source, create, keep_newest};
use slovo_db::Database;
use slovo_db::backup_runs::{self, Unless};
use slovo_platform::clock::Clock;
use tokio::sync::watch;

use crate::state::AppState;

/// How long after the start the first backup is looked at, and how often after that. A server that
/// starts has other work.
const CHECK_INTERVAL: Duration = Duration::from_secs(10 * 60);
/// The time between two backups, in milliseconds: a day, and a little less, so that each is at the
/// same time of day.
const INTERVAL_MS: i64 = (24 * 60 - 15) * 60 * 1000;
/// How often a run reports that it goes on.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);

/// Why a backup starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A day has passed.
    Schedule,
    /// An administrator asked for it in the browser.
    Request,
    /// It was asked for on the command line.
    Command,
}

/// Makes a backup every day until the server stops.
pub async fn make_daily(state: AppState) {
    if !state.config.backups.are_made() {
        return;
    }
    loop {
        tokio::select! {
            () = tokio::time::sleep(CHECK_INTERVAL) => {}
            () = state.shutdown.cancelled() => return,
        }
        let made = tokio::select! {
            made = make(&state, Reason::Schedule) => made,
            () = state.shutdown.cancelled() => return,
        };
        match made {
            Ok(Some(created)) => tracing::info!(
                name = created.name,
                stored_bytes = created.stored_bytes,
                bytes = created.total_bytes,
                "a backup was made"
            ),
            Ok(None) => {}
            Err(error) => tracing::error!(error = format!("{error:#}"), "the backup failed"),
        }
    }
}

/// Makes a backup, and removes those that are no longer kept. `None` if one goes on already, or it is
/// not time yet.
///
/// # Errors
/// When it fails; the run is recorded with the reason.
pub async fn make(state: &AppState, reason: Reason) -> Result<Option<Created>> {
    let Some(id) = begin(state, reason).await? else {
        return Ok(None);
    };
    run(state, &id).await.map(Some)
}

/// Records the beginning of a run; `None` if another goes on, or it is not time yet.
///
/// # Errors
/// When the database fails.
pub async fn begin(state: &AppState, reason: Reason) -> Result<Option<String>> {
    begin_with(&state.db, &*state.clock, state.new_id(), reason).await
}

/// [`begin`] without a server, with the id of the run.
///
/// # Errors
/// When the database fails.
pub async fn begin_with(
    db: &Database,
    clock: &dyn Clock,
    id: String,
    reason: Reason,
) -> Result<Option<String>> {
    let now = clock.now_ms();
    let unless = match reason {
        Reason::Schedule => Unless::Since(now - INTERVAL_MS),
        Reason::Request => Unless::Running,
        Reason::Command => Unless::Never,
    };
    let mut transaction = db.write().await?;
    let is_begun = backup_runs::begin(&mut transaction, &id, now, unless).await?;
    transaction.commit().await?;
    Ok(is_begun.then_some(id))
}

/// Makes the backup of a run that was begun.
///
/// # Errors
/// When it fails; the run is recorded with the reason.
pub async fn run(state: &AppState, id: &str) -> Result<Created> {
    let (progress, done) = watch::channel((0, 0));
    recorded(&state.db, &*state.clock, id, &done, store(state, &progress)).await
}

/// Records how a run goes on and ends.
///
/// # Errors
/// Those of the backup, and when the database fails.
pub async fn recorded(
    db: &Database,
    clock: &dyn Clock,
    id: &str,
    progress: &watch::Receiver<(u64, u64)>,
    making: impl Future<Output = Result<Created>>,
) -> Result<Created> {
    tokio::pin!(making);
    let made = loop {
        tokio::select! {
            made = &mut making => break made,
            () = tokio::time::sleep(REPORT_INTERVAL) => {
                let bytes = *progress.borrow();
                report(db, clock, id, bytes).await;
            }
        }
    };
    let (stored, total) = match &made {
        Ok(created) => (created.stored_bytes, created.total_bytes),
        Err(_) => *progress.borrow(),
    };
    let message = made.as_ref().map_err(|error| format!("{error:#}"));
    let outcome = match &message {
        Ok(created) => Ok(created.name.as_str()),
        Err(message) => Err(message.as_str()),
    };
    let mut transaction = db.write().await?;
    let bytes = (signed(stored), signed(total));
    backup_runs::finish(&mut transaction, id, clock.now_ms(), outcome, bytes).await?;
    transaction.commit().await?;
    made
}

async fn store(state: &AppState, progress: &watch::Sender<(u64, u64)>) -> Result<Created> {
    let config = &state.config.backups;
    let storage = config
        .open(state.config.data(), &state.config.objects)
        .await?;
    let place = Place::prepare(storage, &*state.random).await?;
    let models = state.models.serving().now();
    let source = Source {
        db: &state.db,
        storage: &state.storage,
        data: state.config.data(),
        secret: &state.secret,
        models: models.full.into_iter().chain(models.lite).collect(),
        clock: &*state.clock,
        program: env!("CARGO_PKG_VERSION"),
    };
    let recipients = config.recipients()?;
    let created = create(&source, &place, &recipients, config.recordings(), progress).await?;
    let kept = usize::from(config.backup_keep);
    let pruned = keep_newest(&place, kept, state.clock.now_ms()).await;
    let pruned = pruned.with_context(|| format!("old backups in {}", place.name()))?;
    tracing::debug!(?pruned, "old backups were removed");
    Ok(created)
}

/// A failure is only logged: the run goes on.
async fn report(db: &Database, clock: &dyn Clock, id: &str, (stored, total): (u64, u64)) {
    let reported = async {
        let mut transaction = db.write().await?;
        let now = clock.now_ms();
        let bytes = (signed(stored), signed(total));
        backup_runs::report(&mut transaction, id, now, bytes).await?;
        transaction.commit().await
    };
    if let Err(error) = reported.await {
        tracing::warn!(%error, "the progress of the backup cannot be stored");
    }
}

fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
