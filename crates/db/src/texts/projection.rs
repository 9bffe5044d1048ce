//! The current text: recognised segments with the edits applied. Editor, export, search and sharing
//! all read it here.

use slovo_rules::edit::EditedTranscript;
use slovo_rules::job_plan::JobPlan;
use slovo_rules::settings::TranscriptionType;
use sqlx::Row;
use uuid::Uuid;

use crate::core::statement::{row_columns, statements};
use crate::texts::edits::{self, SegmentState};
#[cfg(test)]
use crate::texts::transcripts::Output;
use crate::texts::transcripts::{self, output_columns, read_output};
use crate::{Connection, Result};

/// A point in the history of a job's text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HistoryPoint {
    /// A recognition run; `None` is the displayed one.
    pub version: Option<i64>,
    /// The state after this edit; `None` is the newest state.
    pub at: Option<u32>,
}

statements! {
    const SELECT_OUTPUT: BOTH -> Output = concat!(
        "SELECT ",
        output_columns!(),
        " FROM synced_output WHERE my_job_id = $1 AND version = $2"
    );
}

/// The transcript of a job at a point in its history; `None` if there is none. Every segment has its
/// language.
///
/// # Errors
/// A row that cannot be read.
pub async fn read(
    connection: &mut Connection,
    job: Uuid,
    point: HistoryPoint,
) -> Result<Option<EditedTranscript>> {
    let version = match point.version {
        Some(version) => version,
        None => match displayed_version(&mut *connection, job).await? {
            Some(version) => version,
            None => return Ok(None),
        },
    };
    // Read first: an edit stored during this read is then delivered again as a later one.
    let Some(newest) = edits::seq(&mut *connection, job, version).await? else {
        return Ok(None);
    };
    let row = sqlx::query(SELECT_OUTPUT)
        .bind(job.to_string())
        .bind(version)
        .fetch_optional(&mut *connection)
        .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let output = read_output(&row)?;
    let mut transcript = EditedTranscript {
        version: u32::try_from(version).unwrap_or(u32::MAX),
        seq: point.at.map_or(newest, |at| at.min(newest)),
        language: output.language,
        duration: output.duration,
        mode: output.mode,
        model: output.model,
        speakers: Vec::new(),
        segments: Vec::new(),
        warnings: output.warnings,
        removed: output.removed.unwrap_or_default(),
    };
    let mut states = edits::all(&mut *connection, job, version).await?;
    for segment in transcripts::segments(&mut *connection, job, version, 0).await? {
        let state = SegmentState::recognised(segment);
        states.entry(state.segment.place).or_insert(state);
    }
    let mut speakers = edits::read_speakers(&mut *connection, job, version).await?;
    if let Some(at) = point.at {
        let before = edits::states_at(&mut *connection, job, version, at).await?;
        for state in before.segments.into_values() {
            states.insert(state.segment.place, state);
        }
        speakers.set(&before.speakers);
    }
    let standing = states.into_values().filter(|state| !state.removed);
    transcript.segments = standing
        .map(|SegmentState { mut segment, .. }| {
            if let Some(speaker) = &mut segment.speaker {
                *speaker = speakers.resolve(speaker).to_owned();
            }
            segment
        })
        .collect();
    for passage in &mut transcript.removed {
        if let Some(speaker) = &mut passage.speaker {
            *speaker = speakers.resolve(speaker).to_owned();
        }
    }
    transcript.speakers = speakers.unmerged();
    transcript.fill_languages();
    Ok(Some(transcript))
}

/// The displayed run; `None` if the job has no transcript or was deleted.
///
/// # Errors
/// When the database fails.
pub async fn displayed_version(connection: &mut Connection, job: Uuid) -> Result<Option<i64>> {
    Ok(runs(connection, job).await?.and_then(|runs| runs.shown))
}

statements! {
    const UPDATE_SHOWN_VERSION: BOTH =
        "UPDATE synced_jobs SET shown_version = $2 WHERE my_job_id = $1 AND EXISTS \
         (SELECT 1 FROM synced_output o WHERE o.my_job_id = $1 AND o.version = $2)";
}

/// Displays a run; `false` if it has no transcript. If it changes the displayed run, the caller
/// marks the job as stale for the search (`search::mark_stale`) in the same transaction.
///
/// # Errors
/// When the database fails.
pub async fn show(connection: &mut Connection, job: Uuid, version: i64) -> Result<bool> {
    let done = sqlx::query(UPDATE_SHOWN_VERSION)
        .bind(job.to_string())
        .bind(version)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Counts the uncertain words of a transcript made before the count existed, and stores the count;
/// `None` if there is no such transcript.
///
/// # Errors
/// A row that cannot be read.
pub async fn count_unsure(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
) -> Result<Option<u64>> {
    // Locks out edits, which would otherwise be counted twice or not at all.
    if edits::lock(&mut *connection, job, version).await?.is_none() {
        return Ok(None);
    }
    let point = HistoryPoint {
        version: Some(version),
        at: None,
    };
    let Some(text) = read(&mut *connection, job, point).await? else {
        return Ok(None);
    };
    let count: i64 = text
        .segments
        .iter()
        .map(|segment| edits::unsure(&segment.words))
        .sum();
    edits::store_unsure_count(connection, job, version, count).await?;
    Ok(Some(count.unsigned_abs()))
}

/// The runs of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunsSummary {
    /// The displayed run.
    pub shown: Option<i64>,
    /// Number of runs with a transcript.
    pub count: i64,
}

row_columns! {
    fn read_runs() -> RunsSummary {
        shown: integer_or_none,
        count: integer in "runs",
    }
}

statements! {
    const SELECT_RUNS: BOTH -> RunsSummary =
        "SELECT COALESCE((SELECT o.version FROM synced_output o WHERE o.my_job_id = j.my_job_id \
         AND o.version = j.shown_version), (SELECT MAX(o.version) FROM synced_output o \
         WHERE o.my_job_id = j.my_job_id)) AS shown, \
         (SELECT COUNT(*) FROM synced_output o WHERE o.my_job_id = j.my_job_id) AS runs \
         FROM synced_jobs j WHERE j.my_job_id = $1";
}

/// The runs of a job; `None` if it was deleted.
///
/// # Errors
/// When the database fails.
pub async fn runs(connection: &mut Connection, job: Uuid) -> Result<Option<RunsSummary>> {
    // A run whose transcript is missing cannot be displayed, even if the job names it.
    let row = sqlx::query(SELECT_RUNS)
        .bind(job.to_string())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read_runs).transpose()
}

/// A run with a transcript.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedRun {
    /// Its number.
    pub version: u32,
    /// When it was completed, in Unix milliseconds.
    pub at: i64,
    /// Its recognition model.
    pub model: String,
    /// Language, chosen or detected.
    pub language: String,
    /// Recognition mode.
    pub mode: TranscriptionType,
    /// Number of its last edit; 0 if there is none.
    pub seq: u32,
    /// Its settings, if they were stored.
    pub plan: Option<JobPlan>,
}

row_columns! {
    fn read_finished_run() -> FinishedRun from "synced_output" by "my_job_id" {
        version: index,
        at: integer in "created_at",
        model: text,
        language: text,
        mode: word,
        seq: index,
        plan: json_or_none in "settings",
    }
}

statements! {
    const SELECT_FINISHED_RUNS: BOTH -> FinishedRun =
        "SELECT o.my_job_id, o.version, o.created_at, o.model, o.language, o.mode, o.settings, \
         COALESCE(h.seq, 0) AS seq FROM synced_output o LEFT JOIN transcript_heads h \
         ON h.my_job_id = o.my_job_id AND h.version = o.version \
         WHERE o.my_job_id = $1 ORDER BY o.version";
}

/// The runs of a job that have a transcript, oldest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn finished_runs(connection: &mut Connection, job: Uuid) -> Result<Vec<FinishedRun>> {
    sqlx::query(SELECT_FINISHED_RUNS)
        .bind(job.to_string())
        .fetch_all(connection)
        .await?
        .iter()
        .map(read_finished_run)
        .collect()
}

/// What is stored of a job's transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Whether the run has a transcript.
    pub output: bool,
    /// Recognised segments of the run.
    pub segments: u64,
    /// Edits of all runs.
    pub edits: u64,
}

statements! {
    const COUNT_SEGMENTS: BOTH =
        "SELECT COUNT(*) AS segments FROM synced_segments \
         WHERE my_job_id = $1 AND version = $2";
}

/// Counts what is stored of a job's transcript; output and segments are those of one run.
///
/// # Errors
/// When the database fails.
pub async fn counts(connection: &mut Connection, job: Uuid, version: i64) -> Result<Counts> {
    let row = sqlx::query(COUNT_SEGMENTS)
        .bind(job.to_string())
        .bind(version)
        .fetch_one(&mut *connection)
        .await?;
    Ok(Counts {
        output: transcripts::exists(&mut *connection, job, version).await?,
        segments: row.try_get::<i64, _>("segments")?.unsigned_abs(),
        edits: edits::count(connection, job).await?,
    })
}
