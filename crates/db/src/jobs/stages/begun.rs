//! Which stages of a job were ever started.

use slovo_rules::job::Stage;
use uuid::Uuid;

use crate::core::fields::Fields;
use crate::{Connection, Result};

/// A stage that was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Begun {
    /// The stage.
    pub stage: Stage,
    /// The run.
    pub version: u32,
    /// Whether it is finished.
    pub finished: bool,
}

/// All stages of a job that were ever started, by run.
///
/// # Errors
/// A row that cannot be read.
pub async fn all(connection: &mut Connection, job_id: Uuid) -> Result<Vec<Begun>> {
    sqlx::query(
        "SELECT my_job_id, version, stage, finished_at FROM job_stages WHERE my_job_id = $1 \
         ORDER BY version, started_at, stage",
    )
    .bind(job_id.to_string())
    .fetch_all(connection)
    .await?
    .iter()
    .map(|row| {
        let fields = Fields::new(row, "job_stages", "my_job_id")?;
        Ok(Begun {
            stage: fields.word("stage")?,
            version: u32::try_from(fields.integer("version")?).unwrap_or(u32::MAX),
            finished: fields.integer_or_none("finished_at")?.is_some(),
        })
    })
    .collect()
}
