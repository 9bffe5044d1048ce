//! What a user has by way of jobs: lists and figures. One row that cannot be read hides no other.

use slovo_rules::job::JobStatus;
use slovo_rules::settings::TranscriptionType;
use sqlx::{Row, any::AnyRow};
use uuid::Uuid;

use super::{Job, read};
use crate::fields::{Fields, containing, word};
use crate::{Connection, Error, Result};

/// Which jobs of a user a list shows.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only those in one of these states; all if empty.
    pub statuses: Vec<JobStatus>,
    /// Only those whose name holds this text, in any case; all if empty.
    pub name: String,
    /// Only those of this mode of recognition.
    pub mode: Option<TranscriptionType>,
    /// Only those in this language, given or found; all if empty.
    pub language: String,
    /// Only those made at or after this, in Unix milliseconds.
    pub from: Option<i64>,
    /// Only those made before this, in Unix milliseconds.
    pub until: Option<i64>,
    /// Only those after this one (created at, id), going back in time.
    pub after: Option<(i64, Uuid)>,
    /// The most that are given.
    pub limit: u32,
}

/// The user's jobs, the newest first. One whose row cannot be read is left out, and the next one
/// takes its place: fewer than the limit means that there are no more.
///
/// # Errors
/// When the database fails.
pub async fn list(connection: &mut Connection, user_id: &str, filter: &Filter) -> Result<Vec<Job>> {
    // One statement for every filter: the list of states is matched inside a text.
    let statuses = listed(&filter.statuses);
    let after = filter.after.map(|(at, id)| (at, id.to_string()));
    let mut after = after.unwrap_or((i64::MAX, String::new()));
    let limit = filter.limit as usize;
    let mut found = Vec::new();
    loop {
        let missing = limit - found.len();
        let rows = sqlx::query(
            "SELECT *, (SELECT COUNT(*) FROM synced_output o \
              WHERE o.my_job_id = synced_jobs.my_job_id) AS versions FROM synced_jobs \
             WHERE auth_user_id = $1 AND is_visible_to_user = 1 \
             AND ($2 = '' OR $2 LIKE '%,' || status || ',%') \
             AND ($3 = '%%' OR filename_folded LIKE $3 ESCAPE '!') \
             AND (created_at < $4 OR (created_at = $4 AND my_job_id < $5)) \
             AND ($7 = '' OR transcription_type = $7) AND ($8 = '' OR language = $8) \
             AND created_at >= $9 AND created_at < $10 \
             ORDER BY created_at DESC, my_job_id DESC LIMIT $6",
        )
        .bind(user_id)
        .bind(&statuses)
        .bind(containing(&filter.name))
        .bind(after.0)
        .bind(&after.1)
        .bind(i64::try_from(missing).unwrap_or(i64::MAX))
        .bind(filter.mode.as_ref().map_or_else(String::new, word))
        .bind(&filter.language)
        .bind(filter.from.unwrap_or(i64::MIN))
        .bind(filter.until.unwrap_or(i64::MAX))
        .fetch_all(&mut *connection)
        .await?;
        for row in &rows {
            found.extend(readable(read(row))?);
        }
        match rows.last() {
            Some(last) if rows.len() == missing && found.len() < limit => after = position(last)?,
            _ => return Ok(found),
        }
    }
}

/// What was read; a row that cannot be is told to the log.
pub(super) fn readable(job: Result<Job>) -> Result<Option<Job>> {
    match job {
        Ok(job) => Ok(Some(job)),
        Err(error @ Error::Row { .. }) => {
            tracing::error!(%error, "a job is left out of a list");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// A row's place in the list.
fn position(row: &AnyRow) -> Result<(i64, String)> {
    Ok((row.try_get("created_at")?, row.try_get("my_job_id")?))
}

/// How many jobs a user has by state.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Summary {
    /// All of them.
    pub total: i64,
    /// Waiting for a worker.
    pub pending: i64,
    /// In work.
    pub processing: i64,
    /// With their text.
    pub completed: i64,
    /// Without one, by whosever fault (`failed` and `error`).
    pub failed: i64,
    /// Stopped by their owner.
    pub cancelled: i64,
    /// Seconds of recordings in the completed ones.
    pub processed_seconds: f64,
}

/// Counts the user's jobs. Those whose state cannot be read count among all of them only.
///
/// # Errors
/// When the database fails.
pub async fn summary(connection: &mut Connection, user_id: &str) -> Result<Summary> {
    let rows = sqlx::query(
        "SELECT status, COUNT(*) AS jobs, COALESCE(SUM(duration), 0.0) AS seconds \
         FROM synced_jobs WHERE auth_user_id = $1 AND is_visible_to_user = 1 GROUP BY status",
    )
    .bind(user_id)
    .fetch_all(connection)
    .await?;
    let mut summary = Summary::default();
    for row in &rows {
        let jobs: i64 = row.try_get("jobs")?;
        summary.total += jobs;
        let status = match Fields::new(row, "synced_jobs", "status")?.word("status") {
            Ok(status) => status,
            Err(error) => {
                tracing::error!(%error, jobs, "jobs are left out of the figures");
                continue;
            }
        };
        match status {
            JobStatus::Pending | JobStatus::Uploaded => summary.pending += jobs,
            JobStatus::Processing => summary.processing += jobs,
            JobStatus::Completed => {
                summary.completed += jobs;
                summary.processed_seconds += row.try_get::<f64, _>("seconds")?;
            }
            JobStatus::Failed | JobStatus::Error => summary.failed += jobs,
            JobStatus::Cancelled => summary.cancelled += jobs,
        }
    }
    Ok(summary)
}

/// How many of the user's jobs wait for a worker. Until the transaction ends nobody else counts
/// them, so that of many requests at once each finds the job of the one before.
///
/// # Errors
/// When the database fails.
pub async fn count_waiting(connection: &mut Connection, user_id: &str) -> Result<i64> {
    // In PostgreSQL, too.
    sqlx::query("UPDATE accounts SET id = id WHERE id = $1")
        .bind(user_id)
        .execute(&mut *connection)
        .await?;
    let row = sqlx::query(
        "SELECT COUNT(*) AS jobs FROM synced_jobs \
         WHERE auth_user_id = $1 AND is_visible_to_user = 1 AND status = $2",
    )
    .bind(user_id)
    .bind(word(&JobStatus::Pending))
    .fetch_one(connection)
    .await?;
    Ok(row.try_get("jobs")?)
}

/// States as a text in which one of them is found: `,pending,,processing,`.
fn listed(statuses: &[JobStatus]) -> String {
    statuses
        .iter()
        .fold(String::new(), |all, status| all + "," + &word(status) + ",")
}

#[cfg(test)]
mod tests {
    use crate::jobs::{Filter, Summary, list, summary};
    use crate::queue_tests::{account, enqueue, unindexed};
    use crate::testing::{Backend, apply, each_database, with_database};

    #[apply(each_database!)]
    fn a_row_that_cannot_be_read_hides_no_other(backend: Backend) {
        with_database(backend, async |db| {
            account(&db, "a").await;
            for number in 1..=6 {
                let now = i64::try_from(number).unwrap();
                let id = enqueue(&db, "a", number, 0, now).await;
                let column = match number {
                    2 => "media_id",
                    3 => "input_settings",
                    4 => "my_job_id",
                    5 => "status",
                    _ => continue,
                };
                let damage = format!("UPDATE synced_jobs SET {column} = 'x' WHERE my_job_id = $1");
                let mut transaction = db.write().await.unwrap();
                unindexed(&mut transaction, id).await;
                sqlx::query(sqlx::AssertSqlSafe(damage))
                    .bind(id.to_string())
                    .execute(&mut *transaction)
                    .await
                    .unwrap();
                transaction.commit().await.unwrap();
            }
            let mut connection = db.read().await.unwrap();
            for limit in [1, 2, 3, 10] {
                let filter = Filter {
                    limit,
                    ..Filter::default()
                };
                let found = list(&mut connection, "a", &filter).await.unwrap();
                let numbers: Vec<_> = found.iter().map(|job| job.id.as_u128()).collect();
                assert_eq!(numbers, [6, 1][..numbers.len()]);
                assert_eq!(numbers.len(), 2.min(limit as usize));
            }
            let counted = summary(&mut connection, "a").await.unwrap();
            let expected = Summary {
                total: 6,
                pending: 5,
                ..Summary::default()
            };
            assert_eq!(counted, expected);
        });
    }
}
