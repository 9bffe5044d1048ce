//! Recognition elsewhere: by a webhook service instead of the engine, or by the speech endpoint instead
//! of a model.

use slovo_db::webhooks;
use slovo_db::webhooks::services::Service;
use slovo_rules::media::{Fault, Media};
use slovo_rules::transcript::Transcript;

use super::failure::Failure;
use super::recogniser::Recogniser;
use super::run::Run;
use crate::speech_endpoint;
use crate::webhooks::recognition::{self, RecognitionFailed};

impl Run {
    /// What recognises this job: a service that replaces the engine for its mode, else the speech
    /// endpoint if it serves such recordings, else the model of its mode.
    pub(super) async fn recogniser(&self) -> Result<Recogniser, Failure> {
        let plan = &self.job.plan;
        let mut connection = self.jobs.0.db.read().await?;
        let service = webhooks::services::recogniser(&mut connection, plan.mode).await?;
        if let Some(service) = service {
            let name = recognition::model_name(&service);
            let service = Box::new(service);
            return Ok(Recogniser::Service { service, name });
        }
        let stored = speech_endpoint::stored(&mut connection).await?;
        let model = self.jobs.0.serving.now().model(plan.mode).to_owned();
        Ok(match self.jobs.0.speech_endpoints.remote(&stored, plan) {
            Some(remote) => Recogniser::Endpoint { model, remote },
            None => Recogniser::Model(model),
        })
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
