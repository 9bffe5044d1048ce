//! Stores a recording as an upload while it arrives: as a part of a form, as the body of a request, or
//! as the audio of another protocol.

use std::task::{Poll, ready};
use std::time::Duration;

use axum::body::{BodyDataStream, Bytes};
use axum::extract::multipart::{Field, Multipart, MultipartError, MultipartRejection};
use axum::http::StatusCode;
use futures_util::StreamExt as _;
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
/// Maximum total length of samples in fields, in bytes: 40 s of CD quality in base64.
const MAX_SAMPLES: usize = 12 * 1024 * 1024;
/// Pieces of the recording that wait for the disk.
const WAITING_PIECES: usize = 4;
/// How long the rest of a refused recording is read: a connection that is closed with unread bytes
/// is reset, and the client would lose the answer.
pub(crate) const DRAIN_TIME: Duration = Duration::from_secs(2);
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

    /// Its upload, after its content was checked.
    ///
    /// # Errors
    /// It is not a recording, or cannot be opened now.
    pub(crate) async fn inspected(&self) -> Result<Upload, Problem> {
        let uploads = &self.state.uploads;
        let upload = uploads.usable(&self.user_id, self.id).await;
        let checked = uploads.inspect(upload.map_err(upload_problem)?).await;
        checked.map_err(upload_problem)
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

/// The part of a form that is the recording.
#[derive(Clone, Debug)]
pub(crate) struct FilePart {
    /// Name of its field.
    pub field: &'static str,
    /// What comes before it.
    pub head: Head,
    /// Its name in the library; `None` for the name of the file.
    pub name: Option<String>,
    /// Field, or list of fields, whose values are short samples in base64.
    pub samples: Option<&'static str>,
}

impl FilePart {
    /// A file in this field.
    pub(crate) const fn file(field: &'static str) -> Self {
        Self {
            field,
            head: Head::None,
            name: None,
            samples: None,
        }
    }

    fn is_sample(&self, field: &str) -> bool {
        self.samples.is_some_and(|name| field.starts_with(name))
    }
}

/// Reads a form. Its fields may come in any order.
///
/// # Errors
/// The form cannot be read, or the recording cannot be stored; nothing is left of it then.
pub(crate) async fn receive(
    state: &AppState,
    caller: &Caller,
    form: Result<Multipart, MultipartRejection>,
    part: FilePart,
) -> Result<ReceivedForm, Problem> {
    let mut form = form.map_err(|rejection| {
        Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ProblemCode::UnsupportedMediaType,
        )
        .detail(rejection.body_text())
    })?;
    let mut received = ReceivedForm {
        fields: Vec::new(),
        recording: None,
    };
    let (mut room, mut room_of_samples) = (MAX_TEXT, MAX_SAMPLES);
    while let Some(field) = form
        .next_field()
        .await
        .map_err(|error| unreadable(&error))?
    {
        let name = field.name().unwrap_or_default().to_owned();
        if name == part.field {
            if received.recording.is_some() {
                return Err(malformed(format!("There are several fields {name}.")));
            }
            let of_file = || field.file_name().and_then(display_name);
            let name = part.name.clone().or_else(of_file);
            let pieces = (part.head.clone(), PartOfForm(field));
            received.recording = Some(receive_from(state, caller, name, pieces).await?);
        } else {
            if received.fields.len() == MAX_FIELDS {
                return Err(too_large());
            }
            let room = if part.is_sample(&name) {
                &mut room_of_samples
            } else {
                &mut room
            };
            let value = text(field, room).await?;
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

/// What comes before a recording that has no header of its own.
#[derive(Clone, Debug)]
pub(crate) enum Head {
    /// Nothing: it is a file.
    None,
    /// The header of a WAV file.
    Wav(Bytes),
}

impl Head {
    /// The header for 16-bit little-endian samples. Its sizes are those of a file of unknown length;
    /// they are set when it is complete.
    pub(crate) fn wav(rate: u32, channels: u16) -> Self {
        let frame = channels * 2;
        let mut header = Vec::with_capacity(44);
        header.extend_from_slice(b"RIFF\xFF\xFF\xFF\xFFWAVEfmt ");
        header.extend_from_slice(&16u32.to_le_bytes());
        for number in [1, channels] {
            header.extend_from_slice(&number.to_le_bytes());
        }
        for number in [rate, rate * u32::from(frame)] {
            header.extend_from_slice(&number.to_le_bytes());
        }
        for number in [frame, 16] {
            header.extend_from_slice(&number.to_le_bytes());
        }
        header.extend_from_slice(b"data\xFF\xFF\xFF\xFF");
        Self::Wav(header.into())
    }
}

/// Reads a recording that is the whole body of a request.
///
/// # Errors
/// It cannot be stored; nothing is left of it then.
pub(crate) async fn receive_body(
    state: &AppState,
    caller: &Caller,
    head: Head,
    body: axum::body::Body,
) -> Result<StoredRecording, Problem> {
    let body = WholeBody(body.into_data_stream());
    receive_from(state, caller, None, (head, body)).await
}

/// A recording as it arrives.
pub(crate) trait Arriving {
    /// Its next bytes; `None` at its end.
    async fn piece(&mut self) -> Result<Option<Bytes>, Problem>;
}

impl<A: Arriving> Arriving for (Head, A) {
    async fn piece(&mut self) -> Result<Option<Bytes>, Problem> {
        match std::mem::replace(&mut self.0, Head::None) {
            Head::Wav(header) => Ok(Some(header)),
            Head::None => self.1.piece().await,
        }
    }
}

/// A part of a form. It borrows the form, so it cannot be written by another task.
struct PartOfForm<'a>(Field<'a>);

impl Arriving for PartOfForm<'_> {
    async fn piece(&mut self) -> Result<Option<Bytes>, Problem> {
        let piece = self.0.chunk().await;
        piece.map_err(|error| unreadable(&error))
    }
}

/// The body of a request.
struct WholeBody(BodyDataStream);

impl Arriving for WholeBody {
    async fn piece(&mut self) -> Result<Option<Bytes>, Problem> {
        let piece = self.0.next().await.transpose();
        piece.map_err(|_| malformed("The body broke off."))
    }
}

/// Stores a recording while it arrives; `filename` is its name in the library.
///
/// # Errors
/// It breaks off, or cannot be stored; nothing is left of it then.
pub(crate) async fn receive_from(
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

fn unreadable(error: &MultipartError) -> Problem {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return too_large();
    }
    malformed(error.body_text())
}

pub(crate) fn malformed(detail: impl Into<String>) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, ProblemCode::UnreadableBody).detail(detail)
}

fn too_large() -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, ProblemCode::BodyTooLarge)
        .detail("The fields besides the recording are too many or too long.")
}
