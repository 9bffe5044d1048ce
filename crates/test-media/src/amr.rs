//! AMR narrow-band, frame by frame (RFC 4867, section 5): Debian's ffmpeg can decode it but not
//! encode it.

/// Frames per second.
pub const FRAMES_PER_SECOND: usize = 50;

/// Magic number of a file with one channel.
const MAGIC: &[u8] = b"#!AMR\n";
/// Header of an intact frame at 4.75 kbit/s, and the number of bytes after it.
const HEAD: u8 = 0x04;
const BYTES: usize = 12;

/// A file of noise. Any bits are valid for a speech codec; these are the same every time.
#[must_use]
pub fn noise(frames: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let mut byte = || {
        // Marsaglia's xorshift.
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()[0]
    };
    let mut file = MAGIC.to_vec();
    for _ in 0..frames {
        file.push(HEAD);
        file.extend(std::iter::repeat_with(&mut byte).take(BYTES));
    }
    file
}
