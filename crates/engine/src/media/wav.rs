//! RIFF WAVE headers, parsed here because their sizes are often wrong.
//!
//! The decoder gets a generated header in front of the samples, so that it never sees a size, a
//! chunk list or a channel count that was not checked here.

use super::MediaError;
use super::limits::Limits;
use super::source::{Media, Meter, View};

/// Chunks before the samples; real files have fewer than ten.
const MAX_CHUNKS: usize = 100_000;
/// The longest meaningful format chunk (MS ADPCM: 50 bytes).
const MAX_FORMAT: usize = 64;

const PCM: u16 = 0x0001;
const ADPCM_MS: u16 = 0x0002;
const FLOAT: u16 = 0x0003;
const A_LAW: u16 = 0x0006;
const MU_LAW: u16 = 0x0007;
const ADPCM_IMA: u16 = 0x0011;
const EXTENSIBLE: u16 = 0xFFFE;
/// Codecs in WAV that only the external decoder supports: GSM 6.10, MPEG audio layer 2 and 3,
/// G.726, AAC, AC-3.
const EXTERNAL_CODECS: &[(u16, &str)] = &[
    (0x0031, "gsm"),
    (0x0045, "g726"),
    (0x0050, "mp2"),
    (0x0055, "mp3"),
    (0x0064, "g726"),
    (0x00FF, "aac"),
    (0x2000, "ac3"),
];

/// A WAV file whose header has been checked.
#[derive(Debug)]
pub(super) struct Wav {
    format: Vec<u8>,
    data: (u64, u64),
    /// Data bytes stated in the header, if the number is possible.
    declared: Option<u64>,
}

impl Wav {
    /// Reads and checks the header.
    pub(super) fn read(media: &Media, limits: &Limits) -> Result<Self, MediaError> {
        let riff = media.read_at(0, 12)?;
        let riff_size = u64::from(u32_at(&riff, 4)?);
        let mut at = 12;
        let mut format = None;
        let mut long_size = None;
        for _ in 0..MAX_CHUNKS {
            let head = media.read_at(at, 8)?;
            if head.len() < 8 {
                return Err(MediaError::damaged("the WAV file has no data chunk"));
            }
            let size = u64::from(u32_at(&head, 4)?);
            let body = at + 8;
            match &head[..4] {
                b"fmt " if format.is_none() => {
                    let length = usize::try_from(size).unwrap_or(MAX_FORMAT).min(MAX_FORMAT);
                    format = Some(checked_format(&media.read_at(body, length)?, limits)?);
                }
                b"ds64" => {
                    long_size = media
                        .read_at(body + 8, 8)?
                        .try_into()
                        .ok()
                        .map(u64::from_le_bytes);
                }
                b"data" => {
                    let format = format
                        .ok_or_else(|| MediaError::damaged("the WAV file has no format chunk"))?;
                    let is_complete = riff_size + 8 == media.length();
                    return Self::with_data(
                        media,
                        format,
                        body,
                        long_size.unwrap_or(size),
                        is_complete,
                    );
                }
                _ => {}
            }
            at = body + size + (size & 1);
        }
        Err(MediaError::damaged(
            "the WAV file has too many chunks before its data",
        ))
    }

    fn with_data(
        media: &Media,
        format: Vec<u8>,
        start: u64,
        size: u64,
        is_complete: bool,
    ) -> Result<Self, MediaError> {
        let left = media.length().saturating_sub(start);
        // A streaming writer leaves 0 or a huge number: the samples then extend to the end of the
        // file.
        let streamed = (size == 0 && !is_complete) || size >= 0x7FFF_0000;
        let length = if streamed { left } else { size.min(left) };
        // A recording can end in the middle of a sample frame.
        let length = length - length % block(&format);
        if length == 0 {
            return Err(MediaError::NoSamples);
        }
        let declared = (!streamed && size > left).then_some(size);
        Ok(Self {
            format,
            data: (start, start + length),
            declared,
        })
    }

    /// The codec's name if only the external decoder supports it.
    pub(super) fn external_codec(&self) -> Option<&'static str> {
        let tag = u16::from_le_bytes([self.format[0], self.format[1]]);
        EXTERNAL_CODECS
            .iter()
            .find(|(known, _)| *known == tag)
            .map(|(_, name)| *name)
    }

    /// Seconds that the header states beyond the end of the file.
    pub(super) fn declared_seconds(&self) -> Option<f64> {
        let per_second = u32::from_le_bytes(self.format[8..12].try_into().ok()?);
        self.declared
            .filter(|_| per_second > 0)
            .map(|bytes| bytes as f64 / f64::from(per_second))
    }

    /// The input of the demuxer: a minimal header and the samples.
    pub(super) fn view(&self, media: &Media, meter: &Meter) -> View {
        let (start, end) = self.data;
        let length = u32::try_from(end - start).unwrap_or(u32::MAX);
        let mut header = b"RIFF\xFF\xFF\xFF\xFFWAVEfmt ".to_vec();
        header.extend_from_slice(&(self.format.len() as u32).to_le_bytes());
        header.extend_from_slice(&self.format);
        header.extend_from_slice(b"data");
        header.extend_from_slice(&length.to_le_bytes());
        View::part(media, meter, header, start, end)
    }
}

/// Bytes of one sample of every channel. Compressed formats have no such unit or handle it
/// themselves.
fn block(format: &[u8]) -> u64 {
    let word = |at: usize| u16::from_le_bytes([format[at], format[at + 1]]);
    match word(0) {
        PCM | FLOAT | EXTENSIBLE | A_LAW | MU_LAW => {
            (u64::from(word(2)) * u64::from(word(14)) / 8).max(1)
        }
        _ => 1,
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Result<u32, MediaError> {
    let four = bytes.get(at..at + 4).and_then(|four| four.try_into().ok());
    four.map(u32::from_le_bytes)
        .ok_or_else(|| MediaError::damaged("the WAV header is cut off"))
}

/// The format chunk in the length that the decoder expects, with valid values only.
fn checked_format(raw: &[u8], limits: &Limits) -> Result<Vec<u8>, MediaError> {
    if raw.len() < 16 {
        return Err(MediaError::damaged("the WAV format chunk is cut off"));
    }
    let word = |at: usize| u16::from_le_bytes([raw[at], raw[at + 1]]);
    let (tag, channels, bits) = (word(0), usize::from(word(2)), word(14));
    if channels == 0 || channels > limits.max_channels {
        return Err(MediaError::BadChannels { channels });
    }
    let rate = u32_at(raw, 4)?;
    if !(limits.min_rate..=limits.max_rate).contains(&rate) {
        return Err(MediaError::BadSampleRate { rate });
    }
    let allowed: &[u16] = match tag {
        PCM | EXTENSIBLE => &[8, 16, 24, 32, 64],
        FLOAT => &[32, 64],
        A_LAW | MU_LAW => &[8],
        ADPCM_MS | ADPCM_IMA => &[4],
        other if EXTERNAL_CODECS.iter().any(|(tag, _)| *tag == other) => return Ok(raw.to_vec()),
        other => {
            return Err(MediaError::UnsupportedCodec {
                codec: format!("WAV 0x{other:04x}"),
            });
        }
    };
    if !allowed.contains(&bits) {
        return Err(MediaError::damaged(format!(
            "the WAV header says {bits} bits a sample"
        )));
    }
    let mut format = raw[..16].to_vec();
    match tag {
        PCM => {}
        FLOAT | A_LAW | MU_LAW => format.extend_from_slice(&[0, 0]),
        EXTENSIBLE if raw.len() >= 40 => format = raw[..40].to_vec(),
        ADPCM_IMA | ADPCM_MS if raw.len() >= 20 => format = raw.to_vec(),
        _ => return Err(MediaError::damaged("the WAV format chunk is cut off")),
    }
    if matches!(tag, ADPCM_IMA | ADPCM_MS) && usize::from(word(12)) < channels * 7 + 4 {
        return Err(MediaError::damaged("the WAV block size is too small"));
    }
    if tag == FLOAT {
        format.truncate(16);
    }
    Ok(format)
}
