//! Accepted files: the ten formats, their size, their names.
//!
//! A browser knows a file's name, MIME type and size, which [`validate_file`] checks. The content
//! is decisive: [`check_content`] checks the first [`SNIFF_BYTES`] bytes, regardless of the name.

mod external_type;
mod filename;
mod sniff;

pub use external_type::{ExternalType, is_media_name};
pub use filename::{MAX_DISPLAY_NAME, display_name, extension};
pub use sniff::{Container, SNIFF_BYTES, check_content, check_content_with, sniff};

use crate::violation::{Code, Violation, Violations};

/// Largest upload, in bytes: 500 MB.
pub const MAX_UPLOAD_BYTES: u64 = 500 * BYTES_PER_MB;
/// Maximum number of uploads of one user that are in progress, or complete but not yet used by a
/// job. The page uploads a few files at a time; more than this is a mistake or an attack.
pub const MAX_OPEN_UPLOADS: u64 = 20;

/// How long an upload is kept after its last stored byte, in hours: it can be resumed the next
/// morning after a laptop was closed in the evening.
pub const KEPT_HOURS: i64 = 24;
/// How long a microphone recording is kept, in days: it cannot be made again.
pub const VOICE_KEPT_DAYS: i64 = 7;

const BYTES_PER_MB: u64 = 1024 * 1024;

wire_enum! {
    /// One of the ten formats; the name is its file extension.
    AudioType {
        /// MPEG audio.
        Mp3 => "mp3",
        /// RIFF WAVE.
        Wav => "wav",
        /// MPEG-4 audio.
        M4a => "m4a",
        /// FLAC.
        Flac => "flac",
        /// Ogg (Vorbis, Opus, FLAC).
        Ogg => "ogg",
        /// WebM.
        Webm => "webm",
        /// MPEG-4.
        Mp4 => "mp4",
        /// AVI.
        Avi => "avi",
        /// QuickTime.
        Mov => "mov",
        /// Matroska.
        Mkv => "mkv",
    }
}

wire_enum! {
    /// The source of the recording.
    Source {
        /// A file.
        File => "file",
        /// A URL.
        Url => "url",
        /// The microphone.
        Voice => "voice",
    }
}

wire_enum! {
    /// The source of the bytes of an upload.
    UploadKind {
        /// A file, which can be uploaded again.
        File => "file",
        /// A microphone recording in progress, which cannot be made again.
        Voice => "voice",
    }
}

/// Other extensions of the ten formats.
const ALSO: [(&str, AudioType); 6] = [
    ("opus", AudioType::Ogg),
    ("oga", AudioType::Ogg),
    ("3gp", AudioType::Mp4),
    ("3g2", AudioType::Mp4),
    ("m4v", AudioType::Mp4),
    ("mka", AudioType::Mkv),
];

impl AudioType {
    /// The file extension, without dot.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        self.as_str()
    }

    /// The MIME types that browsers and servers use for this format.
    #[must_use]
    pub const fn mime_types(self) -> &'static [&'static str] {
        match self {
            Self::Mp3 => &[
                "audio/mpeg",
                "audio/mp3",
                "audio/mpeg3",
                "audio/x-mpeg-3",
                "audio/x-mp3",
            ],
            Self::Wav => &["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"],
            Self::M4a => &["audio/mp4", "audio/x-m4a", "audio/m4a"],
            Self::Flac => &["audio/flac", "audio/x-flac"],
            Self::Ogg => &["audio/ogg", "audio/opus", "application/ogg", "video/ogg"],
            Self::Webm => &["audio/webm", "video/webm"],
            Self::Mp4 => &["video/mp4", "video/3gpp", "audio/3gpp", "video/3gpp2"],
            Self::Avi => &[
                "video/x-msvideo",
                "video/avi",
                "video/msvideo",
                "video/vnd.avi",
            ],
            Self::Mov => &["video/quicktime"],
            Self::Mkv => &[
                "video/x-matroska",
                "video/matroska",
                "audio/x-matroska",
                "audio/matroska",
            ],
        }
    }

    /// The format of this MIME type, ignoring parameters (`; codecs=opus`) and case.
    #[must_use]
    pub fn of_mime(mime: &str) -> Option<Self> {
        let essence = mime.split(';').next().unwrap_or_default().trim();
        Self::ALL.iter().copied().find(|kind| {
            kind.mime_types()
                .iter()
                .any(|known| known.eq_ignore_ascii_case(essence))
        })
    }

    /// The format of this file name's extension, case-insensitive. Some formats have more than one.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let extension = extension(name)?;
        let also = ALSO
            .iter()
            .find(|(other, _)| other.eq_ignore_ascii_case(extension));
        if let Some((_, kind)) = also {
            return Some(*kind);
        }
        Self::ALL
            .iter()
            .copied()
            .find(|kind| kind.as_str().eq_ignore_ascii_case(extension))
    }
}

/// Checks a file before its bytes are read: its type by MIME type or extension, and its size in
/// bytes.
///
/// # Errors
/// Neither names one of the ten formats; empty; more than 500 MB.
pub fn validate_file(name: &str, mime: &str, size: u64) -> Result<AudioType, Violations> {
    validate_file_within(name, mime, size, MAX_UPLOAD_BYTES)
}

/// Checks a file before its bytes are read, on a server that accepts at most `max` bytes.
///
/// # Errors
/// Neither names one of the ten formats; empty; more than `max` bytes.
pub fn validate_file_within(
    name: &str,
    mime: &str,
    size: u64,
    max: u64,
) -> Result<AudioType, Violations> {
    let mut violations = Violations::new();
    let kind = AudioType::of_mime(mime).or_else(|| AudioType::of_name(name));
    if kind.is_none() {
        violations
            .push(Violation::new("file", Code::FileUnsupported).with("allowed", allowed_types()));
    }
    violations.take(validate_size_within(size, max));
    match kind {
        Some(kind) if violations.is_empty() => Ok(kind),
        _ => Err(violations),
    }
}

/// Checks a file's size in bytes; the server does this on creation.
///
/// # Errors
/// Empty; more than 500 MB.
pub fn validate_size(size: u64) -> Result<(), Violation> {
    validate_size_within(size, MAX_UPLOAD_BYTES)
}

/// Checks a file's size in bytes on a server that accepts at most `max` bytes.
///
/// # Errors
/// Empty; more than `max` bytes.
pub fn validate_size_within(size: u64, max: u64) -> Result<(), Violation> {
    if size == 0 {
        return Err(Violation::new("file", Code::FileEmpty));
    }
    if size > max {
        return Err(too_large(max));
    }
    Ok(())
}

/// The violation with the limit in megabytes, with a decimal if it is not an integer.
fn too_large(max: u64) -> Violation {
    let violation = Violation::new("file", Code::FileTooLarge);
    if max.is_multiple_of(BYTES_PER_MB) {
        return violation.with("max_mb", max / BYTES_PER_MB);
    }
    // Rounded down, so that a file of the displayed size is accepted.
    let tenths = max.saturating_mul(10) / BYTES_PER_MB;
    violation.with("max_mb", tenths as f64 / 10.0)
}

/// Checks the choice of an audio track, by its index from 0, in a recording of `tracks` tracks.
///
/// # Errors
/// There is no such track.
pub fn validate_audio_track(index: u32, tracks: u32) -> Result<(), Violation> {
    if index < tracks {
        return Ok(());
    }
    Err(Violation::new("audio_track", Code::AudioTrackUnknown).with("tracks", tracks))
}

/// The violation when a user continues without choosing a file, or with one that is not uploaded.
#[must_use]
pub fn nothing_chosen(source: Source, chosen: bool) -> Violation {
    let (field, code) = match source {
        Source::Url => ("url", Code::UrlRequired),
        _ if chosen => ("file", Code::UploadRequired),
        Source::File => ("file", Code::FileRequired),
        Source::Voice => ("file", Code::RecordingRequired),
    };
    Violation::new(field, code)
}

/// The ten extensions in one text, for messages.
#[must_use]
pub fn allowed_types() -> String {
    let names: Vec<_> = AudioType::ALL.iter().map(|kind| kind.as_str()).collect();
    names.join(", ")
}
