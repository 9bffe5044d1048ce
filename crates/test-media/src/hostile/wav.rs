//! WAV files with false headers.

use super::{DAMAGED, HostileFile, Reads, Refused, file};
use crate::wave::{Header, tone};

/// WAV files with false headers. Most contain one second of audio.
#[expect(clippy::too_many_lines, reason = "one table, a row for each lie")]
#[must_use]
pub fn false_header_wav() -> Vec<HostileFile> {
    let second = tone(16_000, 440.0, 1.0, 0.5);
    let three = tone(16_000, 440.0, 3.0, 0.5);
    let wav = |change: fn(&mut Header)| {
        let mut header = Header::default();
        change(&mut header);
        header.with(&second)
    };
    let streamed = |size| {
        Header {
            data: Some(size),
            riff: Some(size),
            ..Header::default()
        }
        .with(&three)
    };
    let mut odd = Header::default().with(&second);
    odd.push(7);
    let mut junk = b"RIFF\xF8\x71\x02\0WAVE".to_vec();
    junk.extend(b"JUNK\0\0\0\0".repeat(20_000));
    let mut floats = Header {
        tag: 3,
        bits: 32,
        ..Header::default()
    };
    floats.rate = 16_000;
    let wild = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e38, -0.0, 0.25];
    let wild: Vec<u8> = wild
        .iter()
        .cycle()
        .take(16_000)
        .flat_map(|sample| sample.to_le_bytes())
        .collect();
    vec![
        file(
            "wav_header_only.wav",
            Header::default().with(&[]),
            Refused(&["no_samples"]),
        ),
        file(
            "wav_header_cut.wav",
            &Header::default().with(&[])[..30],
            DAMAGED,
        ),
        file("wav_claims_4gb.wav", streamed(u32::MAX), Reads(3.0, 3.0)),
        file("wav_size_zero_streamed.wav", streamed(0), Reads(3.0, 3.0)),
        file(
            "wav_10h_header_lie.wav",
            wav(|header| header.data = Some(36_000 * 32_000)),
            Reads(1.0, 1.0),
        ),
        file(
            "wav_zero_channels.wav",
            wav(|header| header.channels = 0),
            Refused(&["bad_channels"]),
        ),
        file(
            "wav_65535_channels.wav",
            wav(|header| header.channels = 65_535),
            Refused(&["bad_channels"]),
        ),
        file(
            "wav_rate_zero.wav",
            wav(|header| header.rate = 0),
            Refused(&["bad_sample_rate"]),
        ),
        file(
            "wav_rate_4ghz.wav",
            wav(|header| header.rate = u32::MAX),
            Refused(&["bad_sample_rate"]),
        ),
        file(
            "wav_rate_1hz.wav",
            wav(|header| header.rate = 1),
            Refused(&["bad_sample_rate"]),
        ),
        file("wav_bits_0.wav", wav(|header| header.bits = 0), DAMAGED),
        file(
            "wav_unknown_codec.wav",
            wav(|header| header.tag = 0x1234),
            Refused(&["unsupported_codec"]),
        ),
        file("wav_odd_byte.wav", odd, Reads(1.0, 1.001)),
        file("wav_many_junk_chunks.wav", junk, DAMAGED),
        file("wav_not_a_number.wav", floats.with(&wild), Reads(1.0, 1.0)),
    ]
}
