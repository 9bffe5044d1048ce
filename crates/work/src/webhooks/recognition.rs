//! Asking a service of category transcription for the text of a recording, in the engine's place.
//!
//! It is sent `transcription.request` with the job's settings and a link to the recording, and
//! answers the same request with 200 and the text, in the shape of OpenAI's `verbose_json`: `text`,
//! `language`, `duration`, and `segments` of `start`, `end`, `text`, `speaker` and `words` of `word`,
//! `start`, `end`, `probability`. The connection stays open meanwhile.

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

/// What the name of a service has before it where the name of a model stands.
const MODEL_PREFIX: &str = "webhook:";

/// Least time a service is given, in seconds: it may have to load a model first.
const LEAST_TIME: f64 = 10.0 * 60.0;
/// Seconds it is given for every second of the recording: as slow as the slowest model on a plain
/// processor.
const TIME_PER_SECOND: f64 = 4.0;
/// Most time a service is given, in seconds.
const MOST_TIME: f64 = 12.0 * 60.0 * 60.0;
/// Between two pieces of its answer.
const IDLE_TIME: Duration = Duration::from_secs(60);
/// Longest answer, in bytes: a day of quick speech with the times of all its words has half of it.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// Why a service gave no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecognitionFailed {
    /// Stable code.
    pub reason: &'static str,
    /// When it wants to be asked again.
    pub retry_after: Option<Duration>,
    /// Whether asking again changes nothing: the server does not go there.
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

/// What stands where the name of a model does.
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
    /// The text of a job's recording, which is so many seconds long as far as is known.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn recognise(
        &self,
        service: &Service,
        job: &Job,
        duration: Option<f64>,
    ) -> Result<Transcript, RecognitionFailed> {
        let patience = answer_time_limit(duration);
        let message = self.request(service, job, duration);
        let posted = self.post(service, &message, patience).await?;
        if let Some(reason) = error_code(posted.status()) {
            return Err(RecognitionFailed {
                retry_after: posted.retry_after(),
                ..RecognitionFailed::with_cause(reason)
            });
        }
        let body = posted.body(MOST_BYTES, IDLE_TIME).await?;
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
            // Where the recording came from may have a secret in it, and it is here now.
            "settings": job.plan.settings_without_url(),
            "media_url": self.link(service.id, job.id, LinkTarget::Media),
        });
        // The same at every attempt, so that a service may answer with what it has made already.
        let parts = [REQUEST, &job.id.to_string(), &job.version.to_string()];
        Message {
            id: event_id(&parts),
            body: envelope::body(REQUEST, self.0.clock.now(), &data),
        }
    }
}

fn answer_time_limit(duration: Option<f64>) -> Duration {
    let requested = duration.map_or(MOST_TIME, |seconds| seconds * TIME_PER_SECOND);
    let requested = Some(requested).filter(|seconds| seconds.is_finite());
    let seconds = requested.map_or(LEAST_TIME, |requested| {
        requested.clamp(LEAST_TIME, MOST_TIME)
    });
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
