//! Deliveries to services: table `webhook_deliveries`, which is both log and queue.
//!
//! A sender claims a delivery by moving its `run_after` forward and setting a lease, so that only
//! one process sends it; a process whose claim has expired cannot store a result. If a process
//! dies, another one can claim the delivery after that time.

mod statements;
#[cfg(test)]
mod tests;

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::core::fields::{Fields, json, word};
use crate::jobs::workflows::MessageScope;
use crate::{Connection, Result};

/// Concurrent deliveries of a service of administrators, or of all webhooks of a user, so that a slow
/// receiver does not delay the others.
pub const MAX_AT_ONCE: i64 = 4;

/// Who registered the receiver. Each lane is sent by itself, so that receivers of users cannot delay
/// those of administrators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Administrators.
    Administrators = 0,
    /// Users.
    Users = 1,
}

/// The state of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Queued; sent when due.
    Pending,
    /// The service accepted it.
    Delivered,
    /// Given up.
    Failed,
}

/// An event for a service.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// Its id.
    pub id: Uuid,
    /// The recipient.
    pub service_id: Uuid,
    /// The event's id, the same for all services and attempts.
    pub event_id: String,
    /// The type of event, for example `job.completed`.
    pub event_type: String,
    /// The job it is about.
    pub job_id: Option<Uuid>,
    /// The content, without the links that are added when it is sent.
    pub payload: Value,
    /// Its state.
    pub status: Status,
    /// Number of attempts.
    pub attempts: i64,
    /// Number of attempts since it was last queued.
    pub step: i64,
    /// When it is sent next, if pending; during an attempt, when the claim expires.
    pub run_after: i64,
    /// The claim during an attempt.
    pub lease_id: Option<String>,
    /// HTTP status of the last response.
    pub last_status: Option<u16>,
    /// Code of the last error.
    pub last_error: Option<String>,
    /// Duration of the last attempt, in milliseconds.
    pub latency_ms: Option<i64>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub delivered_at: Option<i64>,
}

/// A new delivery.
#[derive(Debug)]
pub struct NewDelivery<'a> {
    /// The recipient.
    pub service_id: Uuid,
    /// From [`event_id`].
    pub event_id: String,
    /// The type of event.
    pub event_type: &'a str,
    /// The job it is about.
    pub job_id: Option<Uuid>,
    /// The content.
    pub payload: &'a Value,
    /// Unix milliseconds.
    pub now: i64,
}

/// The id of an event for receivers, derived from these texts, which identify it. It has no dots,
/// because dots separate the fields of the signed text.
#[must_use]
pub fn event_id(parts: &[&str]) -> String {
    let digest = Sha256::digest(parts.join("\n"));
    let mut id = "msg_".to_owned();
    for byte in &digest[..16] {
        // Writing to a `String` cannot fail.
        let _ = write!(id, "{byte:02x}");
    }
    id
}

/// The id of an event's delivery to a service: each service gets an event once.
fn delivery_id(event_id: &str, service_id: Uuid) -> Uuid {
    let digest = Sha256::digest(format!("{event_id}\n{service_id}"));
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}

/// Queues a delivery and returns its id.
///
/// # Errors
/// A constraint if the service was deleted.
pub async fn insert(connection: &mut Connection, new: &NewDelivery<'_>) -> Result<Uuid> {
    let id = delivery_id(&new.event_id, new.service_id);
    sqlx::query(statements::INSERT_DELIVERY)
        .bind(id.to_string())
        .bind(new.service_id.to_string())
        .bind(&new.event_id)
        .bind(new.event_type)
        .bind(new.job_id.map(|id| id.to_string()))
        .bind(json(new.payload))
        .bind(word(&Status::Pending))
        .bind(new.now)
        .execute(connection)
        .await?;
    Ok(id)
}

/// The result of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptResult {
    /// HTTP status, if there was a response.
    pub status: Option<u16>,
    /// Code of the error; `None` if the service accepted the delivery.
    pub error: Option<&'static str>,
    /// Milliseconds until the response, or until the attempt was aborted.
    pub latency_ms: i64,
}

/// Stores a delivery that was sent without the queue: an administrator's test. It is not retried.
///
/// # Errors
/// A constraint if the service was deleted.
pub async fn insert_sent(
    connection: &mut Connection,
    new: &NewDelivery<'_>,
    attempt_result: AttemptResult,
) -> Result<()> {
    let (status, delivered_at) = match attempt_result.error {
        None => (Status::Delivered, Some(new.now)),
        Some(_) => (Status::Failed, None),
    };
    sqlx::query(statements::INSERT_SENT_DELIVERY)
        .bind(delivery_id(&new.event_id, new.service_id).to_string())
        .bind(new.service_id.to_string())
        .bind(&new.event_id)
        .bind(new.event_type)
        .bind(json(new.payload))
        .bind(word(&status))
        .bind(new.now)
        .bind(attempt_result.status.map(i64::from))
        .bind(attempt_result.error)
        .bind(attempt_result.latency_ms)
        .bind(delivered_at)
        .execute(connection)
        .await?;
    Ok(())
}

/// Whether [`claim`] would find anything.
///
/// # Errors
/// When the database fails.
pub async fn any_due(
    connection: &mut Connection,
    lane: Lane,
    scope: MessageScope,
    now: i64,
) -> Result<bool> {
    let row = sqlx::query(statements::SELECT_DUE_DELIVERY)
        .bind(now)
        .bind(MAX_AT_ONCE)
        .bind(lane as i64)
        .bind(scope.text())
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

/// Claims the delivery of the scope that has been due for longest at `now`; it is not due again before `until`.
///
/// # Errors
/// A row that cannot be read.
pub async fn claim(
    connection: &mut Connection,
    lane: Lane,
    scope: MessageScope,
    lease_id: &str,
    now: i64,
    until: i64,
) -> Result<Option<Delivery>> {
    let row = sqlx::query(statements::CLAIM_DELIVERY)
        .bind(now)
        .bind(MAX_AT_ONCE)
        .bind(lane as i64)
        .bind(scope.text())
        .bind(lease_id)
        .bind(until)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(statements::read).transpose()
}

/// The new state of a claimed delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The service accepted it.
    Delivered,
    /// To be retried at this time (Unix milliseconds).
    Retry(i64),
    /// Given up.
    Failed,
}

/// Stores the result of a claimed delivery; `false` if the claim was lost.
///
/// # Errors
/// When the database fails.
pub async fn record_outcome(
    connection: &mut Connection,
    id: Uuid,
    lease_id: &str,
    outcome: Outcome,
    attempt_result: AttemptResult,
    now: i64,
) -> Result<bool> {
    let (status, run_after) = match outcome {
        Outcome::Delivered => (Status::Delivered, now),
        Outcome::Retry(run_after) => (Status::Pending, run_after),
        Outcome::Failed => (Status::Failed, now),
    };
    let delivered_at = (outcome == Outcome::Delivered).then_some(now);
    let done = sqlx::query(statements::RECORD_OUTCOME)
        .bind(id.to_string())
        .bind(lease_id)
        .bind(word(&status))
        .bind(run_after)
        .bind(attempt_result.status.map(i64::from))
        .bind(attempt_result.error)
        .bind(attempt_result.latency_ms)
        .bind(delivered_at)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Returns a claimed delivery whose attempt was cut off by a shutdown; the attempt does not count.
///
/// # Errors
/// When the database fails.
pub async fn release(
    connection: &mut Connection,
    id: Uuid,
    lease_id: &str,
    now: i64,
) -> Result<()> {
    sqlx::query(statements::RELEASE_DELIVERY)
        .bind(id.to_string())
        .bind(lease_id)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

/// The deliveries of a service, newest first, starting after `after` if given.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(
    connection: &mut Connection,
    service_id: Uuid,
    after: Option<(i64, Uuid)>,
    limit: u32,
) -> Result<Vec<Delivery>> {
    let (created_at, id) = match after {
        Some((created_at, id)) => (created_at, id.to_string()),
        None => (i64::MAX, String::new()),
    };
    let rows = sqlx::query(statements::SELECT_DELIVERIES)
        .bind(service_id.to_string())
        .bind(created_at)
        .bind(id)
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
    rows.iter().map(statements::read).collect()
}

/// A delivery of a service.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(
    connection: &mut Connection,
    service_id: Uuid,
    id: Uuid,
) -> Result<Option<Delivery>> {
    let row = sqlx::query(statements::SELECT_DELIVERY)
        .bind(service_id.to_string())
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(statements::read).transpose()
}

/// Queues a delivery again, at the beginning of its retry schedule, unless it is being sent.
///
/// # Errors
/// When the database fails.
pub async fn resend(connection: &mut Connection, id: Uuid, now: i64) -> Result<()> {
    sqlx::query(statements::RESEND_DELIVERY)
        .bind(id.to_string())
        .bind(word(&Status::Pending))
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Gives up the waiting deliveries to a receiver that is not called any more, with the code of why.
/// Those that are being sent end by themselves.
///
/// # Errors
/// When the database fails.
pub async fn give_up(
    connection: &mut Connection,
    service_id: Uuid,
    reason: &str,
    now: i64,
) -> Result<()> {
    sqlx::query(statements::GIVE_UP_DELIVERIES)
        .bind(service_id.to_string())
        .bind(word(&Status::Failed))
        .bind(now)
        .bind(reason)
        .execute(connection)
        .await?;
    Ok(())
}

/// Deletes deliveries created before `before` (Unix milliseconds). Returns how many were deleted.
///
/// # Errors
/// When the database fails.
pub async fn delete_old(connection: &mut Connection, before: i64) -> Result<u64> {
    let old = sqlx::query(statements::DELETE_OLD_DELIVERIES)
        .bind(before)
        .execute(connection)
        .await?;
    Ok(old.rows_affected())
}

/// Deletes all but the newest `max` deliveries of every receiver in a lane. Returns how many were
/// deleted.
///
/// # Errors
/// When the database fails.
pub async fn delete_over_limit(connection: &mut Connection, lane: Lane, max: i64) -> Result<u64> {
    let services = sqlx::query(statements::SELECT_SERVICES_OVER_LIMIT)
        .bind(max)
        .bind(lane as i64)
        .fetch_all(&mut *connection)
        .await?;
    let mut removed = 0;
    for row in &services {
        let service = Fields::new(row, "webhook_deliveries", "service_id")?.text("service_id")?;
        let over = sqlx::query(statements::DELETE_DELIVERIES_OVER_LIMIT)
            .bind(service)
            .bind(max)
            .bind(BATCH_SIZE)
            .execute(&mut *connection)
            .await?;
        removed += over.rows_affected();
    }
    Ok(removed)
}

/// Rows deleted per service and call; the next call continues.
const BATCH_SIZE: i64 = 50_000;
