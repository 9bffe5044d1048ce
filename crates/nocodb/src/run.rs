//! One run of the synchronisation.

use std::time::Duration;

use slovo_db::nocodb::{self, Cause, Config, Kind, Status};
use uuid::Uuid;

use super::failure::Failure;
use super::remote::Remote;
use super::report::Report;
use crate::Parts;

/// How long a run's lease lasts without renewal, in milliseconds. After a kill the next run waits
/// no longer than this.
const LEASE_MS: i64 = 45_000;
/// How often the lease is renewed.
const RENEW_EVERY: Duration = Duration::from_secs(10);

/// Why a run aborts.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The external database failed.
    #[error(transparent)]
    Remote(#[from] Failure),
    /// Our database failed.
    #[error(transparent)]
    Here(#[from] slovo_db::Error),
    /// Another internal error.
    #[error("{0:#}")]
    Internal(#[from] anyhow::Error),
    /// Another process has taken over the lease.
    #[error("another process has taken over the run")]
    Lost,
}

impl RunError {
    /// The code under which it is stored.
    fn code(&self) -> &'static str {
        match self {
            Self::Remote(failure) => failure.hint(),
            Self::Here(_) | Self::Internal(_) => "internal",
            Self::Lost => "lost",
        }
    }
}

/// A run that holds the lease.
pub struct Run {
    parts: Parts,
    id: Uuid,
}

impl Run {
    /// Starts a run, unless one is in progress.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn begin(parts: &Parts, cause: Cause) -> slovo_db::Result<Option<Self>> {
        let now = parts.clock.now_ms();
        let id = parts.new_id();
        let mut transaction = parts.db.write().await?;
        let started = nocodb::begin(&mut transaction, id, cause, now, now + LEASE_MS).await?;
        transaction.commit().await?;
        let parts = parts.clone();
        Ok(started.then_some(Self { parts, id }))
    }

    /// Its id.
    pub fn id(&self) -> Uuid {
        self.id
    }

    /// Executes the run and stores its result.
    pub async fn execute(self, config: Config) {
        let mut report = Report::default();
        let ended = tokio::select! {
            ended = self.work(&config, &mut report) => ended,
            ended = self.keep_lease() => ended,
        };
        let (status, failure) = match &ended {
            Ok(()) if report.stats.problems > 0 => (Status::Partial, None),
            Ok(()) => (Status::Succeeded, None),
            // The next process continues what a stopping server leaves.
            Err(RunError::Remote(Failure::Stopped)) => (Status::Interrupted, None),
            Err(ended) => (Status::Failed, Some(ended.code())),
        };
        match &ended {
            Ok(()) => {
                tracing::info!(run = %self.id, stats = ?report.stats, "synchronised with NocoDB");
            }
            Err(error) => {
                tracing::warn!(run = %self.id, %error, "the synchronisation with NocoDB ended");
            }
        }
        if let Err(error) = self.finish((status, failure), &report).await {
            tracing::error!(run = %self.id, %error, "the result could not be stored");
        }
    }

    async fn work(&self, config: &Config, report: &mut Report) -> Result<(), RunError> {
        let mut remote =
            super::open(&self.parts, config, super::client_limits(&self.parts)).await?;
        let done = self.sync(&mut remote, report).await;
        report.stats.requests = remote.requests();
        done
    }

    async fn sync(&self, remote: &mut Remote, report: &mut Report) -> Result<(), RunError> {
        let (tables, fields) = remote.missing().await?;
        if !tables.is_empty() || !fields.is_empty() {
            return Err(Failure::Schema([tables, fields].concat().join(", ")).into());
        }
        let mut sync = Sync {
            parts: &self.parts,
            run: self.id,
            remote,
            report,
        };
        for kind in Kind::ALL {
            sync.store_progress(kind).await?;
            sync.pull(kind).await?;
            if kind == Kind::Outputs {
                sync.check_pieces().await?;
            }
            sync.store_progress(kind).await?;
            sync.push(kind).await?;
        }
        // Referenced tables first.
        for kind in Kind::ALL.into_iter().rev() {
            sync.store_progress(kind).await?;
            sync.delete_remote_rows(kind).await?;
        }
        Ok(())
    }

    async fn keep_lease(&self) -> Result<(), RunError> {
        loop {
            tokio::time::sleep(RENEW_EVERY).await;
            let expires_at = self.parts.clock.now_ms() + LEASE_MS;
            let mut transaction = self.parts.db.write().await?;
            let still_leased = nocodb::renew(&mut transaction, self.id, expires_at).await?;
            transaction.commit().await?;
            if !still_leased {
                return Err(RunError::Lost);
            }
        }
    }

    async fn finish(&self, ended: (Status, Option<&str>), report: &Report) -> slovo_db::Result<()> {
        let now = self.parts.clock.now_ms();
        let mut transaction = self.parts.db.write().await?;
        let (stats, problems) = (&report.stats, &report.problems);
        nocodb::finish(&mut transaction, self.id, ended, stats, problems, now).await?;
        transaction.commit().await
    }
}

/// The state that the steps of a run share.
pub struct Sync<'a> {
    pub parts: &'a Parts,
    pub run: Uuid,
    pub remote: &'a Remote,
    pub(super) report: &'a mut Report,
}

impl Sync<'_> {
    /// Stores the progress; aborts the run if another process holds the lease.
    pub(super) async fn store_progress(&mut self, kind: Kind) -> Result<(), RunError> {
        self.report.stats.requests = self.remote.requests();
        let mut transaction = self.parts.db.write().await?;
        let stats = &self.report.stats;
        let is_ours =
            nocodb::store_progress(&mut transaction, self.run, kind.as_str(), stats).await?;
        transaction.commit().await?;
        if is_ours { Ok(()) } else { Err(RunError::Lost) }
    }

    /// A new id, which sorts by time.
    pub(super) fn new_id(&self) -> Uuid {
        self.parts.new_id()
    }
}
