//! Detects a file's type from its first bytes.

use crate::violation::{Code, Violation};

/// Number of first bytes that are read.
pub const SNIFF_BYTES: usize = 64 * 1024;

/// How far the first MP3 frame may be from the start of a file without a tag: cut recordings begin
/// in the middle of a frame.
const MP3_SEARCH: usize = 16 * 1024;
/// Consecutive frame headers required for an MP3; random data has two in a row in one of thousands
/// of files, three practically never.
const MP3_FRAMES: usize = 3;

wire_enum! {
    /// The type of a file, according to its content.
    Container {
        /// RIFF WAVE, RF64, BW64.
        Wav => "wav",
        /// MPEG audio layer 1 to 3.
        Mp3 => "mp3",
        /// FLAC.
        Flac => "flac",
        /// Ogg.
        Ogg => "ogg",
        /// MPEG-4 (mp4, m4a).
        Mp4 => "mp4",
        /// QuickTime.
        Mov => "mov",
        /// Matroska.
        Mkv => "mkv",
        /// WebM.
        Webm => "webm",
        /// AVI.
        Avi => "avi",
        /// AAC without container.
        Aac => "aac",
        /// AC-3.
        Ac3 => "ac3",
        /// AIFF.
        Aiff => "aiff",
        /// Core Audio.
        Caf => "caf",
        /// Wave64.
        W64 => "w64",
        /// ASF (wma, wmv).
        Asf => "asf",
        /// Flash video.
        Flv => "flv",
        /// MPEG transport stream.
        MpegTs => "mpegts",
        /// AMR.
        Amr => "amr",
        /// MIDI.
        Midi => "midi",
        /// Still picture in an MPEG-4 container (HEIC, AVIF).
        Heif => "heif",
        /// PNG.
        Png => "png",
        /// JPEG.
        Jpeg => "jpeg",
        /// GIF.
        Gif => "gif",
        /// WebP.
        Webp => "webp",
        /// PDF.
        Pdf => "pdf",
        /// ZIP, and formats based on it (docx, apk).
        Zip => "zip",
        /// gzip.
        Gzip => "gzip",
        /// 7z.
        SevenZip => "7z",
        /// RAR.
        Rar => "rar",
        /// Linux program.
        Elf => "elf",
        /// Windows program.
        Exe => "exe",
        /// HTML.
        Html => "html",
        /// SVG.
        Svg => "svg",
        /// MPEG-DASH manifest.
        Dash => "dash",
        /// Any other XML.
        Xml => "xml",
        /// Playlist (m3u, pls, ffconcat).
        Playlist => "playlist",
        /// Session description (SDP).
        Sdp => "sdp",
        /// JSON.
        Json => "json",
        /// Any other text.
        Text => "text",
    }
}

impl Container {
    /// Whether it is one of the ten formats.
    #[must_use]
    pub const fn is_accepted(self) -> bool {
        matches!(
            self,
            Self::Wav
                | Self::Mp3
                | Self::Flac
                | Self::Ogg
                | Self::Mp4
                | Self::Mov
                | Self::Mkv
                | Self::Webm
                | Self::Avi
        )
    }

    /// Whether it is not one of the ten formats and only the external decoder reads it.
    #[must_use]
    pub const fn needs_external_decoder(self) -> bool {
        matches!(self, Self::Aac | Self::Asf | Self::Aiff | Self::Amr)
    }
}

/// Checks the first bytes of a file (at most [`SNIFF_BYTES`] are read; pass as many as there are).
///
/// # Errors
/// The content is of a known type that is not accepted, which is named, or of an unknown type, or
/// empty.
pub fn check_content(first_bytes: &[u8]) -> Result<Container, Violation> {
    check_content_with(first_bytes, false)
}

/// Like [`check_content`], where `external` says whether the external decoder is available: then
/// the formats of [`super::ExternalType`] are accepted, too.
///
/// # Errors
/// Those of [`check_content`].
pub fn check_content_with(first_bytes: &[u8], external: bool) -> Result<Container, Violation> {
    if first_bytes.is_empty() {
        return Err(Violation::new("file", Code::FileEmpty));
    }
    match sniff(first_bytes) {
        Some(container) if container.is_accepted() => Ok(container),
        Some(container) if external && container.needs_external_decoder() => Ok(container),
        Some(other) => Err(Violation::new("file", Code::ContentRefused)
            .with("found", other.as_str())
            .with("allowed", super::allowed_types())),
        None => {
            Err(Violation::new("file", Code::ContentUnknown)
                .with("allowed", super::allowed_types()))
        }
    }
}

/// The type detected from the first bytes; `None` if unknown.
#[must_use]
pub fn sniff(first_bytes: &[u8]) -> Option<Container> {
    let bytes = &first_bytes[..first_bytes.len().min(SNIFF_BYTES)];
    by_magic(bytes)
        .or_else(|| mpeg_4(bytes))
        .or_else(|| matroska(bytes))
        .or_else(|| transport_stream(bytes))
        .or_else(|| by_text(bytes))
        .or_else(|| mpeg_audio(bytes))
}

fn by_magic(bytes: &[u8]) -> Option<Container> {
    const MAGIC: &[(usize, &[u8], Container)] = &[
        (0, b"fLaC", Container::Flac),
        (0, b"OggS", Container::Ogg),
        (0, b"ID3", Container::Mp3),
        (0, b"caff", Container::Caf),
        (0, b"riff\x2e\x91\xcf\x11", Container::W64),
        (0, b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", Container::Asf),
        (0, b"FLV\x01", Container::Flv),
        (0, b"\x0b\x77", Container::Ac3),
        (0, b"#!AMR", Container::Amr),
        (0, b"MThd", Container::Midi),
        (0, b"\x89PNG\r\n\x1a\n", Container::Png),
        (0, b"\xff\xd8\xff", Container::Jpeg),
        (0, b"GIF8", Container::Gif),
        (0, b"%PDF-", Container::Pdf),
        (0, b"PK\x03\x04", Container::Zip),
        (0, b"PK\x05\x06", Container::Zip),
        (0, b"\x1f\x8b\x08", Container::Gzip),
        (0, b"7z\xbc\xaf\x27\x1c", Container::SevenZip),
        (0, b"Rar!\x1a\x07", Container::Rar),
        (0, b"\x7fELF", Container::Elf),
        (0, b"MZ\x90\x00", Container::Exe),
    ];
    let form = bytes.get(8..12);
    match bytes.get(..4) {
        Some(b"RIFF") => {
            return match form {
                Some(b"WAVE") => Some(Container::Wav),
                Some(b"AVI ") => Some(Container::Avi),
                Some(b"WEBP") => Some(Container::Webp),
                _ => None,
            };
        }
        Some(b"RF64" | b"BW64") if form == Some(b"WAVE") => return Some(Container::Wav),
        Some(b"FORM") if matches!(form, Some(b"AIFF" | b"AIFC")) => return Some(Container::Aiff),
        _ => {}
    }
    let found = MAGIC
        .iter()
        .find(|(at, magic, _)| bytes.get(*at..).is_some_and(|rest| rest.starts_with(magic)));
    found.map(|(_, _, container)| *container)
}

fn mpeg_4(bytes: &[u8]) -> Option<Container> {
    match bytes.get(4..8)? {
        b"ftyp" => Some(match bytes.get(8..12) {
            Some(b"qt  ") => Container::Mov,
            Some(b"heic" | b"heix" | b"mif1" | b"msf1" | b"avif") => Container::Heif,
            _ => Container::Mp4,
        }),
        // QuickTime files from before `ftyp` begin with any of these atoms.
        b"moov" | b"mdat" | b"wide" | b"pnot" | b"free" | b"skip" => Some(Container::Mov),
        // Fragments of a stream: the engine reports the missing header.
        b"styp" | b"moof" | b"sidx" => Some(Container::Mp4),
        _ => None,
    }
}

fn matroska(bytes: &[u8]) -> Option<Container> {
    if !bytes.starts_with(b"\x1a\x45\xdf\xa3") {
        return None;
    }
    // The DocType element (0x4282) with its length and text is within the short header.
    let header = &bytes[..bytes.len().min(128)];
    let webm = header
        .windows(7)
        .any(|w| w[..3] == *b"\x42\x82\x84" && w[3..] == *b"webm");
    Some(if webm {
        Container::Webm
    } else {
        Container::Mkv
    })
}

/// MPEG transport stream: packets of 188 bytes, each starting with 0x47.
fn transport_stream(bytes: &[u8]) -> Option<Container> {
    const PACKET: usize = 188;
    let packets = (bytes.len() / PACKET).min(5);
    let all = packets >= 3 && (0..packets).all(|packet| bytes[packet * PACKET] == 0x47);
    all.then_some(Container::MpegTs)
}

/// Text formats, by their beginning.
fn by_text(bytes: &[u8]) -> Option<Container> {
    let head = &bytes[..bytes.len().min(4096)];
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    if !is_text(head) {
        return None;
    }
    let text = String::from_utf8_lossy(head).to_ascii_lowercase();
    let text = text.trim_start();
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| text.starts_with(prefix));
    Some(
        if begins(&["#extm3u", "ffconcat", "[playlist]", "#extinf"]) {
            Container::Playlist
        } else if begins(&["v=0\r", "v=0\n"]) {
            Container::Sdp
        } else if begins(&["<!doctype html", "<html", "<head", "<body", "<script"]) {
            Container::Html
        } else if begins(&["<?xml", "<svg", "<mpd", "<!doctype", "<!--"]) {
            markup(text)
        } else if begins(&["{", "["]) {
            Container::Json
        } else {
            Container::Text
        },
    )
}

fn markup(text: &str) -> Container {
    if text.contains("<svg") {
        Container::Svg
    } else if text.contains("<mpd") {
        Container::Dash
    } else if text.contains("<html") {
        Container::Html
    } else {
        Container::Xml
    }
}

/// No control characters except white space, and UTF-8 up to a character truncated at the end.
fn is_text(head: &[u8]) -> bool {
    let utf8 = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && error.valid_up_to() > 0,
    };
    utf8 && !head.is_empty()
        && head
            .iter()
            .all(|b| *b >= 0x20 || matches!(b, b'\t' | b'\n' | b'\r' | 0x0c))
}

/// MPEG audio and AAC frames without a tag, wherever the first one begins.
fn mpeg_audio(bytes: &[u8]) -> Option<Container> {
    if adts_frames(bytes) {
        return Some(Container::Aac);
    }
    let last = bytes.len().min(MP3_SEARCH);
    (0..last)
        .any(|start| mp3_frames(bytes, start))
        .then_some(Container::Mp3)
}

fn adts_frames(bytes: &[u8]) -> bool {
    let mut at = 0;
    for _ in 0..MP3_FRAMES {
        let Some(header) = bytes.get(at..at + 7) else {
            return false;
        };
        if header[0] != 0xff || header[1] & 0xf6 != 0xf0 {
            return false;
        }
        let length = usize::from(header[3] & 0x03) << 11
            | usize::from(header[4]) << 3
            | usize::from(header[5]) >> 5;
        if length < 7 {
            return false;
        }
        at += length;
    }
    true
}

/// Whether [`MP3_FRAMES`] frames with the same version, layer and rate follow one another, or all
/// frames of a shorter file do.
fn mp3_frames(bytes: &[u8], start: usize) -> bool {
    let mut at = start;
    let mut first = None;
    for frame in 0..MP3_FRAMES {
        let Some(header) = bytes.get(at..at + 4) else {
            // The file ends exactly after a frame: short, but complete.
            return frame > 0 && start == 0 && at == bytes.len();
        };
        let Some((kind, length)) = mp3_header(header) else {
            return false;
        };
        if *first.get_or_insert(kind) != kind {
            return false;
        }
        at += length;
    }
    true
}

/// Version, layer and sample rate, and the length of the frame in bytes.
fn mp3_header(header: &[u8]) -> Option<((u8, u8, u32), usize)> {
    const V1: [[u32; 14]; 3] = [
        [
            32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448,
        ],
        [
            32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384,
        ],
        [
            32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
        ],
    ];
    const V2: [[u32; 14]; 2] = [
        [
            32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256,
        ],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ];
    let [sync, kind, rates, _] = *header else {
        return None;
    };
    if sync != 0xff || kind & 0xe0 != 0xe0 {
        return None;
    }
    let (version, layer) = (kind >> 3 & 3, 4 - (kind >> 1 & 3));
    let (bitrate, rate) = (usize::from(rates >> 4), usize::from(rates >> 2 & 3));
    // Reserved values, and the free format, whose length is not in the header.
    if version == 1 || layer == 4 || bitrate == 0 || bitrate == 15 || rate == 3 {
        return None;
    }
    let hertz = [44_100, 48_000, 32_000][rate] >> [2, 0, 1, 0][usize::from(version)];
    let first_version = version == 3;
    let kilobits = if first_version {
        V1[usize::from(layer - 1)][bitrate - 1]
    } else {
        V2[usize::from(layer > 1)][bitrate - 1]
    };
    let padding = u32::from(rates >> 1 & 1);
    let bits = kilobits * 1000;
    let length = match layer {
        1 => (12 * bits / hertz + padding) * 4,
        3 if !first_version => 72 * bits / hertz + padding,
        _ => 144 * bits / hertz + padding,
    };
    Some(((version, layer, hertz), usize::try_from(length).ok()?))
}
