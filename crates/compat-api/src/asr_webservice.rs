//! The API of whisper-asr-webservice, which Bazarr and Speakr speak: `POST /asr` and
//! `POST /detect-language` (<https://github.com/ahmetoner/whisper-asr-webservice>), with the
//! parameters that Speakr adds.
//!
//! `vad_filter` has no effect: silence is never recognised.

use axum::extract::multipart::{Multipart, MultipartRejection};
use axum::extract::{DefaultBodyLimit, RawQuery, State};
use axum::http::StatusCode;
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use slovo_api::jobs::default_languages;
use slovo_api::jobs::idempotency::IdempotencyKey;
use slovo_app::auth::Caller;
use slovo_app::http::{Json, Problem};
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_export::Format;
use slovo_rules::edit::{EditedSegment, EditedTranscript};
use slovo_rules::language_set;
use slovo_rules::settings::MAX_SPEAKERS;
use slovo_rules::transcript::rounded;
use slovo_rules::upload::display_name;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::fields::{Fields, of_query};
use crate::models::{self, NamedModel};
use crate::receive::{FilePart, Head, receive};
use crate::recognised_text::{language_code, language_name, lines, whole};
use crate::refusal::{RECORDING, Refusal, in_form};
use crate::request::SpeechRequest;
use crate::run::{Recognised, start};
use crate::text_files::{body, check_format, subtitles};
use crate::whisper_json::{self, WhisperSegment, WhisperWord};
use slovo_api::uploads::arriving::StoredRecording;

/// The field with the recording.
const FILE: &str = "audio_file";
/// Samples per second of a recording without a header.
const RATE: u32 = 16_000;

/// The routes of this module. They have no time limit: an answer comes when the text is there.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(transcribe))
        .routes(routes!(detect_language))
        // The recording is streamed, and limited by the settings of uploads.
        .layer(DefaultBodyLimit::disable())
        .layer(map_response(in_their_form))
}

/// An error, as its clients read it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AsrError)]
struct ErrorBody {
    /// In English.
    detail: String,
}

async fn in_their_form(response: Response) -> Response {
    in_form(response, |refusal| {
        let detail = refusal.message(field);
        (refusal.status, Json(ErrorBody { detail })).into_response()
    })
}

/// The parameter, for a field of the settings.
fn field(name: &str) -> &str {
    match name {
        RECORDING => FILE,
        "language_code" => "language",
        "custom_vocabulary" => "initial_prompt",
        "diarization" | "sentence_diarization" => "diarize",
        "speakers" => "min_speakers",
        "translate" => "task",
        "transcription_type" => "model",
        other => other,
    }
}

/// A form with a recording, for the API's document.
#[derive(ToSchema)]
#[schema(as = AsrForm)]
#[expect(dead_code, reason = "describes the form")]
struct FormSchema {
    /// The recording.
    #[schema(format = Binary, content_media_type = "application/octet-stream")]
    audio_file: String,
}

#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the query; it is read one by one")]
struct AsrQuery {
    /// `false` for a recording without a header: 16-bit samples, 16,000 per second, one channel.
    #[param(default = true)]
    encode: Option<bool>,
    /// `transcribe`, or `translate` into English.
    task: Option<String>,
    /// Language of the speech (ISO 639-1); detected if absent.
    language: Option<String>,
    /// A text that shows the spelling of names and terms.
    initial_prompt: Option<String>,
    /// Words to expect, separated by commas.
    hotwords: Option<String>,
    /// Without effect: silence is never recognised.
    vad_filter: Option<bool>,
    /// Whether `json` has the words.
    word_timestamps: Option<bool>,
    /// Whether speakers are told apart.
    diarize: Option<bool>,
    /// The least number of speakers.
    #[param(minimum = 1, maximum = 50)]
    min_speakers: Option<u32>,
    /// The greatest number of speakers.
    #[param(minimum = 1, maximum = 50)]
    max_speakers: Option<u32>,
    /// `txt` (default), `json`, `srt`, `vtt` or `tsv`.
    output: Option<String>,
    /// `full` (default), `lite`, or a model's id.
    model: Option<String>,
    /// Name of the recording in the library.
    video_file: Option<String>,
}

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Output {
    Txt,
    Json,
    Srt,
    Vtt,
    Tsv,
}

impl Output {
    const ALL: [(&'static str, Self); 5] = [
        ("txt", Self::Txt),
        ("json", Self::Json),
        ("srt", Self::Srt),
        ("vtt", Self::Vtt),
        ("tsv", Self::Tsv),
    ];
}

/// What is asked for: of the recognition, and of the answer.
struct AsrRequest {
    request: SpeechRequest,
    output: Output,
    words: bool,
}

/// Transcribes a recording, or translates it into English. The answer comes when the text is there;
/// the transcription stays in the library.
#[utoipa::path(post, path = "/asr", tag = "asr", operation_id = "asr_transcribe",
    params(AsrQuery),
    request_body(content = FormSchema, content_type = "multipart/form-data"),
    responses(
        (status = OK, description = "The text in the requested form", content(
            (String = "text/plain"),
            (AsrText = "application/json"),
        )),
        (status = BAD_REQUEST, body = ErrorBody, description = "A parameter cannot be used"),
        (status = UNAUTHORIZED, body = ErrorBody, description = "The key is unknown"),
        (status = PAYMENT_REQUIRED, body = ErrorBody, description = "Too few minutes are left"),
        (status = FORBIDDEN, body = ErrorBody, description = "The key or the plan lacks something"),
        (status = PAYLOAD_TOO_LARGE, body = ErrorBody, description = "The recording is too large"),
        (status = TOO_MANY_REQUESTS, body = ErrorBody, description = "Too many requests"),
    ))]
async fn transcribe(
    State(state): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    RawQuery(query): RawQuery,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Response, Refusal> {
    let fields = of_query(query.as_deref());
    let wanted = read(&state, &Fields(&fields))?;
    let format = match wanted.output {
        Output::Srt => Some(Format::Srt),
        Output::Vtt => Some(Format::Vtt),
        Output::Txt | Output::Json | Output::Tsv => None,
    };
    // Before the recording arrives, which may be large.
    check_format(&state, &caller, format).await?;
    let recording = received(&state, &caller, &fields, form).await?;
    let repeat = key.of(&("asr", &fields))?;
    let running = start(&state, &caller, recording, &wanted.request, repeat).await?;
    answer(&wanted, running.finish().await?).await
}

/// The language of a recording.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AsrLanguage)]
struct DetectedAnswer {
    /// Its English name in lower case.
    detected_language: String,
    /// Its code (ISO 639-1).
    language_code: String,
    /// 0 to 1.
    confidence: f64,
}

#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the query; it is read one by one")]
struct DetectionQuery {
    /// `false` for a recording without a header: 16-bit samples, 16,000 per second, one channel.
    #[param(default = true)]
    encode: Option<bool>,
}

/// Finds the language of the first clear speech. The recording is not kept, and no minutes are used.
/// A recording that cannot be used is answered with a text.
#[utoipa::path(post, path = "/detect-language", tag = "asr", operation_id = "asr_detect_language",
    params(DetectionQuery),
    request_body(content = FormSchema, content_type = "multipart/form-data"),
    responses(
        (status = OK, body = DetectedAnswer),
        (status = BAD_REQUEST, description = "A text if the recording cannot be used; JSON if a \
            parameter cannot be used", content(
            (String = "text/plain"),
            (ErrorBody = "application/json"),
        )),
        (status = UNAUTHORIZED, body = ErrorBody, description = "The key is unknown"),
        (status = FORBIDDEN, body = ErrorBody, description = "The key or the plan lacks something"),
        (status = PAYLOAD_TOO_LARGE, body = ErrorBody, description = "The recording is too large"),
        (status = TOO_MANY_REQUESTS, body = ErrorBody, description = "Too many requests"),
    ))]
async fn detect_language(
    State(state): State<AppState>,
    caller: Caller,
    RawQuery(query): RawQuery,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Response, Refusal> {
    let limits = state.limits.detection(&caller.user_id);
    limits.map_err(Problem::from)?;
    let fields = of_query(query.as_deref());
    let recording = received(&state, &caller, &fields, form).await?;
    match detected(&state, &caller, &recording).await {
        Ok(found) => Ok(Json(found).into_response()),
        // Bazarr takes an answer that is not JSON for a recording that cannot be used, and anything
        // else for a service that is out of order.
        Err(refusal) if refusal.status == StatusCode::BAD_REQUEST => {
            let message = refusal.message(field);
            let mut response = body("text/plain; charset=utf-8", message);
            *response.status_mut() = StatusCode::BAD_REQUEST;
            Ok(response)
        }
        Err(refusal) => Err(refusal),
    }
}

async fn detected(
    state: &AppState,
    caller: &Caller,
    recording: &StoredRecording,
) -> Result<DetectedAnswer, Refusal> {
    let id = recording.inspected().await?.id;
    let codes = default_languages::find(state, caller, None).await;
    let codes = codes.map_err(Problem::from)?;
    let languages = language_set::parse("languages", &codes).map_err(Problem::from)?;
    let found = state.jobs.detect_language(id, languages).await;
    let found = found.map_err(|error| Refusal::of_engine(&error))?;
    Ok(DetectedAnswer {
        detected_language: language_name(&found.code),
        confidence: rounded(f64::from(found.probability)),
        language_code: found.code,
    })
}

/// The recording of a form, whose parameters describe it.
async fn received(
    state: &AppState,
    caller: &Caller,
    fields: &[(String, String)],
    form: Result<Multipart, MultipartRejection>,
) -> Result<StoredRecording, Refusal> {
    let given = Fields(fields);
    let has_header = given.switch("encode")?.unwrap_or(true);
    let part = FilePart {
        head: if has_header {
            Head::None
        } else {
            Head::wav(RATE, 1)
        },
        name: given.one("video_file").and_then(display_name),
        ..FilePart::file(FILE)
    };
    let received = receive(state, caller, form, part).await?;
    received.recording.ok_or_else(|| Refusal::missing(FILE))
}

fn read(state: &AppState, fields: &Fields<'_>) -> Result<AsrRequest, Refusal> {
    let model = match fields.one("model") {
        None => NamedModel::FULL,
        Some(name) => models::find(state, name).ok_or_else(|| {
            let message = format!("The model {name} does not exist. GET /v1/models lists them.");
            Refusal::new(StatusCode::NOT_FOUND, "model_not_found", message)
        })?,
    };
    let task = fields.choice("task", &[("transcribe", false), ("translate", true)])?;
    let diarize = fields.flag("diarize")? || fields.flag("enable_diarization")?;
    fields.switch("vad_filter")?;
    Ok(AsrRequest {
        request: SpeechRequest {
            mode: model.mode,
            language: fields.language("language"),
            keywords: fields
                .one("hotwords")
                .map(str::to_owned)
                .into_iter()
                .collect(),
            prompt: fields.one("initial_prompt").unwrap_or_default().to_owned(),
            translate: task.unwrap_or(false),
            diarize,
            speakers: if diarize {
                speakers(fields)
            } else {
                String::new()
            },
            ..SpeechRequest::default()
        },
        output: fields
            .choice("output", &Output::ALL)?
            .unwrap_or(Output::Txt),
        words: fields.flag("word_timestamps")?,
    })
}

/// The number of speakers as the settings take it; what is not a number is refused there.
fn speakers(fields: &Fields<'_>) -> String {
    match (fields.one("min_speakers"), fields.one("max_speakers")) {
        (None, None) => String::new(),
        (Some(least), None) => format!("{least}-{MAX_SPEAKERS}"),
        (None, Some(most)) => format!("1-{most}"),
        (Some(least), Some(most)) => format!("{least}-{most}"),
    }
}

/// A text with its segments.
#[derive(Serialize, ToSchema)]
struct AsrText {
    /// The whole text.
    text: String,
    /// Code of the language that the text is in.
    language: String,
    /// The segments.
    #[schema(value_type = Vec<serde_json::Value>)]
    segments: Vec<AsrSegment>,
}

#[derive(Serialize)]
struct AsrSegment {
    #[serde(flatten)]
    segment: WhisperSegment,
    #[serde(skip_serializing_if = "Option::is_none")]
    speaker: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<Vec<WhisperWord>>,
}

async fn answer(wanted: &AsrRequest, done: Recognised) -> Result<Response, Refusal> {
    let text = &done.text;
    Ok(match wanted.output {
        Output::Txt => body("text/plain; charset=utf-8", lines(text)),
        Output::Tsv => {
            let line = |segment: &EditedSegment| {
                let milliseconds = |seconds: f64| (seconds * 1000.0).round();
                let text = segment.text.replace('\t', " ");
                let (start, end) = (milliseconds(segment.start), milliseconds(segment.end));
                format!("{start}\t{end}\t{text}\n")
            };
            let lines: String = text.segments.iter().map(line).collect();
            let kind = "text/tab-separated-values; charset=utf-8";
            body(kind, "start\tend\ttext\n".to_owned() + &lines)
        }
        Output::Json => Json(json(wanted, text)).into_response(),
        Output::Srt => subtitles(Format::Srt, wanted.request.diarize, done).await?,
        Output::Vtt => subtitles(Format::Vtt, wanted.request.diarize, done).await?,
    })
}

fn json(wanted: &AsrRequest, text: &EditedTranscript) -> AsrText {
    let both = whisper_json::segments(text).zip(&text.segments);
    let segments = both.map(|(segment, of)| {
        let words = of.words.iter();
        let words = words.map(|word| WhisperWord::with_probability(word, of.speaker.clone()));
        AsrSegment {
            segment,
            speaker: of.speaker.clone(),
            words: wanted.words.then(|| words.collect()),
        }
    });
    AsrText {
        text: whole(text),
        language: language_code(text, wanted.request.translate).to_owned(),
        segments: segments.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_limit_of_the_number_of_speakers_is_enough() {
        for (given, expected) in [
            (vec![], ""),
            (vec![("min_speakers", "2")], "2-50"),
            (vec![("max_speakers", "4")], "1-4"),
            (vec![("min_speakers", "2"), ("max_speakers", "4")], "2-4"),
            (vec![("min_speakers", ""), ("max_speakers", "4")], "1-4"),
        ] {
            let own = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
            let fields: Vec<_> = given.into_iter().map(own).collect();
            assert_eq!(speakers(&Fields(&fields)), expected);
        }
    }
}
