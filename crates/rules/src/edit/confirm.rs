//! Confirming that words were recognised correctly.

use super::EditedSegment;
use super::retime::WRITTEN;
use crate::transcript::Word;

/// The segment's words after a person has confirmed those at these positions, from 0: they get the
/// confidence of written words. Text and times stay. `None` if there is no word at one of the
/// positions.
#[must_use]
pub fn confirm(segment: &EditedSegment, words: &[u32]) -> Option<Vec<Word>> {
    let mut confirmed = segment.words.clone();
    for &position in words {
        let word = confirmed.get_mut(usize::try_from(position).ok()?)?;
        word.confidence = WRITTEN;
    }
    Some(confirmed)
}
