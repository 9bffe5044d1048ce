//! Maintains the job counts by kind, to which PostgreSQL's triggers only append rows.

use std::time::Duration;

use slovo_db::Database;
use slovo_db::jobs::merge_count_changes;
use tokio_util::sync::CancellationToken;

/// How often rows are summed up. Rows not summed up yet are counted too, only slower.
const INTERVAL: Duration = Duration::from_secs(10);

/// Sums up new rows periodically until the server stops.
pub async fn merge_periodically(db: Database, shutdown: CancellationToken) {
    while shutdown
        .run_until_cancelled(tokio::time::sleep(INTERVAL))
        .await
        .is_some()
    {
        if let Err(error) = merge_count_changes(&db).await {
            tracing::error!(%error, "the job counts could not be updated; trying again");
        }
    }
}
