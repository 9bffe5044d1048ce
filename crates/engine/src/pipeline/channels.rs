//! Which streams of a recording are recognised: its mix, or each channel separately.

use slovo_rules::transcript::Warning;

use crate::cancel::Stop;
use crate::error::EngineError;
use crate::media::{self, ChannelSelection, Pcm};
use crate::request::Request;
use crate::shared::Shared;

/// The most channels that are recognised separately. Each keeps a voice detector and up to half a
/// minute of audio.
const MAX_CHANNELS: usize = 8;

/// The readers of a recording, and a warning if separate channels were requested but not used:
/// `one_channel`, `channels_equal {channels}`, `too_many_channels {channels, most}`.
pub(super) struct Streams {
    pub(super) readers: Vec<Pcm>,
    pub(super) warning: Option<Warning>,
}

/// Opens the recording; an external decoder may take minutes for that.
pub(super) fn open(
    shared: &Shared,
    request: &Request,
    stop: &Stop,
) -> Result<Streams, EngineError> {
    if stop.is_set() {
        return Err(EngineError::Cancelled);
    }
    let opened = streams(shared, request, stop);
    // A cancelled read looks like a damaged file.
    if stop.is_set() {
        return Err(EngineError::Cancelled);
    }
    opened
}

fn streams(shared: &Shared, request: &Request, stop: &Stop) -> Result<Streams, EngineError> {
    let (input, track, limits) = (&request.input, request.audio_track, &shared.config.limits);
    let open = |take| media::open_until(input, track, take, limits, stop);
    let mut warning = None;
    let mut takes = vec![ChannelSelection::Mix];
    if request.multichannel {
        let channels = media::distinct(input, track, limits, stop)?;
        let count = channels.count;
        match channels.distinct.len() {
            _ if count < 2 => warning = Some(Warning::new("one_channel")),
            0 | 1 => warning = Some(Warning::new("channels_equal").with("channels", count)),
            2..=MAX_CHANNELS => {
                takes = channels
                    .distinct
                    .into_iter()
                    .map(ChannelSelection::Channel)
                    .collect();
            }
            _ => {
                let too_many = Warning::new("too_many_channels").with("channels", count);
                warning = Some(too_many.with("most", MAX_CHANNELS));
            }
        }
    }
    let readers = takes.into_iter().map(open).collect::<Result<_, _>>()?;
    Ok(Streams { readers, warning })
}
