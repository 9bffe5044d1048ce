//! Names for versions of a transcript.

/// Longest name, in characters.
pub const MAX_NAME: usize = 80;
/// Maximum number of names per transcript.
pub const MAX_MARKS: i64 = 500;
