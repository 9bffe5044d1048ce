//! What services were told and are to be told: table `webhook_deliveries`, which is its own queue.
//!
//! Whoever sends a delivery claims it first, by moving the time from which it may be claimed and by
//! a lease: of several processes one sends it, and one whose claim ran out settles nothing. A
//! process that dies in between leaves it to the next one after that time.

#[cfg(test)]
mod tests;

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use sqlx::any::AnyRow;
use uuid::Uuid;

use crate::core::fields::{Fields, json, word};
use crate::{Connection, Result};

/// Deliveries of one service that are on their way at a time: one that answers late keeps nobody
/// else's waiting.
pub const MAX_AT_ONCE: i64 = 4;

/// What became of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It is sent when its time comes.
    Pending,
    /// The service has taken it.
    Delivered,
    /// It was given up.
    Failed,
}

/// One event for one service.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// Its id.
    pub id: Uuid,
    /// Whom it is for.
    pub service_id: Uuid,
    /// The event's id, the same for all services and attempts.
    pub event_id: String,
    /// What happened, for example `job.completed`.
    pub event_type: String,
    /// The job it is about.
    pub job_id: Option<Uuid>,
    /// What is told, without the links that are added on the way out.
    pub payload: Value,
    /// What became of it.
    pub status: Status,
    /// How often it was sent.
    pub attempts: i64,
    /// How often since it was last put into the queue.
    pub step: i64,
    /// When it is sent next, if it is; the end of the claim while it is on its way.
    pub run_after: i64,
    /// The claim while it is on its way.
    pub lease_id: Option<String>,
    /// HTTP status of the last answer.
    pub last_status: Option<u16>,
    /// Code of what went wrong the last time.
    pub last_error: Option<String>,
    /// Milliseconds that the last answer took.
    pub latency_ms: Option<i64>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub delivered_at: Option<i64>,
}

fn read(row: &AnyRow) -> Result<Delivery> {
    let fields = Fields::new(row, "webhook_deliveries", "id")?;
    let job_id = fields.text_or_none("my_job_id")?.map(|id| id.parse());
    let last_status = fields.integer_or_none("last_status")?;
    Ok(Delivery {
        id: fields.uuid("id")?,
        service_id: fields.uuid("service_id")?,
        event_id: fields.text("event_id")?,
        event_type: fields.text("event_type")?,
        job_id: job_id
            .transpose()
            .map_err(|error| fields.error("my_job_id", error))?,
        payload: fields.json("payload")?,
        status: fields.word("status")?,
        attempts: fields.integer("attempts")?,
        step: fields.integer("step")?,
        run_after: fields.integer("run_after")?,
        lease_id: fields.text_or_none("lease_id")?,
        last_status: last_status.and_then(|status| u16::try_from(status).ok()),
        last_error: fields.text_or_none("last_error")?,
        latency_ms: fields.integer_or_none("latency_ms")?,
        created_at: fields.integer("created_at")?,
        delivered_at: fields.integer_or_none("delivered_at")?,
    })
}

/// A delivery that is to be made.
#[derive(Debug)]
pub struct NewDelivery<'a> {
    /// For whom.
    pub service_id: Uuid,
    /// From [`event_id`].
    pub event_id: String,
    /// What happened.
    pub event_type: &'a str,
    /// The job it is about.
    pub job_id: Option<Uuid>,
    /// What is told.
    pub payload: &'a Value,
    /// Unix milliseconds.
    pub now: i64,
}

/// The id of the event that these texts tell from all others, as receivers see it. No dots: the
/// signature parts its fields by them.
#[must_use]
pub fn event_id(parts: &[&str]) -> String {
    let digest = Sha256::digest(parts.join("\n"));
    let mut id = "msg_".to_owned();
    for byte in &digest[..16] {
        // Writing to a text does not fail.
        let _ = write!(id, "{byte:02x}");
    }
    id
}

/// The id of an event's delivery to a service: an event is told to each once.
fn delivery_id(event_id: &str, service_id: Uuid) -> Uuid {
    let digest = Sha256::digest(format!("{event_id}\n{service_id}"));
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}

/// Puts a delivery into the queue, and gives its id.
///
/// # Errors
/// A constraint if the service is gone.
pub async fn insert(connection: &mut Connection, new: &NewDelivery<'_>) -> Result<Uuid> {
    let id = delivery_id(&new.event_id, new.service_id);
    sqlx::query(
        "INSERT INTO webhook_deliveries (id, service_id, event_id, event_type, my_job_id, \
         payload, status, run_after, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) \
         ON CONFLICT (id) DO NOTHING",
    )
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

/// How a delivery that was sent at once ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered {
    /// HTTP status, if there was an answer.
    pub status: Option<u16>,
    /// Code of what went wrong; `None` where the service has taken it.
    pub error: Option<&'static str>,
    /// Milliseconds until the answer, or until it was given up.
    pub latency_ms: i64,
}

/// Writes down a delivery that was sent without having been in the queue: an administrator's test.
/// It is not sent again.
///
/// # Errors
/// A constraint if the service is gone.
pub async fn insert_sent(
    connection: &mut Connection,
    new: &NewDelivery<'_>,
    answered: Answered,
) -> Result<()> {
    let (status, delivered_at) = match answered.error {
        None => (Status::Delivered, Some(new.now)),
        Some(_) => (Status::Failed, None),
    };
    sqlx::query(
        "INSERT INTO webhook_deliveries (id, service_id, event_id, event_type, payload, status, \
         attempts, step, run_after, last_status, last_error, latency_ms, created_at, \
         delivered_at) VALUES ($1, $2, $3, $4, $5, $6, 1, 1, $7, $8, $9, $10, $7, $11)",
    )
    .bind(delivery_id(&new.event_id, new.service_id).to_string())
    .bind(new.service_id.to_string())
    .bind(&new.event_id)
    .bind(new.event_type)
    .bind(json(new.payload))
    .bind(word(&status))
    .bind(new.now)
    .bind(answered.status.map(i64::from))
    .bind(answered.error)
    .bind(answered.latency_ms)
    .bind(delivered_at)
    .execute(connection)
    .await?;
    Ok(())
}

// Rows that may be claimed at $1: their service is called and has room.
macro_rules! due {
    () => {
        "SELECT d.id FROM webhook_deliveries d JOIN webhook_services s ON s.id = d.service_id \
        WHERE d.status = 'pending' AND d.run_after <= $1 AND s.is_active = 1 \
        AND (SELECT COUNT(*) FROM webhook_deliveries b WHERE b.service_id = d.service_id \
        AND b.status = 'pending' AND b.lease_id IS NOT NULL AND b.run_after > $1) < $2 \
        ORDER BY d.run_after, d.id LIMIT 1"
    };
}

/// Whether [`claim`] would find anything.
///
/// # Errors
/// When the database fails.
pub async fn any_due(connection: &mut Connection, now: i64) -> Result<bool> {
    let row = sqlx::query(due!())
        .bind(now)
        .bind(MAX_AT_ONCE)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

/// Claims the delivery that has been due at `now` for longest, so that nobody else does before
/// `until`.
///
/// # Errors
/// A row that cannot be read.
pub async fn claim(
    connection: &mut Connection,
    lease_id: &str,
    now: i64,
    until: i64,
) -> Result<Option<Delivery>> {
    // The outer condition is asked again of a row that another process has just claimed.
    const CLAIM: &str = concat!(
        "UPDATE webhook_deliveries SET attempts = attempts + 1, step = step + 1, lease_id = $3, \
        run_after = $4 WHERE status = 'pending' AND run_after <= $1 AND id = (",
        due!(),
        ") RETURNING *"
    );
    let row = sqlx::query(CLAIM)
        .bind(now)
        .bind(MAX_AT_ONCE)
        .bind(lease_id)
        .bind(until)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// What a claimed delivery's answer means for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The service has taken it.
    Delivered,
    /// It is sent again from then on (Unix milliseconds).
    Again(i64),
    /// It is given up.
    Failed,
}

/// Notes what became of a claimed delivery; `false` if the claim has been lost.
///
/// # Errors
/// When the database fails.
pub async fn settle(
    connection: &mut Connection,
    id: Uuid,
    lease_id: &str,
    outcome: Outcome,
    answered: Answered,
    now: i64,
) -> Result<bool> {
    let (status, run_after) = match outcome {
        Outcome::Delivered => (Status::Delivered, now),
        Outcome::Again(run_after) => (Status::Pending, run_after),
        Outcome::Failed => (Status::Failed, now),
    };
    let delivered_at = (outcome == Outcome::Delivered).then_some(now);
    let done = sqlx::query(
        "UPDATE webhook_deliveries SET status = $3, run_after = $4, lease_id = NULL, \
         last_status = $5, last_error = $6, latency_ms = $7, delivered_at = $8 \
         WHERE id = $1 AND lease_id = $2",
    )
    .bind(id.to_string())
    .bind(lease_id)
    .bind(word(&status))
    .bind(run_after)
    .bind(answered.status.map(i64::from))
    .bind(answered.error)
    .bind(answered.latency_ms)
    .bind(delivered_at)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Gives back a claimed delivery that was not sent to its end, because the server stops: it does
/// not count.
///
/// # Errors
/// When the database fails.
pub async fn give_back(
    connection: &mut Connection,
    id: Uuid,
    lease_id: &str,
    now: i64,
) -> Result<()> {
    sqlx::query(
        "UPDATE webhook_deliveries SET attempts = attempts - 1, step = step - 1, \
         lease_id = NULL, run_after = $3 WHERE id = $1 AND lease_id = $2",
    )
    .bind(id.to_string())
    .bind(lease_id)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

/// The deliveries of a service, the newest first, those after `after` if that is given.
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
    let rows = sqlx::query(
        "SELECT * FROM webhook_deliveries WHERE service_id = $1 AND (created_at < $2 \
         OR (created_at = $2 AND id < $3)) ORDER BY created_at DESC, id DESC LIMIT $4",
    )
    .bind(service_id.to_string())
    .bind(created_at)
    .bind(id)
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await?;
    rows.iter().map(read).collect()
}

/// One delivery of a service.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(
    connection: &mut Connection,
    service_id: Uuid,
    id: Uuid,
) -> Result<Option<Delivery>> {
    let row = sqlx::query("SELECT * FROM webhook_deliveries WHERE service_id = $1 AND id = $2")
        .bind(service_id.to_string())
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// Puts a delivery into the queue again, at the beginning of its schedule, unless it is just on its
/// way.
///
/// # Errors
/// When the database fails.
pub async fn resend(connection: &mut Connection, id: Uuid, now: i64) -> Result<()> {
    sqlx::query(
        "UPDATE webhook_deliveries SET status = $2, step = 0, run_after = $3, lease_id = NULL \
         WHERE id = $1 AND (status <> $2 OR lease_id IS NULL OR run_after <= $3)",
    )
    .bind(id.to_string())
    .bind(word(&Status::Pending))
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

/// Removes what was told before `before` (Unix milliseconds), and of every service all but the
/// newest `most`. Gives how many were removed.
///
/// # Errors
/// When the database fails.
pub async fn sweep(connection: &mut Connection, before: i64, most: i64) -> Result<u64> {
    let old = sqlx::query("DELETE FROM webhook_deliveries WHERE created_at < $1")
        .bind(before)
        .execute(&mut *connection)
        .await?;
    let services = sqlx::query(
        "SELECT service_id FROM webhook_deliveries GROUP BY service_id HAVING COUNT(*) > $1",
    )
    .bind(most)
    .fetch_all(&mut *connection)
    .await?;
    let mut removed = old.rows_affected();
    for row in &services {
        let service = Fields::new(row, "webhook_deliveries", "service_id")?.text("service_id")?;
        let over = sqlx::query(
            "DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM webhook_deliveries \
             WHERE service_id = $1 ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $2)",
        )
        .bind(service)
        .bind(most)
        .bind(SWEPT_AT_ONCE)
        .execute(&mut *connection)
        .await?;
        removed += over.rows_affected();
    }
    Ok(removed)
}

/// Rows that one statement of a sweep removes; what is left goes with the next sweep.
const SWEPT_AT_ONCE: i64 = 50_000;
