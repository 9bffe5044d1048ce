//! Audio as other servers take it.

use slovo_engine::media::SAMPLE_RATE;

/// A WAV file of mono samples at 16 kHz, -1 to 1, with 16 bits each: every server reads it, and it is
/// exact enough for recognition.
pub(crate) fn wav(samples: &[f32]) -> Vec<u8> {
    let size = u32::try_from(samples.len() * 2).unwrap_or(u32::MAX);
    let rate = SAMPLE_RATE;
    let mut file = Vec::with_capacity(44 + samples.len() * 2);
    file.extend_from_slice(b"RIFF");
    file.extend_from_slice(&size.saturating_add(36).to_le_bytes());
    file.extend_from_slice(b"WAVEfmt ");
    file.extend_from_slice(&16_u32.to_le_bytes());
    // PCM, one channel.
    file.extend_from_slice(&1_u16.to_le_bytes());
    file.extend_from_slice(&1_u16.to_le_bytes());
    file.extend_from_slice(&rate.to_le_bytes());
    file.extend_from_slice(&(rate * 2).to_le_bytes());
    file.extend_from_slice(&2_u16.to_le_bytes());
    file.extend_from_slice(&16_u16.to_le_bytes());
    file.extend_from_slice(b"data");
    file.extend_from_slice(&size.to_le_bytes());
    for sample in samples {
        let value = (sample.clamp(-1.0, 1.0) * f32::from(i16::MAX)).round() as i16;
        file.extend_from_slice(&value.to_le_bytes());
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_header_and_the_samples() {
        let file = wav(&[0.0, 1.0, -2.0, f32::NAN]);
        assert_eq!(file.len(), 44 + 8);
        assert_eq!(&file[..4], b"RIFF");
        assert_eq!(file[4..8], 44_u32.to_le_bytes());
        assert_eq!(file[40..44], 8_u32.to_le_bytes());
        assert_eq!(file[44..], [0, 0, 0xff, 0x7f, 0x01, 0x80, 0, 0]);
    }
}
