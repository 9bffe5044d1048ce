//! What this server has done, in the figures that its landing page shows: the samples of new accounts
//! are nothing that it has done.

use sqlx::Row;

use crate::{Connection, Result};

/// What there is by now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SiteFigures {
    /// Recordings that have their text.
    pub recordings: i64,
    /// How long they are, in milliseconds.
    pub milliseconds: i64,
    /// Words of their texts.
    pub words: i64,
}

/// Adds them up, from what triggers have counted and from the index of texts by day.
///
/// # Errors
/// When the database fails.
pub async fn site_figures(connection: &mut Connection) -> Result<SiteFigures> {
    let row = sqlx::query(
        "SELECT CAST((SELECT COALESCE(SUM(jobs), 0) FROM job_counts WHERE status = 'completed' AND is_sample = 0) + \
         (SELECT COALESCE(SUM(jobs), 0) FROM job_count_changes WHERE status = 'completed' AND is_sample = 0) \
         AS BIGINT) AS recordings, \
         CAST((SELECT COALESCE(SUM(milliseconds), 0) FROM job_counts WHERE status = 'completed' AND is_sample = 0) + \
         (SELECT COALESCE(SUM(milliseconds), 0) FROM job_count_changes WHERE status = 'completed' AND is_sample = 0) \
         AS BIGINT) AS milliseconds, \
         CAST((SELECT COALESCE(SUM(words), 0) FROM synced_output WHERE is_sample = 0) AS BIGINT) AS words",
    )
    .fetch_one(connection)
    .await?;
    Ok(SiteFigures {
        recordings: row.try_get("recordings")?,
        milliseconds: row.try_get("milliseconds")?,
        words: row.try_get("words")?,
    })
}
