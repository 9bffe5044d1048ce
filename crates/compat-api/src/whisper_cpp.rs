//! The API of whisper.cpp's server: `POST /inference`
//! (<https://github.com/ggml-org/whisper.cpp/tree/master/examples/server>).
//!
//! Parameters of its decoder, such as `temperature`, `beam_size` or the thresholds, have no effect:
//! the engine chooses them. What would change the text in another way and is not supported is
//! refused.

use axum::extract::multipart::{Multipart, MultipartRejection};
use axum::extract::{DefaultBodyLimit, State};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use slovo_api::jobs::idempotency::IdempotencyKey;
use slovo_app::auth::Caller;
use slovo_app::http::Json;
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_export::Format;
use slovo_rules::edit::EditedTranscript;
use slovo_rules::transcript::rounded;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::fields::Fields;
use crate::receive::{FilePart, receive};
use crate::recognised_text::{language_code, language_name, lines, place_of_speaker};
use crate::refusal::{RECORDING, Refusal, in_form};
use crate::request::SpeechRequest;
use crate::run::{Recognised, start};
use crate::text_files::{body, check_format, subtitles};
use crate::whisper_json::{self, WhisperSegment, WhisperWord};

/// The field with the recording.
const FILE: &str = "file";

/// What would change the text and is not supported, unless it is off.
const UNSUPPORTED: [&str; 7] = [
    "detect_language",
    "duration",
    "max_len",
    "offset_n",
    "offset_t",
    "split_on_word",
    "tinydiarize",
];

/// The route of this module. It has no time limit: an answer comes when the text is there.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(inference))
        // The recording is streamed, and limited by the settings of uploads.
        .layer(DefaultBodyLimit::disable())
        .layer(map_response(in_their_form))
}

/// An error, as its clients read it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WhisperCppError)]
struct ErrorBody {
    /// In English.
    error: String,
}

async fn in_their_form(response: Response) -> Response {
    in_form(response, |refusal| {
        let error = refusal.message(|name| match name {
            RECORDING => FILE,
            "language_code" => "language",
            "custom_vocabulary" => "prompt",
            "diarization" | "sentence_diarization" | "speakers" => "diarize",
            other => other,
        });
        (refusal.status, Json(ErrorBody { error })).into_response()
    })
}

/// A request, for the API's document.
#[derive(ToSchema)]
#[schema(as = WhisperCppForm)]
#[expect(
    dead_code,
    reason = "describes the form; its fields are read one by one"
)]
struct FormSchema {
    /// The recording.
    #[schema(format = Binary, content_media_type = "application/octet-stream")]
    file: String,
    /// json (default), text, srt, vtt or verbose_json.
    response_format: Option<String>,
    /// Language of the speech (ISO 639-1); detected if it is absent, or `auto`.
    language: Option<String>,
    /// Whether to translate into English.
    translate: Option<bool>,
    /// Whether speakers are told apart.
    diarize: Option<bool>,
    /// A text that shows the spelling of names and terms.
    prompt: Option<String>,
    /// Whether verbose_json has no times.
    no_timestamps: Option<bool>,
}

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResponseFormat {
    Json,
    Text,
    Srt,
    Vtt,
    VerboseJson,
}

impl ResponseFormat {
    const ALL: [(&'static str, Self); 5] = [
        ("json", Self::Json),
        ("text", Self::Text),
        ("srt", Self::Srt),
        ("vtt", Self::Vtt),
        ("verbose_json", Self::VerboseJson),
    ];
}

/// A text.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WhisperCppText)]
struct TextBody {
    /// The text, each segment on a line.
    text: String,
}

/// Transcribes a recording. The answer comes when the text is there; the transcription stays in the
/// library.
#[utoipa::path(post, path = "/inference", tag = "whisper.cpp", operation_id = "whisper_cpp_inference",
    request_body(content = FormSchema, content_type = "multipart/form-data"),
    responses(
        (status = OK, body = TextBody),
        (status = BAD_REQUEST, body = ErrorBody, description = "A field cannot be used"),
        (status = UNAUTHORIZED, body = ErrorBody, description = "The key is unknown"),
        (status = PAYMENT_REQUIRED, body = ErrorBody, description = "Too few minutes are left"),
        (status = FORBIDDEN, body = ErrorBody, description = "The key or the plan lacks something"),
        (status = PAYLOAD_TOO_LARGE, body = ErrorBody, description = "The recording is too large"),
        (status = TOO_MANY_REQUESTS, body = ErrorBody, description = "Too many requests"),
    ))]
async fn inference(
    State(state): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Response, Refusal> {
    let received = receive(&state, &caller, form, FilePart::file(FILE)).await?;
    let fields = Fields(&received.fields);
    fields.refuse(&UNSUPPORTED)?;
    let format = fields.choice("response_format", &ResponseFormat::ALL)?;
    let format = format.unwrap_or(ResponseFormat::Json);
    let request = SpeechRequest {
        language: fields.language("language"),
        prompt: fields.one("prompt").unwrap_or_default().to_owned(),
        translate: fields.flag("translate")?,
        diarize: fields.flag("diarize")?,
        ..SpeechRequest::default()
    };
    let has_times = !fields.flag("no_timestamps")?;
    let recording = received.recording;
    let recording = recording.ok_or_else(|| Refusal::missing(FILE))?;
    let subtitles = match format {
        ResponseFormat::Srt => Some(Format::Srt),
        ResponseFormat::Vtt => Some(Format::Vtt),
        ResponseFormat::Json | ResponseFormat::Text | ResponseFormat::VerboseJson => None,
    };
    check_format(&state, &caller, subtitles).await?;
    let repeat = key.of(&("inference", &received.fields))?;
    let running = start(&state, &caller, recording, &request, repeat).await?;
    answer(&request, format, has_times, running.finish().await?).await
}

async fn answer(
    request: &SpeechRequest,
    format: ResponseFormat,
    has_times: bool,
    done: Recognised,
) -> Result<Response, Refusal> {
    Ok(match format {
        ResponseFormat::Json => Json(TextBody {
            text: lines(&done.text),
        })
        .into_response(),
        ResponseFormat::Text => body("text/plain; charset=utf-8", lines(&done.text)),
        ResponseFormat::Srt => subtitles(Format::Srt, request.diarize, done).await?,
        ResponseFormat::Vtt => subtitles(Format::Vtt, request.diarize, done).await?,
        ResponseFormat::VerboseJson => {
            Json(verbose(request, has_times, &done.text)).into_response()
        }
    })
}

#[derive(Serialize)]
struct Verbose {
    task: &'static str,
    language: String,
    duration: f64,
    text: String,
    segments: Vec<VerboseSegment>,
    detected_language: String,
}

#[derive(Serialize)]
struct VerboseSegment {
    #[serde(flatten)]
    segment: WhisperSegment,
    #[serde(skip_serializing_if = "Option::is_none")]
    speaker: Option<String>,
    words: Vec<WhisperWord>,
}

fn verbose(request: &SpeechRequest, has_times: bool, text: &EditedTranscript) -> Verbose {
    let both = whisper_json::segments(text).zip(&text.segments);
    let segments = both.map(|(segment, of)| {
        let speaker = place_of_speaker(text, of.speaker.as_deref());
        let words = of.words.iter();
        let words = words.map(|word| WhisperWord::with_probability(word, None));
        VerboseSegment {
            segment: segment.timed(has_times),
            speaker: speaker.map(|place| place.to_string()),
            words: words.map(|word| word.timed(has_times)).collect(),
        }
    });
    Verbose {
        task: if request.translate {
            "translate"
        } else {
            "transcribe"
        },
        language: language_name(language_code(text, request.translate)),
        duration: rounded(text.duration),
        text: lines(text),
        segments: segments.collect(),
        detected_language: language_name(&text.language),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_supported_is_refused_unless_it_is_off() {
        let refused = |name: &str, value: &str| {
            let fields = [(name.to_owned(), value.to_owned())];
            Fields(&fields).refuse(&UNSUPPORTED).is_err()
        };
        for (name, value) in [
            ("offset_t", "500"),
            ("max_len", "40"),
            ("tinydiarize", "true"),
        ] {
            assert!(refused(name, value), "{name}={value}");
        }
        for (name, value) in [
            ("offset_t", "0"),
            ("max_len", "0.0"),
            ("tinydiarize", "false"),
        ] {
            assert!(!refused(name, value), "{name}={value}");
        }
        assert!(!refused("temperature", "0.4"));
    }
}
