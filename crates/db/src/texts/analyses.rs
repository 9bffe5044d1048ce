//! What is made of texts after recognition: table `analyses`, rows and queue in one.
//!
//! A job's parts are made one after the other, the oldest first; the job stays completed whatever
//! becomes of them. A claim works as a job's does (see [`crate::jobs::queue`]): every later write names
//! its lease and does nothing once that is lost.

mod held;
mod work;

use slovo_rules::analysis::{AnalysisStatus, Asked, EngineName, Outcome, Params, Part};
use slovo_rules::language::TranslationTarget;
use sqlx::Row;
use sqlx::any::AnyRow;
use uuid::Uuid;

pub use held::{HeldPart, drop_held, held, run_held, run_held_of};
pub use work::{
    AnalysisClaim, AnalysisLease, Made, PartProgress, again, any_waiting, claim, done, failed,
    give_up, hold, holds, progress, release_owner,
};

use crate::core::fields::{Fields, json, word};
use crate::{Connection, Result};

/// Rows that a job may have: whoever tries a hundred summaries has room, and no table grows
/// without end.
pub const MAX_PER_JOB: i64 = 200;

/// A part to be made.
#[derive(Debug, Clone)]
pub struct NewAnalysis<'a> {
    /// Its id.
    pub id: Uuid,
    /// The job.
    pub job: Uuid,
    /// The run of recognition whose text it is made of.
    pub version: i64,
    /// What is asked for, validated.
    pub asked: &'a Asked,
    /// Why nothing does it yet; then it is held, and does not wait for a worker.
    pub held: Option<&'a str>,
    /// Unix milliseconds.
    pub now: i64,
}

/// A part that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// Its id.
    pub id: Uuid,
    /// The job.
    pub job: Uuid,
    /// The run of recognition whose text it is made of.
    pub version: u32,
    /// Which part.
    pub part: Part,
    /// Language of a translation.
    pub target: Option<TranslationTarget>,
    /// What it was asked with.
    pub params: Params,
    /// Where it stands.
    pub status: AnalysisStatus,
    /// 0 to 100.
    pub percent: f64,
    /// Seconds until it is made, while it runs and its worker can tell.
    pub seconds_left: Option<f64>,
    /// What made it.
    pub engine: Option<EngineName>,
    /// The last edit in the text that it was made of.
    pub made_from_seq: Option<u32>,
    /// The digest of that text; `None` if it was made before digests were kept.
    pub made_from_print: Option<String>,
    /// What came out.
    pub outcome: Option<Outcome>,
    /// Why nothing did, or why it is held.
    pub error: Option<String>,
    /// Claims of it.
    pub attempts: i64,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub finished_at: Option<i64>,
}

pub(crate) fn read(row: &AnyRow) -> Result<Analysis> {
    let fields = Fields::new(row, "analyses", "id")?;
    let number = |column: &str, value: i64| {
        u32::try_from(value).map_err(|error| fields.error(column, error))
    };
    let target = fields.text("target")?;
    let target = match target.as_str() {
        "" => None,
        _ => Some(fields.word("target")?),
    };
    let seq = fields.integer_or_none("made_from_seq")?;
    Ok(Analysis {
        id: fields.uuid("id")?,
        job: fields.uuid("my_job_id")?,
        version: number("version", fields.integer("version")?)?,
        part: fields.word("part")?,
        target,
        params: fields.json("params")?,
        status: fields.word("status")?,
        percent: fields.number("percent")?,
        seconds_left: fields.number_or_none("seconds_left")?,
        engine: fields.json_or_none("engine")?,
        made_from_seq: seq.map(|seq| number("made_from_seq", seq)).transpose()?,
        made_from_print: fields.text_or_none("made_from_print")?,
        outcome: fields.json_or_none("outcome")?,
        error: fields.text_or_none("error")?,
        attempts: fields.integer("attempts")?,
        created_at: fields.integer("created_at")?,
        finished_at: fields.integer_or_none("finished_at")?,
    })
}

/// Puts a part into the queue, or holds it; `false` if the same part and language waits or runs, or the job is
/// gone.
///
/// # Errors
/// When the database fails.
pub async fn insert(connection: &mut Connection, new: &NewAnalysis<'_>) -> Result<bool> {
    let target = new.asked.target.map_or("", TranslationTarget::as_str);
    let made = sqlx::query(
        "INSERT INTO analyses (id, my_job_id, version, part, target, params, status, run_after, \
         created_at, error, held_for) SELECT $1, j.my_job_id, $3, $4, $5, $6, $7, $8, $8, $9, \
         CASE WHEN $9 IS NULL THEN NULL ELSE j.auth_user_id END FROM synced_jobs j \
         WHERE j.my_job_id = $2 ON CONFLICT DO NOTHING",
    )
    .bind(new.id.to_string())
    .bind(new.job.to_string())
    .bind(new.version)
    .bind(word(&new.asked.part))
    .bind(target)
    .bind(json(&new.asked.params()))
    .bind(word(&match new.held {
        None => AnalysisStatus::Waiting,
        Some(_) => AnalysisStatus::Held,
    }))
    .bind(new.now)
    .bind(new.held)
    .execute(connection)
    .await?;
    Ok(made.rows_affected() > 0)
}

/// One of the job's parts.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(connection: &mut Connection, job: Uuid, id: Uuid) -> Result<Option<Analysis>> {
    sqlx::query("SELECT * FROM analyses WHERE id = $1 AND my_job_id = $2")
        .bind(id.to_string())
        .bind(job.to_string())
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

/// The job's parts of one run, or of all: by part and language, the newest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(
    connection: &mut Connection,
    job: Uuid,
    version: Option<i64>,
) -> Result<Vec<Analysis>> {
    sqlx::query(
        "SELECT * FROM analyses WHERE my_job_id = $1 AND ($2 < 0 OR version = $2) \
         ORDER BY part, target, created_at DESC, id DESC",
    )
    .bind(job.to_string())
    .bind(version.unwrap_or(-1))
    .fetch_all(connection)
    .await?
    .iter()
    .map(read)
    .collect()
}

/// How many rows the job has.
///
/// # Errors
/// When the database fails.
pub async fn count(connection: &mut Connection, job: Uuid) -> Result<i64> {
    let row = sqlx::query("SELECT COUNT(*) AS rows FROM analyses WHERE my_job_id = $1")
        .bind(job.to_string())
        .fetch_one(connection)
        .await?;
    Ok(row.try_get("rows")?)
}

/// Removes a part, also one that runs, whose worker then finds its lease gone; `false` if there is
/// none.
///
/// # Errors
/// When the database fails.
pub async fn remove(connection: &mut Connection, job: Uuid, id: Uuid) -> Result<bool> {
    let gone = sqlx::query("DELETE FROM analyses WHERE id = $1 AND my_job_id = $2")
        .bind(id.to_string())
        .bind(job.to_string())
        .execute(connection)
        .await?;
    Ok(gone.rows_affected() > 0)
}

/// Where a part stands, without what came out.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// Its id.
    pub id: Uuid,
    /// Which part.
    pub part: Part,
    /// Language of a translation.
    pub target: Option<TranslationTarget>,
    /// Where it stands.
    pub status: AnalysisStatus,
    /// 0 to 100.
    pub percent: f64,
}

/// Where all of a job's parts stand, the oldest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn standings(connection: &mut Connection, job: Uuid) -> Result<Vec<Standing>> {
    sqlx::query(
        "SELECT id, part, NULLIF(target, '') AS target, status, percent FROM analyses \
         WHERE my_job_id = $1 ORDER BY created_at, id",
    )
    .bind(job.to_string())
    .fetch_all(connection)
    .await?
    .iter()
    .map(|row| {
        let fields = Fields::new(row, "analyses", "id")?;
        Ok(Standing {
            id: fields.uuid("id")?,
            part: fields.word("part")?,
            target: fields.word_or_none("target")?,
            status: fields.word("status")?,
            percent: fields.number("percent")?,
        })
    })
    .collect()
}

#[cfg(test)]
mod tests;
