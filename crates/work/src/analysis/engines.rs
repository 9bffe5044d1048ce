//! Builds the server's engines from its configuration; nothing else does.

use std::sync::Arc;

use anyhow::Result;
use serde::Serialize;
use slovo_analysis::Analyst;
use slovo_analysis::chat::{Chat, Endpoint, EndpointError};
use slovo_analysis::embedded::PARTS as EMBEDDED_PARTS;
use slovo_engine::models::{SENTENCES, SPEAKER_EMBEDDING, SPEAKER_SEGMENTATION};
use slovo_engine::{Engine, EngineConfig};
use slovo_rules::analysis::Part;
use slovo_rules::language::LANGUAGES;
use slovo_rules::matrix::Feature;
use tokio::runtime::Handle;
use utoipa::ToSchema;

use super::assistant::{Answers, Passages};
use super::embedded::EmbeddedModel;
use super::endpoint::{ChatAnswers, ServerPace};
use crate::analysis::speakers::Speakers;

/// Everything the server works with besides recognition. Cheap to clone.
#[derive(Clone, Default)]
pub struct Engines {
    /// The chat endpoint that the administrator configured.
    pub endpoint: Option<Arc<dyn Analyst>>,
    /// The embedded model.
    pub embedded: Option<Arc<dyn Analyst>>,
    /// The same model, for selecting passages for the endpoint.
    pub model: Option<Arc<EmbeddedModel>>,
    /// Answers questions about a transcript.
    pub answers: Option<Arc<dyn Answers>>,
    /// Finds the passages most similar to a question.
    pub passages: Option<Arc<dyn Passages>>,
    /// Identifies speakers.
    pub speakers: Option<Arc<dyn Speakers>>,
    /// Whether recognition can process each channel separately.
    pub multichannel: bool,
    /// The host that texts are sent to; `None` if they stay on this machine.
    pub text_goes_to: Option<String>,
}

/// The engine that identifies speakers, if its models are installed. It is independent of the
/// recognition engine, which may be busy with another job.
fn speakers(config: EngineConfig) -> Result<Option<Arc<dyn Speakers>>> {
    let is_installed = |id| {
        let found = slovo_engine::models::find(id);
        found.is_some_and(|model| config.models_dir.join(model.file_name()).is_file())
    };
    let embedding = match &config.speaker_embedding {
        Some(file) => file.is_file(),
        None => is_installed(SPEAKER_EMBEDDING),
    };
    if !(embedding && is_installed(SPEAKER_SEGMENTATION)) {
        return Ok(None);
    }
    Ok(Some(Arc::new(Engine::new(config)?)))
}

/// Why no engine does a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = UnavailableReason)]
pub enum Reason {
    /// The administrator has configured no endpoint.
    NotConfigured,
    /// The embedded model is not installed.
    ModelMissing,
    /// The part is not available in this language.
    Language,
}

impl Reason {
    /// Its name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotConfigured => "not_configured",
            Self::ModelMissing => "model_missing",
            Self::Language => "language",
        }
    }
}

impl Engines {
    /// The engines for this endpoint and the installed models. HTTP connections use this runtime.
    ///
    /// # Errors
    /// If something is configured but not usable.
    pub fn new(
        endpoint: Option<Endpoint>,
        engine: EngineConfig,
        pace: ServerPace,
        handle: Handle,
    ) -> Result<Self> {
        let file = engine
            .models_dir
            .join(slovo_engine::models::file_name(SENTENCES));
        let embedded = EmbeddedModel::find(file).map(Arc::new);
        let engines = Self {
            endpoint: None,
            embedded: embedded.clone().map(|model| model as Arc<dyn Analyst>),
            answers: None,
            passages: embedded.clone().map(|model| model as Arc<dyn Passages>),
            model: embedded,
            text_goes_to: None,
            speakers: speakers(engine)?,
            multichannel: true,
        };
        Ok(engines.with_endpoint(endpoint, pace, handle)?)
    }

    /// The same engines with another endpoint, or none.
    ///
    /// # Errors
    /// If the endpoint is not usable on this machine.
    pub fn with_endpoint(
        &self,
        endpoint: Option<Endpoint>,
        pace: ServerPace,
        handle: Handle,
    ) -> Result<Self, EndpointError> {
        let text_goes_to = endpoint.as_ref().map(Endpoint::host);
        let chat = endpoint.map(|endpoint| Chat::new(endpoint, Arc::new(pace), handle));
        let chat = chat.transpose()?.map(Arc::new);
        let answers = chat.clone().map(|chat| {
            let embedded = self.model.clone();
            Arc::new(ChatAnswers { chat, embedded }) as Arc<dyn Answers>
        });
        Ok(Self {
            endpoint: chat.map(|chat| chat as Arc<dyn Analyst>),
            answers,
            text_goes_to,
            ..self.clone()
        })
    }

    /// The engine for a part in this language of the text; the endpoint takes precedence.
    ///
    /// # Errors
    /// The reason if there is none.
    pub fn of_part(&self, part: Part, language: &str) -> Result<&Arc<dyn Analyst>, Reason> {
        let mut engines = self.endpoint.iter().chain(&self.embedded);
        if let Some(found) = engines.find(|engine| engine.supports(part, language)) {
            return Ok(found);
        }
        Err(if self.is_supported_anywhere(part) {
            Reason::Language
        } else if EMBEDDED_PARTS.contains(&part) && self.embedded.is_none() {
            Reason::ModelMissing
        } else {
            Reason::NotConfigured
        })
    }

    /// Whether a part is available in at least one language.
    #[must_use]
    pub fn is_supported_anywhere(&self, part: Part) -> bool {
        self.endpoint.iter().chain(&self.embedded).any(|engine| {
            LANGUAGES
                .iter()
                .any(|language| engine.supports(part, language))
        })
    }

    /// Whether some engine of this server provides a feature of the rules.
    #[must_use]
    pub fn supports(&self, feature: Feature) -> bool {
        let part = match feature {
            Feature::Transcription | Feature::Timestamps => return true,
            Feature::Diarization => return self.speakers.is_some(),
            Feature::Summarization => Part::Summary,
            Feature::LlmTranslation => Part::Translation,
            Feature::SrtTranslation => Part::SubtitleTranslation,
            Feature::Sentiment => Part::Sentiment,
            Feature::Classification => Part::Classification,
            Feature::Insights => Part::Prompt,
        };
        self.is_supported_anywhere(part)
    }
}
