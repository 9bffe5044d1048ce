//! How jobs and accounts begin and end: what belongs to several nouns at once, each step in plain
//! sight and all of them in the caller's transaction.
//!
//! A job that changes its state here may have to be told to services (`webhooks`), found by the
//! search (`texts::search`) and mailed about (`jobs::completion_mails`). The functions of those
//! nouns do their own part only, and those that would be half done without the others are not
//! public: nobody can forget the rest.

pub mod deletion;

use slovo_rules::transcript::Transcript;
use uuid::Uuid;

use crate::jobs::queue::{Lease, Release};
use crate::jobs::stages::Downloaded;
use crate::jobs::uploads::Fault;
use crate::jobs::{self, NewJob, completion_mails, queue, stages};
use crate::texts::{recognition, search};
use crate::webhooks::events::{EventType, happened};
use crate::{Connection, Result};

/// Stores a new job, which enqueues it. One with an address in its settings waits to be fetched;
/// of any other its recording is there, which services are told of.
///
/// # Errors
/// The constraint `synced_jobs_media_id_key` if another job has the file.
pub async fn create_job(connection: &mut Connection, job: &NewJob) -> Result<()> {
    jobs::insert(&mut *connection, job).await?;
    search::mark_stale(&mut *connection, job.id).await?;
    if job.plan.url().is_empty() {
        happened(connection, EventType::UploadCompleted, job.id, job.now).await?;
    }
    Ok(())
}

/// Ends the fetching of a job's recording: the job waits for recognition as if it had been made of
/// an upload, its claim ends, the search knows its new name, and services are told that the
/// recording is there. `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn set_downloaded(
    connection: &mut Connection,
    lease: &Lease,
    downloaded: &Downloaded,
    now: i64,
) -> Result<bool> {
    if !stages::set_downloaded(&mut *connection, lease, downloaded, now).await? {
        return Ok(false);
    }
    search::mark_stale(&mut *connection, lease.job_id).await?;
    happened(connection, EventType::UploadCompleted, lease.job_id, now).await?;
    Ok(true)
}

/// Ends a job with its text, which is shown from now on, all in one: the job's fields, the output
/// with the missing segments, and the end of its windows, unless `keep_chunks`: another version may
/// be made from them. The search knows the text, and the owner and services are told. `false` if the
/// lease is lost.
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
    happened(&mut *connection, EventType::JobCompleted, job, now).await?;
    if !keep_chunks {
        stages::forget_chunks(connection, job, version).await?;
    }
    Ok(true)
}

/// Gives a job back without a text; services are told if it has ended so. `false` if the lease was
/// lost.
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
        Release::Again { .. } => {}
        Release::Error(_) | Release::Failed(_) => {
            happened(connection, EventType::JobFailed, lease.job_id, now).await?;
        }
    }
    Ok(true)
}

/// Gives up the jobs that were claimed [`queue::MAX_ATTEMPTS`] times without getting on and whose
/// worker is gone again; services are told. Gives their ids.
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
        happened(&mut *connection, EventType::JobFailed, *id, now).await?;
    }
    Ok(ids)
}
