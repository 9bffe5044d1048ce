//! Files with two audio tracks of different content.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::prompts::{ALL, Prompt, WELCOME};

/// The prompt in the first track, which is the default one.
pub const FIRST: Prompt = WELCOME;
/// The prompt in the second track.
pub const SECOND: Prompt = ALL[3];
/// The titles of the two tracks.
pub const TITLES: [&str; 2] = ["Original", "Переклад · stereo"];
/// Their languages as ISO 639-2 codes.
pub const LANGUAGES: [&str; 2] = ["eng", "ukr"];

/// A container with the codecs of its two tracks, as Slovo names them.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// File name.
    pub name: &'static str,
    /// Codecs as Slovo lists them; for the chosen track the name may be more specific.
    pub codecs: [&'static str; 2],
    /// Whether the container keeps the titles of the tracks.
    pub titles: bool,
    /// Whether it keeps their languages (QuickTime uses its own numbers for them).
    pub languages: bool,
    arguments: &'static str,
}

const fn kind(name: &'static str, codecs: [&'static str; 2], arguments: &'static str) -> Kind {
    Kind {
        name,
        codecs,
        titles: true,
        languages: true,
        arguments,
    }
}

/// All containers that can have several tracks.
pub const KINDS: &[Kind] = &[
    kind("two.mp4", ["aac", "aac"], "-c:a aac"),
    Kind {
        titles: false,
        ..kind("two.m4a", ["aac", "aac"], "-c:a aac")
    },
    Kind {
        languages: false,
        ..kind("two.mov", ["aac", "pcm"], "-c:a:0 aac -c:a:1 pcm_s16le")
    },
    kind(
        "two.mkv",
        ["vorbis", "flac"],
        "-c:a:0 libvorbis -c:a:1 flac",
    ),
    kind("two.webm", ["opus", "opus"], "-c:a libopus"),
    Kind {
        languages: false,
        ..kind("two.avi", ["mp3", "mp3"], "-c:a libmp3lame")
    },
    Kind {
        titles: false,
        languages: false,
        ..kind("two.ogg", ["vorbis", "vorbis"], "-c:a libvorbis")
    },
];

/// Makes a file in `folder`: the first track mono, the second stereo at another rate.
///
/// # Panics
/// ffmpeg is missing or fails.
#[must_use]
pub fn make(kind: &Kind, folder: &Path) -> PathBuf {
    let target = folder.join(kind.name);
    let mut ffmpeg = Command::new("ffmpeg");
    ffmpeg.args(["-v", "error", "-nostdin", "-y"]);
    for prompt in [FIRST, SECOND] {
        ffmpeg.arg("-i").arg(prompt.path());
    }
    ffmpeg.args(["-map", "0", "-map", "1"]);
    ffmpeg.args(["-ar:a:0", "16000", "-ac:a:0", "1"]);
    ffmpeg.args(["-ar:a:1", "48000", "-ac:a:1", "2"]);
    for (index, (title, language)) in TITLES.iter().zip(LANGUAGES).enumerate() {
        let field = format!("-metadata:s:a:{index}");
        ffmpeg.args([&field, &format!("title={title}")]);
        ffmpeg.args([&field, &format!("language={language}")]);
    }
    ffmpeg.args(["-disposition:a:0", "default", "-disposition:a:1", "0"]);
    ffmpeg
        .args(kind.arguments.split(' '))
        .args(["-bitexact", "-threads", "1"])
        .arg(&target);
    let output = ffmpeg
        .output()
        .unwrap_or_else(|error| panic!("ffmpeg does not start: {error}"));
    assert!(
        output.status.success(),
        "{}: {}",
        kind.name,
        String::from_utf8_lossy(&output.stderr)
    );
    target
}
