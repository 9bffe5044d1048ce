//! A track's channels apart: how many it has, and which of them differ.

use std::path::Path;

use super::comparison::{Channels, Take};
use super::{Limits, MediaError, open};
use crate::cancel::Stop;

/// Finds out how many channels a track has and which of them differ. Reads as far as it must:
/// seconds where each channel has a sound of its own, the whole file where two are the same.
///
/// # Errors
/// As [`super::open`].
pub(crate) fn distinct(
    path: &Path,
    track: Option<usize>,
    limits: &Limits,
    stop: &Stop,
) -> Result<Channels, MediaError> {
    let mut pcm = open::open(path, track, Take::Compared, limits, stop)?;
    while !pcm.comparison().is_settled() && !stop.is_set() {
        if pcm.next_block()?.is_none() {
            break;
        }
    }
    Ok(pcm.comparison().channels())
}
