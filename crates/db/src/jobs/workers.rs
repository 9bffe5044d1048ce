//! The processes that run jobs: table `workers`.

use crate::core::statement::{columns, row_columns, statements};
use crate::{Connection, Result};

/// Heartbeat of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heartbeat<'a> {
    /// The name under which it claims jobs.
    pub id: &'a str,
    /// The machine's name.
    pub host: &'a str,
    /// The process id.
    pub pid: u32,
    /// The program's version.
    pub version: &'a str,
    /// When it started, Unix milliseconds.
    pub started_at: i64,
    /// Unix milliseconds.
    pub now: i64,
}

/// A process, as last reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worker {
    /// The name under which it claims jobs.
    pub id: String,
    /// The machine's name.
    pub host: String,
    /// The process id.
    pub pid: i64,
    /// The program's version.
    pub version: String,
    /// When it started, Unix milliseconds.
    pub started_at: i64,
    /// Time of its last heartbeat, Unix milliseconds.
    pub seen_at: i64,
    /// Number of jobs it holds leases on.
    pub running: i64,
}

row_columns! {
    fn read() -> Worker from "workers" by "id" {
        id: text,
        host: text,
        pid: integer,
        version: text,
        started_at: integer,
        seen_at: integer,
        running: integer,
    }
}

statements! {
    const UPSERT_WORKER: BOTH =
        "INSERT INTO workers (id, host, pid, version, started_at, seen_at) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at";
    const DELETE_STALE_WORKERS: BOTH = "DELETE FROM workers WHERE seen_at < $1";
}

/// Deletes all processes: none of them works with a database that was restored.
///
/// # Errors
/// When the database fails.
pub async fn delete_all(connection: &mut Connection) -> Result<()> {
    sqlx::query(DELETE_STALE_WORKERS)
        .bind(i64::MAX)
        .execute(connection)
        .await?;
    Ok(())
}

/// Stores a heartbeat, and deletes processes without one since before `stale_before`.
///
/// # Errors
/// When the database fails.
pub async fn record_heartbeat(
    connection: &mut Connection,
    beat: &Heartbeat<'_>,
    stale_before: i64,
) -> Result<()> {
    sqlx::query(UPSERT_WORKER)
        .bind(beat.id)
        .bind(beat.host)
        .bind(i64::from(beat.pid))
        .bind(beat.version)
        .bind(beat.started_at)
        .bind(beat.now)
        .execute(&mut *connection)
        .await?;
    sqlx::query(DELETE_STALE_WORKERS)
        .bind(stale_before)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const DELETE_WORKER: BOTH = "DELETE FROM workers WHERE id = $1";
}

/// Deletes a process that shuts down normally.
///
/// # Errors
/// When the database fails.
pub async fn remove(connection: &mut Connection, id: &str) -> Result<()> {
    sqlx::query(DELETE_WORKER)
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const SELECT_WORKERS: BOTH -> Worker = concat!(
        "SELECT ",
        columns!("w.": id, host, pid, version, started_at, seen_at),
        ", (SELECT COUNT(*) FROM synced_jobs j WHERE j.status = 'processing' \
         AND j.lease_owner = w.id) AS running FROM workers w ORDER BY w.seen_at DESC, w.id"
    );
}

/// All processes, the last seen first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(connection: &mut Connection) -> Result<Vec<Worker>> {
    let rows = sqlx::query(SELECT_WORKERS).fetch_all(connection).await?;
    rows.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::lease::Claim;
    use crate::jobs::queue::{self, Line};
    use crate::jobs::tests::{account, enqueue};
    use crate::testing::{Backend, apply, each_database, with_database};

    fn at(id: &str, now: i64) -> Heartbeat<'_> {
        Heartbeat {
            id,
            host: "machine",
            pid: u32::MAX,
            version: "1",
            started_at: 5,
            now,
        }
    }

    #[apply(each_database!)]
    fn silent_workers_are_removed_and_running_jobs_are_counted(backend: Backend) {
        with_database(backend, async |db| {
            account(&db, "a").await;
            enqueue(&db, "a", 1, 0, 1).await;
            let mut transaction = db.write().await.unwrap();
            for (id, now) in [("one", 10), ("two", 20), ("one", 30)] {
                record_heartbeat(&mut transaction, &at(id, now), 0)
                    .await
                    .unwrap();
            }
            let claim = Claim {
                lease_id: "lease".to_owned(),
                owner: "two",
                now: 30,
                until: 99,
            };
            let claimed =
                queue::claim(&mut transaction, db.backend(), Line::Recognition, &claim).await;
            assert!(claimed.unwrap().is_some());
            let all = list(&mut transaction).await.unwrap();
            let actual: Vec<_> = all
                .iter()
                .map(|worker| {
                    (
                        worker.id.as_str(),
                        worker.started_at,
                        worker.seen_at,
                        worker.running,
                    )
                })
                .collect();
            assert_eq!(actual, [("one", 5, 30, 0), ("two", 5, 20, 1)]);
            assert_eq!(all[0].pid, i64::from(u32::MAX));
            // Last seen exactly at the limit.
            record_heartbeat(&mut transaction, &at("one", 40), 20)
                .await
                .unwrap();
            assert_eq!(list(&mut transaction).await.unwrap().len(), 2);
            record_heartbeat(&mut transaction, &at("one", 41), 21)
                .await
                .unwrap();
            assert_eq!(list(&mut transaction).await.unwrap().len(), 1);
            remove(&mut transaction, "one").await.unwrap();
            assert_eq!(list(&mut transaction).await.unwrap(), []);
        });
    }
}
