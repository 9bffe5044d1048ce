//! `POST /v1/audio/transcriptions` and `POST /v1/audio/translations`.

use axum::extract::State;
use axum::extract::multipart::{Multipart, MultipartRejection};
use axum::http::HeaderMap;
use axum::response::Response;
use slovo_api::jobs::idempotency::IdempotencyKey;
use slovo_app::auth::Caller;
use slovo_app::state::AppState;
use slovo_export::Format;
use slovo_work::speech_endpoint::RELAYED;

use super::answer::{Transcription, answer};
use super::error::ErrorBody;
use super::form::{self, FormSchema, ResponseFormat, Task};
use super::known_speakers::{KnownSpeakers, REFERENCES};
use super::stream;
use crate::receive::{FilePart, ReceivedForm, receive};
use crate::refusal::Refusal;
use crate::relayed::check_not_sent_on;
use crate::run::start;
use crate::text_files::check_format;

/// Transcribes a recording. The answer comes when the text is there, or as events while it is
/// recognised; the transcription stays in the library.
#[utoipa::path(post, path = "/v1/audio/transcriptions", tag = "openai",
    operation_id = "openai_transcribe",
    request_body(content = FormSchema, content_type = "multipart/form-data"),
    responses(
        (status = OK, body = Transcription),
        (status = BAD_REQUEST, body = ErrorBody, description = "A field cannot be used"),
        (status = UNAUTHORIZED, body = ErrorBody, description = "invalid_api_key"),
        (status = FORBIDDEN, body = ErrorBody, description = "The key or the plan lacks something"),
        (status = PAYLOAD_TOO_LARGE, body = ErrorBody, description = "upload_too_large"),
        (status = TOO_MANY_REQUESTS, body = ErrorBody, description = "rate_limit_exceeded, \
            insufficient_quota"),
    ))]
pub(super) async fn transcribe(
    State(state): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    headers: HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Response, Refusal> {
    run(&state, &caller, (key, &headers), form, Task::Transcribe).await
}

/// Translates a recording into English.
#[utoipa::path(post, path = "/v1/audio/translations", tag = "openai",
    operation_id = "openai_translate",
    request_body(content = FormSchema, content_type = "multipart/form-data"),
    responses(
        (status = OK, body = Transcription),
        (status = BAD_REQUEST, body = ErrorBody, description = "A field cannot be used"),
        (status = UNAUTHORIZED, body = ErrorBody, description = "invalid_api_key"),
        (status = FORBIDDEN, body = ErrorBody, description = "The key or the plan lacks something"),
        (status = PAYLOAD_TOO_LARGE, body = ErrorBody, description = "upload_too_large"),
        (status = TOO_MANY_REQUESTS, body = ErrorBody, description = "rate_limit_exceeded, \
            insufficient_quota"),
    ))]
pub(super) async fn translate(
    State(state): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    headers: HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Response, Refusal> {
    run(&state, &caller, (key, &headers), form, Task::Translate).await
}

async fn run(
    state: &AppState,
    caller: &Caller,
    (key, headers): (IdempotencyKey, &HeaderMap),
    form: Result<Multipart, MultipartRejection>,
    task: Task,
) -> Result<Response, Refusal> {
    let received = receive(state, caller, form, part()).await?;
    let ReceivedForm { fields, recording } = received;
    let repeat = key.of(&(task.name(), &fields))?;
    let form = form::read(state, &fields, task)?;
    if headers.contains_key(RELAYED) {
        check_not_sent_on(state, caller, &form.request).await?;
    }
    let recording = recording.ok_or_else(|| Refusal::missing("file"))?;
    let format = match form.format {
        ResponseFormat::Srt => Some(Format::Srt),
        ResponseFormat::Vtt => Some(Format::Vtt),
        ResponseFormat::Json
        | ResponseFormat::Text
        | ResponseFormat::VerboseJson
        | ResponseFormat::DiarizedJson => None,
    };
    check_format(state, caller, format).await?;
    let known = KnownSpeakers::receive(state, caller, &fields, form.request.diarize).await?;
    // They may hold megabytes of samples, and recognition may take hours.
    drop(fields);
    let running = start(state, caller, recording, &form.request, repeat).await?;
    if form.stream {
        return Ok(stream::respond(form, running, known));
    }
    let done = known.name(running.finish().await?).await?;
    answer(&form, done).await
}

/// The parts of the form that are recordings.
fn part() -> FilePart {
    FilePart {
        samples: Some(REFERENCES),
        ..FilePart::file("file")
    }
}
