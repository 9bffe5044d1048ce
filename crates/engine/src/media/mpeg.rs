//! Tags before MPEG audio, skipped unread: their sizes may be wrong, and their pictures are not
//! needed.

use super::MediaError;
use super::source::Media;

/// The most consecutive tags; real files have one, rarely two.
const MAX_TAGS: usize = 16;

/// Offset of the audio after the ID3v2 tags. If a tag claims to end beyond the file, only its
/// header is skipped.
pub(super) fn after_tags(media: &Media) -> Result<u64, MediaError> {
    let mut at = 0;
    for _ in 0..MAX_TAGS {
        let head = media.read_at(at, 10)?;
        if head.len() < 10 || !head.starts_with(b"ID3") {
            break;
        }
        let is_size = head[6..].iter().all(|byte| byte & 0x80 == 0);
        let size = head[6..]
            .iter()
            .fold(0_u64, |sum, byte| sum << 7 | u64::from(*byte));
        let footer = if head[5] & 0x10 == 0 { 0 } else { 10 };
        let end = at + 10 + size + footer;
        at = if is_size && end < media.length() {
            end
        } else {
            at + 10
        };
    }
    Ok(at)
}
