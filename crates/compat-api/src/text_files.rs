//! Texts and subtitles as files.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use slovo_app::auth::Caller;
use slovo_app::http::Problem;
use slovo_app::state::AppState;
use slovo_export::{Format, Options};
use slovo_rules::export::ExportLayout;
use slovo_rules::subtitles::SubtitleOptions;
use slovo_transcripts::exports::{self, Failure};
use slovo_work::minutes;

use crate::recognised_text::whole;
use crate::refusal::Refusal;
use crate::run::Recognised;

/// Checks that the plan includes the format of the answer, before minutes are used.
///
/// # Errors
/// It does not.
pub(crate) async fn check_format(
    state: &AppState,
    caller: &Caller,
    format: Option<Format>,
) -> Result<(), Refusal> {
    let Some(format) = format else { return Ok(()) };
    let now = state.clock.now_ms();
    let mut connection = state.db.read().await.map_err(Problem::from)?;
    let checked = minutes::check_export(&mut connection, &caller.user_id, format, now).await;
    checked.map_err(|error| Problem::from(error).into())
}

/// A body of this media type.
pub(crate) fn body(kind: &'static str, body: impl IntoResponse) -> Response {
    let mut response = body.into_response();
    let kind = HeaderValue::from_static(kind);
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

/// The text on one line.
pub(crate) fn plain(done: &Recognised) -> Response {
    body("text/plain; charset=utf-8", whole(&done.text) + "\n")
}

/// The text as subtitles.
///
/// # Errors
/// They cannot be made.
pub(crate) async fn subtitles(
    format: Format,
    has_speakers: bool,
    done: Recognised,
) -> Result<Response, Refusal> {
    let options = Options {
        speakers: has_speakers,
        timestamps: true,
        words: false,
        subtitles: SubtitleOptions::NONE,
        layout: ExportLayout::Paragraphs,
    };
    let made = exports::make(format, options, &done.job, done.text).await;
    let file = made.map_err(|failure| match failure {
        Failure::Export(error) => anyhow::Error::from(error),
        Failure::Internal(error) => error,
    });
    let file = file.map_err(|error| Refusal::from(Problem::internal(error)))?;
    Ok(body(format.mime(), file))
}
