//! `GET /api/v1/uploads/{id}`: the upload as data.

use axum::extract::State;
use serde::Serialize;
use slovo_db::uploads::{Fault, Media, Upload};
use utoipa::ToSchema;
use uuid::Uuid;

use super::Error;
use crate::api::jobs::FaultBody;
use crate::auth::Caller;
use crate::http::{Document, Json, Path};
use crate::state::AppState;
use crate::uploads::UploadError;

/// An upload.
#[derive(Serialize, ToSchema)]
pub struct UploadState {
    /// Its id.
    pub upload_id: Uuid,
    /// The name it was sent with, cleaned.
    pub filename: String,
    /// Bytes it has or will have.
    pub size: u64,
    /// Bytes that are stored.
    pub offset: u64,
    /// Whether they are all there.
    pub complete: bool,
    /// What is in it, once it is complete.
    pub media: Option<UploadMedia>,
    /// Why it was refused.
    pub error: Option<FaultBody>,
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
    /// Channels of the track that is taken.
    pub channels: u32,
}

impl From<Media> for UploadMedia {
    fn from(media: Media) -> Self {
        Self {
            container: media.container,
            codec: media.codec,
            duration: media.duration,
            tracks: media.tracks,
            channels: media.channels,
        }
    }
}

/// Says how far an upload is and what is in it.
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
    if upload.problem.is_some() || upload.stored < upload.size {
        return Ok(Json(shown(upload)));
    }
    // The server may have been stopped between the last byte and the look into the file.
    match state.uploads.inspect(upload.clone()).await {
        Ok(upload) => Ok(Json(shown(upload))),
        Err(UploadError::Refused(fault)) => Ok(Json(shown(Upload {
            problem: Some(fault),
            ..upload
        }))),
        Err(error) => Err(error.into()),
    }
}

fn shown(upload: Upload) -> UploadState {
    let complete = upload.stored == upload.size;
    UploadState {
        upload_id: upload.id,
        filename: upload.filename,
        size: upload.size,
        offset: upload.stored,
        complete,
        media: upload.media.map(UploadMedia::from),
        error: upload
            .problem
            .map(|Fault { code, params }| FaultBody { code, params }),
    }
}
