//! Names that a user gives to states of a text.

/// Longest name, in characters.
pub const MAX_NAME: usize = 80;
/// Most names of one transcription: whoever needs more has another wish.
pub const MAX_MARKS: i64 = 500;
