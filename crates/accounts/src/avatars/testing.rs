//! For tests: images that claim to be larger than they are.

/// A PNG of some 60 bytes whose header claims this size, with this many bits per sample of its
/// colour type.
#[must_use]
pub fn claiming(width: u32, height: u32, bits: u8, colour: u8) -> Vec<u8> {
    let mut header = b"IHDR".to_vec();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    header.extend([bits, colour, 0, 0, 0]);
    // An empty deflate stream.
    let data = b"IDAT\x78\x01\x03\0\0\0\0\x01".to_vec();
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for chunk in [header, data, b"IEND".to_vec()] {
        png.extend(u32::try_from(chunk.len() - 4).unwrap_or(0).to_be_bytes());
        png.extend(&chunk);
        png.extend(crc(&chunk).to_be_bytes());
    }
    png
}

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xedb8_8320 & 0u32.wrapping_sub(crc & 1));
        }
    }
    !crc
}
