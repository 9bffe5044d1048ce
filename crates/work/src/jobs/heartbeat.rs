//! Heartbeats of the worker processes, shown to administrators. Taking over jobs of dead processes
//! does not use them, but locks and leases (`processes.rs`, `worker.rs`).

use std::{sync::Arc, time::Duration};

use rustix::system::uname;
use slovo_db::jobs::workers::{self, Heartbeat};
use tokio::time::sleep;

use super::Jobs;
use crate::processes::Process;

/// Interval between heartbeats.
const INTERVAL: Duration = Duration::from_secs(15);
/// How long a silent process stays listed, in milliseconds: a day, so that a crash at night is
/// visible in the morning.
const LISTED_MS: i64 = 24 * 60 * 60 * 1000;

/// This machine's host name.
pub(super) fn host() -> String {
    uname().nodename().to_string_lossy().into_owned()
}

impl Jobs {
    /// Sends heartbeats until the server stops, and then records an orderly exit.
    pub(super) async fn send_heartbeats(&self, process: Arc<Process>) {
        let host = host();
        let started_at = self.0.clock.now_ms();
        loop {
            if let Err(error) = self.send_heartbeat(process.name(), &host, started_at).await {
                tracing::error!(%error, "the heartbeat could not be stored");
            }
            tokio::select! {
                () = sleep(INTERVAL) => {}
                () = self.0.shutdown.cancelled() => break,
            }
        }
        if let Err(error) = self.leave(process.name()).await {
            tracing::error!(%error, "the worker's exit could not be recorded");
        }
    }

    async fn send_heartbeat(&self, id: &str, host: &str, started_at: i64) -> slovo_db::Result<()> {
        let now = self.0.clock.now_ms();
        let beat = Heartbeat {
            id,
            host,
            pid: std::process::id(),
            version: env!("CARGO_PKG_VERSION"),
            started_at,
            now,
        };
        let mut transaction = self.0.db.write().await?;
        workers::record_heartbeat(&mut transaction, &beat, now - LISTED_MS).await?;
        transaction.commit().await
    }

    async fn leave(&self, id: &str) -> slovo_db::Result<()> {
        let mut transaction = self.0.db.write().await?;
        workers::remove(&mut transaction, id).await?;
        transaction.commit().await
    }
}
