//! WAV headers, including invalid ones.

/// The fields of a 44-byte WAV header.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// Format tag; 1 is PCM.
    pub tag: u16,
    /// Channels.
    pub channels: u16,
    /// Sample rate in Hz.
    pub rate: u32,
    /// Bits per sample.
    pub bits: u16,
    /// Stated size of the data; `None` for the actual size.
    pub data: Option<u32>,
    /// Stated size of the file; `None` for the actual size.
    pub riff: Option<u32>,
}

impl Default for Header {
    /// A correct header: 16 kHz, 16 bit, mono.
    fn default() -> Self {
        Self {
            tag: 1,
            channels: 1,
            rate: 16_000,
            bits: 16,
            data: None,
            riff: None,
        }
    }
}

impl Header {
    /// The header followed by `data`.
    #[must_use]
    pub fn with(self, data: &[u8]) -> Vec<u8> {
        let align = self.channels.wrapping_mul(self.bits / 8);
        let length = u32::try_from(data.len()).unwrap_or(u32::MAX);
        let mut file = b"RIFF".to_vec();
        file.extend(self.riff.unwrap_or(length.wrapping_add(36)).to_le_bytes());
        file.extend(b"WAVEfmt \x10\0\0\0");
        file.extend(self.tag.to_le_bytes());
        file.extend(self.channels.to_le_bytes());
        file.extend(self.rate.to_le_bytes());
        file.extend(self.rate.wrapping_mul(u32::from(align)).to_le_bytes());
        file.extend(align.to_le_bytes());
        file.extend(self.bits.to_le_bytes());
        file.extend(b"data");
        file.extend(self.data.unwrap_or(length).to_le_bytes());
        file.extend(data);
        file
    }
}

/// 16-bit samples of a tone.
#[must_use]
pub fn tone(rate: u32, hertz: f64, seconds: f64, amplitude: f64) -> Vec<u8> {
    let count = (f64::from(rate) * seconds).round() as u32;
    let sample =
        |i: u32| (f64::from(i) / f64::from(rate) * hertz * std::f64::consts::TAU).sin() * amplitude;
    (0..count)
        .flat_map(|i| ((sample(i) * 32767.0) as i16).to_le_bytes())
        .collect()
}
