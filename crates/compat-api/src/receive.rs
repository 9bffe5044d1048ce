//! Reads a form whose recording is stored as an upload while it arrives.

use std::task::{Poll, ready};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::multipart::{Field, Multipart, MultipartError};
use axum::http::StatusCode;
use futures_util::stream::{empty, poll_fn};
use slovo_app::auth::Caller;
use slovo_app::http::Problem;
use slovo_app::state::AppState;
use slovo_db::jobs::uploads::{NewUpload, Upload};
use slovo_rules::codes::ProblemCode;
use slovo_rules::upload::{UploadKind, display_name};
use slovo_uploads::{Body, ChunkRequest, LIFETIME_MS, UploadError};
use tokio::sync::mpsc;
use tokio::time::timeout;
use uuid::Uuid;

/// Maximum number of fields of a form besides the recording.
const MAX_FIELDS: usize = 200;
/// Maximum total length of their values, in bytes.
const MAX_TEXT: usize = 1024 * 1024;
/// Pieces of the recording that wait for the disk.
const WAITING_PIECES: usize = 4;
/// How long the rest of a refused recording is read: a connection that is closed with unread bytes
/// is reset, and the client would lose the answer.
const DRAIN_TIME: Duration = Duration::from_secs(2);
/// Name of a recording without a usable one.
const NAMELESS: &str = "recording";

/// A form.
#[derive(Debug)]
pub(crate) struct ReceivedForm {
    /// The fields besides the recording, in their order.
    pub fields: Vec<(String, String)>,
    /// The recording.
    pub recording: Option<StoredRecording>,
}

/// A stored recording, which is removed again unless a job takes it.
pub(crate) struct StoredRecording {
    state: AppState,
    user_id: String,
    id: Uuid,
    is_taken: bool,
}

impl std::fmt::Debug for StoredRecording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredRecording")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl StoredRecording {
    /// Id of the upload.
    pub(crate) const fn id(&self) -> Uuid {
        self.id
    }

    /// Keeps the recording: it belongs to a job now.
    pub(crate) fn take(mut self) {
        self.is_taken = true;
    }
}

impl Drop for StoredRecording {
    fn drop(&mut self) {
        if self.is_taken {
            return;
        }
        let (state, user_id, id) = (self.state.clone(), self.user_id.clone(), self.id);
        self.state.tasks.spawn(async move {
            match state.uploads.terminate(&user_id, id).await {
                Ok(()) | Err(UploadError::NotFound) => {}
                // It is removed when it expires.
                Err(error) => tracing::warn!(%error, upload = %id, "an upload is left over"),
            }
        });
    }
}

/// Reads a form; `recording` is the name of the field with the file. Fields may come in any order.
///
/// # Errors
/// The form cannot be read, or the recording cannot be stored; nothing is left of it then.
pub(crate) async fn receive(
    state: &AppState,
    caller: &Caller,
    mut form: Multipart,
    recording: &str,
) -> Result<ReceivedForm, Problem> {
    let mut received = ReceivedForm {
        fields: Vec::new(),
        recording: None,
    };
    let mut room = MAX_TEXT;
    while let Some(field) = form
        .next_field()
        .await
        .map_err(|error| unreadable(&error))?
    {
        let name = field.name().unwrap_or_default().to_owned();
        if name == recording {
            if received.recording.is_some() {
                return Err(malformed(format!("There are several fields {recording}.")));
            }
            received.recording = Some(store(state, caller, field).await?);
        } else {
            if received.fields.len() == MAX_FIELDS {
                return Err(too_large());
            }
            let value = text(field, &mut room).await?;
            received.fields.push((name, value));
        }
    }
    Ok(received)
}

async fn text(mut field: Field<'_>, room: &mut usize) -> Result<String, Problem> {
    let mut bytes = Vec::new();
    while let Some(piece) = field.chunk().await.map_err(|error| unreadable(&error))? {
        *room = room.checked_sub(piece.len()).ok_or_else(too_large)?;
        bytes.extend_from_slice(&piece);
    }
    String::from_utf8(bytes).map_err(|_| malformed("A field is not UTF-8."))
}

async fn store(
    state: &AppState,
    caller: &Caller,
    field: Field<'_>,
) -> Result<StoredRecording, Problem> {
    let now = state.clock.now_ms();
    let filename = field.file_name().and_then(display_name);
    let id: Uuid = state.new_id().parse().map_err(anyhow::Error::from)?;
    let upload = NewUpload {
        id,
        user_id: caller.user_id.clone(),
        filename: filename.unwrap_or_else(|| NAMELESS.to_owned()),
        content_type: String::new(),
        kind: UploadKind::File,
        size: None,
        created_at: now,
        expires_at: now + LIFETIME_MS,
    };
    state.uploads.create(upload).await.map_err(upload_problem)?;
    let stored = StoredRecording {
        state: state.clone(),
        user_id: caller.user_id.clone(),
        id,
        is_taken: false,
    };
    let (pieces, waiting) = mpsc::channel(WAITING_PIECES);
    let written = append(
        state,
        caller,
        id,
        ChunkRequest::default(),
        arriving(waiting),
    );
    let (written, sent) = tokio::join!(written, send(field, pieces));
    let written = written.map_err(upload_problem)?;
    sent?;
    // The length is known only now.
    let end = ChunkRequest {
        offset: written.stored,
        announced: Some(0),
        length: Some(written.stored),
        ..ChunkRequest::default()
    };
    let nothing = empty::<Result<Bytes, BrokenOff>>();
    match append(state, caller, id, end, nothing).await {
        // Complete, but the file could not be inspected; that happens when the job takes it.
        Ok(_) | Err(UploadError::Unready(_)) => Ok(stored),
        Err(error) => Err(upload_problem(error)),
    }
}

async fn append(
    state: &AppState,
    caller: &Caller,
    id: Uuid,
    piece: ChunkRequest,
    body: impl Body,
) -> Result<Upload, UploadError> {
    let appended = state.uploads.append(&caller.user_id, id, piece, body);
    appended.await
}

fn upload_problem(error: UploadError) -> Problem {
    slovo_api::jobs::creation::Error::from(error).into()
}

/// A message to the task that writes the recording.
enum Piece {
    Bytes(Bytes),
    /// The recording is complete.
    End,
}

/// The client has gone, or its form cannot be read any further.
struct BrokenOff;

/// Passes the recording on. A field borrows the form, so it cannot be written by another task.
async fn send(mut field: Field<'_>, pieces: mpsc::Sender<Piece>) -> Result<(), Problem> {
    while let Some(piece) = field.chunk().await.map_err(|error| unreadable(&error))? {
        if pieces.send(Piece::Bytes(piece)).await.is_err() {
            let rest = async { while let Ok(Some(_)) = field.chunk().await {} };
            let _ = timeout(DRAIN_TIME, rest).await;
            return Ok(());
        }
    }
    let _ = pieces.send(Piece::End).await;
    Ok(())
}

/// The pieces as the body of an upload. Without [`Piece::End`] it is broken off.
fn arriving(mut pieces: mpsc::Receiver<Piece>) -> impl Body {
    let mut is_over = false;
    poll_fn(move |context| {
        if is_over {
            return Poll::Ready(None);
        }
        let piece = ready!(pieces.poll_recv(context));
        let Some(Piece::Bytes(bytes)) = piece else {
            is_over = true;
            let broken = piece.is_none().then_some(Err(BrokenOff));
            return Poll::Ready(broken);
        };
        Poll::Ready(Some(Ok::<Bytes, BrokenOff>(bytes)))
    })
}

fn unreadable(error: &MultipartError) -> Problem {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return too_large();
    }
    malformed(error.body_text())
}

fn malformed(detail: impl Into<String>) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, ProblemCode::UnreadableBody).detail(detail)
}

fn too_large() -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, ProblemCode::BodyTooLarge)
        .detail("The fields besides the recording are too many or too long.")
}
