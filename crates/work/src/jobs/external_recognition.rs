//! Recognition by a webhook service instead of the engine.

use slovo_db::webhooks;
use slovo_db::webhooks::services::Service;
use slovo_rules::media::{Fault, Media};
use slovo_rules::transcript::Transcript;

use super::failure::Failure;
use super::run::Run;
use crate::webhooks::recognition::RecognitionFailed;

impl Run {
    /// The service that replaces the engine for this job's mode, if there is one.
    pub(super) async fn recogniser(&self) -> Result<Option<Service>, Failure> {
        let mode = self.job.plan.mode;
        let mut connection = self.jobs.0.db.read().await?;
        Ok(webhooks::services::recogniser(&mut connection, mode).await?)
    }

    /// Requests the text from a service. The duration is the recording's own if known, else the
    /// service's.
    pub(super) async fn ask(
        &self,
        service: &Service,
        media: &Media,
    ) -> Result<Transcript, Failure> {
        tracing::info!(job = %self.job.id, service = %service.id, "webhook recognition");
        let webhooks = &self.jobs.0.webhooks;
        let result = tokio::select! {
            result = webhooks.recognise(service, &self.job, media.duration) => result,
            () = self.running.stopping.cancelled() => {
                return Err(if self.jobs.0.shutdown.is_cancelled() {
                    Failure::Stopped
                } else {
                    Failure::Lost
                });
            }
        };
        result.map_err(|error| {
            tracing::warn!(job = %self.job.id, service = %service.id, reason = error.reason,
                "a webhook service returned no text");
            failure(service, &error)
        })
    }
}

fn failure(service: &Service, error: &RecognitionFailed) -> Failure {
    let mut fault = Fault::new("webhook_transcription_failed");
    let params = [
        ("service", service.form.name.as_str()),
        ("reason", error.reason),
    ];
    for (name, value) in params {
        fault.params.insert(name.to_owned(), value.into());
    }
    if error.is_refused {
        return Failure::Input(fault);
    }
    Failure::External {
        fault,
        retry_after: error.retry_after,
    }
}
