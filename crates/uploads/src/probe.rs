//! Opening complete files, each upload by one at a time; how a file is opened is in
//! [`slovo_fetch::media_probe`].

use std::time::Duration;

pub use slovo_fetch::media_probe::{ProbeUnavailable, probe};
use slovo_platform::turns::Turns;
use tokio::sync::OwnedMutexGuard;
use tokio::time::timeout;
use uuid::Uuid;

/// How long a request waits for the lock before its client is asked to retry.
const WAITING: Duration = Duration::from_secs(30);

/// Locks so that each upload is inspected by one task at a time.
#[derive(Clone, Debug, Default)]
pub struct ProbeLocks(Turns<Uuid>);

impl ProbeLocks {
    /// Waits for the lock of this upload, which is held until the guard is dropped.
    ///
    /// # Errors
    /// When it takes too long.
    pub async fn take(&self, id: Uuid) -> Result<OwnedMutexGuard<()>, ProbeUnavailable> {
        let turn = timeout(WAITING, self.0.of(id).lock_owned()).await;
        turn.map_err(|_| ProbeUnavailable::with_cause("another request inspects this file"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(50);

    #[tokio::test]
    async fn an_upload_is_probed_by_one_task_at_a_time() {
        let turns = ProbeLocks::default();
        let (upload, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let first = turns.take(upload).await.unwrap();
        turns.take(other).await.unwrap();
        assert!(timeout(SHORT, turns.take(upload)).await.is_err());
        drop(first);
        turns.take(upload).await.unwrap();
    }
}
