//! `GET /api/v1/uploads/{id}`: the upload as JSON.

use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;
use slovo_db::jobs::uploads::Upload;
use slovo_platform::clock::from_ms;
use slovo_rules::media::{self, Media};
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
    /// The sanitised file name.
    pub filename: String,
    /// The source of its bytes.
    pub kind: UploadKind,
    /// Its total size in bytes; null while its length is deferred.
    pub size: Option<u64>,
    /// Number of stored bytes.
    pub stored: u64,
    /// Whether all bytes are stored.
    pub complete: bool,
    /// The content, once it is complete.
    pub media: Option<UploadMedia>,
    /// Why it was refused.
    pub error: Option<FaultBody>,
    /// When it was started.
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

/// The content of a recording.
#[derive(Serialize, ToSchema)]
pub struct UploadMedia {
    /// Container, detected from the bytes.
    pub container: String,
    /// Audio codec.
    pub codec: String,
    /// Duration in seconds, according to the file.
    pub duration: Option<f64>,
    /// Number of audio tracks.
    pub tracks: u32,
    /// Number of channels of the default track.
    pub channels: u32,
    /// The audio tracks.
    pub audio_tracks: Vec<AudioTrack>,
}

/// An audio track of a recording, as described in its header.
#[derive(Serialize, ToSchema)]
pub struct AudioTrack {
    /// Its index among the audio tracks, from 0, which a job uses as `audio_track`.
    pub index: u32,
    /// Codec, in lower case.
    pub codec: String,
    /// Language tag in the file, for example `uk` or `ukr`.
    pub language: Option<String>,
    /// Its title in the file.
    pub title: Option<String>,
    /// Number of channels; 0 if unknown.
    pub channels: u32,
    /// Sample rate in Hz; 0 if unknown.
    pub sample_rate: u32,
    /// Whether the file marks it as a default track.
    pub default: bool,
}

impl From<media::AudioTrack> for AudioTrack {
    fn from(track: media::AudioTrack) -> Self {
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
