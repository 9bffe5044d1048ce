//! Stores a recording as an upload while it arrives, from whatever it arrives from.

use std::task::{Poll, ready};
use std::time::Duration;

use axum::body::Bytes;
use futures_util::stream::{empty, poll_fn};
use slovo_app::auth::Caller;
use slovo_app::http::Problem;
use slovo_app::state::AppState;
use slovo_db::jobs::uploads::{NewUpload, Upload};
use slovo_rules::upload::UploadKind;
use slovo_uploads::{Body, ChunkRequest, LIFETIME_MS, UploadError};
use tokio::sync::mpsc;
use tokio::time::timeout;
use uuid::Uuid;

use super::upload_problem;

/// Pieces of the recording that wait for the disk.
const WAITING_PIECES: usize = 4;
/// How long the rest of a refused recording is read: a connection that is closed with unread bytes
/// is reset, and the client would lose the answer.
pub const DRAIN_TIME: Duration = Duration::from_secs(2);
/// Name of a recording without a usable one.
const NAMELESS: &str = "recording";

/// A stored recording, which is removed again unless a job takes it.
pub struct StoredRecording {
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
    pub const fn id(&self) -> Uuid {
        self.id
    }

    /// Its upload, after its content was checked.
    ///
    /// # Errors
    /// It is not a recording, or cannot be opened now.
    pub async fn inspected(&self) -> Result<Upload, Problem> {
        let uploads = &self.state.uploads;
        let upload = uploads.usable(&self.user_id, self.id).await;
        let checked = uploads.inspect(upload.map_err(upload_problem)?).await;
        checked.map_err(upload_problem)
    }

    /// Keeps the recording: it belongs to a job now.
    pub fn take(mut self) {
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

/// A recording as it arrives.
pub trait Arriving: Send {
    /// Its next bytes; `None` at its end.
    fn piece(&mut self) -> impl Future<Output = Result<Option<Bytes>, Problem>> + Send;
}

/// Stores a recording while it arrives; `filename` is its name in the library.
///
/// # Errors
/// It breaks off, or cannot be stored; nothing is left of it then.
pub async fn receive_from(
    state: &AppState,
    caller: &Caller,
    filename: Option<String>,
    recording: impl Arriving,
) -> Result<StoredRecording, Problem> {
    let now = state.clock.now_ms();
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
    let stored = create(state, upload).await?;
    let (pieces, waiting) = mpsc::channel(WAITING_PIECES);
    let written = append(
        state,
        caller,
        id,
        ChunkRequest::default(),
        arriving(waiting),
    );
    let (written, sent) = tokio::join!(written, send(recording, pieces));
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

/// Creates an upload. If the client goes away meanwhile, it is still created, and then removed.
async fn create(state: &AppState, upload: NewUpload) -> Result<StoredRecording, Problem> {
    let stored = StoredRecording {
        state: state.clone(),
        user_id: upload.user_id.clone(),
        id: upload.id,
        is_taken: false,
    };
    let creation = state.tasks.spawn(async move {
        let created = stored.state.uploads.create(upload).await;
        created.map_err(upload_problem)?;
        Ok(stored)
    });
    creation.await.map_err(Problem::internal)?
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

/// A message to the task that writes the recording.
enum Piece {
    Bytes(Bytes),
    /// The recording is complete.
    End,
}

/// The client has gone, or its form cannot be read any further.
struct BrokenOff;

/// Passes the recording on.
async fn send(mut recording: impl Arriving, pieces: mpsc::Sender<Piece>) -> Result<(), Problem> {
    while let Some(piece) = recording.piece().await? {
        if pieces.send(Piece::Bytes(piece)).await.is_err() {
            let rest = async { while let Ok(Some(_)) = recording.piece().await {} };
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
