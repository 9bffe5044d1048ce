//! How many channels a track has, and which of them differ.

use std::path::Path;

use super::comparison::{ChannelSelection, Channels};
use super::{Limits, MediaError, open};
use crate::cancel::Stop;

/// Counts the channels of a track and finds those that differ. Reads only as far as necessary:
/// seconds if every channel has its own sound, the whole file if two are the same.
///
/// # Errors
/// As [`super::open`].
pub(crate) fn distinct(
    path: &Path,
    track: Option<usize>,
    limits: &Limits,
    stop: &Stop,
) -> Result<Channels, MediaError> {
    let mut pcm = open::open(path, track, ChannelSelection::Compared, limits, stop)?;
    while !pcm.comparison().is_settled() && !stop.is_set() {
        if pcm.next_block()?.is_none() {
            break;
        }
    }
    Ok(pcm.comparison().channels())
}
