//! What is known of a file before its audio is decoded.

use serde::{Deserialize, Serialize};

/// The most characters kept of a track's title: enough for "Director's commentary (stereo)".
pub const MAX_TITLE: usize = 100;

/// A media file's description. It comes from headers, which may be wrong: only the output of
/// [`super::Pcm`] is certain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MediaInfo {
    /// The container, detected from the content: one of the ten formats (`m4a` counts as `mp4`).
    pub container: String,
    /// Codec of the chosen audio track, lower case.
    pub codec: String,
    /// Length in seconds as stated in the headers; good enough for progress, not for limits.
    pub duration: Option<f64>,
    /// The audio tracks, in the file's order.
    pub tracks: Vec<Track>,
    /// Index into `tracks` of the track that is (or would be) decoded.
    pub track: usize,
    /// Whether there is a video track.
    pub has_video: bool,
}

/// One audio track.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Track {
    /// Position among the audio tracks, from 0.
    pub index: usize,
    /// Codec, lower case.
    pub codec: String,
    /// Number of channels as stated, 0 if unknown.
    pub channels: usize,
    /// Sample rate in Hz as stated, 0 if unknown.
    pub rate: u32,
    /// Language as stated in the file (BCP 47 or ISO 639-2), without `und`.
    pub language: Option<String>,
    /// The title as stated in the file, one line of at most [`MAX_TITLE`] characters.
    pub title: Option<String>,
    /// Whether the file marks it as the default track.
    pub default: bool,
}

/// The track to decode: the requested one, else the first marked as default, else the first.
pub(super) fn choose(
    tracks: &[Track],
    requested: Option<usize>,
) -> Result<usize, super::MediaError> {
    match requested {
        Some(track) if track < tracks.len() => Ok(track),
        Some(track) => Err(super::MediaError::NoSuchTrack {
            track,
            tracks: tracks.len(),
        }),
        None => Ok(tracks.iter().position(|track| track.default).unwrap_or(0)),
    }
}

/// A language tag, unless it says nothing.
pub(super) fn language(tag: Option<&str>) -> Option<String> {
    let tag = tag?.trim_matches(|c: char| c == '\0' || c.is_whitespace());
    let plain = tag.len() <= 35 && tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    (!tag.is_empty() && tag != "und" && plain).then(|| tag.to_owned())
}

/// A title as one line without control characters and without bidirectional control characters.
pub(super) fn title(text: Option<&str>) -> Option<String> {
    let is_visible = |c: &char| {
        !c.is_control()
            && !matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let visible: String = text?.chars().filter(is_visible).take(MAX_TITLE).collect();
    let visible = visible.trim();
    (!visible.is_empty()).then(|| visible.to_owned())
}

/// A stated duration if it is plausible: finite, positive, below a year.
pub(super) fn duration(seconds: Option<f64>) -> Option<f64> {
    seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0 && *seconds < 366.0 * 86_400.0)
}
