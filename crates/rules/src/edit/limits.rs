//! Limits of edits.

/// Maximum number of edits per request.
pub const MAX_EDITS: usize = 100;
/// Maximum number of segments per edit.
pub const MAX_SEGMENTS: usize = 20_000;
/// Longest text of a segment, in characters.
pub const MAX_TEXT: usize = 20_000;
/// Maximum number of words per edit: a segment of the longest text has no more.
pub const MAX_WORDS: usize = MAX_TEXT;
/// Longest name of a speaker, in characters.
pub const MAX_SPEAKER_NAME: usize = 80;
/// Numbers of speakers must be below this.
pub const MAX_SPEAKERS: u32 = 1000;
/// Latest position in a recording, in seconds: eleven days, longer than any.
pub const MAX_SECONDS: f64 = 1_000_000.0;
/// Minimum duration of a line or a subtitle, in seconds: a frame at 25 frames per second.
pub const MIN_CUE_SECONDS: f64 = 0.04;
/// Maximum number of hand-made subtitles per segment.
pub const MAX_CUES: usize = 50;
/// Maximum number of hand-made line breaks per subtitle.
pub const MAX_BREAKS: usize = 3;
