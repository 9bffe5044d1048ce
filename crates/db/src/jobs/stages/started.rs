//! Which stages of a job were ever started.

use slovo_rules::job::Stage;
use uuid::Uuid;

use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// A stage that was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StartedStage {
    /// The stage.
    pub stage: Stage,
    /// The run.
    pub version: u32,
    /// Whether it is finished.
    pub finished: bool,
}

row_columns! {
    fn read() -> StartedStage from "job_stages" by "my_job_id" {
        stage: word,
        version: integer => |version| u32::try_from(version).unwrap_or(u32::MAX),
        finished: integer_or_none in "finished_at" => |at: Option<i64>| at.is_some(),
    }
}

statements! {
    const SELECT_STARTED_STAGES: BOTH -> StartedStage =
        "SELECT my_job_id, version, stage, finished_at FROM job_stages WHERE my_job_id = $1 \
         ORDER BY version, started_at, stage";
}

/// All stages of a job that were ever started, by run.
///
/// # Errors
/// A row that cannot be read.
pub async fn all(connection: &mut Connection, job_id: Uuid) -> Result<Vec<StartedStage>> {
    sqlx::query(SELECT_STARTED_STAGES)
        .bind(job_id.to_string())
        .fetch_all(connection)
        .await?
        .iter()
        .map(read)
        .collect()
}
