//! Totals of this server for its landing page, without samples of new accounts.

use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// The totals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SiteFigures {
    /// Recordings with a transcript.
    pub recordings: i64,
    /// Their total length in milliseconds.
    pub milliseconds: i64,
    /// Words of their transcripts.
    pub words: i64,
}

row_columns! {
    fn read() -> SiteFigures {
        recordings: integer,
        milliseconds: integer,
        words: integer,
    }
}

statements! {
    const SITE_FIGURES: BOTH -> SiteFigures =
        "SELECT CAST((SELECT COALESCE(SUM(jobs), 0) FROM job_counts \
         WHERE status = 'completed' AND is_sample = 0) + \
         (SELECT COALESCE(SUM(jobs), 0) FROM job_count_changes \
         WHERE status = 'completed' AND is_sample = 0) \
         AS BIGINT) AS recordings, \
         CAST((SELECT COALESCE(SUM(milliseconds), 0) FROM job_counts \
         WHERE status = 'completed' AND is_sample = 0) + \
         (SELECT COALESCE(SUM(milliseconds), 0) FROM job_count_changes \
         WHERE status = 'completed' AND is_sample = 0) \
         AS BIGINT) AS milliseconds, \
         CAST((SELECT COALESCE(SUM(words), 0) FROM synced_output \
         WHERE is_sample = 0) AS BIGINT) AS words";
}

/// Adds up the sums of the triggers and of the daily index of transcripts.
///
/// # Errors
/// When the database fails.
pub async fn site_figures(connection: &mut Connection) -> Result<SiteFigures> {
    let row = sqlx::query(SITE_FIGURES).fetch_one(connection).await?;
    read(&row)
}
