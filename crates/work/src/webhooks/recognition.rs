//! Recognition by a service of the category transcription instead of the engine.
//!
//! The service receives `transcription.request` with the job's settings and a link to the
//! recording, and responds to the same request with 200 and the text, in the shape of OpenAI's
//! `verbose_json`: `text`, `language`, `duration`, and `segments` of `start`, `end`, `text`,
//! `speaker` and `words` of `word`, `start`, `end`, `probability`. The connection stays open
//! meanwhile.

use std::time::Duration;

use serde_json::json;
use slovo_db::jobs::Job;
use slovo_db::webhooks::deliveries::event_id;
use slovo_db::webhooks::services::Service;
use slovo_rules::transcript::Transcript;

use super::answer::{self, Bounds};
use super::links::LinkTarget;
use super::{Message, Webhooks, envelope, error_code};
use slovo_fetch::post::PostError;

/// The type of the request.
const REQUEST: &str = "transcription.request";

/// Prefix of a service's name where it is stored as a model name.
const MODEL_PREFIX: &str = "webhook:";

/// Minimum time limit for a service, in seconds: it may have to load a model first.
const MIN_TIME: f64 = 10.0 * 60.0;
/// Time limit per second of the recording, in seconds: as slow as the slowest model on a CPU.
const TIME_PER_SECOND: f64 = 4.0;
/// Maximum time limit for a service, in seconds.
const MAX_TIME: f64 = 12.0 * 60.0 * 60.0;
/// Longest pause between two pieces of its response.
const IDLE_TIME: Duration = Duration::from_secs(60);
/// Maximum size of a response, in bytes: a day of fast speech with all word times takes half of it.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// Why a service returned no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecognitionFailed {
    /// Stable code.
    pub reason: &'static str,
    /// The delay before a retry that the service asked for.
    pub retry_after: Option<Duration>,
    /// Whether a retry would not help, because the guard refused the URL.
    pub is_refused: bool,
}

impl RecognitionFailed {
    const fn with_cause(reason: &'static str) -> Self {
        Self {
            reason,
            retry_after: None,
            is_refused: false,
        }
    }
}

impl From<PostError> for RecognitionFailed {
    fn from(error: PostError) -> Self {
        Self {
            is_refused: matches!(error, PostError::Refused(_)),
            ..Self::with_cause(error.code())
        }
    }
}

/// The name of a service as it is stored in place of a model name.
#[must_use]
pub fn model_name(service: &Service) -> String {
    format!("{MODEL_PREFIX}{}", service.form.name)
}

/// Whether a text was made by a service.
#[must_use]
pub fn is_of_service(model: &str) -> bool {
    model.starts_with(MODEL_PREFIX)
}

impl Webhooks {
    /// Requests the text of a job's recording; `duration` is its length in seconds, if known.
    ///
    /// # Errors
    /// Why there is no text.
    pub async fn recognise(
        &self,
        service: &Service,
        job: &Job,
        duration: Option<f64>,
    ) -> Result<Transcript, RecognitionFailed> {
        let time_limit = answer_time_limit(duration);
        let message = self.request(service, job, duration);
        let posted = self.post(service, &message, time_limit).await?;
        if let Some(reason) = error_code(posted.status()) {
            return Err(RecognitionFailed {
                retry_after: posted.retry_after(),
                ..RecognitionFailed::with_cause(reason)
            });
        }
        let body = posted.body(MAX_BYTES, IDLE_TIME).await?;
        let bounds = Bounds {
            duration,
            plan: &job.plan,
            model: model_name(service),
        };
        answer::read(&body, bounds).map_err(|error| RecognitionFailed::with_cause(error.code()))
    }

    fn request(&self, service: &Service, job: &Job, duration: Option<f64>) -> Message {
        let data = json!({
            "job_id": job.id,
            "version": job.version,
            "file_name": job.original_filename,
            "content_type": job.content_type,
            "file_size": job.file_size,
            "duration": duration,
            "audio_track": job.audio_track,
            // The source URL may contain a secret, and is no longer needed.
            "settings": job.plan.settings_without_url(),
            "media_url": self.link(service.id, job.id, LinkTarget::Media),
        });
        // The same for every attempt, so that a service can return a result that it already has.
        let parts = [REQUEST, &job.id.to_string(), &job.version.to_string()];
        Message {
            id: event_id(&parts),
            body: envelope::body(REQUEST, self.0.clock.now(), &data),
        }
    }
}

fn answer_time_limit(duration: Option<f64>) -> Duration {
    let requested = duration.map_or(MAX_TIME, |seconds| seconds * TIME_PER_SECOND);
    let requested = Some(requested).filter(|seconds| seconds.is_finite());
    let seconds = requested.map_or(MIN_TIME, |requested| requested.clamp(MIN_TIME, MAX_TIME));
    Duration::from_secs_f64(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_limit_grows_with_the_duration_and_is_bounded() {
        let seconds = |duration| answer_time_limit(duration).as_secs();
        assert_eq!(seconds(Some(1.0)), 600);
        assert_eq!(seconds(Some(3600.0)), 4 * 3600);
        assert_eq!(seconds(Some(1e9)), 12 * 3600);
        assert_eq!(seconds(None), 12 * 3600);
        assert_eq!(seconds(Some(f64::NAN)), 600);
    }
}
