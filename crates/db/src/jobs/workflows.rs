//! The jobs whose work Temporal drives: which have a workflow, and what their rows wait for.
//!
//! The waiting row is the order for a workflow, stored in the transaction that makes the job wait. A
//! job that waits and is not in table `job_workflows` gets a workflow, or the one it has is told to
//! look again; then it is listed. The workflow removes it in the transaction in which it finds nothing
//! to do, so that work that is stored afterwards is an order again.

use slovo_rules::settings::TranscriptionType;
use uuid::Uuid;

use super::queue::Line;
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// A job and its plan's priority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ordered {
    /// The job.
    pub job: Uuid,
    /// The priority of its owner's plan; higher ones come first.
    pub priority: i64,
}

row_columns! {
    fn read_ordered() -> Ordered from "synced_jobs" by "my_job_id" {
        job: uuid in "my_job_id",
        priority: integer,
    }
}

/// Which messages (webhook deliveries, mails) are claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageScope {
    /// All.
    All,
    /// Those that no workflow sends, because they are not about a stored job.
    WithoutJob,
    /// Those about this job.
    Job(Uuid),
}

impl MessageScope {
    /// As statements expect it.
    pub(crate) fn text(self) -> Option<String> {
        match self {
            Self::All => None,
            Self::WithoutJob => Some(String::new()),
            Self::Job(job) => Some(job.to_string()),
        }
    }
}

/// What a job waits for. All times are Unix milliseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The owner's account id.
    pub user_id: String,
    /// The priority of its owner's plan; higher ones come first.
    pub priority: i64,
    /// Whether its recording has yet to be downloaded.
    pub awaits_download: bool,
    /// How thoroughly it is recognised.
    pub mode: TranscriptionType,
    /// When its download or recognition may begin, or the lease of the running one ends. `None` if it
    /// needs neither.
    pub run_at: Option<i64>,
    /// When one of its analyses may begin, or the lease of the running one ends.
    pub analyses_at: Option<i64>,
    /// When the next message about it is due.
    pub messages_at: Option<i64>,
}

impl Waiting {
    /// The line that it waits in.
    #[must_use]
    pub fn line(&self) -> Line {
        Line::of(self.awaits_download)
    }
}

row_columns! {
    fn read_waiting() -> Waiting from "synced_jobs" by "my_job_id" {
        user_id: text,
        priority: integer,
        awaits_download: flag,
        mode: word in "transcription_type",
        run_at: integer_or_none,
        analyses_at: integer_or_none,
        messages_at: integer_or_none,
    }
}

statements! {
    const SELECT_ORDERED: BOTH -> Ordered =
        "SELECT j.my_job_id, j.priority FROM synced_jobs j WHERE NOT EXISTS \
         (SELECT 1 FROM job_workflows w WHERE w.my_job_id = j.my_job_id) AND j.my_job_id IN \
         (SELECT q.my_job_id FROM synced_jobs q WHERE q.status = 'pending' \
         OR (q.status = 'processing' AND q.lease_until <= $1) \
         UNION SELECT a.my_job_id FROM analyses a WHERE a.status = 'waiting' \
         OR (a.status = 'running' AND a.lease_until <= $1) \
         UNION SELECT d.my_job_id FROM webhook_deliveries d \
         JOIN webhook_services s ON s.id = d.service_id \
         WHERE d.status = 'pending' AND s.is_active = 1 \
         UNION SELECT m.job_id FROM completion_mails m) LIMIT $2";
}

/// Jobs that wait for work and have no workflow, at most `limit`.
///
/// # Errors
/// When the database fails.
pub async fn ordered(connection: &mut Connection, now: i64, limit: i64) -> Result<Vec<Ordered>> {
    let rows = sqlx::query(SELECT_ORDERED)
        .bind(now)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read_ordered).collect()
}

statements! {
    const INSERT: BOTH =
        "INSERT INTO job_workflows (my_job_id, checked_at) \
         SELECT my_job_id, 0 FROM synced_jobs WHERE my_job_id = $1 \
         ON CONFLICT (my_job_id) DO NOTHING";
}

/// Notes that a job gets a workflow. Does nothing if the job was deleted.
///
/// # Errors
/// When the database fails.
pub async fn note(connection: &mut Connection, job: Uuid) -> Result<()> {
    sqlx::query(INSERT)
        .bind(job.to_string())
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const UPDATE_CHECK: BOTH = "UPDATE job_workflows SET checked_at = $2 WHERE my_job_id = $1";
}

/// Notes that the workflow of a job was found running or was told to look, unless it has ended since.
///
/// # Errors
/// When the database fails.
pub async fn note_checked(connection: &mut Connection, job: Uuid, now: i64) -> Result<()> {
    sqlx::query(UPDATE_CHECK)
        .bind(job.to_string())
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const DELETE: BOTH = "DELETE FROM job_workflows WHERE my_job_id = $1";
}

/// Notes that a job has no workflow, or that it will end.
///
/// # Errors
/// When the database fails.
pub async fn remove(connection: &mut Connection, job: Uuid) -> Result<()> {
    sqlx::query(DELETE)
        .bind(job.to_string())
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const SELECT_UNCHECKED: BOTH -> Ordered =
        "SELECT w.my_job_id, j.priority FROM job_workflows w \
         JOIN synced_jobs j ON j.my_job_id = w.my_job_id WHERE w.checked_at < $1 \
         ORDER BY w.checked_at, w.my_job_id LIMIT $2";
}

/// Jobs whose workflow was last known to run before `checked`, at most `limit`.
///
/// # Errors
/// When the database fails.
pub async fn unchecked(
    connection: &mut Connection,
    checked: i64,
    limit: i64,
) -> Result<Vec<Ordered>> {
    let rows = sqlx::query(SELECT_UNCHECKED)
        .bind(checked)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read_ordered).collect()
}

statements! {
    const SELECT_WAITING: BOTH -> Waiting =
        "SELECT j.my_job_id, j.auth_user_id AS user_id, j.priority, j.awaits_download, j.transcription_type, \
         CASE j.status WHEN 'pending' THEN j.run_after WHEN 'processing' THEN j.lease_until END \
         AS run_at, \
         COALESCE((SELECT r.lease_until FROM analyses r WHERE r.my_job_id = j.my_job_id \
         AND r.status = 'running'), (SELECT MIN(a.run_after) FROM analyses a \
         WHERE a.my_job_id = j.my_job_id AND a.status = 'waiting')) AS analyses_at, \
         (SELECT MIN(run_after) FROM (SELECT d.run_after FROM webhook_deliveries d \
         JOIN webhook_services s ON s.id = d.service_id WHERE d.my_job_id = j.my_job_id \
         AND d.status = 'pending' AND s.is_active = 1 \
         UNION ALL SELECT m.run_after FROM completion_mails m WHERE m.job_id = j.my_job_id) AS due) \
         AS messages_at FROM synced_jobs j WHERE j.my_job_id = $1";
}

/// What a job waits for; `None` if it was deleted.
///
/// # Errors
/// When the database fails.
pub async fn waiting(connection: &mut Connection, job: Uuid) -> Result<Option<Waiting>> {
    let row = sqlx::query(SELECT_WAITING)
        .bind(job.to_string())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read_waiting).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::tests::{account, claim, enqueue};
    use crate::testing::{Backend, apply, each_database, with_database};

    #[apply(each_database!)]
    fn a_waiting_job_is_ordered_until_its_workflow_is_noted(backend: Backend) {
        with_database(backend, async |db| {
            account(&db, "a").await;
            let id = enqueue(&db, "a", 1, 7, 100).await;
            let ordered_now = async |now| {
                let mut connection = db.read().await.unwrap();
                ordered(&mut connection, now, 10).await.unwrap()
            };
            let order = Ordered {
                job: id,
                priority: 7,
            };
            assert_eq!(ordered_now(0).await, std::slice::from_ref(&order));
            let mut transaction = db.write().await.unwrap();
            note(&mut transaction, id).await.unwrap();
            note(&mut transaction, Uuid::from_u128(9)).await.unwrap();
            transaction.commit().await.unwrap();
            assert_eq!(ordered_now(1_000).await, []);
            let mut connection = db.read().await.unwrap();
            assert_eq!(unchecked(&mut connection, 5, 10).await.unwrap(), [order]);
            let found = waiting(&mut connection, id).await.unwrap().unwrap();
            assert_eq!((found.run_at, found.analyses_at), (Some(100), None));
            assert_eq!(found.user_id, "a");
            drop(connection);

            let (lease, _) = claim(&db, "w", 100).await.unwrap();
            assert_eq!(lease.job_id, id);
            let mut transaction = db.write().await.unwrap();
            note_checked(&mut transaction, id, 5).await.unwrap();
            let unchecked = unchecked(&mut transaction, 5, 10).await.unwrap();
            assert_eq!(unchecked, []);
            let found = waiting(&mut transaction, id).await.unwrap().unwrap();
            assert!(found.run_at.unwrap() > 100, "the end of its lease");
            remove(&mut transaction, id).await.unwrap();
            transaction.commit().await.unwrap();
            assert_eq!(ordered_now(101).await, [], "it runs");
            assert_eq!(ordered_now(i64::MAX).await.len(), 1, "its worker is gone");
            let nobody = waiting(&mut db.read().await.unwrap(), Uuid::from_u128(9)).await;
            assert_eq!(nobody.unwrap(), None);
        });
    }
}
