//! Local side of `synced_output`: the fields that show that a job's text has changed. The text
//! itself is read when it is sent.

use serde_json::{Value, json};
use sqlx::any::AnyRow;

use super::Row;
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// What shows that a job's text has changed.
struct SentOutput {
    my_job_id: String,
    version: i64,
    seq: i64,
    created_at: i64,
    parts: i64,
    parts_at: Option<i64>,
}

row_columns! {
    fn read_sent() -> SentOutput from "synced_output" by "my_job_id" {
        my_job_id: text,
        version: integer,
        seq: integer,
        created_at: integer,
        parts: integer,
        parts_at: integer_or_none,
    }
}

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
    const PAGE: BOTH -> SentOutput =
        outputs!("WHERE j.my_job_id > $1 AND j.is_sample = 0 ORDER BY j.my_job_id LIMIT $2");
    const GET: BOTH -> SentOutput = outputs!("WHERE j.my_job_id = $1 AND j.is_sample = 0");
}

fn read(row: &AnyRow) -> Result<Row> {
    let output = read_sent(row)?;
    let Value::Object(content) = json!({
        "version": output.version,
        "seq": output.seq,
        "created_at": output.created_at,
        "parts": output.parts,
        "parts_at": output.parts_at,
    }) else {
        unreachable!("an object was written")
    };
    Ok(Row {
        id: output.my_job_id,
        fields: content,
        updated_at: Some(output.created_at),
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
