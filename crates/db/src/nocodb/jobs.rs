//! Local side of `synced_jobs`. Jobs are created locally; their name and their visibility to the
//! owner can be changed remotely. Samples of new accounts are not synchronised.

use serde_json::{Value, json};
use slovo_rules::Valid;
use slovo_rules::nocodb::RemoteJob;
use sqlx::any::AnyRow;

use super::{Row, time};
use crate::core::statement::{columns, row_columns, statements};
use crate::texts::search;
use crate::{Connection, Result, jobs};

/// The values of a job that are sent, or from which fields are made.
struct SentJob {
    my_job_id: String,
    auth_user_id: String,
    original_filename: String,
    status: String,
    transcription_type: String,
    is_visible_to_user: bool,
    input_settings: Value,
    media_id: String,
    file_size: i64,
    content_type: String,
    language: Option<String>,
    duration: Option<f64>,
    error: Option<Value>,
    created_at: i64,
    started_at: Option<i64>,
    finished_at: Option<i64>,
}

row_columns! {
    fn read_sent() -> SentJob from "synced_jobs" by "my_job_id" {
        my_job_id: text,
        auth_user_id: text,
        original_filename: text,
        status: text,
        transcription_type: text,
        is_visible_to_user: flag,
        input_settings: json,
        media_id: text,
        file_size: integer,
        content_type: text,
        language: text_or_none,
        duration: number_or_none,
        error: json_or_none,
        created_at: integer,
        started_at: integer_or_none,
        finished_at: integer_or_none,
    }
}

/// The columns of [`SentJob`].
macro_rules! sent_job_columns {
    () => {
        columns!(
            "": my_job_id, auth_user_id, original_filename, status, transcription_type,
            is_visible_to_user, input_settings, media_id, file_size, content_type, language,
            duration, error, created_at, started_at, finished_at
        )
    };
}

fn read(row: &AnyRow) -> Result<Row> {
    let mut job = read_sent(row)?;
    let url = job
        .input_settings
        .as_object_mut()
        .and_then(|settings| settings.remove("url"));
    let url = url.as_ref().and_then(Value::as_str).unwrap_or_default();
    let upload = json!({
        "storage_path": job.media_id,
        "file_size": job.file_size,
        "content_type": job.content_type,
        "uploaded_at": time(Some(job.created_at)),
    });
    let error = job.error.as_ref().and_then(|error| error.get("code"));
    let Value::Object(carried) = json!({
        "my_job_id": job.my_job_id,
        "auth_user_id": job.auth_user_id,
        "original_filename": job.original_filename,
        "status": job.status,
        "transcription_type": job.transcription_type,
        "is_visible_to_user": job.is_visible_to_user,
        "file_url": without_secrets(url),
        "input_settings": job.input_settings.to_string(),
        "upload_metadata": upload.to_string(),
        "language": job.language,
        "audio_duration": job.duration,
        "error": error.and_then(Value::as_str),
        "created_at": time(Some(job.created_at)),
        "finished_at": time(job.finished_at),
    }) else {
        unreachable!("an object was written")
    };
    Ok(Row {
        id: job.my_job_id,
        fields: carried,
        updated_at: [Some(job.created_at), job.started_at, job.finished_at]
            .into_iter()
            .max()
            .flatten(),
    })
}

/// A URL without the parts that may contain credentials.
fn without_secrets(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

statements! {
    const PAGE: BOTH -> SentJob = concat!(
        "SELECT ",
        sent_job_columns!(),
        " FROM synced_jobs WHERE my_job_id > $1 AND is_sample = 0 ORDER BY my_job_id LIMIT $2"
    );
}

pub(super) async fn page(connection: &mut Connection, after: &str, limit: i64) -> Result<Vec<Row>> {
    let rows = sqlx::query(PAGE)
        .bind(after)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

statements! {
    const GET: BOTH -> SentJob = concat!(
        "SELECT ",
        sent_job_columns!(),
        " FROM synced_jobs WHERE my_job_id = $1 AND is_sample = 0"
    );
}

pub(super) async fn get(connection: &mut Connection, id: &str) -> Result<Option<Row>> {
    sqlx::query(GET)
        .bind(id)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

statements! {
    const APPLY: BOTH =
        "UPDATE synced_jobs SET original_filename = $2, filename_folded = $3, \
         is_visible_to_user = $4 WHERE my_job_id = $1";
}

/// Applies a remote change; updates the name's sort key and the search.
///
/// # Errors
/// When the database fails.
pub async fn apply(connection: &mut Connection, id: &str, job: &Valid<RemoteJob>) -> Result<()> {
    sqlx::query(APPLY)
        .bind(id)
        .bind(&job.original_filename)
        .bind(job.original_filename.to_lowercase())
        .bind(i64::from(job.is_visible_to_user))
        .execute(&mut *connection)
        .await?;
    jobs::store_name_key(&mut *connection, id).await?;
    match id.parse() {
        Ok(id) => search::mark_stale(connection, id).await,
        Err(_) => Ok(()),
    }
}
