//! Transcripts that users have recently worked on: table `worked_texts`.

use uuid::Uuid;

use super::statements::job_columns;
use super::{Job, lists, read};
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// A transcript that its owner has worked on.
#[derive(Debug, Clone, PartialEq)]
pub struct RecentTranscript {
    /// Its job.
    pub job: Job,
    /// The displayed run.
    pub version: i64,
    /// When it was last opened or edited, in Unix milliseconds.
    pub at: i64,
    /// Number of its uncertain words; `None` if they were never counted.
    pub unsure: Option<u64>,
}

statements! {
    const UPSERT_WORKED_TEXT: BOTH =
        "INSERT INTO worked_texts (auth_user_id, my_job_id, worked_at) \
         SELECT j.auth_user_id, j.my_job_id, $3 FROM synced_jobs j \
         WHERE j.my_job_id = $2 AND j.auth_user_id = $1 \
         ON CONFLICT (auth_user_id, my_job_id) DO UPDATE SET worked_at = excluded.worked_at \
         WHERE worked_texts.worked_at < excluded.worked_at";
}

/// Records that the user works on this transcript. Jobs of others are ignored.
///
/// # Errors
/// When the database fails.
pub async fn record_work(
    connection: &mut Connection,
    user_id: &str,
    job: Uuid,
    now: i64,
) -> Result<()> {
    sqlx::query(UPSERT_WORKED_TEXT)
        .bind(user_id)
        .bind(job.to_string())
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

/// The columns of a row besides those of its job.
struct WorkRow {
    version: i64,
    at: i64,
    unsure: Option<i64>,
}

row_columns! {
    fn read_work() -> WorkRow from "worked_texts" by "my_job_id" {
        version: integer in "text_version",
        at: integer in "worked_at",
        unsure: integer_or_none,
    }
}

statements! {
    const SELECT_RECENT_TRANSCRIPTS: BOTH -> Job, WorkRow = concat!(
        "SELECT w.worked_at, h.version AS text_version, h.unsure, ",
        job_columns!(),
        " FROM worked_texts w JOIN synced_jobs j ON j.my_job_id = w.my_job_id \
         JOIN transcript_heads h ON h.my_job_id = j.my_job_id AND h.version = j.shown_version \
         WHERE w.auth_user_id = $1 AND j.auth_user_id = $1 AND j.is_visible_to_user = 1 \
         ORDER BY w.worked_at DESC, w.my_job_id DESC LIMIT $2"
    );
}

/// The transcripts that the user last worked on and can still see, latest first. Unreadable rows
/// are left out.
///
/// # Errors
/// When the database fails.
pub async fn list_recent_transcripts(
    connection: &mut Connection,
    user_id: &str,
    limit: u32,
) -> Result<Vec<RecentTranscript>> {
    let rows = sqlx::query(SELECT_RECENT_TRANSCRIPTS)
        .bind(user_id)
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        if let Some(job) = lists::readable(read(&row))? {
            let work = read_work(&row)?;
            found.push(RecentTranscript {
                job,
                version: work.version,
                at: work.at,
                unsure: work.unsure.map(|count| u64::try_from(count).unwrap_or(0)),
            });
        }
    }
    Ok(found)
}
