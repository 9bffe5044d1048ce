//! Local side of `synced_jobs`. Jobs are created locally; their name and their visibility to the
//! owner can be changed remotely. Samples of new accounts are not synchronised.

use serde_json::{Value, json};
use slovo_rules::Valid;
use slovo_rules::nocodb::RemoteJob;
use sqlx::any::AnyRow;

use super::{Row, time};
use crate::core::fields::Fields;
use crate::core::statement::{columns, statements};
use crate::texts::search;
use crate::{Connection, Result, jobs};

/// The columns that are sent, or from which fields are made.
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
    let fields = Fields::new(row, "synced_jobs", "my_job_id")?;
    let mut settings: Value = fields.json("input_settings")?;
    let url = settings
        .as_object_mut()
        .and_then(|settings| settings.remove("url"));
    let url = url.as_ref().and_then(Value::as_str).unwrap_or_default();
    let (created, started, finished) = (
        fields.integer("created_at")?,
        fields.integer_or_none("started_at")?,
        fields.integer_or_none("finished_at")?,
    );
    let upload = json!({
        "storage_path": fields.text("media_id")?,
        "file_size": fields.integer("file_size")?,
        "content_type": fields.text("content_type")?,
        "uploaded_at": time(Some(created)),
    });
    let error: Option<Value> = fields.json_or_none("error")?;
    let Value::Object(carried) = json!({
        "my_job_id": fields.text("my_job_id")?,
        "auth_user_id": fields.text("auth_user_id")?,
        "original_filename": fields.text("original_filename")?,
        "status": fields.text("status")?,
        "transcription_type": fields.text("transcription_type")?,
        "is_visible_to_user": fields.integer("is_visible_to_user")? != 0,
        "file_url": without_secrets(url),
        "input_settings": settings.to_string(),
        "upload_metadata": upload.to_string(),
        "language": fields.text_or_none("language")?,
        "audio_duration": fields.number_or_none("duration")?,
        "error": error.as_ref().and_then(|error| error.get("code")).and_then(Value::as_str),
        "created_at": time(Some(created)),
        "finished_at": time(finished),
    }) else {
        unreachable!("an object was written")
    };
    Ok(Row {
        id: fields.text("my_job_id")?,
        fields: carried,
        updated_at: [Some(created), started, finished]
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
    const PAGE: BOTH = concat!(
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
    const GET: BOTH = concat!(
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
