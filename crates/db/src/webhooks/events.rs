//! Events for services, queued in the transaction in which they happen.
//!
//! - `upload.completed`, to services of category upload: a recording is complete, was probed, and
//!   has its job. For an upload that is when a job takes it, for a URL when the download has
//!   finished.
//! - `job.completed` and `job.failed`, to services of category processing: a job has its
//!   transcript, or ended without one. Cancellations by the owner are not reported.
//!
//! No event contains the transcript: receivers fetch it by a link that the server adds when it
//! sends the event. Nor do events contain the URL of a recording, whose query may be a secret.

use serde_json::{Value, json};
use slovo_rules::webhook::WebhookCategory;
use sqlx::Row;
use uuid::Uuid;

use crate::core::fields::{Fields, word};
use crate::core::statement::statements;
use crate::jobs::{self, Job};
use crate::webhooks::deliveries::{NewDelivery, event_id};
use crate::{Connection, Error, Result, webhooks};

/// The type of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventType {
    /// A recording is available.
    UploadCompleted,
    /// A job has its transcript.
    JobCompleted,
    /// A job ended without a transcript.
    JobFailed,
    /// An administrator tests a service.
    Test,
}

impl EventType {
    /// All types.
    pub const ALL: [Self; 4] = [
        Self::UploadCompleted,
        Self::JobCompleted,
        Self::JobFailed,
        Self::Test,
    ];

    /// The name for receivers and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UploadCompleted => "upload.completed",
            Self::JobCompleted => "job.completed",
            Self::JobFailed => "job.failed",
            Self::Test => "test",
        }
    }

    /// The category of services that receive it; `None` for an event to a single service.
    const fn category(self) -> Option<WebhookCategory> {
        match self {
            Self::UploadCompleted => Some(WebhookCategory::Upload),
            Self::JobCompleted | Self::JobFailed => Some(WebhookCategory::Processing),
            Self::Test => None,
        }
    }
}

/// Queues an event about a job at `now` for every service that receives it. Samples cause no
/// events, because they are not recordings of users.
pub(crate) async fn queue_event(
    connection: &mut Connection,
    event: EventType,
    job_id: Uuid,
    now: i64,
) -> Result<()> {
    let Some(category) = event.category() else {
        return Ok(());
    };
    let services = receiving_services(&mut *connection, category).await?;
    if services.is_empty() {
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
    let payload = match event {
        EventType::JobCompleted => completed_payload(&mut *connection, &job).await?,
        EventType::JobFailed => failed_payload(&job),
        EventType::UploadCompleted | EventType::Test => uploaded_payload(&job),
    };
    let event_id = event_id(&[
        event.as_str(),
        &job_id.to_string(),
        &job.version.to_string(),
        &now.to_string(),
    ]);
    for service_id in services {
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

statements! {
    const SELECT_RECEIVING_SERVICES: BOTH =
        "SELECT id FROM webhook_services WHERE category = $1 AND is_active = 1 ORDER BY id";
}

/// The active services of a category.
async fn receiving_services(
    connection: &mut Connection,
    category: WebhookCategory,
) -> Result<Vec<Uuid>> {
    let rows = sqlx::query(SELECT_RECEIVING_SERVICES)
        .bind(word(&category))
        .fetch_all(connection)
        .await?;
    rows.iter()
        .map(|row| Fields::new(row, "webhook_services", "id")?.uuid("id"))
        .collect()
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

fn uploaded_payload(job: &Job) -> Value {
    common_fields(job)
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
