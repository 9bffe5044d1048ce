//! Work that one process does at a time, under a lease that is renewed while it goes on.

use std::sync::Arc;
use std::time::Duration;

use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::core::lease;
use tokio::sync::Semaphore;

/// How often to check for due work.
const INTERVAL: Duration = Duration::from_secs(1);

/// What is leased.
pub(crate) trait Leased: Sized + Send + Sync + 'static {
    /// Whether something is due; a read needs no write lock, and mostly nothing is.
    fn any_due(
        connection: &mut Connection,
        now: i64,
    ) -> impl Future<Output = slovo_db::Result<bool>> + Send;

    /// Leases what has been due for longest.
    fn claim(
        connection: &mut Connection,
        lease: &str,
        now: i64,
        until: i64,
    ) -> impl Future<Output = slovo_db::Result<Option<Self>>> + Send;

    /// Extends the lease. `false` if it is lost.
    fn renew(
        &self,
        connection: &mut Connection,
        until: i64,
    ) -> impl Future<Output = slovo_db::Result<bool>> + Send;

    /// Does the work and stores its outcome, which ends the lease.
    fn run(&self, state: &AppState) -> impl Future<Output = slovo_db::Result<()>> + Send;
}

/// Does what is due, at most `at_once` at a time, until the server stops.
pub(crate) async fn watch<L: Leased>(state: AppState, at_once: usize) {
    let room = Arc::new(Semaphore::new(at_once));
    loop {
        if let Err(error) = run_due::<L>(&state, &room).await {
            tracing::warn!(%error, "what is due could not be claimed; trying again");
        }
        tokio::select! {
            () = state.shutdown.cancelled() => return,
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Claims what is due while there is room, and does it in the background.
async fn run_due<L: Leased>(state: &AppState, room: &Arc<Semaphore>) -> slovo_db::Result<()> {
    while !state.shutdown.is_cancelled() {
        let Ok(permit) = Arc::clone(room).acquire_owned().await else {
            return Ok(());
        };
        let Some(claimed) = claim::<L>(state).await? else {
            return Ok(());
        };
        let running = state.clone();
        state.tasks.spawn(async move {
            if let Err(error) = claimed.run(&running).await {
                // The lease expires and it is done again.
                tracing::error!(%error, "the outcome of leased work was not stored");
            }
            drop(permit);
        });
    }
    Ok(())
}

/// Does what has been due for longest. `false` if nothing is due.
///
/// # Errors
/// When the database fails.
pub(crate) async fn run_once<L: Leased>(state: &AppState) -> slovo_db::Result<bool> {
    match claim::<L>(state).await? {
        Some(claimed) => claimed.run(state).await.map(|()| true),
        None => Ok(false),
    }
}

async fn claim<L: Leased>(state: &AppState) -> slovo_db::Result<Option<L>> {
    let now = state.clock.now_ms();
    if !L::any_due(&mut *state.db.read().await?, now).await? {
        return Ok(None);
    }
    let lease = state.random.uuid();
    let mut transaction = state.db.write().await?;
    let claimed = L::claim(&mut transaction, &lease, now, lease::expires_at(now)).await?;
    transaction.commit().await?;
    Ok(claimed)
}

/// How work has ended.
pub(crate) enum Ended<T> {
    /// By itself.
    Done(T),
    /// Another process does it.
    Lost,
    /// The server stops.
    Stopped,
}

/// Does `work` while the lease is renewed and the server runs.
pub(crate) async fn keep<L: Leased, T>(
    state: &AppState,
    leased: &L,
    work: impl Future<Output = T>,
) -> Ended<T> {
    tokio::select! {
        done = work => Ended::Done(done),
        () = renew(state, leased) => Ended::Lost,
        () = state.shutdown.cancelled() => Ended::Stopped,
    }
}

/// Renews a lease until it is lost.
async fn renew<L: Leased>(state: &AppState, leased: &L) {
    let interval = Duration::from_millis(lease::RENEWAL_INTERVAL_MS.unsigned_abs());
    loop {
        tokio::time::sleep(interval).await;
        let until = lease::expires_at(state.clock.now_ms());
        let renewed = async {
            let mut transaction = state.db.write().await?;
            let kept = leased.renew(&mut transaction, until).await?;
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
