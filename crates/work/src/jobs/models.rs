//! Which models the engine uses, and how long: an administrator may choose others while the server
//! runs, and idle ones are unloaded.

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
        let folder = &inner.engine.config().models_dir;
        let Some(now) = inner.serving.apply(&inner.db, folder).await? else {
            return Ok(());
        };
        let full = now.model(TranscriptionType::Full);
        let lite = now.model(TranscriptionType::Lite);
        let (engine, kept) = (inner.engine.clone(), [full.to_owned(), lite.to_owned()]);
        // Waits while a model is being loaded.
        let keep = move || engine.keep_only(&kept.each_ref().map(String::as_str));
        let _ = tokio::task::spawn_blocking(keep).await;
        tracing::info!(full, lite, "the models in use have changed");
        Ok(())
    }

    /// Unloads the models that no job has used for the configured time.
    async fn unload_idle_models(&self) {
        let Some(after) = self.0.unload_models_after else {
            return;
        };
        let engine = self.0.engine.clone();
        // Freeing hundreds of megabytes takes a while.
        let unloaded = tokio::task::spawn_blocking(move || engine.unload_idle(after)).await;
        for model in unloaded.unwrap_or_default() {
            tracing::info!(model, "an idle model was unloaded");
        }
    }

    /// Applies choices made by other processes and unloads idle models, until the server stops.
    pub async fn apply_models_periodically(self) {
        loop {
            tokio::select! {
                () = self.0.shutdown.cancelled() => return,
                () = tokio::time::sleep(INTERVAL) => {}
            }
            if let Err(error) = self.apply_models().await {
                tracing::warn!(%error, "the stored choice of models could not be applied");
            }
            self.unload_idle_models().await;
        }
    }
}
