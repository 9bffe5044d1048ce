//! Media files of any origin into 16 kHz mono sound: what a file is (by its content, never
//! by its name), which tracks it has, and a pull reader over one of them.
//!
//! Every file is taken as hostile. Headers are read by us where the decoders trust them too
//! much, sizes and times in them are never believed, memory is bounded whatever they claim
//! ([`Limits`]), panics of decoders become errors, and what is damaged gives its sound up to
//! there and a warning.
//!
//! Two ways lead to the sound. [symphonia](https://docs.rs/symphonia) and libopus decode in
//! this process. What they cannot read (AVI, Windows Media, AIFF, AMR, bare AAC; AC-3; HE-AAC
//! and AAC of more than two channels; odd QuickTime) goes through ffmpeg as a confined subprocess, which gets the open file, a
//! demuxer chosen by us, no network and hard limits. Playlists, manifests and the like reach
//! neither.
//!
//! Each reader gives one stream: the mix of a track's channels, or one of them. Who wants the
//! channels apart opens the file once for each; decoding is little beside what follows it.

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
pub(crate) use comparison::Take;
pub use error::MediaError;
pub use info::{MediaInfo, Track};
pub use limits::Limits;
pub use pcm::{Block, Pcm};

/// Samples per second of what [`Pcm`] gives.
pub const SAMPLE_RATE: u32 = 16_000;

/// Whether the outside decoder is installed, and with it the formats besides the ten are read.
#[must_use]
pub fn has_outside_decoder() -> bool {
    ffmpeg::is_installed()
}

/// Says what a file is and whether it can be decoded, by decoding its first packet.
///
/// # Errors
/// Whatever keeps the file from being transcribed, see [`MediaError`].
pub fn probe(path: &Path, limits: &Limits) -> Result<MediaInfo, MediaError> {
    open(path, None, limits).map(|pcm| pcm.info().clone())
}

/// Opens an audio track of a file for reading: the given one (from 0), else the one that
/// the file marks as default, else the first.
///
/// An outside decoder ends with the thread that called this: that thread must outlive the
/// reader.
///
/// # Errors
/// Whatever keeps the file from being transcribed, see [`MediaError`].
pub fn open(path: &Path, track: Option<usize>, limits: &Limits) -> Result<Pcm, MediaError> {
    open_until(path, track, Take::Mix, limits, &Stop::default())
}

/// The same for a job that may be stopped: then waiting for an outside decoder ends with
/// an error that says nothing of the file.
pub(crate) fn open_until(
    path: &Path,
    track: Option<usize>,
    take: Take,
    limits: &Limits,
    stop: &Stop,
) -> Result<Pcm, MediaError> {
    open::open(path, track, take, limits, stop)
}
