//! The fields of a request.

use axum::http::StatusCode;
use slovo_app::state::AppState;
use utoipa::ToSchema;

use super::error::no_model;
use super::models::resolve;
use crate::fields::{Fields, language};
use crate::models::NamedModel;
use crate::refusal::Refusal;
use crate::request::SpeechRequest;

/// A request for a transcription, for the API's document. Lists may be sent as `name[]`.
#[derive(ToSchema)]
#[schema(as = OpenAiTranscriptionForm)]
#[expect(
    dead_code,
    reason = "describes the form; its fields are read one by one"
)]
pub(super) struct FormSchema {
    /// The recording. Fields may come in any order.
    #[schema(format = Binary, content_media_type = "application/octet-stream")]
    file: String,
    /// A name of `GET /v1/models`.
    model: String,
    /// Language of the speech (ISO 639-1); detected if absent.
    language: Option<String>,
    /// Languages that may be spoken, if it is detected.
    languages: Option<Vec<String>>,
    /// A text that shows the spelling of names and terms.
    prompt: Option<String>,
    /// Words to expect.
    keywords: Option<Vec<String>>,
    /// 0 to 1; without effect.
    temperature: Option<f64>,
    /// json (default), text, srt, vtt, verbose_json or diarized_json.
    response_format: Option<String>,
    /// word or segment; with verbose_json.
    timestamp_granularities: Option<Vec<String>>,
    /// logprobs; with json.
    include: Option<Vec<String>>,
    /// auto or server_vad; speech is cut at pauses in either case.
    chunking_strategy: Option<String>,
    /// Names of up to four speakers, each with a reference; with diarized_json.
    known_speaker_names: Option<Vec<String>>,
    /// Samples of their voices, 2 to 10 seconds each, as data URLs in base64. They are not kept.
    known_speaker_references: Option<Vec<String>>,
    /// Whether the text is streamed as it is recognised.
    stream: Option<bool>,
}

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResponseFormat {
    Json,
    Text,
    Srt,
    Vtt,
    VerboseJson,
    DiarizedJson,
}

impl ResponseFormat {
    const ALL: [(&'static str, Self); 6] = [
        ("json", Self::Json),
        ("text", Self::Text),
        ("srt", Self::Srt),
        ("vtt", Self::Vtt),
        ("verbose_json", Self::VerboseJson),
        ("diarized_json", Self::DiarizedJson),
    ];
}

/// What is asked for: of the recognition, and of the answer.
#[derive(Clone, Debug)]
pub(super) struct AudioForm {
    pub request: SpeechRequest,
    pub format: ResponseFormat,
    /// Whether `verbose_json` has the segments.
    pub segments: bool,
    /// Whether `verbose_json` has the words.
    pub words: bool,
    /// Whether `json` has the words' probabilities.
    pub logprobs: bool,
    pub stream: bool,
}

/// The endpoint that a form was sent to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    Transcribe,
    Translate,
}

impl Task {
    /// Its name in answers.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Transcribe => "transcribe",
            Self::Translate => "translate",
        }
    }
}

/// Reads a form.
///
/// # Errors
/// The first field that cannot be used.
pub(super) fn read(
    state: &AppState,
    fields: &[(String, String)],
    task: Task,
) -> Result<AudioForm, Refusal> {
    let form = Fields(fields);
    let named = model(state, &form)?;
    let format = form.choice("response_format", &ResponseFormat::ALL)?;
    let format = format.unwrap_or(ResponseFormat::Json);
    form.number("temperature", 0.0, 1.0)?;
    check_chunking(&form)?;
    let granularities = [("segment", false), ("word", true)];
    let granularities = form.choices("timestamp_granularities", &granularities)?;
    if !granularities.is_empty() && format != ResponseFormat::VerboseJson {
        return Err(needs("timestamp_granularities", "verbose_json"));
    }
    let logprobs = !form.choices("include", &[("logprobs", ())])?.is_empty();
    if logprobs && format != ResponseFormat::Json {
        return Err(needs("include", "json"));
    }
    let stream = form.flag("stream")?;
    if task == Task::Translate && (stream || format == ResponseFormat::DiarizedJson) {
        return Err(Refusal::invalid(
            "response_format",
            "Translations are neither streamed nor diarized.",
        ));
    }
    let codes = form.all("languages").map(language).collect::<Vec<_>>();
    Ok(AudioForm {
        request: SpeechRequest {
            mode: named.mode,
            language: form.language("language"),
            languages: (!codes.is_empty()).then(|| codes.into_iter().flatten().collect()),
            keywords: form.all("keywords").map(str::to_owned).collect(),
            prompt: form.one("prompt").unwrap_or_default().to_owned(),
            translate: task == Task::Translate,
            diarize: named.diarizes || format == ResponseFormat::DiarizedJson,
            speakers: String::new(),
        },
        format,
        segments: granularities.is_empty() || granularities.contains(&false),
        words: granularities.contains(&true),
        logprobs,
        stream,
    })
}

/// The model that a form names. Some clients send an empty name until their user chooses one.
fn model(state: &AppState, form: &Fields<'_>) -> Result<NamedModel, Refusal> {
    match form.one("model") {
        // As OpenAI's audio API answers: some clients take 404 for a server without audio.
        Some(name) => resolve(state, name).ok_or_else(|| no_model(StatusCode::BAD_REQUEST, name)),
        None if form.all("model").next().is_some() => Ok(NamedModel::FULL),
        None => Err(Refusal::missing("model")),
    }
}

/// `auto`, or an object: as JSON, or as fields `chunking_strategy[type]` and so on.
fn check_chunking(form: &Fields<'_>) -> Result<(), Refusal> {
    const NAME: &str = "chunking_strategy";
    let refused = || {
        Refusal::invalid(
            NAME,
            "It has to be auto, or an object of the type server_vad.",
        )
    };
    let kind = match form.one(NAME) {
        None => match form.one("chunking_strategy[type]") {
            None => return Ok(()),
            Some(kind) => kind.to_owned(),
        },
        Some("auto") => return Ok(()),
        Some(text) => {
            let value: serde_json::Value = serde_json::from_str(text).map_err(|_| refused())?;
            value["type"].as_str().ok_or_else(refused)?.to_owned()
        }
    };
    if kind == "server_vad" {
        Ok(())
    } else {
        Err(refused())
    }
}

fn needs(name: &str, format: &str) -> Refusal {
    Refusal::invalid(name, format!("It needs the response_format {format}."))
}
