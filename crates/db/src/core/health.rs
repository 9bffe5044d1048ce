//! Whether the database can store: table `health`, one row that is written to check this.

use crate::core::statement::statements;
use crate::{Connection, Result};

statements! {
    const RECORD_PROBE: BOTH =
        "INSERT INTO health (slot, probed_at) VALUES (1, $1) \
         ON CONFLICT (slot) DO UPDATE SET probed_at = excluded.probed_at";
}

/// Writes the time into the row.
///
/// # Errors
/// When the database cannot store.
pub(crate) async fn record_probe(connection: &mut Connection, now: i64) -> Result<()> {
    sqlx::query(RECORD_PROBE)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}
