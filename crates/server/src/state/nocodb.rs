//! Dependencies of the synchronisation with NocoDB.

use std::sync::Arc;

use anyhow::Context;
use futures_util::FutureExt;

use super::AppState;
use slovo_nocodb::Parts;
use slovo_transcripts::exports;

impl AppState {
    /// The parts of the synchronisation with NocoDB.
    #[must_use]
    pub fn nocodb(&self) -> Parts {
        let config = &self.config.nocodb;
        Parts {
            db: self.db.clone(),
            clock: Arc::clone(&self.clock),
            random: Arc::clone(&self.random),
            shutdown: self.shutdown.clone(),
            tasks: self.tasks.clone(),
            token: config.token.clone(),
            sync_minutes: config.sync_minutes,
            requests_per_second: config.requests_per_second,
            make_file: |format, options, job, transcript| {
                async move {
                    let made = exports::make(format, options, &job, transcript).await;
                    made.with_context(|| format!("the {format:?} of job {} cannot be made", job.id))
                }
                .boxed()
            },
        }
    }
}
