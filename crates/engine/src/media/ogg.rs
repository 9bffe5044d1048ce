//! Whether an Ogg file is complete.

use super::MediaError;
use super::source::Media;

/// The longest page: 27 bytes of header, 255 of segment table, 255 times 255 of packets.
const MAX_PAGE: u64 = 27 + 255 + 255 * 255;

/// Whether the last page is incomplete or is not marked as the last one.
pub(super) fn is_cut(media: &Media) -> Result<bool, MediaError> {
    let start = media.length().saturating_sub(2 * MAX_PAGE);
    let end = media.read_at(start, (2 * MAX_PAGE) as usize)?;
    let Some(page) = end
        .windows(4)
        .rposition(|four| four == b"OggS")
        .map(|at| &end[at..])
    else {
        return Ok(true);
    };
    let Some(table) = page
        .get(26)
        .and_then(|count| page.get(27..27 + usize::from(*count)))
    else {
        return Ok(true);
    };
    let length = 27 + table.len() + table.iter().map(|size| usize::from(*size)).sum::<usize>();
    Ok(page.len() < length || page[5] & 0x04 == 0)
}
