//! `GET /api/v1/uploads/{id}`: the upload as JSON.

use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;
use slovo_db::jobs::uploads::{self, Media, Upload};
use slovo_platform::clock::from_ms;
use slovo_rules::upload::UploadKind;
use slovo_uploads::UploadError;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Error;
use crate::faults::FaultBody;

/// An upload.
#[derive(Serialize, ToSchema)]
pub struct UploadState {
    /// Its id.
    pub upload_id: Uuid,
    /// The name it was sent with, cleaned.
    pub filename: String,
    /// Where its bytes come from.
    pub kind: UploadKind,
    /// Bytes it has or will have; not known while its length is put off.
    pub size: Option<u64>,
    /// Bytes that are stored.
    pub stored: u64,
    /// Whether they are all there.
    pub complete: bool,
    /// What is in it, once it is complete.
    pub media: Option<UploadMedia>,
    /// Why it was refused.
    pub error: Option<FaultBody>,
    /// When it began.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

impl From<Upload> for UploadState {
    fn from(upload: Upload) -> Self {
        Self {
            complete: upload.is_complete(),
            upload_id: upload.id,
            filename: upload.filename,
            kind: upload.kind,
            size: upload.length.bytes(),
            stored: upload.stored,
            media: upload.media.map(UploadMedia::from),
            error: upload.problem.map(FaultBody::from),
            created_at: from_ms(upload.created_at),
        }
    }
}

/// What is in a recording.
#[derive(Serialize, ToSchema)]
pub struct UploadMedia {
    /// Container by its bytes.
    pub container: String,
    /// Audio codec.
    pub codec: String,
    /// Seconds, as the file says.
    pub duration: Option<f64>,
    /// Audio tracks.
    pub tracks: u32,
    /// Channels of the track that is taken when nobody chooses one.
    pub channels: u32,
    /// The audio tracks one by one.
    pub audio_tracks: Vec<AudioTrack>,
}

/// An audio track of a recording, as its header describes it.
#[derive(Serialize, ToSchema)]
pub struct AudioTrack {
    /// Place among the audio tracks, from 0: what a job names as `audio_track`.
    pub index: u32,
    /// Codec, lower case.
    pub codec: String,
    /// Language tag as the file has it, for example `uk` or `ukr`.
    pub language: Option<String>,
    /// The name that the file gives it.
    pub title: Option<String>,
    /// Channels, 0 where unknown.
    pub channels: u32,
    /// Hz, 0 where unknown.
    pub sample_rate: u32,
    /// Whether the file marks it as one to play.
    pub default: bool,
}

impl From<uploads::AudioTrack> for AudioTrack {
    fn from(track: uploads::AudioTrack) -> Self {
        Self {
            index: track.index,
            codec: track.codec,
            language: track.language,
            title: track.title,
            channels: track.channels,
            sample_rate: track.sample_rate,
            default: track.default,
        }
    }
}

impl From<Media> for UploadMedia {
    fn from(media: Media) -> Self {
        Self {
            container: media.container,
            codec: media.codec,
            duration: media.duration,
            tracks: media.tracks,
            channels: media.channels,
            audio_tracks: media.audio_tracks.into_iter().map(Into::into).collect(),
        }
    }
}

/// Returns the progress of an upload and what the file contains.
#[utoipa::path(get, path = "/uploads/{id}", tag = "uploads", operation_id = "get_upload",
    params(("id" = String, Path, description = "Upload id")),
    responses(
        (status = OK, body = UploadState),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = GONE, body = Document, description = "upload_expired"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<UploadState>, Error> {
    let upload = state.uploads.find(&caller.user_id, id).await?;
    if upload.problem.is_some() || !upload.is_complete() {
        return Ok(Json(upload.into()));
    }
    // The server may have stopped between the last byte and the inspection of the file.
    match state.uploads.inspect(upload.clone()).await {
        Ok(upload) => Ok(Json(upload.into())),
        Err(UploadError::Refused(fault)) => {
            let refused = Upload {
                problem: Some(fault),
                ..upload
            };
            Ok(Json(refused.into()))
        }
        Err(error) => Err(error.into()),
    }
}
