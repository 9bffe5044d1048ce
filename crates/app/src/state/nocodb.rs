//! Dependencies of the synchronisation with NocoDB.

use std::sync::Arc;

use slovo_nocodb::Parts;

use super::AppState;

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
        }
    }
}
