//! `POST /api/v1/uploads`: creates an upload, optionally with its first bytes.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Problem};
use slovo_app::state::AppState;
use slovo_db::jobs::uploads::NewUpload;
use slovo_rules::upload::{UploadKind, display_name};
use slovo_uploads::checksum::ChecksumHasher;
use slovo_uploads::{ChunkRequest, UploadError, lifetime_ms};

use super::{Error, check_size, content_length, or_of_file, position, tus};

/// Display name of a file without a usable name.
const NAMELESS: &str = "recording";
/// Maximum length of a stored MIME type; RFC 6838 allows 127 characters on each side of the slash.
const MAX_CONTENT_TYPE: usize = 255;

/// Starts an upload of `Upload-Length` bytes, or of a length that a later PATCH gives
/// (`Upload-Defer-Length: 1`). `Upload-Metadata` may have `filename` and `filetype`, which don't
/// decide what the file is, and `kind`: `file`, or `voice` for a recording that can't be made again
/// and is kept longer.
#[utoipa::path(post, path = "/uploads", tag = "uploads", operation_id = "create_upload",
    params(
        ("Tus-Resumable" = String, Header, description = "1.0.0"),
        ("Upload-Length" = Option<u64>, Header, description = "Bytes the file has"),
        ("Upload-Defer-Length" = Option<u64>, Header, description = "1 in place of \
            Upload-Length: a PATCH will tell it"),
        ("Upload-Metadata" = Option<String>, Header, description = "filename, filetype, kind: \
            base64 after the key, pairs separated by commas"),
    ),
    responses(
        (status = CREATED, description = "Location names the upload"),
        (status = BAD_REQUEST, body = Document, description = "tus_header_invalid"),
        (status = FORBIDDEN, body = Document, description = "recording_off: kind is voice"),
        (status = PRECONDITION_FAILED, body = Document, description = "tus_version"),
        (status = PAYLOAD_TOO_LARGE, body = Document, description = "upload_too_large"),
        (status = UNSUPPORTED_MEDIA_TYPE, body = Document, description = "unsupported_media, \
            with the first bytes in this request; unsupported_media_type"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = or_of_file("validation_failed, \
            upload_refused")),
        (status = TOO_MANY_REQUESTS, body = Document, description = "too_many_uploads"),
        (status = 460, body = Document, description = "checksum_mismatch"),
        (status = INSUFFICIENT_STORAGE, body = Document, description = "storage_full"),
    ))]
pub(super) async fn create(
    State(state): State<AppState>,
    caller: Caller,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, HeaderMap), Error> {
    tus::require_version(&headers)?;
    let size = tus::creation_length(&headers)?;
    let metadata = tus::metadata(&headers)?;
    let kind = match metadata.get("kind") {
        None => UploadKind::File,
        Some(name) => {
            UploadKind::parse(name).ok_or(tus::HeaderError::Invalid("Upload-Metadata"))?
        }
    };
    let checksum = tus::checksum(&headers)?;
    if let Some(size) = size {
        check_size(&state, size).await?;
    }
    let switches = state.settings.current().await?.switches;
    if kind == UploadKind::Voice && !switches.recording {
        return Err(Error::RecordingOff);
    }
    let brings_bytes = content_length(&headers).map_or_else(
        || headers.contains_key(header::TRANSFER_ENCODING),
        |bytes| bytes > 0,
    );
    if brings_bytes {
        tus::require_content_type(&headers)?;
    }

    let now = state.clock.now_ms();
    let given_name = metadata.get("filename").or_else(|| metadata.get("name"));
    let filename = given_name.and_then(|name| display_name(name));
    let content_type = metadata.get("filetype").or_else(|| metadata.get("type"));
    let upload = NewUpload {
        id: state
            .new_id()
            .parse()
            .map_err(|error| Error::Internal(Problem::internal(error)))?,
        user_id: caller.user_id.clone(),
        filename: filename.unwrap_or_else(|| NAMELESS.to_owned()),
        content_type: content_type.map(|text| printable(text)).unwrap_or_default(),
        kind,
        size,
        created_at: now,
        expires_at: now + lifetime_ms(kind),
    };
    let mut created = state.uploads.create(upload).await?;
    if brings_bytes {
        let piece = ChunkRequest {
            announced: content_length(&headers),
            checksum: checksum.map(ChecksumHasher::new),
            ..ChunkRequest::default()
        };
        let id = created.id;
        let uploads = &state.uploads;
        let appended = uploads
            .append(&caller.user_id, id, piece, body.into_data_stream())
            .await;
        created = match appended {
            Ok(upload) => upload,
            // Complete, but the file could not be inspected; that happens when a job takes it.
            Err(UploadError::Unready(error)) => {
                tracing::warn!(upload = %id, %error, "accepted without inspection");
                state.uploads.find(&caller.user_id, id).await?
            }
            Err(error) => {
                // The client never learns the id, so the upload must be removed.
                state.uploads.terminate(&caller.user_id, id).await?;
                return Err(error.into());
            }
        };
    }
    let mut answer = position(&created);
    let location = format!("/api/v1/uploads/{}", created.id);
    let location = HeaderValue::try_from(location);
    let location = location.map_err(|error| Error::Internal(Problem::internal(error)))?;
    answer.insert(header::LOCATION, location);
    Ok((StatusCode::CREATED, answer))
}

/// The MIME type, reduced to characters that can be displayed and sent in a header.
fn printable(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_ascii_graphic() || *c == ' ')
        .take(MAX_CONTENT_TYPE)
        .collect()
}
