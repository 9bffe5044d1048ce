//! Keeps the search index up to date, and finds the words of a query in texts.
//!
//! Code that changes a job's name, tags or text marks it in the same transaction
//! (`slovo_db::texts::search::mark_stale`); marked jobs are indexed here. A kill loses no mark, and
//! several processes may index concurrently: an older state never replaces a newer one.

mod hits;

use std::collections::HashMap;
use std::time::Duration;

use slovo_db::jobs::{self, groups};
use slovo_db::texts::projection::{self, HistoryPoint};
use slovo_db::texts::search::{self, Document, Stale};
use slovo_db::{Database, Error};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

pub use hits::{Finder, Hit, TextMatches};

/// How often marked jobs are polled.
const INTERVAL: Duration = Duration::from_secs(1);
/// Jobs read in one batch.
const BATCH: u32 = 200;
/// Polls after which a job is indexed even though it keeps changing.
const MAX_DELAYED_POLLS: u32 = 10;

/// Indexes changed jobs until `shutdown` is cancelled. A text that is being edited is indexed when
/// its author pauses for a second, so that a long one is not rewritten with every word.
pub async fn index_periodically(db: Database, shutdown: CancellationToken) {
    let mut unsettled = ChangingJobs::default();
    loop {
        let worked = index_waiting(&db, &shutdown, &mut unsettled).await;
        let more = worked.unwrap_or_else(|error| {
            tracing::warn!(%error, "the search index could not be updated; trying again");
            false
        });
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = tokio::time::sleep(if more { Duration::ZERO } else { INTERVAL }) => {}
        }
    }
}

/// Jobs that were changing at the last poll: their change count, and for how many polls.
#[derive(Default)]
pub struct ChangingJobs(HashMap<Uuid, (i64, u32)>);

impl ChangingJobs {
    /// The marked jobs that have not changed since the last poll, or have waited long enough.
    fn settled(&mut self, waiting: &[Stale]) -> Vec<Stale> {
        let mut now = HashMap::new();
        let mut settled = Vec::new();
        for stale in waiting {
            let before = self.0.get(&stale.job_id);
            let checks = before.map_or(0, |(_, checks)| checks + 1);
            let quiet = before.is_some_and(|(changed, _)| *changed == stale.changed);
            if stale.new || quiet || checks >= MAX_DELAYED_POLLS {
                settled.push(*stale);
            } else {
                now.insert(stale.job_id, (stale.changed, checks));
            }
        }
        self.0 = now;
        settled
    }
}

/// Indexes the marked jobs that have settled; returns whether more can be done at once.
///
/// # Errors
/// When the database fails. A job that is partly unreadable is indexed by the readable part.
pub async fn index_waiting(
    db: &Database,
    shutdown: &CancellationToken,
    unsettled: &mut ChangingJobs,
) -> slovo_db::Result<bool> {
    let waiting = search::stale(&mut *db.read().await?, BATCH).await?;
    let settled = unsettled.settled(&waiting);
    for stale in &settled {
        if shutdown.is_cancelled() {
            return Ok(false);
        }
        index(db, stale).await?;
    }
    Ok(!settled.is_empty() && waiting.len() == BATCH as usize)
}

async fn index(db: &Database, stale: &Stale) -> slovo_db::Result<()> {
    let mut connection = db.read().await?;
    let job = match jobs::find_any(&mut connection, stale.job_id).await {
        Ok(Some(job)) => job,
        Ok(None) => return Ok(()),
        Err(error @ Error::Row { .. }) => {
            tracing::error!(%error, "a job cannot be read and is not indexed");
            drop(connection);
            return skip(db, stale).await;
        }
        Err(error) => return Err(error),
    };
    let transcript =
        match projection::read(&mut connection, stale.job_id, HistoryPoint::default()).await {
            Ok(transcript) => transcript,
            Err(error @ Error::Row { .. }) => {
                tracing::error!(%error, "a text cannot be read and is not indexed");
                None
            }
            Err(error) => return Err(error),
        };
    let tags = groups::tag_names(&mut connection, stale.job_id).await?;
    drop(connection);
    // Tokenising a long text would block everything else on this thread.
    let document = tokio::task::spawn_blocking(move || {
        Document::new(&job, transcript.as_ref()).with_tags(&tags)
    })
    .await;
    let Ok(document) = document else {
        tracing::error!(job = %stale.job_id, "a text could not be split into words");
        return skip(db, stale).await;
    };
    let mut transaction = db.write().await?;
    search::write(&mut transaction, db.backend(), stale, &document).await?;
    transaction.commit().await
}

/// Gives up on a job until it changes again.
async fn skip(db: &Database, stale: &Stale) -> slovo_db::Result<()> {
    let mut transaction = db.write().await?;
    search::give_up(&mut transaction, stale).await?;
    transaction.commit().await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stale(job_id: Uuid, changed: i64, new: bool) -> Stale {
        Stale {
            job_id,
            changed,
            new,
        }
    }

    #[test]
    fn a_changing_text_is_indexed_once_it_settles_or_waited_long_enough() {
        let (job, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mut unsettled = ChangingJobs::default();
        let fresh = stale(other, 1, true);
        assert_eq!(unsettled.settled(&[stale(job, 2, false), fresh]), [fresh]);
        assert_eq!(unsettled.settled(&[stale(job, 3, false)]), []);
        let quiet = stale(job, 3, false);
        assert_eq!(unsettled.settled(&[quiet]), [quiet]);
        for changed in 4..14 {
            assert_eq!(
                unsettled.settled(&[stale(job, changed, false)]),
                [],
                "{changed}"
            );
        }
        let long = stale(job, 14, false);
        assert_eq!(unsettled.settled(&[long]), [long]);
    }
}
