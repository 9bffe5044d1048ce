//! `GET /api/v1/shared/{token}`: a text that is shared.

use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use slovo_db::projection::{self, Point};
use slovo_db::shares::{self as rows, Share};
use slovo_rules::edit::EditedTranscript;
use slovo_rules::transcript::rounded;
use utoipa::ToSchema;

use crate::auth::ClientAddress;
use crate::clock::from_ms;
use crate::exports::stem;
use crate::http::{Document, Json, Path, Problem};
use crate::shares::{self, MEDIA_SECONDS, SharedMedia, SharedMediaLinks};
use crate::state::AppState;

/// A shared text.
#[derive(Serialize, ToSchema)]
pub(super) struct SharedTranscript {
    /// What the recording is called.
    title: String,
    /// Seconds of the recording.
    duration: f64,
    /// Language of the speech.
    language: String,
    /// Whether the recording has pictures.
    has_video: bool,
    /// Which of the recording's audio tracks the text is of; null is its default one.
    audio_track: Option<u32>,
    /// Whether the recording can be heard.
    with_media: bool,
    /// Whether readers are shown when each segment is said, as the transcription was asked for. The
    /// times themselves are in the text in any case: a player needs them.
    with_times: bool,
    /// When the link stops working; null: when it is withdrawn.
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
    /// The text as it reads now, without the name of the model and without warnings.
    transcript: EditedTranscript,
    /// Path and query of the recording for a player. Works for six hours, or as long as the link.
    media_url: Option<String>,
    /// Path of the shape of its sound. Works as long.
    waveform_url: Option<String>,
}

/// Returns the transcript behind a share link.
#[utoipa::path(get, path = "/shared/{token}", tag = "shares", operation_id = "get_shared",
    security(()), params(("token" = String, Path, description = "From the link")),
    responses(
        (status = OK, body = SharedTranscript),
        (status = NOT_FOUND, body = Document, description = "not_found: unknown, withdrawn or \
            expired"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Path(token): Path<String>,
) -> Result<Json<SharedTranscript>, Problem> {
    state.limits.share(address)?;
    let opened = shares::opened(&state, &token).await?;
    let (share, job) = opened.ok_or_else(Problem::not_found)?;
    let mut connection = state.db.read().await?;
    let text = projection::read(&mut connection, job.id, Point::default()).await?;
    drop(connection);
    let mut transcript = text.ok_or_else(Problem::not_found)?;
    transcript.model.clear();
    transcript.warnings.clear();
    let mut transaction = state.db.write().await?;
    rows::count_opening(&mut transaction, share.id, state.clock.now_ms()).await?;
    transaction.commit().await?;
    let heard = media_token(&state, &share)?;
    let at = |what: &str| Some(format!("/api/v1/shared/{what}/{}", heard.as_deref()?));
    Ok(Json(SharedTranscript {
        title: stem(&job.original_filename).to_owned(),
        duration: rounded(transcript.duration),
        language: transcript.language.clone(),
        has_video: job.has_video,
        audio_track: job.audio_track,
        with_media: share.with_media,
        with_times: job.settings.sentence_level_timestamps,
        expires_at: share.expires_at.map(from_ms),
        transcript,
        media_url: at("media"),
        waveform_url: at("waveform"),
    }))
}

/// The right to the recording, if the link gives it.
fn media_token(state: &AppState, share: &Share) -> Result<Option<String>, Problem> {
    if !share.with_media {
        return Ok(None);
    }
    let until = state.clock.now().as_second() + MEDIA_SECONDS;
    let ends = share.expires_at.map(|expires| from_ms(expires).as_second());
    let until = ends.map_or(until, |ends| ends.min(until));
    let right = SharedMedia { share: share.id };
    let token = SharedMediaLinks::new(&state.secret).issue(&right, until);
    token.map(Some).map_err(Problem::internal)
}
