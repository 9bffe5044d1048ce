//! How much one edit may hold.

/// Most edits of one request.
pub const MAX_EDITS: usize = 100;
/// Most segments of one edit.
pub const MAX_SEGMENTS: usize = 20_000;
/// Longest text of a segment, in characters.
pub const MAX_TEXT: usize = 20_000;
/// Most words of one edit: a segment of the longest text has no more.
pub const MAX_WORDS: usize = MAX_TEXT;
/// Longest name of a speaker, in characters.
pub const MAX_SPEAKER_NAME: usize = 80;
/// Speakers have numbers below this one.
pub const MAX_SPEAKERS: u32 = 1000;
/// The furthest place in a recording, in seconds: eleven days, longer than any.
pub const MAX_SECONDS: f64 = 1_000_000.0;
/// The shortest time of a line or a subtitle, in seconds: a frame at 25 frames per second.
pub const LEAST_SPAN: f64 = 0.04;
/// Most hand-made subtitles of a segment.
pub const MAX_CUES: usize = 50;
/// Most places of a subtitle at which a person ends a line.
pub const MAX_BREAKS: usize = 3;
