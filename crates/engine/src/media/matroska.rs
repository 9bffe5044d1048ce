//! Matroska track data that the demuxer does not provide: names, and tracks that are explicitly not
//! default (the demuxer does not distinguish a missing flag, which means default, from one that is
//! off).

use super::MediaError;
use super::info;
use super::source::Media;

/// Bytes at the start of the file in which the list of tracks is searched: it precedes the audio.
const HEAD: usize = 1 << 20;

const SEGMENT: u32 = 0x1853_8067;
const TRACKS: u32 = 0x1654_AE6B;
const ENTRY: u32 = 0xAE;
const NUMBER: u32 = 0xD7;
const FLAG_DEFAULT: u32 = 0x88;
const NAME: u32 = 0x536E;

/// The data of a track's entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Entry {
    /// The track number that the demuxer uses.
    pub(super) number: u64,
    /// Whether it is marked as not default.
    pub(super) is_not_default: bool,
    /// Its name.
    pub(super) title: Option<String>,
}

/// The entries of all tracks that have a number.
pub(super) fn entries(media: &Media) -> Result<Vec<Entry>, MediaError> {
    let head = media.read_at(0, HEAD)?;
    let mut found = Vec::new();
    let segments = children(&head).filter(|(id, _)| *id == SEGMENT);
    let lists = segments
        .flat_map(|(_, body)| children(body))
        .filter(|(id, _)| *id == TRACKS);
    for (_, entry) in lists
        .flat_map(|(_, body)| children(body))
        .filter(|(id, _)| *id == ENTRY)
    {
        let field = |target| {
            let found = children(entry).find(|(id, _)| *id == target);
            found.map(|(_, body)| body)
        };
        let value = |target| {
            field(target).map(|body| {
                body.iter()
                    .take(8)
                    .fold(0, |sum, byte| sum << 8 | u64::from(*byte))
            })
        };
        let name = field(NAME).map(String::from_utf8_lossy);
        found.extend(value(NUMBER).map(|number| Entry {
            number,
            is_not_default: value(FLAG_DEFAULT) == Some(0),
            title: info::title(name.as_deref()),
        }));
    }
    Ok(found)
}

/// Whether the file ends before its segment does. Live recordings state no size.
pub(super) fn is_cut(media: &Media) -> Result<bool, MediaError> {
    let head = media.read_at(0, 4096)?;
    let Some((_, first)) = children(&head).next() else {
        return Ok(false);
    };
    // The segment follows the EBML header, which is short.
    let at = first.as_ptr() as usize - head.as_ptr() as usize + first.len();
    let Some(size) = head
        .get(at + 4..)
        .filter(|_| head.get(at..at + 4) == Some(&SEGMENT.to_be_bytes()))
    else {
        return Ok(false);
    };
    let length = size
        .first()
        .map_or(9, |byte| byte.leading_zeros() as usize + 1);
    let Some(size) = size.get(..length).filter(|_| length <= 8) else {
        return Ok(false);
    };
    let mask = (1_u64 << (7 * length)) - 1;
    let size = size
        .iter()
        .fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte))
        & mask;
    Ok(size != mask && (at + 4 + length) as u64 + size > media.length())
}

/// The child elements in these bytes: id and body, truncated at the end of the bytes.
fn children(mut bytes: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    std::iter::from_fn(move || {
        let id_length = bytes.first()?.leading_zeros() as usize + 1;
        let id = bytes.get(..id_length).filter(|_| id_length <= 4)?;
        let id = id.iter().fold(0, |sum, byte| sum << 8 | u32::from(*byte));
        let rest = &bytes[id_length..];
        let size_length = rest.first()?.leading_zeros() as usize + 1;
        let size = rest.get(..size_length).filter(|_| size_length <= 8)?;
        let size = size
            .iter()
            .fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte))
            & ((1 << (7 * size_length)) - 1);
        let body = &rest[size_length..];
        let length = usize::try_from(size).unwrap_or(usize::MAX).min(body.len());
        bytes = &body[length..];
        Some((id, &body[..length]))
    })
}
