//! Local side of `synced_output`: the fields that show that a job's text has changed. The text
//! itself is read when it is sent.

use serde_json::{Value, json};
use sqlx::any::AnyRow;

use super::Row;
use crate::core::fields::Fields;
use crate::core::statement::statements;
use crate::{Connection, Result};

/// The shown texts of jobs.
macro_rules! outputs {
    ($rest:literal) => {
        concat!(
            "SELECT j.my_job_id, o.version, o.created_at, \
             COALESCE(h.seq, 0) AS seq, \
             (SELECT COUNT(*) FROM analyses a WHERE a.my_job_id = j.my_job_id AND a.status = 'done') \
                 AS parts, \
             (SELECT MAX(a.finished_at) FROM analyses a WHERE a.my_job_id = j.my_job_id \
                 AND a.status = 'done') AS parts_at \
             FROM synced_jobs j \
             JOIN synced_output o ON o.my_job_id = j.my_job_id AND o.version = j.shown_version \
             LEFT JOIN transcript_heads h ON h.my_job_id = o.my_job_id AND h.version = o.version ",
            $rest
        )
    };
}

statements! {
    const PAGE: BOTH =
        outputs!("WHERE j.my_job_id > $1 AND j.is_sample = 0 ORDER BY j.my_job_id LIMIT $2");
    const GET: BOTH = outputs!("WHERE j.my_job_id = $1 AND j.is_sample = 0");
}

fn read(row: &AnyRow) -> Result<Row> {
    let fields = Fields::new(row, "synced_output", "my_job_id")?;
    let Value::Object(content) = json!({
        "version": fields.integer("version")?,
        "seq": fields.integer("seq")?,
        "created_at": fields.integer("created_at")?,
        "parts": fields.integer("parts")?,
        "parts_at": fields.integer_or_none("parts_at")?,
    }) else {
        unreachable!("an object was written")
    };
    Ok(Row {
        id: fields.text("my_job_id")?,
        fields: content,
        updated_at: Some(fields.integer("created_at")?),
    })
}

pub(super) async fn page(connection: &mut Connection, after: &str, limit: i64) -> Result<Vec<Row>> {
    let rows = sqlx::query(PAGE)
        .bind(after)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
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
