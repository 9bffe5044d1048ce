//! AMR narrow-band, frame by frame (RFC 4867, section 5): Debian's ffmpeg reads it and writes none.

/// Frames in a second.
pub const FRAMES_PER_SECOND: usize = 50;

/// What a file of one channel begins with.
const MAGIC: &[u8] = b"#!AMR\n";
/// Head of a frame of 4.75 kbit/s that is whole, and how many bytes follow.
const HEAD: u8 = 0x04;
const BYTES: usize = 12;

/// A file of noise. Any bits are a sound to a speech codec; these are the same every time.
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
