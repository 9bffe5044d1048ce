//! Hostile files that can be generated without other data: false headers, truncation, external
//! references, no content.

mod bytes;
mod structures;
mod wav;

use std::path::Path;

use crate::flac;
use crate::wave::{Header, tone};

/// The expected behaviour of a reader.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expectation {
    /// Refuses it with one of these error codes.
    Refused(&'static [&'static str]),
    /// Reads audio of a length in this range (least and most seconds).
    Reads(f64, f64),
    /// Reads audio of a length in this range, or refuses it with any code.
    Either(f64, f64),
}

/// A hostile file.
#[derive(Clone, Debug)]
pub struct HostileFile {
    /// A file name, usually with a wrong extension.
    pub name: &'static str,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The expected behaviour.
    pub expect: Expectation,
    /// The expected `found` of the error if it is refused as unsupported.
    pub found: Option<&'static str>,
}

pub use bytes::noise;
pub use structures::{boxes, broken};
pub use wav::false_header_wav;

use Expectation::{Either, Reads, Refused};
use bytes::{gzip_bomb, zip};

const UNSUPPORTED: Expectation = Refused(&["unsupported_format"]);
const DAMAGED: Expectation = Refused(&["damaged"]);

fn file(name: &'static str, bytes: impl Into<Vec<u8>>, expect: Expectation) -> HostileFile {
    HostileFile {
        name,
        bytes: bytes.into(),
        expect,
        found: None,
    }
}

fn other(name: &'static str, bytes: impl Into<Vec<u8>>, found: &'static str) -> HostileFile {
    HostileFile {
        name,
        bytes: bytes.into(),
        expect: UNSUPPORTED,
        found: Some(found),
    }
}

/// All hostile files. Playlists point to `port` on the loopback interface; no connection may ever
/// arrive there. `folder` is for ffmpeg's intermediate files.
///
/// # Panics
/// ffmpeg is missing or fails.
#[must_use]
pub fn all(port: u16, folder: &Path) -> Vec<HostileFile> {
    let mut files = not_media();
    files.extend(leading_elsewhere(port));
    files.extend(false_header_wav());
    files.extend(short_and_silent());
    files.push(hours_of_silence(1));
    files.extend(boxes());
    files.extend(broken(folder));
    files
}

/// Files that are not media.
#[must_use]
pub fn not_media() -> Vec<HostileFile> {
    let png = [
        &b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0"[..],
        b"\0\0\0\0IEND",
    ]
    .concat();
    vec![
        file("zero_bytes.mp3", [], Refused(&["empty_file"])),
        file("one_byte.wav", [0x52], UNSUPPORTED),
        other("text_renamed.mp3", "words and words\n".repeat(500), "text"),
        other(
            "html_named.mp4",
            "<!DOCTYPE html><html><body>no</body></html>".repeat(40),
            "html",
        ),
        other("json_named.wav", "{\"a\": [1, 2, 3]}\n".repeat(80), "json"),
        other("svg_xxe_named.mp4", svg(), "svg"),
        other(
            "zip_named.wav",
            zip("../../../../tmp/slovo-escaped", b"outside"),
            "zip",
        ),
        other("gzip_bomb_named.wav", gzip_bomb(50 << 20), "gzip"),
        other("png_named.mp4", png, "png"),
        other(
            "elf_named.wav",
            [b"\x7FELF\x02\x01\x01\0".to_vec(), noise(1, 20_000)].concat(),
            "elf",
        ),
        other("random.mp3", noise(2, 100_000), "unknown"),
        other("random.wav", noise(3, 100_000), "unknown"),
    ]
}

/// Playlists and manifests that a careless decoder would follow.
#[must_use]
pub fn leading_elsewhere(port: u16) -> Vec<HostileFile> {
    let address = format!("http://127.0.0.1:{port}");
    vec![
        other(
            "hls_local.m3u8",
            "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n",
            "playlist",
        ),
        other(
            "hls_named.mp3",
            format!("#EXTM3U\n#EXTINF:9,\n{address}/a.ts\n#EXT-X-ENDLIST\n"),
            "playlist",
        ),
        other(
            "ffconcat_named.wav",
            format!("ffconcat version 1.0\nfile '{address}/a.wav'\n"),
            "playlist",
        ),
        other(
            "pls_named.mp3",
            format!("[playlist]\nFile1={address}/a.mp3\nNumberOfEntries=1\n"),
            "playlist",
        ),
        other(
            "sdp_named.wav",
            format!(
                "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio {port} RTP/AVP 0\n"
            ),
            "sdp",
        ),
        other(
            "dash_named.mp4",
            format!(
                "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\"><Period>\
                 <BaseURL>{address}/</BaseURL></Period></MPD>"
            ),
            "dash",
        ),
    ]
}

fn svg() -> &'static str {
    "<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>\
     <svg xmlns=\"http://www.w3.org/2000/svg\"><text>&x;</text></svg>"
}

/// A small file that is read for a long time.
#[must_use]
pub fn hours_of_silence(hours: u32) -> HostileFile {
    let seconds = hours * 3600;
    let lasts = f64::from(seconds);
    file(
        "hours_of_silence.flac",
        flac::silence(seconds),
        Reads(lasts, lasts + 5.0),
    )
}

/// Valid files with little or no content.
#[must_use]
pub fn short_and_silent() -> Vec<HostileFile> {
    let short = |name, seconds: f64| {
        let count = seconds - 0.001;
        file(
            name,
            Header::default().with(&tone(16_000, 440.0, seconds, 0.5)),
            Reads(count, seconds + 0.001),
        )
    };
    let noise: Vec<u8> = noise(4, 60_000)
        .iter()
        .flat_map(|byte| (i16::from(*byte) * 40 - 5_100).to_le_bytes())
        .collect();
    let quiet = flac::silence(60);
    let pictures = flac::silence_after(&[(6, 0xFF_FFFF), (6, 0xFF_FFFF), (2, 1000)], 10);
    vec![
        short("short_1ms.wav", 0.001),
        short("short_20ms.wav", 0.02),
        short("short_50ms.wav", 0.05),
        short("short_100ms.wav", 0.1),
        short("short_300ms.wav", 0.3),
        file("silence_60s.flac", quiet, Reads(60.0, 65.0)),
        file("flac_of_pictures.flac", pictures, Reads(10.0, 15.0)),
        file(
            "white_noise.wav",
            Header::default().with(&noise),
            Reads(3.7, 3.8),
        ),
        file(
            "tone_440hz_20s.wav",
            Header::default().with(&tone(16_000, 440.0, 20.0, 0.5)),
            Reads(20.0, 20.0),
        ),
    ]
}
