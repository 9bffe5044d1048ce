//! FLAC files of silence: hours in a few kilobytes.

/// Samples per frame: the format's maximum.
const FRAME: u32 = 65_535;

/// `seconds` of digital silence at 16 kHz mono, about 3.5 bytes a second.
#[must_use]
pub fn silence(seconds: u32) -> Vec<u8> {
    silence_after(&[], seconds)
}

/// The same with metadata blocks (type, length) between the stream information and the audio,
/// filled with zeros.
#[must_use]
pub fn silence_after(blocks: &[(u8, u32)], seconds: u32) -> Vec<u8> {
    let frames = (u64::from(seconds) * 16_000).div_ceil(u64::from(FRAME));
    let total = frames * u64::from(FRAME);
    let mut file = b"fLaC".to_vec();
    let last = if blocks.is_empty() { 0x80 } else { 0 };
    file.extend([last, 0, 0, 34]);
    file.extend([0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0]);
    // 20 bits rate, 3 bits channels - 1, 5 bits sample size - 1, 36 bits samples.
    file.extend(((16_000_u64 << 44) | (15 << 36) | total).to_be_bytes());
    file.extend([0; 16]);
    for (i, (kind, length)) in blocks.iter().enumerate() {
        let last = if i + 1 == blocks.len() { 0x80 } else { 0 };
        file.push(kind | last);
        file.extend(&length.to_be_bytes()[1..]);
        file.resize(file.len() + *length as usize, 0);
    }
    for number in 0..frames {
        file.extend(frame(number as u32));
    }
    file
}

/// A frame of one constant subframe.
fn frame(number: u32) -> Vec<u8> {
    let mut bytes = vec![0xFF, 0xF8, 0x75, 0x08];
    let mut coded = [0; 4];
    // Frame numbers are coded like UTF-8, extended beyond its range.
    let coded = match number {
        0..0x80 => {
            coded[0] = number as u8;
            &coded[..1]
        }
        0x80..0x800 => {
            coded[0] = 0xC0 | (number >> 6) as u8;
            coded[1] = 0x80 | (number & 0x3F) as u8;
            &coded[..2]
        }
        _ => {
            coded[0] = 0xE0 | (number >> 12) as u8;
            coded[1] = 0x80 | (number >> 6 & 0x3F) as u8;
            coded[2] = 0x80 | (number & 0x3F) as u8;
            &coded[..3]
        }
    };
    bytes.extend(coded);
    bytes.extend((FRAME as u16 - 1).to_be_bytes());
    bytes.push(crc(&bytes, 8, 0x07) as u8);
    bytes.extend([0, 0, 0]);
    let checksum = crc(&bytes, 16, 0x8005) as u16;
    bytes.extend(checksum.to_be_bytes());
    bytes
}

/// A plain CRC of `width` bits, most significant bit first, from zero.
fn crc(bytes: &[u8], width: u32, polynomial: u32) -> u32 {
    let top = 1 << (width - 1);
    bytes.iter().fold(0_u32, |sum, byte| {
        (0..8).fold(sum ^ (u32::from(*byte) << (width - 8)), |sum, _| {
            let shifted = sum << 1;
            if sum & top == 0 {
                shifted
            } else {
                shifted ^ polynomial
            }
        }) & ((1 << width) - 1)
    })
}
