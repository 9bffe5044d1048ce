//! Helpers to generate bytes of hostile files.

/// Flips `count` bits after the first kilobyte.
pub(super) fn flipped(bytes: &[u8], count: u64) -> Vec<u8> {
    let mut bent = bytes.to_vec();
    let room = (bent.len() as u64 - 1024) * 8;
    let mut random = Random(count);
    for _ in 0..count {
        let bit = 1024 * 8 + random.next() % room;
        bent[(bit / 8) as usize] ^= 1 << (bit % 8);
    }
    bent
}

/// Deterministic random bytes.
#[must_use]
pub fn noise(seed: u64, count: usize) -> Vec<u8> {
    let mut random = Random(seed);
    (0..count).map(|_| (random.next() >> 32) as u8).collect()
}

/// The SplitMix64 generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

/// A ZIP archive with one uncompressed member.
pub(super) fn zip(name: &str, content: &[u8]) -> Vec<u8> {
    let size = u32::try_from(content.len()).unwrap_or(0).to_le_bytes();
    let length = u16::try_from(name.len()).unwrap_or(0).to_le_bytes();
    [
        &b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0"[..],
        &size,
        &size,
        &length,
        b"\0\0",
        name.as_bytes(),
        content,
    ]
    .concat()
}

/// A gzip file of `size` zeros: one literal, then copies of 258 bytes in 13 bits each.
pub(super) fn gzip_bomb(size: usize) -> Vec<u8> {
    let mut bits = BitWriter {
        bytes: b"\x1F\x8B\x08\0\0\0\0\0\0\x03".to_vec(),
        pending: 0,
        count: 0,
    };
    bits.push(0b011, 3);
    bits.push(0b0000_1100, 8);
    for _ in 0..size / 258 {
        bits.push(0b1010_0011, 8);
        bits.push(0, 5);
    }
    bits.push(0, 7);
    bits.push(0, 7);
    let mut file = bits.bytes;
    file.extend([0; 4]);
    file.extend(u32::try_from(size).unwrap_or(0).to_le_bytes());
    file
}

struct BitWriter {
    bytes: Vec<u8>,
    pending: u32,
    count: u32,
}

impl BitWriter {
    fn push(&mut self, value: u32, width: u32) {
        self.pending |= value << self.count;
        self.count += width;
        while self.count >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }
}
