//! Backups that were begun: table `backup_runs`.

use crate::core::advisory_locks::AdvisoryLock;
use crate::core::statement::{columns, row_columns, statements};
use crate::{Backend, Connection, Result};

/// How long a run may be silent before it counts as killed, in milliseconds. It reports every few
/// seconds.
pub const SILENT_MS: i64 = 120_000;

/// When a scheduled run is tried again after one that failed, in milliseconds: an hour.
const RETRY_MS: i64 = 60 * 60 * 1000;

/// How long runs are remembered, in milliseconds: 90 days.
const REMEMBERED_MS: i64 = 90 * 24 * 60 * 60 * 1000;

/// A backup that was begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// A UUID.
    pub id: String,
    /// Unix milliseconds.
    pub started_at: i64,
    /// Its last sign of life, Unix milliseconds.
    pub seen_at: i64,
    /// Unix milliseconds; `None` while it runs, and for ever if it was killed.
    pub finished_at: Option<i64>,
    /// The name of the finished backup.
    pub snapshot: Option<String>,
    /// Why there is none.
    pub error: Option<String>,
    /// Bytes that it had to store.
    pub stored_bytes: i64,
    /// Bytes of everything that it contains.
    pub total_bytes: i64,
}

impl Run {
    /// Whether it goes on at this time, in Unix milliseconds.
    #[must_use]
    pub fn is_running(&self, now: i64) -> bool {
        // Later than now: the clock was set back since.
        self.finished_at.is_none()
            && (now - SILENT_MS..now + SILENT_MS).contains(&(self.seen_at - 1))
    }
}

row_columns! {
    fn read() -> Run from "backup_runs" by "id" {
        id: text,
        started_at: integer,
        seen_at: integer,
        finished_at: integer_or_none,
        snapshot: text_or_none,
        error: text_or_none,
        stored_bytes: integer,
        total_bytes: integer,
    }
}

macro_rules! columns_of_run {
    () => {
        columns!("": id, started_at, seen_at, finished_at, snapshot, error, stored_bytes, total_bytes)
    };
}

statements! {
    const LIST: BOTH -> Run = concat!(
        "SELECT ", columns_of_run!(), " FROM backup_runs ORDER BY started_at DESC, id DESC LIMIT $1"
    );
    const BEGIN: BOTH =
        "INSERT INTO backup_runs (id, started_at, seen_at) VALUES ($1, $2, $2)";
    const SEEN: BOTH =
        "UPDATE backup_runs SET seen_at = $2, stored_bytes = $3, total_bytes = $4 \
         WHERE id = $1 AND finished_at IS NULL";
    const FINISH: BOTH =
        "UPDATE backup_runs SET seen_at = $2, finished_at = $2, snapshot = $3, error = $4, \
         stored_bytes = $5, total_bytes = $6 WHERE id = $1";
    const FORGET: BOTH = "DELETE FROM backup_runs WHERE started_at < $1";
}

/// What keeps a run from beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unless {
    /// Nothing: two at a time do no harm.
    Never,
    /// Another one goes on.
    Running,
    /// Another one goes on, or the last one began after this time, in Unix milliseconds. One that
    /// failed counts for an hour.
    Since(i64),
}

/// Begins a run at `now`, in Unix milliseconds. Returns whether it did.
///
/// # Errors
/// When the database fails.
pub async fn begin(
    connection: &mut Connection,
    id: &str,
    now: i64,
    unless: Unless,
) -> Result<bool> {
    if Backend::of(connection) == Backend::Postgres {
        AdvisoryLock::BackupRuns.take(&mut *connection).await?;
    }
    let last = list(connection, 1).await?;
    let stands_back = last.first().is_some_and(|last| {
        // A start that is later than now is from before the clock was set back.
        let is_since = |since: i64| (since..now).contains(&(last.started_at - 1));
        match unless {
            Unless::Never => false,
            Unless::Running => last.is_running(now),
            Unless::Since(_) if last.is_running(now) => true,
            Unless::Since(since) if last.snapshot.is_some() => is_since(since),
            Unless::Since(_) => is_since(now - RETRY_MS),
        }
    });
    if stands_back {
        return Ok(false);
    }
    sqlx::query(FORGET)
        .bind(now - REMEMBERED_MS)
        .execute(&mut *connection)
        .await?;
    sqlx::query(BEGIN)
        .bind(id)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(true)
}

/// Reports that a run goes on, and what it has done.
///
/// # Errors
/// When the database fails.
pub async fn report(
    connection: &mut Connection,
    id: &str,
    now: i64,
    (stored, total): (i64, i64),
) -> Result<()> {
    sqlx::query(SEEN)
        .bind(id)
        .bind(now)
        .bind(stored)
        .bind(total)
        .execute(connection)
        .await?;
    Ok(())
}

/// Records how a run ended: with the name of the backup, or an error.
///
/// # Errors
/// When the database fails.
pub async fn finish(
    connection: &mut Connection,
    id: &str,
    now: i64,
    outcome: std::result::Result<&str, &str>,
    (stored, total): (i64, i64),
) -> Result<()> {
    sqlx::query(FINISH)
        .bind(id)
        .bind(now)
        .bind(outcome.ok())
        .bind(outcome.err())
        .bind(stored)
        .bind(total)
        .execute(connection)
        .await?;
    Ok(())
}

/// The last runs, newest first.
///
/// # Errors
/// When the database fails.
pub async fn list(connection: &mut Connection, limit: i64) -> Result<Vec<Run>> {
    let rows = sqlx::query(LIST).bind(limit).fetch_all(connection).await?;
    rows.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Backend, apply, each_database, with_database};

    #[apply(each_database!)]
    fn one_run_at_a_time_and_one_a_day(backend: Backend) {
        with_database(backend, async |database| {
            let begin = async |id: &str, now, unless| {
                let mut transaction = database.write().await.unwrap();
                let begun = begin(&mut transaction, id, now, unless).await.unwrap();
                transaction.commit().await.unwrap();
                begun
            };
            let day = 86_400_000;
            let now = 200 * day;
            assert!(begin("a", now, Unless::Since(now - day)).await);
            assert!(!begin("b", now + 1, Unless::Running).await, "one goes on");
            assert!(!begin("b", now + 1, Unless::Since(0)).await, "one goes on");
            let mut transaction = database.write().await.unwrap();
            report(&mut transaction, "a", now + SILENT_MS, (1, 2))
                .await
                .unwrap();
            transaction.commit().await.unwrap();
            assert!(!begin("b", now + 2 * SILENT_MS - 1, Unless::Running).await);
            // It was killed.
            assert!(begin("b", now + 2 * SILENT_MS, Unless::Running).await);
            let mut transaction = database.write().await.unwrap();
            let late = now + 3 * SILENT_MS;
            finish(&mut transaction, "b", late, Ok("2026"), (3, 4))
                .await
                .unwrap();
            transaction.commit().await.unwrap();
            let begun = now + 2 * SILENT_MS;
            assert!(
                !begin("c", begun + day - 1, Unless::Since(begun - 1)).await,
                "today's"
            );
            assert!(begin("c", late + 1, Unless::Running).await, "by hand");
            let mut connection = database.read().await.unwrap();
            let runs = list(&mut connection, 9).await.unwrap();
            let names: Vec<_> = runs.iter().map(|run| run.id.as_str()).collect();
            assert_eq!(names, ["c", "b", "a"]);
            assert_eq!(runs[1].snapshot.as_deref(), Some("2026"));
            assert_eq!((runs[1].stored_bytes, runs[1].total_bytes), (3, 4));
            assert_eq!(
                (runs[2].finished_at, runs[2].error.as_deref()),
                (None, None)
            );
        });
    }
}
