//! The description of an MP4 track's samples: codec, channels, rate.
//!
//! The entry's own fields are older than AAC, and writers always put two channels there; the
//! decoder configuration has the correct number.

/// The most bytes of an entry that are read: AAC's have about a hundred.
pub(super) const MAX_BYTES: usize = 1024;
/// The deepest nesting of boxes and descriptors; real ones have three levels.
const MAX_DEPTH: usize = 4;

/// The values of a sample entry; zero where it has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SampleEntry {
    /// The four-character code.
    pub(super) codec: [u8; 4],
    /// Channels.
    pub(super) channels: u16,
    /// Hz.
    pub(super) rate: u32,
}

/// Reads an entry, beginning with its size.
pub(super) fn read(entry: &[u8]) -> SampleEntry {
    let codec = entry
        .get(4..8)
        .and_then(|four| four.try_into().ok())
        .unwrap_or_default();
    // QuickTime has two longer forms of the entry.
    let (channels, rate, boxes) = match u16_at(entry, 16) {
        2 => {
            let rate = entry.get(40..48).and_then(|eight| eight.try_into().ok());
            let rate = rate.map_or(0.0, f64::from_be_bytes);
            (u16_at(entry, 50), rate as u32, 72)
        }
        version => {
            let boxes = if version == 1 { 52 } else { 36 };
            (u16_at(entry, 24), u32::from(u16_at(entry, 32)), boxes)
        }
    };
    let configured = entry.get(boxes..).and_then(|inner| channels_of(inner, 0));
    SampleEntry {
        codec,
        channels: configured.unwrap_or(channels),
        rate,
    }
}

/// The number of channels in the AAC configuration, in the boxes of an entry.
fn channels_of(mut boxes: &[u8], depth: usize) -> Option<u16> {
    while depth < MAX_DEPTH && boxes.len() >= 8 {
        let size = u32::from_be_bytes(boxes.get(..4)?.try_into().ok()?);
        let size = usize::try_from(size).ok().filter(|size| *size >= 8)?;
        let body = &boxes[8..size.min(boxes.len())];
        let found = match &boxes[4..8] {
            // Skips the version and flags.
            b"esds" => descriptors(body.get(4..)?, 0),
            b"wave" => channels_of(body, depth + 1),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        boxes = boxes.get(size..)?;
    }
    None
}

/// The same, in the descriptors of an elementary stream.
fn descriptors(bytes: &[u8], depth: usize) -> Option<u16> {
    const STREAM: u8 = 3;
    const DECODER: u8 = 4;
    const CONFIGURATION: u8 = 5;
    if depth == MAX_DEPTH {
        return None;
    }
    // The length has seven bits per byte; the top bit is set if another byte follows.
    let (kind, rest) = bytes.split_first()?;
    let more = rest.iter().take(4).take_while(|byte| **byte >= 0x80);
    let body = rest.get(1 + more.count()..)?;
    match *kind {
        // Skips the id and the flags, none of which is set in files.
        STREAM => descriptors(body.get(3..)?, depth + 1),
        // Skips the object type, buffer size and bit rates.
        DECODER => descriptors(body.get(13..)?, depth + 1),
        CONFIGURATION => channel_configuration(body),
        _ => None,
    }
}

/// Five bits of object type, four of rate (or 15 and the rate in 24 bits), four of channels.
/// Extended object types and custom channel layouts are left to the decoder.
fn channel_configuration(bytes: &[u8]) -> Option<u16> {
    let bits = u16::from_be_bytes(bytes.get(..2)?.try_into().ok()?);
    let (kind, rate, channels) = (bits >> 11, bits >> 7 & 0xF, bits >> 3 & 0xF);
    match channels {
        _ if kind == 31 || rate == 15 => None,
        1..=6 => Some(channels),
        7 => Some(8),
        _ => None,
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes
        .get(at..at + 2)
        .map_or(0, |two| u16::from_be_bytes([two[0], two[1]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An AAC entry whose fields state two channels, with this decoder configuration.
    fn aac(configuration: [u8; 2]) -> Vec<u8> {
        let mut esds = b"\0\0\0\x27esds\0\0\0\0\x03\x19\0\x01\0\x04\x11\x40\x15".to_vec();
        esds.extend([0; 11]);
        esds.extend([5, 2]);
        esds.extend(configuration);
        let mut entry = b"\0\0\0\x4Bmp4a".to_vec();
        entry.extend([0; 16]);
        entry.extend([0, 2, 0, 16, 0, 0, 0, 0, 0xAC, 0x44, 0, 0]);
        entry.extend(esds);
        entry
    }

    #[test]
    fn the_decoder_configuration_overrides_the_channel_field() {
        // AAC-LC at 44.1 kHz: mono, 5.1, custom layout.
        for (configuration, channels) in [([0x12, 0x08], 1), ([0x12, 0x30], 6), ([0x12, 0], 2)] {
            let entry = read(&aac(configuration));
            assert_eq!((&entry.codec, entry.rate), (b"mp4a", 44_100));
            assert_eq!(entry.channels, channels, "{configuration:?}");
        }
    }

    #[test]
    fn a_truncated_or_corrupted_entry_is_read_without_panic() {
        let complete = aac([0x12, 0x08]);
        for length in 0..complete.len() {
            let entry = read(&complete[..length]);
            assert!(matches!(entry.channels, 0 | 2), "{length}: {entry:?}");
        }
        for at in 0..complete.len() {
            for byte in [0, 1, 0x7F, 0x80, 0xFF] {
                let mut wrong = complete.clone();
                wrong[at] = byte;
                read(&wrong);
            }
        }
    }
}
