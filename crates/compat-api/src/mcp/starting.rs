//! The tool that starts a transcription.

use rmcp::schemars;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use slovo_api::jobs::idempotency::IdempotencyKey;
use slovo_rules::mode::TranscriptionType;

use super::context::{ToolError, Tools};
use crate::request::SpeechRequest;
use crate::run;

/// What to transcribe, and how.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UrlParams {
    /// The recording's http or https address.
    url: String,
    /// Code of its language (ISO 639-1), such as `uk`; detected if absent.
    language: Option<String>,
    /// Whether to tell speakers apart.
    #[serde(default)]
    speakers: bool,
    /// `full` (default, the better text) or `lite` (faster; needs `language`).
    mode: Option<String>,
    /// Up to 255 characters of your choice. A call that is repeated with the same key within a day
    /// starts nothing new and returns the first recording.
    idempotency_key: Option<String>,
}

/// A transcription that was started.
#[derive(Serialize, JsonSchema)]
pub(super) struct Started {
    /// For get_recording and get_transcript.
    recording_id: String,
    /// `pending`.
    status: &'static str,
    /// The page where the user can follow it.
    url: String,
}

impl Tools {
    pub(super) async fn start(&self, params: UrlParams) -> Result<Started, ToolError> {
        self.check_transcribe()?;
        let mode = match params.mode.as_deref() {
            None => TranscriptionType::Full,
            Some(name) => TranscriptionType::parse(name)
                .ok_or_else(|| ToolError::new("mode must be full or lite."))?,
        };
        if mode == TranscriptionType::Lite && params.language.is_none() {
            return Err(ToolError::new("mode lite needs the language."));
        }
        let key = match params.idempotency_key.as_deref() {
            None => None,
            Some(key) => Some(IdempotencyKey::entered(key).ok_or_else(|| {
                ToolError::new("idempotency_key must be 1 to 255 visible characters.")
            })?),
        };
        let repeat = key
            .map(|key| key.of(&("transcribe_url", &params)))
            .transpose()?;
        let request = SpeechRequest {
            mode,
            language: params.language,
            diarize: params.speakers,
            ..SpeechRequest::default()
        };
        let (state, caller) = (&self.state, &self.caller);
        let job = run::create_of_url(state, caller, params.url, &request, repeat.flatten()).await?;
        Ok(Started {
            recording_id: job.id.to_string(),
            status: job.status.as_str(),
            url: self.page(job.id),
        })
    }
}
