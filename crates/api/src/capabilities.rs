//! `GET /api/v1/capabilities`: the features available on this server.

use axum::extract::State;
use serde::Serialize;
use slovo_app::auth::Caller;
use slovo_app::capabilities::{more_types, plan_features};
use slovo_app::http::{Document, Json, Problem, time_limit};
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
use utoipa_axum::routes;

/// The route of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    time_limit(OpenApiRouter::new().routes(routes!(capabilities)))
}

/// What can be had here. What the rules allow in a mode and a language can be had only if some
/// engine of the server does it.
#[derive(Serialize, ToSchema)]
struct Capabilities {
    /// The features of the rules, by their names.
    features: Features,
    /// Words the recogniser should expect.
    vocabulary: bool,
    /// Translation to English by the recognition model.
    translate: bool,
    /// Each channel on its own.
    multichannel: bool,
    /// Recordings from media pages, YouTube among them.
    media_pages: bool,
    /// Recordings may be fetched from addresses.
    url_fetch: bool,
    /// Recordings may be made with the microphone.
    recording: bool,
    /// Transcripts may be shared by links.
    sharing: bool,
    /// Questions about a transcript are answered.
    assistant: bool,
    /// Largest recording that is taken, in bytes.
    max_upload_bytes: u64,
    /// File extensions of the formats besides the rules' ten that are taken: the outside decoder
    /// reads them, where it is installed.
    more_types: Vec<String>,
    /// What this server has of what plans may include. What it has not is on no price list.
    plan_features: Vec<PlanFeature>,
    /// Languages that may be spoken, if neither a job nor its preset nor the account says which: for
    /// recordings whose language is detected. Empty means any.
    languages: Vec<String>,
    /// The host that texts are sent to; null if they stay on this machine.
    text_goes_to: Option<String>,
    /// The models that recognise speech, with what is known of their quality.
    speech_models: SpeechModels,
}

/// Whether an engine does it, for each of the rules' features.
#[derive(Serialize, ToSchema)]
struct Features {
    /// Speech to text.
    transcription: bool,
    /// Times of sentences and words.
    timestamps: bool,
    /// Who speaks.
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
        media_pages: state.fetch.takes_pages(),
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

/// What is known of the models that recognise speech. Nothing is known of a mode that a service
/// recognises.
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
