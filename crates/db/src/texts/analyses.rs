//! Analyses of transcripts: table `analyses`, which holds both results and queue.
//!
//! Analyses of a job run one after the other, oldest first; the job stays completed whatever their
//! results. A lease works like a job's (see [`crate::jobs::queue`]): every later write names it and
//! does nothing once it is lost.

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

/// Maximum number of rows per job: enough for a hundred attempts at a summary, while the table
/// stays bounded.
pub const MAX_PER_JOB: i64 = 200;

/// A new analysis.
#[derive(Debug, Clone)]
pub struct NewAnalysis<'a> {
    /// Its id.
    pub id: Uuid,
    /// The job.
    pub job: Uuid,
    /// The recognition run whose transcript is analysed.
    pub version: i64,
    /// The validated request.
    pub asked: &'a Asked,
    /// The reason why it is held instead of queued, if any.
    pub held: Option<&'a str>,
    /// Unix milliseconds.
    pub now: i64,
}

/// A requested analysis.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// Its id.
    pub id: Uuid,
    /// The job.
    pub job: Uuid,
    /// The recognition run whose transcript is analysed.
    pub version: u32,
    /// The kind of analysis.
    pub part: Part,
    /// Language of a translation.
    pub target: Option<TranslationTarget>,
    /// Parameters of the request.
    pub params: Params,
    /// Its state.
    pub status: AnalysisStatus,
    /// 0 to 100.
    pub percent: f64,
    /// Estimated seconds left, while it runs and if known.
    pub seconds_left: Option<f64>,
    /// The engine that made it.
    pub engine: Option<EngineName>,
    /// Number of the last edit in the analysed transcript.
    pub made_from_seq: Option<u32>,
    /// Digest of the analysed transcript; `None` if it was made before digests were stored.
    pub made_from_print: Option<String>,
    /// The result.
    pub outcome: Option<Outcome>,
    /// Code of why it failed or is held.
    pub error: Option<String>,
    /// Number of claims.
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

/// Queues or holds an analysis; `false` if the same kind and language is already queued or running,
/// or the job was deleted.
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

/// An analysis of the job.
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

/// The job's analyses of one run, or of all runs: by kind and language, newest first.
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

/// Number of the job's rows.
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

/// Deletes an analysis, even a running one, whose worker then loses its lease; `false` if there is
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

/// The state of an analysis, without its result.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// Its id.
    pub id: Uuid,
    /// The kind of analysis.
    pub part: Part,
    /// Language of a translation.
    pub target: Option<TranslationTarget>,
    /// Its state.
    pub status: AnalysisStatus,
    /// 0 to 100.
    pub percent: f64,
}

/// The states of all analyses of a job, oldest first.
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
