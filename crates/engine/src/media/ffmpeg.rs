//! The external decoder: ffmpeg, for formats that are not decoded in this process.
//!
//! ffmpeg gets the open file (not its name), a demuxer chosen by our own detection, protocols
//! without network access, a network namespace without interfaces if the system allows that, limits
//! on memory, CPU time, open files and written bytes, and a time limit for its output. It is killed
//! when its reader is dropped.

mod confined;

use std::sync::OnceLock;
use std::time::Duration;

use serde::Deserialize;
use slovo_rules::upload::Container;

use self::confined::{ConfinedProcess, Output};
use super::info::{self, MediaInfo, Track};
use super::limits::Limits;
use super::mix::Mix;
use super::source::Media;
use super::step::{Decoder, Frames, Step};
use super::{MediaError, SAMPLE_RATE};
use crate::cancel::Stop;

/// The name under which the program opens the file: its own standard input.
const INPUT: &str = "file:/proc/self/fd/0";
/// The most bytes of a file's description that are read; enough for a thousand streams.
const MAX_DESCRIPTION: usize = 1 << 20;
/// How long a description may take.
const DESCRIBE_WITHIN: Duration = Duration::from_secs(60);
/// Bytes of audio per read.
const READ: usize = 64 << 10;

/// ffmpeg's name of the demuxer; `None` for formats that ffmpeg must not read.
const fn demuxer(container: Container) -> Option<&'static str> {
    match container {
        Container::Avi => Some("avi"),
        Container::Mp4 | Container::Mov => Some("mov"),
        Container::Mkv | Container::Webm => Some("matroska"),
        Container::Ogg => Some("ogg"),
        Container::Wav => Some("wav"),
        Container::Mp3 => Some("mp3"),
        Container::Flac => Some("flac"),
        Container::Aac => Some("aac"),
        Container::Asf => Some("asf"),
        Container::Aiff => Some("aiff"),
        Container::Amr => Some("amr"),
        _ => None,
    }
}

/// Whether ffmpeg and ffprobe are installed; checked once.
pub(super) fn is_installed() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders: Vec<_> = std::env::split_paths(&path).collect();
        let is_there = |program| folders.iter().any(|folder| folder.join(program).is_file());
        ["ffmpeg", "ffprobe"].into_iter().all(is_there)
    })
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Description {
    streams: Vec<Stream>,
    format: Format,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Stream {
    index: usize,
    codec_type: String,
    codec_name: String,
    sample_rate: String,
    channels: usize,
    disposition: Disposition,
    tags: Tags,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Disposition {
    default: u8,
    attached_pic: u8,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Tags {
    language: Option<String>,
    title: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Format {
    duration: String,
}

/// Describes the file and starts decoding one of its audio tracks.
pub(super) fn open(
    media: &Media,
    container: Container,
    requested: Option<usize>,
    limits: &Limits,
    stop: &Stop,
) -> Result<(MediaInfo, FfmpegOutput), MediaError> {
    let Some(demuxer) = demuxer(container) else {
        return Err(MediaError::UnsupportedFormat {
            found: container.as_str().to_owned(),
        });
    };
    let description = describe(media, demuxer, limits, stop)?;
    let audio: Vec<&Stream> = description
        .streams
        .iter()
        .filter(|stream| stream.codec_type == "audio")
        .collect();
    if audio.is_empty() {
        return Err(MediaError::NoAudioTrack {
            container: container.as_str().to_owned(),
        });
    }
    let tracks: Vec<Track> = audio
        .iter()
        .enumerate()
        .map(|(index, stream)| stream.track(index))
        .collect();
    let track = info::choose(&tracks, requested)?;
    let Track {
        channels,
        rate,
        ref codec,
        ..
    } = tracks[track];
    if channels == 0 || channels > limits.max_channels {
        return Err(MediaError::BadChannels { channels });
    }
    if !(limits.min_rate..=limits.max_rate).contains(&rate) {
        return Err(MediaError::BadSampleRate { rate });
    }
    let has_video = description
        .streams
        .iter()
        .any(|stream| stream.codec_type == "video" && stream.disposition.attached_pic == 0);
    let info = MediaInfo {
        container: container.as_str().to_owned(),
        codec: codec.clone(),
        duration: info::duration(description.format.duration.parse().ok()),
        has_video,
        track,
        tracks,
    };
    let process = decode(media, demuxer, audio[track].index, channels, limits, stop)?;
    let silence = limits.max_silence;
    Ok((
        info,
        FfmpegOutput {
            process,
            channels,
            rest: Vec::new(),
            silence,
        },
    ))
}

impl Stream {
    fn track(&self, index: usize) -> Track {
        Track {
            index,
            codec: self.codec_name.clone(),
            channels: self.channels,
            rate: self.sample_rate.parse().unwrap_or(0),
            language: info::language(self.tags.language.as_deref()),
            title: info::title(self.tags.title.as_deref()),
            default: self.disposition.default == 1,
        }
    }
}

fn describe(
    media: &Media,
    demuxer: &str,
    limits: &Limits,
    stop: &Stop,
) -> Result<Description, MediaError> {
    let entries = "stream=index,codec_type,codec_name,sample_rate,channels\
                   :stream_disposition=default,attached_pic:stream_tags=language,title:format=duration";
    let arguments = [
        "-v",
        "error",
        "-protocol_whitelist",
        "file",
        "-f",
        demuxer,
        "-show_entries",
        entries,
        "-of",
        "json",
        "-i",
        INPUT,
    ];
    let mut process = ConfinedProcess::start("ffprobe", &arguments, media.handle()?, limits, stop)?;
    let mut text = Vec::new();
    loop {
        match process.read(READ, DESCRIBE_WITHIN)? {
            Output::Bytes(bytes) if text.len() < MAX_DESCRIPTION => text.extend_from_slice(&bytes),
            Output::Bytes(_) => return Err(MediaError::damaged("its description is endless")),
            Output::Silence => return Err(MediaError::TooSlow),
            Output::End => break,
        }
    }
    let ended_well = process.wait();
    match serde_json::from_slice(&text) {
        Ok(description) if ended_well => Ok(description),
        _ => Err(MediaError::damaged("its header cannot be read")),
    }
}

fn decode(
    media: &Media,
    demuxer: &str,
    stream: usize,
    channels: usize,
    limits: &Limits,
    stop: &Stop,
) -> Result<ConfinedProcess, MediaError> {
    let map = format!("0:{stream}");
    let (rate, channels) = (SAMPLE_RATE.to_string(), channels.to_string());
    // Gaps become silence, and the audio is aligned with the start of the presentation.
    let filter = format!("aresample={rate}:async=1:first_pts=0");
    let arguments = [
        "-v",
        "error",
        "-nostdin",
        "-max_alloc",
        "536870912",
        "-threads",
        "1",
        "-protocol_whitelist",
        "file,pipe",
        "-f",
        demuxer,
        "-i",
        INPUT,
        "-map",
        &map,
        "-vn",
        "-sn",
        "-dn",
        "-map_metadata",
        "-1",
        "-map_chapters",
        "-1",
        "-threads",
        "1",
        "-filter_threads",
        "1",
        "-af",
        &filter,
        "-ar",
        &rate,
        "-ac",
        &channels,
        "-c:a",
        "pcm_f32le",
        "-f",
        "f32le",
        "pipe:1",
    ];
    ConfinedProcess::start("ffmpeg", &arguments, media.handle()?, limits, stop)
}

/// The output of a running ffmpeg: interleaved 32-bit floats at 16 kHz.
pub(super) struct FfmpegOutput {
    process: ConfinedProcess,
    channels: usize,
    rest: Vec<u8>,
    silence: Duration,
}

impl Decoder for FfmpegOutput {
    fn step(&mut self, frames: &mut Frames) -> Result<Step, MediaError> {
        match self.process.read(READ, self.silence)? {
            Output::Bytes(bytes) => self.rest.extend_from_slice(&bytes),
            Output::Silence => return Err(MediaError::TooSlow),
            Output::End => {
                return Ok(if self.process.wait() {
                    Step::End
                } else {
                    Step::Broken("the external decoder gave up".to_owned())
                });
            }
        }
        let frame = self.channels * 4;
        let complete = self.rest.len() / frame * frame;
        frames.samples.clear();
        let samples = self.rest[..complete].chunks_exact(4);
        frames
            .samples
            .extend(samples.map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])));
        self.rest.drain(..complete);
        frames.rate = SAMPLE_RATE;
        frames.time = None;
        if frames.mix.channels() != self.channels {
            frames.mix = Mix::usual(self.channels);
        }
        Ok(if complete == 0 {
            Step::Idle
        } else {
            Step::Frames
        })
    }
}
