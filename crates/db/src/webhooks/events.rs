//! What services are told of, written down in the transaction in which it happens.
//!
//! - `upload.completed`, to services of category upload: a recording is whole, was found to be one,
//!   and has its job. For an upload that is the moment when a job takes it, for an address the one
//!   when the recording has been fetched.
//! - `job.completed` and `job.failed`, to services of category processing: a job has its text, or
//!   has ended without one. A job that its owner stops is not told of.
//!
//! The text is in none of them: whoever receives one fetches it by a link that the server adds when
//! it sends. Nor is the address that a recording came from: its query may be a secret.

use serde_json::{Value, json};
use slovo_rules::webhook::WebhookCategory;
use sqlx::Row;
use uuid::Uuid;

use crate::core::fields::{Fields, word};
use crate::jobs::{self, Job};
use crate::webhooks::deliveries::{NewDelivery, event_id};
use crate::{Connection, Error, Result, webhooks};

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventType {
    /// A recording is there.
    UploadCompleted,
    /// A job has its text.
    JobCompleted,
    /// A job has ended without one.
    JobFailed,
    /// An administrator tries a service.
    Test,
}

impl EventType {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::UploadCompleted,
        Self::JobCompleted,
        Self::JobFailed,
        Self::Test,
    ];

    /// The name that receivers and the database know it by.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UploadCompleted => "upload.completed",
            Self::JobCompleted => "job.completed",
            Self::JobFailed => "job.failed",
            Self::Test => "test",
        }
    }

    /// The services that are told of it; `None` for what is told to a single one.
    const fn category(self) -> Option<WebhookCategory> {
        match self {
            Self::UploadCompleted => Some(WebhookCategory::Upload),
            Self::JobCompleted | Self::JobFailed => Some(WebhookCategory::Processing),
            Self::Test => None,
        }
    }
}

/// Notes for every service that wants to know it what has happened to a job at `now`. Of a sample
/// services are not told: it is nobody's recording.
pub(crate) async fn happened(
    connection: &mut Connection,
    event: EventType,
    job_id: Uuid,
    now: i64,
) -> Result<()> {
    let Some(category) = event.category() else {
        return Ok(());
    };
    let services = called(&mut *connection, category).await?;
    if services.is_empty() {
        return Ok(());
    }
    let job = match jobs::find_any(&mut *connection, job_id).await {
        Ok(Some(job)) => job,
        Ok(None) => return Ok(()),
        // What cannot be read cannot be told of; the job itself goes its way.
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
        EventType::JobCompleted => completed(&mut *connection, &job).await?,
        EventType::JobFailed => failed(&job),
        EventType::UploadCompleted | EventType::Test => uploaded(&job),
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

/// The services of a category that are called.
async fn called(connection: &mut Connection, category: WebhookCategory) -> Result<Vec<Uuid>> {
    let rows = sqlx::query(
        "SELECT id FROM webhook_services WHERE category = $1 AND is_active = 1 ORDER BY id",
    )
    .bind(word(&category))
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| Fields::new(row, "webhook_services", "id")?.uuid("id"))
        .collect()
}

/// What is told of every job.
fn common(job: &Job) -> Value {
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

fn uploaded(job: &Job) -> Value {
    common(job)
}

async fn completed(connection: &mut Connection, job: &Job) -> Result<Value> {
    // Both databases count characters.
    let row = sqlx::query(
        "SELECT CAST(LENGTH(full_text) AS BIGINT) AS length FROM synced_output \
         WHERE my_job_id = $1 AND version = $2",
    )
    .bind(job.id.to_string())
    .bind(job.version)
    .fetch_optional(connection)
    .await?;
    let length: i64 = row.map_or(Ok(0), |row| row.try_get("length"))?;
    let mut told = common(job);
    told["language"] = json!(job.language);
    told["model"] = json!(job.model);
    told["text_length"] = json!(length);
    told["warnings"] = json!(job.warnings);
    Ok(told)
}

fn failed(job: &Job) -> Value {
    let mut told = common(job);
    told["error"] = json!(job.error);
    told
}
