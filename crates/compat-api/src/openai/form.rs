//! The fields of a request.

use slovo_app::state::AppState;
use slovo_rules::language::AUTO;
use utoipa::ToSchema;

use super::error::OpenAiError;
use super::models::resolve;
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
) -> Result<AudioForm, OpenAiError> {
    let form = Fields(fields);
    refuse_unsupported(&form)?;
    let model = form.one("model").filter(|name| !name.is_empty());
    let model = model.ok_or_else(|| missing("model"))?;
    let named = resolve(state, model)?;
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
        return Err(invalid(
            "response_format",
            "Translations are neither streamed nor diarized.",
        ));
    }
    let codes = form.all("languages").map(language).collect::<Vec<_>>();
    let only_one = form.one("language").and_then(language);
    Ok(AudioForm {
        request: SpeechRequest {
            mode: named.mode,
            language: only_one,
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

/// The code of a language, from a tag such as `en-US`; `None` to detect it.
fn language(tag: &str) -> Option<String> {
    let code = tag.split(['-', '_']).next().unwrap_or_default().trim();
    let code = code.to_lowercase();
    (!code.is_empty() && code != AUTO).then_some(code)
}

fn refuse_unsupported(form: &Fields<'_>) -> Result<(), OpenAiError> {
    for name in ["known_speaker_names", "known_speaker_references"] {
        if form.all(name).next().is_some() {
            let message = format!("{name} is not supported: name speakers on the page.");
            return Err(OpenAiError::of_field(
                name,
                "unsupported_parameter",
                message,
            ));
        }
    }
    Ok(())
}

/// `auto`, or an object: as JSON, or as fields `chunking_strategy[type]` and so on.
fn check_chunking(form: &Fields<'_>) -> Result<(), OpenAiError> {
    const NAME: &str = "chunking_strategy";
    let refused = || {
        invalid(
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

/// The fields by name.
struct Fields<'a>(&'a [(String, String)]);

impl<'a> Fields<'a> {
    /// All values of a list: `name`, `name[]` or `name[0]`.
    fn all(&self, name: &str) -> impl Iterator<Item = &'a str> {
        let values = self.0.iter().filter(move |(given, _)| {
            let rest = given.strip_prefix(name);
            let index = rest.and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']'));
            rest == Some("") || index.is_some_and(|it| it.bytes().all(|b| b.is_ascii_digit()))
        });
        values.map(|(_, value)| value.as_str())
    }

    /// The value of a field, the last if it is repeated.
    fn one(&self, name: &str) -> Option<&'a str> {
        let mut values = self.0.iter().rev().filter(|(given, _)| given == name);
        values.next().map(|(_, value)| value.as_str())
    }

    fn choice<T: Copy>(&self, name: &str, of: &[(&str, T)]) -> Result<Option<T>, OpenAiError> {
        match self.one(name) {
            None | Some("") => Ok(None),
            Some(value) => chosen(name, value, of).map(Some),
        }
    }

    fn choices<T: Copy>(&self, name: &str, of: &[(&str, T)]) -> Result<Vec<T>, OpenAiError> {
        self.all(name)
            .map(|value| chosen(name, value, of))
            .collect()
    }

    fn flag(&self, name: &str) -> Result<bool, OpenAiError> {
        let values = [("true", true), ("false", false), ("1", true), ("0", false)];
        Ok(self.choice(name, &values)?.unwrap_or(false))
    }

    fn number(&self, name: &str, least: f64, most: f64) -> Result<Option<f64>, OpenAiError> {
        let Some(text) = self.one(name).filter(|text| !text.is_empty()) else {
            return Ok(None);
        };
        let number = text.parse().ok().filter(|it| (least..=most).contains(it));
        let refused = || {
            invalid(
                name,
                format!("It has to be a number from {least} to {most}."),
            )
        };
        number.map(Some).ok_or_else(refused)
    }
}

fn chosen<T: Copy>(name: &str, value: &str, of: &[(&str, T)]) -> Result<T, OpenAiError> {
    let found = of.iter().find(|(known, _)| *known == value);
    found.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let known: Vec<_> = of.iter().map(|(known, _)| *known).collect();
        invalid(name, format!("It has to be one of {}.", known.join(", ")))
    })
}

fn missing(name: &str) -> OpenAiError {
    let message = format!("You must provide the parameter {name}.");
    OpenAiError::of_field(name, "missing_required_parameter", message)
}

/// The error for a form without a recording.
pub(super) fn no_recording() -> OpenAiError {
    missing("file")
}

fn invalid(name: &str, message: impl Into<String>) -> OpenAiError {
    OpenAiError::of_field(name, "invalid_value", message)
}

fn needs(name: &str, format: &str) -> OpenAiError {
    invalid(name, format!("It needs the response_format {format}."))
}
