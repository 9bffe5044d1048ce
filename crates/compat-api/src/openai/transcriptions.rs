//! `POST /v1/audio/transcriptions` and `POST /v1/audio/translations`.

use axum::extract::State;
use axum::extract::multipart::{Multipart, MultipartRejection};
use axum::http::StatusCode;
use axum::response::Response;
use slovo_api::jobs::idempotency::IdempotencyKey;
use slovo_app::auth::Caller;
use slovo_app::http::Problem;
use slovo_app::state::AppState;
use slovo_export::Format;
use slovo_rules::codes::ProblemCode;
use slovo_work::minutes;

use super::answer::{Transcription, answer};
use super::error::{ErrorBody, OpenAiError};
use super::form::{self, AudioForm, FormSchema, ResponseFormat, Task};
use super::stream;
use crate::receive::receive;
use crate::run::start;

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
        (status = NOT_FOUND, body = ErrorBody, description = "model_not_found"),
        (status = PAYLOAD_TOO_LARGE, body = ErrorBody, description = "upload_too_large"),
        (status = TOO_MANY_REQUESTS, body = ErrorBody, description = "rate_limit_exceeded, \
            insufficient_quota"),
    ))]
pub(super) async fn transcribe(
    State(state): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Response, OpenAiError> {
    run(&state, &caller, key, form, Task::Transcribe).await
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
        (status = NOT_FOUND, body = ErrorBody, description = "model_not_found"),
        (status = PAYLOAD_TOO_LARGE, body = ErrorBody, description = "upload_too_large"),
        (status = TOO_MANY_REQUESTS, body = ErrorBody, description = "rate_limit_exceeded, \
            insufficient_quota"),
    ))]
pub(super) async fn translate(
    State(state): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Response, OpenAiError> {
    run(&state, &caller, key, form, Task::Translate).await
}

async fn run(
    state: &AppState,
    caller: &Caller,
    key: IdempotencyKey,
    form: Result<Multipart, MultipartRejection>,
    task: Task,
) -> Result<Response, OpenAiError> {
    let form = form.map_err(|rejection| {
        Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ProblemCode::UnsupportedMediaType,
        )
        .detail(rejection.body_text())
    })?;
    let received = receive(state, caller, form, "file").await?;
    let repeat = key.of(&(task.name(), &received.fields))?;
    let form = form::read(state, &received.fields, task)?;
    let recording = received.recording.ok_or_else(form::no_recording)?;
    check_format(state, caller, &form).await?;
    let running = start(state, caller, recording, &form.request, repeat).await?;
    if form.stream {
        return Ok(stream::respond(form, running));
    }
    let done = running.finish().await?;
    answer(&form, done).await
}

/// Checks that the plan includes the format of the answer, before minutes are used.
async fn check_format(
    state: &AppState,
    caller: &Caller,
    form: &AudioForm,
) -> Result<(), OpenAiError> {
    let format = match form.format {
        ResponseFormat::Srt => Format::Srt,
        ResponseFormat::Vtt => Format::Vtt,
        ResponseFormat::Json
        | ResponseFormat::Text
        | ResponseFormat::VerboseJson
        | ResponseFormat::DiarizedJson => return Ok(()),
    };
    let now = state.clock.now_ms();
    let mut connection = state.db.read().await.map_err(Problem::from)?;
    let checked = minutes::check_export(&mut connection, &caller.user_id, format, now).await;
    checked.map_err(|error| Problem::from(error).into())
}
