//! Which models the engine uses: an administrator may choose others while the server runs.

use std::time::Duration;

use slovo_rules::mode::TranscriptionType;

use super::Jobs;

/// How often to check for choices made by other processes.
const INTERVAL: Duration = Duration::from_secs(5);

impl Jobs {
    /// Applies the stored choice of models in this process, if it has changed, and unloads all other
    /// models. Running jobs keep theirs until they end.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn apply_models(&self) -> slovo_db::Result<()> {
        let inner = &self.0;
        let folder = &inner.config.models_dir;
        let Some(now) = inner.serving.apply(&inner.db, folder).await? else {
            return Ok(());
        };
        let full = now.model(TranscriptionType::Full);
        let lite = now.model(TranscriptionType::Lite);
        inner.engine.keep_only(&[full, lite]);
        tracing::info!(full, lite, "the models in use have changed");
        Ok(())
    }

    /// Applies choices made by other processes, until the server stops.
    pub async fn apply_models_periodically(self) {
        loop {
            tokio::select! {
                () = self.0.shutdown.cancelled() => return,
                () = tokio::time::sleep(INTERVAL) => {}
            }
            if let Err(error) = self.apply_models().await {
                tracing::warn!(%error, "the stored choice of models could not be applied");
            }
        }
    }
}
