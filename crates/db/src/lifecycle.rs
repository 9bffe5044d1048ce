//! Creation, completion and deletion of jobs and accounts: operations across several groups, with
//! all steps in one place and in the caller's transaction.
//!
//! When a job changes its state, webhooks (`webhooks`), the search (`texts::search`) and mails
//! (`jobs::completion_mails`) may have to follow. The functions of those groups do only their own
//! part. Those that are incomplete without the others are not public, so that no caller can miss a
//! step.

pub mod deletion;

use slovo_rules::analysis::Outcome;
use slovo_rules::media::Fault;
use slovo_rules::transcript::Transcript;
use slovo_rules::webhook::WebhookEvent;
use uuid::Uuid;

use crate::jobs::queue::{Lease, Release};
use crate::jobs::stages::DownloadedFile;
use crate::jobs::{self, NewJob, completion_mails, queue, stages};
use crate::targets::files;
use crate::texts::analyses::{self, AnalysisLease, ResultOrigin};
use crate::texts::{recognition, search, voices};
use crate::webhooks::events::{queue_analysis_event, queue_event};
use crate::{Connection, Result};

/// Stores a new job, which enqueues it. A job with a URL in its settings waits for its download;
/// for any other job, webhooks report the completed upload.
///
/// # Errors
/// The constraint `synced_jobs_media_id_key` if another job has the file.
pub async fn create_job(connection: &mut Connection, job: &NewJob) -> Result<()> {
    jobs::insert(&mut *connection, job).await?;
    search::mark_stale(&mut *connection, job.id).await?;
    if job.plan.url().is_empty() {
        queue_event(connection, WebhookEvent::UploadCompleted, job.id, job.now).await?;
    }
    Ok(())
}

/// Finishes the download of a job's recording: the job waits for recognition as one made from an
/// upload does, its claim ends, the search gets its new name, and webhooks report the completed
/// upload. `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn set_downloaded(
    connection: &mut Connection,
    lease: &Lease,
    downloaded: &DownloadedFile,
    now: i64,
) -> Result<bool> {
    if !stages::set_downloaded(&mut *connection, lease, downloaded, now).await? {
        return Ok(false);
    }
    search::mark_stale(&mut *connection, lease.job_id).await?;
    queue_event(connection, WebhookEvent::UploadCompleted, lease.job_id, now).await?;
    Ok(true)
}

/// Completes a job with its transcript, which is displayed from now on: stores the job's columns
/// and the transcript with its missing segments, updates the search, and queues mail, webhooks and
/// the comparison of its speakers with the owner's voices.
/// The windows are deleted unless `keep_chunks`: another version may be made from them. `false` if
/// the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn complete_job(
    connection: &mut Connection,
    lease: &Lease,
    version: i64,
    transcript: &Transcript,
    keep_chunks: bool,
    now: i64,
) -> Result<bool> {
    let job = lease.job_id;
    if !stages::complete(&mut *connection, lease, version, transcript, now).await? {
        return Ok(false);
    }
    recognition::insert(&mut *connection, job, version, transcript, now).await?;
    search::mark_stale(&mut *connection, job).await?;
    completion_mails::insert(&mut *connection, job, now).await?;
    voices::compare_with_any(&mut *connection, job, version, now).await?;
    queue_event(&mut *connection, WebhookEvent::JobCompleted, job, now).await?;
    if !keep_chunks {
        stages::delete_chunks(connection, job, version).await?;
    }
    Ok(true)
}

/// Ends a claim without a transcript; webhooks report it if the job has ended. `false` if the lease
/// was lost.
///
/// # Errors
/// When the database fails.
pub async fn release_job(
    connection: &mut Connection,
    lease: &Lease,
    release: &Release,
    now: i64,
) -> Result<bool> {
    if !queue::release(&mut *connection, lease, release, now).await? {
        return Ok(false);
    }
    match release {
        Release::Requeue { .. } => {}
        Release::Error(_) | Release::Failed(_) => {
            queue_event(connection, WebhookEvent::JobFailed, lease.job_id, now).await?;
        }
    }
    Ok(true)
}

/// Gives up jobs that were claimed [`queue::MAX_ATTEMPTS`] times without progress and whose lease
/// has expired; webhooks report them. Returns their ids.
///
/// # Errors
/// When the database fails.
pub async fn give_up_jobs(
    connection: &mut Connection,
    fault: &Fault,
    now: i64,
) -> Result<Vec<Uuid>> {
    let ids = queue::give_up(&mut *connection, fault, now).await?;
    for id in &ids {
        queue_event(&mut *connection, WebhookEvent::JobFailed, *id, now).await?;
    }
    Ok(ids)
}

/// Stores the result of an analysis of a job and ends its claim; webhooks report it. `false` if the
/// lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn complete_analysis(
    connection: &mut Connection,
    job: Uuid,
    lease: &AnalysisLease,
    origin: &ResultOrigin<'_>,
    outcome: &Outcome,
    now: i64,
) -> Result<bool> {
    if !analyses::complete(&mut *connection, lease, origin, outcome, now).await? {
        return Ok(false);
    }
    // Files may have the summary.
    files::mark(&mut *connection, job).await?;
    let event = WebhookEvent::AnalysisCompleted;
    queue_analysis_event(connection, event, job, lease.analysis, now).await?;
    Ok(true)
}

/// Marks an analysis of a job as failed, with a code, and ends its claim; webhooks report it. `false`
/// if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn fail_analysis(
    connection: &mut Connection,
    job: Uuid,
    lease: &AnalysisLease,
    origin: &ResultOrigin<'_>,
    code: &str,
    now: i64,
) -> Result<bool> {
    if !analyses::fail(&mut *connection, lease, origin, code, now).await? {
        return Ok(false);
    }
    let event = WebhookEvent::AnalysisFailed;
    queue_analysis_event(connection, event, job, lease.analysis, now).await?;
    Ok(true)
}

/// Gives up analyses that were claimed `attempts` times and whose lease has expired; webhooks report
/// them. Returns the ids of their jobs.
///
/// # Errors
/// When the database fails.
pub async fn give_up_analyses(
    connection: &mut Connection,
    attempts: i64,
    code: &str,
    now: i64,
) -> Result<Vec<Uuid>> {
    let given_up = analyses::give_up(&mut *connection, attempts, code, now).await?;
    let event = WebhookEvent::AnalysisFailed;
    for analysis in &given_up {
        queue_analysis_event(&mut *connection, event, analysis.job, analysis.id, now).await?;
    }
    Ok(given_up.into_iter().map(|analysis| analysis.job).collect())
}
