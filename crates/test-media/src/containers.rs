//! One prompt in every container and codec that Slovo reads, and in some that it refuses.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::prompts::WELCOME;

/// How a file is made and what it must be detected as.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// File name.
    pub name: &'static str,
    /// Container as Slovo names it.
    pub container: &'static str,
    /// Codec as Slovo names it.
    pub codec: &'static str,
    /// Whether it contains video.
    pub video: bool,
    /// Seconds of silence before the speech.
    pub lead: f64,
    /// ffmpeg's arguments after its inputs: 0 the prompt, 1 video of 12 s, 2 silence of 6 s, 3 the
    /// prompt 5 s later.
    arguments: &'static str,
}

const fn audio(
    name: &'static str,
    container: &'static str,
    codec: &'static str,
    arguments: &'static str,
) -> Kind {
    Kind {
        name,
        container,
        codec,
        video: false,
        lead: 0.0,
        arguments,
    }
}

const fn video(
    name: &'static str,
    container: &'static str,
    codec: &'static str,
    arguments: &'static str,
) -> Kind {
    Kind {
        video: true,
        ..audio(name, container, codec, arguments)
    }
}

const fn late(kind: Kind) -> Kind {
    Kind { lead: 5.0, ..kind }
}

/// All kinds that Slovo reads.
pub const ACCEPTED: &[Kind] = &[
    audio("s16_8k.wav", "wav", "pcm_s16le", "-map 0"),
    audio(
        "s16_44k1_stereo.wav",
        "wav",
        "pcm_s16le",
        "-map 0 -ar 44100 -ac 2",
    ),
    audio("u8.wav", "wav", "pcm_u8", "-map 0 -c:a pcm_u8"),
    audio(
        "s24_48k.wav",
        "wav",
        "pcm_s24le",
        "-map 0 -c:a pcm_s24le -ar 48000",
    ),
    audio("s32.wav", "wav", "pcm_s32le", "-map 0 -c:a pcm_s32le"),
    audio(
        "f32_16k.wav",
        "wav",
        "pcm_f32le",
        "-map 0 -c:a pcm_f32le -ar 16000",
    ),
    audio("f64.wav", "wav", "pcm_f64le", "-map 0 -c:a pcm_f64le"),
    audio("alaw.wav", "wav", "pcm_alaw", "-map 0 -c:a pcm_alaw"),
    audio("mulaw.wav", "wav", "pcm_mulaw", "-map 0 -c:a pcm_mulaw"),
    audio(
        "ima.wav",
        "wav",
        "adpcm_ima_wav",
        "-map 0 -c:a adpcm_ima_wav -ar 16000",
    ),
    audio(
        "ms.wav",
        "wav",
        "adpcm_ms",
        "-map 0 -c:a adpcm_ms -ar 16000",
    ),
    audio("rf64.wav", "wav", "pcm_s16le", "-map 0 -rf64 always"),
    audio(
        "centre_of_6.wav",
        "wav",
        "pcm_s16le",
        "-map 0 -ar 48000 -af pan=5.1|FC=c0",
    ),
    audio(
        "cbr.mp3",
        "mp3",
        "mp3",
        "-map 0 -c:a libmp3lame -b:a 128k -ar 44100",
    ),
    audio(
        "vbr.mp3",
        "mp3",
        "mp3",
        "-map 0 -c:a libmp3lame -q:a 6 -ar 44100",
    ),
    audio(
        "mpeg2_8k.mp3",
        "mp3",
        "mp3",
        "-map 0 -c:a libmp3lame -b:a 16k",
    ),
    audio(
        "stereo_no_header.mp3",
        "mp3",
        "mp3",
        "-map 0 -c:a libmp3lame -ar 48000 -ac 2 -write_xing 0 -id3v2_version 0",
    ),
    audio(
        "layer2.mp3",
        "mp3",
        "mp2",
        "-map 0 -c:a mp2 -ar 48000 -f mp2",
    ),
    audio(
        "aac.m4a",
        "mp4",
        "aac",
        "-map 0 -c:a aac -ar 44100 -b:a 64k",
    ),
    audio(
        "aac_faststart.m4a",
        "mp4",
        "aac",
        "-map 0 -c:a aac -b:a 32k -movflags +faststart",
    ),
    audio("alac.m4a", "mp4", "alac", "-map 0 -c:a alac"),
    audio(
        "six_channels.m4a",
        "mp4",
        "aac",
        "-map 0 -ar 48000 -af pan=5.1|FC=c0 -c:a aac -b:a 128k",
    ),
    audio(
        "fragmented.mp4",
        "mp4",
        "aac",
        "-map 0 -c:a aac -ar 44100 -movflags frag_keyframe+empty_moov -frag_duration 500000",
    ),
    audio("opus.mp4", "mp4", "opus", "-map 0 -c:a libopus -b:a 32k"),
    audio(
        "mp3_in.mp4",
        "mp4",
        "mp3",
        "-map 0 -c:a libmp3lame -ar 44100",
    ),
    audio("flac_16k.flac", "flac", "flac", "-map 0 -ar 16000"),
    audio(
        "flac_96k_24.flac",
        "flac",
        "flac",
        "-map 0 -ar 96000 -sample_fmt s32",
    ),
    audio(
        "vorbis.ogg",
        "ogg",
        "vorbis",
        "-map 0 -c:a libvorbis -q:a 3 -ar 44100",
    ),
    audio("opus.ogg", "ogg", "opus", "-map 0 -c:a libopus -b:a 32k"),
    audio("flac.ogg", "ogg", "flac", "-map 0 -c:a flac"),
    audio("speex.ogg", "ogg", "speex", "-map 0 -c:a libspeex"),
    audio("opus.webm", "webm", "opus", "-map 0 -c:a libopus -b:a 32k"),
    audio(
        "vorbis.webm",
        "webm",
        "vorbis",
        "-map 0 -c:a libvorbis -ar 48000",
    ),
    audio("flac.mka", "mkv", "flac", "-map 0 -c:a flac"),
    video(
        "vp8_opus.webm",
        "webm",
        "opus",
        "-map 1 -map 0 -c:v libvpx -deadline realtime -c:a libopus",
    ),
    video(
        "h264_aac.mp4",
        "mp4",
        "aac",
        "-map 1 -map 0 -c:v libx264 -preset ultrafast -c:a aac -ar 44100",
    ),
    video(
        "h264_ac3.mp4",
        "mp4",
        "ac3",
        "-map 1 -map 0 -c:v libx264 -preset ultrafast -c:a ac3 -ar 48000",
    ),
    video(
        "h264_pcm.mov",
        "mov",
        "pcm_s16le",
        "-map 1 -map 0 -c:v libx264 -preset ultrafast -c:a pcm_s16le",
    ),
    video(
        "h264_aac.mov",
        "mov",
        "aac",
        "-map 1 -map 0 -c:v libx264 -preset ultrafast -c:a aac -ar 48000",
    ),
    video(
        "h264_opus.mkv",
        "mkv",
        "opus",
        "-map 1 -map 0 -c:v libx264 -preset ultrafast -c:a libopus",
    ),
    video(
        "h264_aac.mkv",
        "mkv",
        "aac",
        "-map 1 -map 0 -c:v libx264 -preset ultrafast -c:a aac -ar 44100",
    ),
    video(
        "h264_ac3.mkv",
        "mkv",
        "ac3",
        "-map 1 -map 0 -c:v libx264 -preset ultrafast -c:a ac3 -ar 48000",
    ),
    video(
        "mpeg4_mp3.avi",
        "avi",
        "mp3",
        "-map 1 -map 0 -c:v mpeg4 -c:a libmp3lame -ar 44100",
    ),
    video(
        "mpeg4_pcm.avi",
        "avi",
        "pcm_s16le",
        "-map 1 -map 0 -c:v mpeg4 -c:a pcm_s16le",
    ),
    video(
        "mpeg4_ac3.avi",
        "avi",
        "ac3",
        "-map 1 -map 0 -c:v mpeg4 -c:a ac3 -ar 48000",
    ),
    audio(
        "second_is_default.mkv",
        "mkv",
        "vorbis",
        "-map 2 -map 0 -c:a libvorbis -disposition:a:0 0 -disposition:a:1 default",
    ),
    audio(
        "second_is_default.mp4",
        "mp4",
        "aac",
        "-map 2 -map 0 -c:a aac -disposition:a:0 0 -disposition:a:1 default",
    ),
    late(video(
        "late.mp4",
        "mp4",
        "aac",
        "-map 1 -map 3 -c:v libx264 -preset ultrafast -c:a aac -ar 44100",
    )),
    late(video(
        "late.mkv",
        "mkv",
        "opus",
        "-map 1 -map 3 -c:v libx264 -preset ultrafast -c:a libopus",
    )),
    late(video(
        "late_ac3.mp4",
        "mp4",
        "ac3",
        "-map 1 -map 3 -c:v libx264 -preset ultrafast -c:a ac3 -ar 48000",
    )),
];

/// Audio formats that are not among the ten, with what each is detected as.
pub const REFUSED: &[(&str, &str, &str)] = &[
    ("caf.caf", "caf", "-map 0 -c:a pcm_s16le"),
    ("w64.w64", "w64", "-map 0"),
    ("flv.flv", "flv", "-map 0 -c:a aac -ar 44100"),
    ("ts.ts", "mpegts", "-map 0 -c:a aac -ar 44100"),
    ("ac3.ac3", "ac3", "-map 0 -c:a ac3 -ar 48000"),
];

/// Audio formats besides the ten that the external decoder reads, written like [`REFUSED`].
pub const EXTERNAL: &[(&str, &str, &str)] = &[
    ("aiff.aiff", "aiff", "-map 0"),
    ("wma.wma", "asf", "-map 0 -c:a wmav2"),
    ("adts.aac", "aac", "-map 0 -c:a aac -ar 44100"),
];

/// Makes a file of this kind in `folder` and returns its path.
///
/// # Panics
/// ffmpeg is missing or fails.
#[must_use]
pub fn make(kind: &Kind, folder: &Path) -> PathBuf {
    convert(folder, kind.name, kind.arguments)
}

/// Makes a file of [`REFUSED`] or [`EXTERNAL`] in `folder` and returns its path.
///
/// # Panics
/// ffmpeg is missing or fails.
#[must_use]
pub fn make_container(format: &(&str, &str, &str), folder: &Path) -> PathBuf {
    convert(folder, format.0, format.2)
}

/// Runs ffmpeg with the inputs listed at [`Kind`] and these arguments, separated by spaces.
///
/// # Panics
/// ffmpeg is missing or fails.
#[must_use]
pub fn convert(folder: &Path, name: &str, arguments: &str) -> PathBuf {
    let prompt = WELCOME.path();
    let target = folder.join(name);
    let mut ffmpeg = Command::new("ffmpeg");
    ffmpeg
        .args(["-v", "error", "-nostdin", "-y", "-i"])
        .arg(&prompt);
    ffmpeg.args([
        "-f",
        "lavfi",
        "-i",
        "testsrc=size=64x48:rate=10:duration=12",
    ]);
    ffmpeg.args([
        "-f",
        "lavfi",
        "-i",
        "anullsrc=sample_rate=8000:channel_layout=mono:duration=6",
    ]);
    ffmpeg.args(["-itsoffset", "5", "-i"]).arg(&prompt);
    // Without encoder names and dates the output is deterministic.
    ffmpeg
        .args(arguments.split(' '))
        .args(["-bitexact", "-threads", "1"])
        .arg(&target);
    let output = ffmpeg
        .output()
        .unwrap_or_else(|error| panic!("ffmpeg does not start: {error}"));
    assert!(
        output.status.success(),
        "{name}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    target
}
