//! `GET /api/v1/capabilities`: the features available on this server.

use axum::extract::State;
use serde::Serialize;
use slovo_app::auth::Caller;
use slovo_app::capabilities::{more_types, plan_features};
use slovo_app::http::{Document, Json, Problem, time_limit};
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_db::webhooks::services::recogniser;
use slovo_rules::matrix::Feature;
use slovo_rules::mode::TranscriptionType;
use slovo_rules::plan::PlanFeature;
use slovo_rules::warnings::SpeechModels;
use slovo_server_settings::Settings;
use slovo_work::quality;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

/// The route of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    time_limit(OpenApiRouter::new().routes(routes!(capabilities)))
}

/// What this server can do. A feature that the rules allow in a mode and a language is available
/// only if an engine of the server supports it.
#[derive(Serialize, ToSchema)]
struct Capabilities {
    /// The features of the rules, by name.
    features: Features,
    /// Words the recogniser should expect.
    vocabulary: bool,
    /// Translation to English by the recognition model.
    translate: bool,
    /// Separate recognition of each channel.
    multichannel: bool,
    /// Recordings from media pages, including YouTube.
    media_pages: bool,
    /// Whether recordings can be downloaded from URLs.
    url_fetch: bool,
    /// Whether recordings can be made with the microphone.
    recording: bool,
    /// Whether transcripts can be shared by links.
    sharing: bool,
    /// Whether questions about a transcript are answered.
    assistant: bool,
    /// Maximum size of a recording, in bytes.
    max_upload_bytes: u64,
    /// File extensions of the accepted formats besides the ten of the rules: those of the external
    /// decoder, if it is installed.
    more_types: Vec<String>,
    /// The features of plans that this server has. Others are not on any price list.
    plan_features: Vec<PlanFeature>,
    /// Languages that may be spoken in recordings whose language is detected, if neither the job
    /// nor its preset nor the account specifies them. Empty means any.
    languages: Vec<String>,
    /// The host that texts are sent to; null if they stay on this machine.
    text_goes_to: Option<String>,
    /// The models that recognise speech, and what is known about their quality.
    speech_models: SpeechModels,
}

/// Whether an engine supports each of the rules' features.
#[derive(Serialize, ToSchema)]
struct Features {
    /// Speech to text.
    transcription: bool,
    /// Times of sentences and words.
    timestamps: bool,
    /// Distinguishing speakers.
    diarization: bool,
    /// Summary of a given number of words.
    summarization: bool,
    /// Translation of the text by the language model.
    llm_translation: bool,
    /// Translation of the subtitles.
    srt_translation: bool,
    /// Overall sentiment.
    sentiment: bool,
    /// Classification by the given labels.
    classification: bool,
    /// Answers to the custom prompt.
    insights: bool,
}

/// Returns what this server can currently do.
#[utoipa::path(get, path = "/capabilities", tag = "server", operation_id = "get_capabilities",
    responses(
        (status = OK, body = Capabilities),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
async fn capabilities(
    State(state): State<AppState>,
    _caller: Caller,
) -> Result<Json<Capabilities>, Problem> {
    let Settings {
        limits,
        switches,
        defaults,
    } = state.settings.current().await?;
    let speech_models = speech_models(&state).await?;
    let engines = state.analyses.engines();
    Ok(Json(Capabilities {
        features: Features {
            transcription: engines.supports(Feature::Transcription),
            timestamps: engines.supports(Feature::Timestamps),
            diarization: engines.supports(Feature::Diarization),
            summarization: engines.supports(Feature::Summarization),
            llm_translation: engines.supports(Feature::LlmTranslation),
            srt_translation: engines.supports(Feature::SrtTranslation),
            sentiment: engines.supports(Feature::Sentiment),
            classification: engines.supports(Feature::Classification),
            insights: engines.supports(Feature::Insights),
        },
        vocabulary: true,
        translate: true,
        multichannel: engines.multichannel,
        media_pages: state.fetch.supports_pages(),
        url_fetch: switches.url_fetch,
        recording: switches.recording,
        sharing: switches.sharing,
        assistant: switches.assistant,
        max_upload_bytes: limits.upload_bytes(),
        more_types: more_types(),
        plan_features: plan_features(&engines),
        languages: defaults.languages,
        text_goes_to: engines.text_goes_to.clone(),
        speech_models,
    }))
}

/// What is known about the models that recognise speech. Nothing is known about a mode that a
/// service recognises.
async fn speech_models(state: &AppState) -> Result<SpeechModels, Problem> {
    let mut models = quality::speech_models(&state.models.serving().now());
    let mut connection = state.db.read().await?;
    if recogniser(&mut connection, TranscriptionType::Full)
        .await?
        .is_some()
    {
        models.full = None;
        models.larger.clear();
    }
    if recogniser(&mut connection, TranscriptionType::Lite)
        .await?
        .is_some()
    {
        models.lite = None;
    }
    Ok(models)
}
