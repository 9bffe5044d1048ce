//! Events for services of administrators and webhooks of users, queued in the transaction in which
//! they happen. Users' webhooks receive the events that they name, of their owner's jobs.
//!
//! - `upload.completed`, to services of category upload: a recording is complete, was probed, and
//!   has its job. For an upload that is when a job takes it, for a URL when the download has
//!   finished.
//! - `job.completed` and `job.failed`, to services of category processing: a job has its
//!   transcript, or ended without one. Cancellations by the owner are not reported.
//! - `analysis.completed` and `analysis.failed`, to users' webhooks only: an analysis has its result,
//!   or ended without one.
//!
//! No event contains the transcript: receivers fetch it by a link that the server adds when it
//! sends the event. Nor do events contain the URL of a recording, whose query may be a secret.

use serde_json::{Value, json};
use slovo_rules::analysis::Part;
use slovo_rules::webhook::{WebhookCategory, WebhookEvent};
use sqlx::Row;
use uuid::Uuid;

use crate::core::statement::{row_columns, statements};
use crate::jobs::{self, Job};
use crate::webhooks::deliveries::{NewDelivery, event_id};
use crate::{Backend, Connection, Error, Result, webhooks};

/// Queues an event about a job at `now` for everybody who receives it. Samples cause no events,
/// because they are not recordings of users.
pub(crate) async fn queue_event(
    connection: &mut Connection,
    event: WebhookEvent,
    job_id: Uuid,
    now: i64,
) -> Result<()> {
    queue(connection, event, job_id, None, now).await
}

/// Queues an event about an analysis of a job; see [`queue_event`].
pub(crate) async fn queue_analysis_event(
    connection: &mut Connection,
    event: WebhookEvent,
    job_id: Uuid,
    analysis_id: Uuid,
    now: i64,
) -> Result<()> {
    queue(connection, event, job_id, Some(analysis_id), now).await
}

async fn queue(
    connection: &mut Connection,
    event: WebhookEvent,
    job_id: Uuid,
    analysis_id: Option<Uuid>,
    now: i64,
) -> Result<()> {
    let receivers = receivers(&mut *connection, event, job_id).await?;
    if receivers.is_empty() {
        return Ok(());
    }
    let job = match jobs::find_any(&mut *connection, job_id).await {
        Ok(Some(job)) => job,
        Ok(None) => return Ok(()),
        // An unreadable job cannot be reported, but may proceed.
        Err(error @ Error::Row { .. }) => {
            tracing::error!(job = %job_id, %error, "services are not told of a job");
            return Ok(());
        }
        Err(error) => return Err(error),
    };
    if job.is_sample {
        return Ok(());
    }
    let payload = match (event, analysis_id) {
        (WebhookEvent::JobCompleted, _) => completed_payload(&mut *connection, &job).await?,
        (WebhookEvent::JobFailed, _) => failed_payload(&job),
        (_, Some(id)) => analysis_payload(&mut *connection, &job, id).await?,
        (_, None) => common_fields(&job),
    };
    let event_id = event_id(&[
        event.as_str(),
        &analysis_id.unwrap_or(job_id).to_string(),
        &job.version.to_string(),
        &now.to_string(),
    ]);
    for service_id in receivers {
        let new = NewDelivery {
            service_id,
            event_id: event_id.clone(),
            event_type: event.as_str(),
            job_id: Some(job_id),
            payload: &payload,
            now,
        };
        webhooks::deliveries::insert(&mut *connection, &new).await?;
    }
    Ok(())
}

/// A service that may receive an event.
struct Receiver {
    id: Uuid,
    owner_id: Option<String>,
    events: Vec<WebhookEvent>,
    folders: Vec<String>,
}

row_columns! {
    fn read_receiver() -> Receiver from "webhook_services" by "id" {
        id: uuid,
        owner_id: text_or_none,
        events: json,
        folders: json,
    }
}

impl Receiver {
    /// Whether it is sent this event of a job in this folder.
    fn takes(&self, event: WebhookEvent, folder: Option<&str>) -> bool {
        let in_folder = || folder.is_some_and(|it| self.folders.iter().any(|id| id == it));
        // Services of administrators were selected by their category.
        self.owner_id.is_none()
            || self.events.contains(&event) && (self.folders.is_empty() || in_folder())
    }
}

macro_rules! select_receivers {
    ($lock:literal) => {
        concat!(
            "SELECT id, owner_id, events, folders FROM webhook_services WHERE is_active = 1 \
             AND ((owner_id IS NULL AND category = $1) OR owner_id = \
             (SELECT auth_user_id FROM synced_jobs WHERE my_job_id = $2)) ORDER BY id",
            $lock
        )
    };
}

statements! {
    const SELECT_RECEIVERS_SQLITE: SQLITE -> Receiver = select_receivers!("");
    // Without the lock, a receiver that is deleted meanwhile would make the event's transaction fail.
    const SELECT_RECEIVERS_POSTGRES: POSTGRES -> Receiver = select_receivers!(" FOR KEY SHARE");
    const SELECT_FOLDER: BOTH =
        "SELECT group_id FROM grouped_jobs WHERE my_job_id = $1 AND kind = 'folder'";
}

/// The active services of administrators and the webhooks of the job's owner that are sent an event.
async fn receivers(
    connection: &mut Connection,
    event: WebhookEvent,
    job_id: Uuid,
) -> Result<Vec<Uuid>> {
    let category = event.category().map_or("", WebhookCategory::as_str);
    let statement = match Backend::of(connection) {
        Backend::Sqlite => SELECT_RECEIVERS_SQLITE,
        Backend::Postgres => SELECT_RECEIVERS_POSTGRES,
    };
    let rows = sqlx::query(statement)
        .bind(category)
        .bind(job_id.to_string())
        .fetch_all(&mut *connection)
        .await?;
    let mut found = Vec::new();
    for row in &rows {
        match read_receiver(row) {
            Ok(receiver) => found.push(receiver),
            // An unreadable receiver cannot be told, but the job may proceed.
            Err(error @ Error::Row { .. }) => tracing::error!(%error, "a receiver is not told"),
            Err(error) => return Err(error),
        }
    }
    let mut folder: Option<String> = None;
    if found.iter().any(|receiver| !receiver.folders.is_empty()) {
        let row = sqlx::query(SELECT_FOLDER)
            .bind(job_id.to_string())
            .fetch_optional(connection)
            .await?;
        folder = row.map(|row| row.try_get("group_id")).transpose()?;
    }
    found.retain(|receiver| receiver.takes(event, folder.as_deref()));
    Ok(found.into_iter().map(|receiver| receiver.id).collect())
}

/// Fields of every event.
fn common_fields(job: &Job) -> Value {
    json!({
        "job_id": job.id,
        "user_id": job.user_id,
        "file_name": job.original_filename,
        "content_type": job.content_type,
        "file_size": job.file_size,
        "has_video": job.has_video,
        "duration": job.duration,
        "settings": job.plan.settings_without_url(),
        "version": job.version,
        "status": job.status,
    })
}

statements! {
    const SELECT_TEXT_LENGTH: BOTH =
        "SELECT CAST(LENGTH(full_text) AS BIGINT) AS length FROM synced_output \
         WHERE my_job_id = $1 AND version = $2";
}

async fn completed_payload(connection: &mut Connection, job: &Job) -> Result<Value> {
    // LENGTH counts characters in both databases.
    let row = sqlx::query(SELECT_TEXT_LENGTH)
        .bind(job.id.to_string())
        .bind(job.version)
        .fetch_optional(connection)
        .await?;
    let length: i64 = row.map_or(Ok(0), |row| row.try_get("length"))?;
    let mut payload = common_fields(job);
    payload["language"] = json!(job.language);
    payload["model"] = json!(job.model);
    payload["text_length"] = json!(length);
    payload["warnings"] = json!(job.warnings);
    Ok(payload)
}

fn failed_payload(job: &Job) -> Value {
    let mut payload = common_fields(job);
    payload["error"] = json!(job.error);
    payload
}

/// What an event says of an analysis.
struct Analysed {
    part: Part,
    target: String,
    version: i64,
    error: Option<String>,
}

row_columns! {
    fn read_analysed() -> Analysed from "analyses" by "id" {
        part: word,
        target: text,
        version: integer,
        error: text_or_none,
    }
}

statements! {
    const SELECT_ANALYSED: BOTH -> Analysed =
        "SELECT id, part, target, version, error FROM analyses WHERE id = $1";
}

async fn analysis_payload(connection: &mut Connection, job: &Job, id: Uuid) -> Result<Value> {
    let row = sqlx::query(SELECT_ANALYSED)
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?;
    let mut payload = common_fields(job);
    if let Some(analysed) = row.as_ref().map(read_analysed).transpose()? {
        payload["analysis"] = json!({
            "id": id,
            "kind": analysed.part,
            "target": (!analysed.target.is_empty()).then_some(analysed.target),
            "version": analysed.version,
            "error": analysed.error,
        });
    }
    Ok(payload)
}
