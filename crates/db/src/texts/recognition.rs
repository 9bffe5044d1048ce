//! The transcript of a job while it is made: tables `synced_segments` and `synced_output`. Every
//! write of a worker names the lease and does nothing once it is lost.

use std::collections::HashSet;

use slovo_rules::transcript::{Segment, Transcript};
use uuid::Uuid;

use crate::jobs::queue::Lease;
use crate::jobs::stages::{delete_chunks, lock_leased};
use crate::texts::{edits, transcripts};
use crate::{Connection, Result};

/// Deletes the windows and segments of a version whose recognition must start again because its
/// inputs changed (another model, for example). `false` if the lease is lost or the version is
/// completed and so must not change.
///
/// # Errors
/// When the database fails.
pub async fn discard(connection: &mut Connection, lease: &Lease, version: i64) -> Result<bool> {
    if !lock_leased(connection, lease).await?
        || transcripts::exists(connection, lease.job_id, version).await?
    {
        return Ok(false);
    }
    delete_chunks(&mut *connection, lease.job_id, version).await?;
    transcripts::remove_segments(connection, lease.job_id, version).await?;
    Ok(true)
}

/// Stores new segments; existing ones stay unchanged. `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn save_segments(
    connection: &mut Connection,
    lease: &Lease,
    version: i64,
    segments: &[Segment],
) -> Result<bool> {
    if !lock_leased(connection, lease).await? {
        return Ok(false);
    }
    transcripts::insert_segments(connection, lease.job_id, version, segments).await?;
    Ok(true)
}

/// Replaces the segments of an unfinished version after its speakers were distinguished. `false` if
/// the lease is lost or the version is completed and so must not change.
///
/// # Errors
/// When the database fails.
pub async fn replace_segments(
    connection: &mut Connection,
    lease: &Lease,
    version: i64,
    segments: &[Segment],
) -> Result<bool> {
    if !lock_leased(connection, lease).await?
        || transcripts::exists(connection, lease.job_id, version).await?
    {
        return Ok(false);
    }
    transcripts::remove_segments(&mut *connection, lease.job_id, version).await?;
    transcripts::insert_segments(connection, lease.job_id, version, segments).await?;
    Ok(true)
}

/// Stores the transcript of a version, which can be edited from now on; existing segments stay
/// unchanged.
///
/// # Errors
/// The constraint `synced_output_my_job_id_version_key` (SQLite) or `synced_output_pkey`
/// (PostgreSQL) if the version has a transcript: it cannot be overwritten.
pub(crate) async fn insert(
    connection: &mut Connection,
    job_id: Uuid,
    version: i64,
    transcript: &Transcript,
    now: i64,
) -> Result<()> {
    let segments = &transcript.segments;
    transcripts::insert_output(&mut *connection, job_id, version, transcript, now).await?;
    let unsure = segments
        .iter()
        .map(|segment| edits::unsure(&segment.words))
        .sum();
    edits::begin(&mut *connection, job_id, version, unsure).await?;
    let mut added = HashSet::new();
    for speaker in segments
        .iter()
        .filter_map(|segment| segment.speaker.as_deref())
    {
        if added.insert(speaker) {
            edits::add_speaker(&mut *connection, job_id, version, speaker).await?;
        }
    }
    transcripts::insert_segments(connection, job_id, version, segments).await
}
