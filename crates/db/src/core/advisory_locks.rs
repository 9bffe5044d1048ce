//! PostgreSQL's advisory locks: all keys in one list, so that no two purposes share one by mistake.
//! SQLite needs none of them, because it has one writer at a time.

use sqlx::Row;

use super::statement::statements;
use crate::{Connection, Result};

/// What a lock protects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AdvisoryLock {
    /// The template from which databases of tests are copied.
    #[cfg(feature = "testing")]
    TestTemplate,
    /// Creating the parts of the schema that migrations do not contain.
    Migration,
    /// Claiming a download, so that concurrent claims count each other.
    DownloadClaims,
    /// Checking for an entry of the audit log and storing it.
    AuditOnce,
    /// Checking for a backup that goes on and beginning one.
    BackupRuns,
    /// Folding or deleting the counts of jobs, which locks many rows.
    JobCounts,
}

impl AdvisoryLock {
    /// The number by which the database knows it.
    pub(crate) const fn key(self) -> i64 {
        match self {
            #[cfg(feature = "testing")]
            Self::TestTemplate => 736_866,
            Self::Migration => 736_867,
            Self::DownloadClaims => 736_868,
            Self::AuditOnce => 736_869,
            Self::JobCounts => 736_870,
            Self::BackupRuns => 736_871,
        }
    }

    /// Waits for the lock, which is held until the transaction ends.
    pub(crate) async fn take(self, connection: &mut Connection) -> Result<()> {
        sqlx::query(TAKE)
            .bind(self.key())
            .execute(connection)
            .await?;
        Ok(())
    }

    /// Takes the lock until the transaction ends, unless another transaction holds it; returns
    /// whether it was taken.
    pub(crate) async fn try_take(self, connection: &mut Connection) -> Result<bool> {
        let row = sqlx::query(TRY_TAKE)
            .bind(self.key())
            .fetch_one(connection)
            .await?;
        Ok(row.try_get("taken")?)
    }
}

statements! {
    const TAKE: POSTGRES = "SELECT pg_advisory_xact_lock($1)";
    const TRY_TAKE: POSTGRES = "SELECT pg_try_advisory_xact_lock($1) AS taken";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::AdvisoryLock;
    use crate::testing::{Backend, with_database};

    const ALL: [AdvisoryLock; 6] = [
        AdvisoryLock::TestTemplate,
        AdvisoryLock::Migration,
        AdvisoryLock::DownloadClaims,
        AdvisoryLock::AuditOnce,
        AdvisoryLock::JobCounts,
        AdvisoryLock::BackupRuns,
    ];

    #[test]
    fn every_lock_has_its_own_key() {
        let keys: BTreeSet<i64> = ALL.into_iter().map(AdvisoryLock::key).collect();
        assert_eq!(keys.len(), ALL.len());
    }

    #[test]
    fn only_one_transaction_at_a_time_holds_a_lock() {
        with_database(Backend::Postgres, async |database| {
            let mut first = database.write().await.unwrap();
            AdvisoryLock::JobCounts.take(&mut first).await.unwrap();
            let mut second = database.write().await.unwrap();
            let attempt = AdvisoryLock::JobCounts.try_take(&mut second);
            assert!(!attempt.await.unwrap());
            let other = AdvisoryLock::DownloadClaims.try_take(&mut second);
            assert!(other.await.unwrap());
            first.rollback().await.unwrap();
            let attempt = AdvisoryLock::JobCounts.try_take(&mut second);
            assert!(attempt.await.unwrap());
        });
    }
}
