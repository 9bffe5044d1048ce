//! Looks at the accounts' sources, and creates a job for each new recording.
//!
//! A source is leased while a process looks there. A job is created in the transaction that marks its
//! recording as started, so that a recording gets one job, whenever the process dies.

mod look;
pub(crate) mod password;
mod problem;
mod start;

use std::sync::Arc;
use std::time::Duration;

use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::core::lease;
use slovo_db::sources::{self, Source, recordings};
use tokio::sync::Semaphore;

/// How often to check for due looks.
const INTERVAL: Duration = Duration::from_secs(1);
/// Sources that one process looks at simultaneously.
const AT_ONCE: usize = 8;
/// Longest pause after looks that failed, in milliseconds.
const LONGEST_PAUSE_MS: i64 = 6 * 60 * 60 * 1000;

/// Looks at the sources that are due, until the server stops.
pub async fn watch(state: AppState) {
    let room = Arc::new(Semaphore::new(AT_ONCE));
    loop {
        if let Err(error) = look_at_due(&state, &room).await {
            tracing::warn!(%error, "sources that are due could not be looked at; trying again");
        }
        tokio::select! {
            () = state.shutdown.cancelled() => return,
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Claims due sources while there is room, and looks there in the background.
async fn look_at_due(state: &AppState, room: &Arc<Semaphore>) -> slovo_db::Result<()> {
    while !state.shutdown.is_cancelled() {
        let Ok(permit) = Arc::clone(room).acquire_owned().await else {
            return Ok(());
        };
        let Some(source) = claim(state).await? else {
            return Ok(());
        };
        let looking = state.clone();
        state.tasks.spawn(async move {
            if let Err(error) = look_at(&looking, &source).await {
                // The lease expires and it is looked at again.
                tracing::error!(source = %source.id, %error, "the result of a look was not stored");
            }
            drop(permit);
        });
    }
    Ok(())
}

/// Looks at the source that has been due for longest. `false` if none is due.
///
/// # Errors
/// When the database fails.
pub async fn look_once(state: &AppState) -> slovo_db::Result<bool> {
    match claim(state).await? {
        Some(source) => look_at(state, &source).await.map(|()| true),
        None => Ok(false),
    }
}

async fn claim(state: &AppState) -> slovo_db::Result<Option<Source>> {
    let now = state.clock.now_ms();
    // A read needs no write lock, and mostly nothing is due.
    if !sources::any_due(&mut *state.db.read().await?, now).await? {
        return Ok(None);
    }
    let lease = state.random.uuid();
    let mut transaction = state.db.write().await?;
    let claimed = sources::claim(&mut transaction, &lease, now, lease::expires_at(now)).await?;
    transaction.commit().await?;
    Ok(claimed)
}

/// Looks at a claimed source, and stores the outcome.
async fn look_at(state: &AppState, source: &Source) -> slovo_db::Result<()> {
    let lease = source.lease_id.as_deref().unwrap_or_default();
    let outcome = tokio::select! {
        outcome = look::look(state, source) => outcome,
        () = renew(state, source, lease) => return Ok(()),
        () = state.shutdown.cancelled() => {
            let mut transaction = state.db.write().await?;
            sources::release(&mut transaction, source.id, lease, state.clock.now_ms()).await?;
            return transaction.commit().await;
        }
    };
    if let Err(problem) = &outcome {
        let (code, detail) = (&problem.code, &problem.detail);
        tracing::info!(source = %source.id, code, detail, "a look failed");
    }
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let after = sources::find(&mut transaction, source.id).await?;
    if after.is_some_and(|after| after.updated_at == source.updated_at) {
        let pause = match &outcome {
            Ok(()) => pause_after_success(&mut transaction, source).await?,
            Err(_) => pause_after_failure(source),
        };
        let outcome = outcome.as_ref().copied();
        let (lease, times) = ((source.id, lease), (now, now + pause));
        sources::finish(&mut transaction, lease, outcome, times).await?;
    } else {
        // It was changed meanwhile: what was found says nothing about where it is now.
        sources::release(&mut transaction, source.id, lease, now).await?;
    }
    transaction.commit().await
}

/// How long it may wait until the next look, in milliseconds.
async fn pause_after_success(
    connection: &mut Connection,
    source: &Source,
) -> slovo_db::Result<i64> {
    if recordings::any_untried(connection, source.id).await? {
        return Ok(CONTINUES_MS);
    }
    let interval = source.kind.interval_ms();
    let is_growing = recordings::any_unsettled(connection, source.id).await?;
    Ok(if is_growing {
        interval.min(SETTLING_MS)
    } else {
        interval
    })
}

/// How soon a look continues that has left recordings, in milliseconds.
const CONTINUES_MS: i64 = 1_000;

/// How soon a recording is looked at again that may still be growing, in milliseconds.
const SETTLING_MS: i64 = 60_000;

/// Twice as long after each failure.
fn pause_after_failure(source: &Source) -> i64 {
    let doubled = u32::try_from(source.failures.clamp(0, 20) + 1).unwrap_or(1);
    let pause = source.kind.interval_ms().saturating_mul(1 << doubled);
    pause.min(LONGEST_PAUSE_MS)
}

/// Renews a lease until it is lost.
async fn renew(state: &AppState, source: &Source, lease: &str) {
    let interval = Duration::from_millis(lease::RENEWAL_INTERVAL_MS.unsigned_abs());
    loop {
        tokio::time::sleep(interval).await;
        let until = lease::expires_at(state.clock.now_ms());
        let renewed = async {
            let mut transaction = state.db.write().await?;
            let kept = sources::renew(&mut transaction, source.id, lease, until).await?;
            transaction.commit().await?;
            Ok::<_, slovo_db::Error>(kept)
        };
        match renewed.await {
            Ok(true) => {}
            Ok(false) => return,
            // The next one may succeed before the lease expires.
            Err(error) => tracing::warn!(%error, "a lease could not be renewed"),
        }
    }
}
