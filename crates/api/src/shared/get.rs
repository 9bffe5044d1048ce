//! `GET /api/v1/shared/{token}`: a shared text.

use axum::extract::State;
use axum::http::{HeaderMap, header};
use jiff::Timestamp;
use serde::Serialize;
use slovo_app::auth::ClientAddress;
use slovo_app::http::{Document, Json, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::edits;
use slovo_db::texts::projection::{self, HistoryPoint};
use slovo_platform::clock::from_ms;
use slovo_rules::share::ShareRights;
use slovo_rules::transcript::rounded;
use slovo_transcripts::exports;
use slovo_transcripts::shares::{SharedMedia, SharedMediaLinks, Visit};
use utoipa::ToSchema;

use super::text::SharedText;

/// A shared text.
#[derive(Serialize, ToSchema)]
pub(super) struct SharedTranscript {
    /// Title of the recording.
    title: String,
    /// Duration of the recording in seconds.
    duration: f64,
    /// Language of the speech.
    language: String,
    /// Whether the recording has video.
    has_video: bool,
    /// Index of the audio track that was transcribed; null means the file's default track.
    audio_track: Option<u32>,
    /// Whether the link includes the recording.
    with_media: bool,
    /// Whether the words include their confidence.
    with_confidence: bool,
    /// Whether the times of segments are displayed, according to the job's settings. The times
    /// themselves are always included, because a player needs them.
    with_times: bool,
    /// What visitors may do.
    rights: ShareRights,
    /// When the link stops working; null if it does not expire.
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
    /// Whether this visit has an edit to undo. Absent unless the link allows editing.
    #[serde(skip_serializing_if = "Option::is_none")]
    can_undo: Option<bool>,
    /// The current text.
    transcript: SharedText,
    /// Path and query of the recording for a player. It is valid as long as the grant.
    media_url: Option<String>,
    /// Path of the waveform, valid for the same time.
    waveform_url: Option<String>,
    /// For the header `Share-Grant` of this visit's further requests. It is valid for six hours
    /// after the start of the visit, but no longer than the link, and until the link's password is
    /// changed.
    grant: String,
}

/// Returns the transcript behind a share link. If the link has a password, a grant from
/// `POST /shared/{token}/unlock` is required. Requests with one grant count as one opening for half an
/// hour.
#[utoipa::path(get, path = "/shared/{token}", tag = "shares", operation_id = "get_shared",
    security(()), params(("token" = String, Path, description = "From the link"),
        ("Share-Grant" = Option<String>, Header, description = "From an earlier answer")),
    responses(
        (status = OK, body = SharedTranscript),
        (status = FORBIDDEN, body = Document, description = "share_password_required"),
        (status = NOT_FOUND, body = Document, description = "not_found: unknown, withdrawn or \
            expired"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Result<Json<SharedTranscript>, Problem> {
    state.limits.share(address)?;
    let visit = super::visit(&state, &token, &headers).await?;
    let mut connection = state.db.read().await?;
    let text = projection::read(&mut connection, visit.job.id, HistoryPoint::default()).await?;
    let text = text.ok_or_else(Problem::not_found)?;
    let can_undo = if visit.share.rights.edits() {
        let (version, client) = (i64::from(text.version), visit.grant.visit);
        let steps = edits::steps(&mut connection, visit.job.id, version, client).await?;
        Some(steps.undo.is_some())
    } else {
        None
    };
    drop(connection);
    let agent = headers.get(header::USER_AGENT);
    let agent = agent.and_then(|agent| agent.to_str().ok());
    let sharing = state.sharing();
    sharing
        .record_opening(&visit, agent.unwrap_or_default())
        .await?;
    let signed_token = media_token(&state, &visit)?;
    let link_to = |what: &str| {
        Some(format!(
            "/api/v1/shared/{what}/{}",
            signed_token.as_deref()?
        ))
    };
    let (media_url, waveform_url) = (link_to("media"), link_to("waveform"));
    let Visit {
        share, job, token, ..
    } = visit;
    Ok(Json(SharedTranscript {
        title: exports::title(&job).to_owned(),
        duration: rounded(text.duration),
        language: text.language.clone(),
        has_video: job.has_video,
        audio_track: job.audio_track,
        with_media: share.with_media,
        with_confidence: share.with_confidence,
        with_times: job.plan.sentence_times,
        rights: share.rights,
        expires_at: share.expires_at.map(from_ms),
        can_undo,
        transcript: SharedText::of(text, &share),
        media_url,
        waveform_url,
        grant: token,
    }))
}

/// The token for the recording, if the link includes it.
fn media_token(state: &AppState, visit: &Visit) -> Result<Option<String>, Problem> {
    if !visit.share.with_media {
        return Ok(None);
    }
    let right = SharedMedia {
        share: visit.share.id,
        password: visit.grant.password,
    };
    let token = SharedMediaLinks::new(&state.secret).issue(&right, visit.grant.until);
    token.map(Some).map_err(Problem::internal)
}
