//! The tool that starts a transcription.

use rmcp::schemars;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use slovo_rules::mode::TranscriptionType;

use super::context::{ToolError, Tools};
use crate::request::SpeechRequest;
use crate::run;

/// What to transcribe, and how.
#[derive(Deserialize, JsonSchema)]
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
        let request = SpeechRequest {
            mode,
            language: params.language,
            diarize: params.speakers,
            ..SpeechRequest::default()
        };
        let job = run::create_of_url(&self.state, &self.caller, params.url, &request, None).await?;
        Ok(Started {
            recording_id: job.id.to_string(),
            status: job.status.as_str(),
            url: self.page(job.id),
        })
    }
}
