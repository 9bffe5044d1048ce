//! The sums of jobs by kind, which PostgreSQL's triggers only append to.

use std::time::Duration;

use slovo_db::jobs::fold_counts;

use crate::state::AppState;

/// How often. What is not folded yet is counted all the same, only slower.
const EVERY: Duration = Duration::from_secs(10);

/// Adds up what has changed, now and then until the server stops.
pub async fn keep_folded(state: AppState) {
    while state
        .shutdown
        .run_until_cancelled(tokio::time::sleep(EVERY))
        .await
        .is_some()
    {
        if let Err(error) = fold_counts(&state.db).await {
            tracing::error!(%error, "the sums of jobs could not be kept; trying again");
        }
    }
}
