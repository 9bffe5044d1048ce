//! Decodes media files to 16 kHz mono audio: detects the format (by content, never by name), lists
//! the tracks, and provides a pull reader for one of them.
//!
//! Every file is treated as hostile. Headers that the decoders trust too much are parsed here,
//! stated sizes and times are never believed, memory is bounded whatever they say ([`Limits`]), and
//! decoder panics become errors. A damaged file yields its audio up to the damage, and a warning.
//!
//! There are two decoders. [symphonia](https://docs.rs/symphonia) with libopus decodes in this
//! process. Formats that they cannot read (AVI, Windows Media, AIFF, AMR, bare AAC; AC-3; HE-AAC
//! and AAC of more than two channels; unusual QuickTime) go through ffmpeg as a confined
//! subprocess, which gets the open file, a demuxer chosen here, no network and hard limits.
//! Playlists, manifests and the like reach neither.
//!
//! Each reader delivers one stream: the mix of a track's channels, or one channel. To get the
//! channels separately, open the file once for each; decoding is cheap compared with recognition.

mod channels;
mod comparison;
mod damage;
mod error;
mod ffmpeg;
mod flac;
mod info;
mod isomp4;
mod limits;
mod matroska;
mod mix;
mod mpeg;
mod native;
mod ogg;
mod open;
mod pcm;
mod resample;
mod sample_entry;
mod source;
mod step;
mod wav;

use std::path::Path;

use crate::cancel::Stop;

pub(crate) use channels::distinct;
pub(crate) use comparison::ChannelSelection;
pub use error::MediaError;
pub use info::{MediaInfo, Track};
pub use limits::Limits;
pub use pcm::{Block, Pcm};

/// Sample rate of [`Pcm`]'s output in Hz.
pub const SAMPLE_RATE: u32 = 16_000;

/// Whether the external decoder is installed, so that formats besides the ten are supported.
#[must_use]
pub fn has_external_decoder() -> bool {
    ffmpeg::is_installed()
}

/// Detects the format of a file and checks by decoding its first packet whether it can be decoded.
///
/// # Errors
/// Any reason why the file cannot be transcribed, see [`MediaError`].
pub fn probe(path: &Path, limits: &Limits) -> Result<MediaInfo, MediaError> {
    open(path, None, limits).map(|pcm| pcm.info().clone())
}

/// Opens an audio track of a file for reading: the given one (from 0), else the file's default
/// track, else the first.
///
/// The external decoder is killed when the thread that called this function ends, so that thread
/// must outlive the reader.
///
/// # Errors
/// Any reason why the file cannot be transcribed, see [`MediaError`].
pub fn open(path: &Path, track: Option<usize>, limits: &Limits) -> Result<Pcm, MediaError> {
    open_until(path, track, ChannelSelection::Mix, limits, &Stop::default())
}

/// As [`open`], for a job that may be cancelled: waiting for the external decoder then ends with an
/// error that says nothing about the file.
pub(crate) fn open_until(
    path: &Path,
    track: Option<usize>,
    take: ChannelSelection,
    limits: &Limits,
    stop: &Stop,
) -> Result<Pcm, MediaError> {
    open::open(path, track, take, limits, stop)
}
