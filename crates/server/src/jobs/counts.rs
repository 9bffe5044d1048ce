//! The sums of jobs by kind, which PostgreSQL's triggers only append to.

use std::time::Duration;

use slovo_db::Database;
use slovo_db::jobs::fold_counts;
use tokio_util::sync::CancellationToken;

/// How often. What is not folded yet is counted all the same, only slower.
const EVERY: Duration = Duration::from_secs(10);

/// Adds up what has changed, now and then until the server stops.
pub async fn keep_folded(db: Database, shutdown: CancellationToken) {
    while shutdown
        .run_until_cancelled(tokio::time::sleep(EVERY))
        .await
        .is_some()
    {
        if let Err(error) = fold_counts(&db).await {
            tracing::error!(%error, "the sums of jobs could not be kept; trying again");
        }
    }
}
