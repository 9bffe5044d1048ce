//! Looks at the accounts' sources, and creates a job for each new recording.
//!
//! A source is leased while a process looks there. A job is created in the transaction that marks its
//! recording as started, so that a recording gets one job, whenever the process dies.

mod look;
mod owner;
mod start;

use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::sources::{self, Source, recordings};
use slovo_rules::source::SourceKind;

use self::start::Ended;
use crate::places::lease::{self, Leased};

/// Sources that one process looks at simultaneously.
const AT_ONCE: usize = 16;
/// Longest pause after looks that failed, in milliseconds.
const LONGEST_PAUSE_MS: i64 = 6 * 60 * 60 * 1000;

/// Looks at the sources that are due, until the server stops.
pub async fn watch(state: AppState) {
    lease::watch::<Source>(state, AT_ONCE).await;
}

/// Looks at the sources that are due, one after the other.
///
/// # Errors
/// When the database fails.
pub async fn look_at_due(state: &AppState) -> slovo_db::Result<()> {
    while !state.shutdown.is_cancelled() && look_once(state).await? {}
    Ok(())
}

/// Looks at the source that has been due for longest. `false` if none is due.
///
/// # Errors
/// When the database fails.
pub async fn look_once(state: &AppState) -> slovo_db::Result<bool> {
    lease::run_once::<Source>(state).await
}

impl Leased for Source {
    async fn any_due(connection: &mut Connection, now: i64) -> slovo_db::Result<bool> {
        sources::any_due(connection, now).await
    }

    async fn claim(
        connection: &mut Connection,
        lease: &str,
        now: i64,
        until: i64,
    ) -> slovo_db::Result<Option<Self>> {
        sources::claim(connection, lease, now, until).await
    }

    async fn renew(&self, connection: &mut Connection, until: i64) -> slovo_db::Result<bool> {
        let lease = self.lease_id.as_deref().unwrap_or_default();
        sources::renew(connection, self.id, lease, until).await
    }

    async fn run(&self, state: &AppState) -> slovo_db::Result<()> {
        look_at(state, self).await
    }
}

/// Looks at a claimed source, and stores the outcome.
async fn look_at(state: &AppState, source: &Source) -> slovo_db::Result<()> {
    let lease = source.lease_id.as_deref().unwrap_or_default();
    let outcome = match lease::keep(state, source, look::look(state, source)).await {
        lease::Ended::Done(outcome) => outcome,
        lease::Ended::Lost => return Ok(()),
        lease::Ended::Stopped => {
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
            Ok(ended) => pause_after_success(&mut transaction, source, *ended, now).await?,
            Err(_) => pause_after(source.kind, source.failures),
        };
        let outcome = outcome.as_ref().map(|_| ());
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
    ended: Ended,
    now: i64,
) -> slovo_db::Result<i64> {
    let interval = source.kind.interval_ms();
    let waiting = match ended {
        Ended::Waits => return Ok(interval),
        Ended::Continues => return Ok(CONTINUES_MS),
        Ended::IsLimited => return Ok(LIMITED_MS),
        Ended::Done => recordings::waiting(connection, source.id).await?,
    };
    let settles = waiting.is_growing.then(|| source.kind.settling_ms());
    // One may have been started by hand during the look.
    let retries = waiting.next_try.map(|at| (at - now).max(CONTINUES_MS));
    let sooner = [settles, retries].into_iter().flatten().min();
    Ok(sooner.unwrap_or(interval).min(interval))
}

/// How soon a look continues that has left recordings, in milliseconds.
const CONTINUES_MS: i64 = 1_000;

/// How soon a look continues that has created as many jobs as a minute permits, in milliseconds.
const LIMITED_MS: i64 = 60_000;

/// How long it may wait after a failure, in milliseconds, if `failures` came before it: twice as long
/// after each.
pub(crate) fn pause_after(kind: SourceKind, failures: i64) -> i64 {
    let doubled = u32::try_from(failures.clamp(0, 20) + 1).unwrap_or(1);
    let pause = kind.interval_ms().saturating_mul(1 << doubled);
    pause.min(LONGEST_PAUSE_MS)
}
