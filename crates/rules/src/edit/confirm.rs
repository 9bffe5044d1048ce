//! Saying that words were recognised right.

use super::EditedSegment;
use super::retime::WRITTEN;
use crate::transcript::Word;

/// The segment's words after somebody has listened to some of them, named by their positions from
/// 0, and found them right: these are as sure as what a person wrote. Text and times stay. `None`
/// when there is no word at one of the positions.
#[must_use]
pub fn confirm(segment: &EditedSegment, words: &[u32]) -> Option<Vec<Word>> {
    let mut confirmed = segment.words.clone();
    for &position in words {
        let word = confirmed.get_mut(usize::try_from(position).ok()?)?;
        word.confidence = WRITTEN;
    }
    Some(confirmed)
}
