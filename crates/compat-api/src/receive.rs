//! Stores a recording as an upload while it arrives: as a part of a form, as the body of a request, or
//! as the audio of another protocol.

use axum::body::{BodyDataStream, Bytes};
use axum::extract::multipart::{Field, Multipart, MultipartError, MultipartRejection};
use axum::http::StatusCode;
use futures_util::StreamExt as _;
use slovo_api::uploads::arriving::{Arriving, StoredRecording, receive_from};
use slovo_app::auth::Caller;
use slovo_app::http::Problem;
use slovo_app::state::AppState;
use slovo_rules::codes::ProblemCode;
use slovo_rules::upload::display_name;

/// Maximum number of fields of a form besides the recording.
const MAX_FIELDS: usize = 200;
/// Maximum total length of their values, in bytes.
const MAX_TEXT: usize = 1024 * 1024;
/// Maximum total length of samples in fields, in bytes: 40 s of CD quality in base64.
const MAX_SAMPLES: usize = 12 * 1024 * 1024;

/// A form.
#[derive(Debug)]
pub(crate) struct ReceivedForm {
    /// The fields besides the recording, in their order.
    pub fields: Vec<(String, String)>,
    /// The recording.
    pub recording: Option<StoredRecording>,
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
            let pieces = WithHead(part.head.clone(), PartOfForm(field));
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
    receive_from(state, caller, None, WithHead(head, body)).await
}

/// A recording with what comes before it.
pub(crate) struct WithHead<A>(pub Head, pub A);

impl<A: Arriving> Arriving for WithHead<A> {
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
