//! Mel filters as in Whisper: Slaney's formula, as in the audio library that generated
//! openai-whisper's asset. whisper.cpp's file contains them.

use slovo_model_catalogue::FREQUENCY_BINS as BINS;

/// Whisper's sample rate in Hz.
const SAMPLE_RATE: f64 = 16_000.0;
/// Length of Whisper's Fourier transform, in samples.
const FFT_SAMPLES: usize = 400;

/// Below this frequency (Hz) Slaney's scale is linear, above it logarithmic.
const BREAK_HZ: f64 = 1_000.0;
const HZ_PER_MEL: f64 = 200.0 / 3.0;
/// The same frequency on the mel scale.
const BREAK_MEL: f64 = 15.0;
/// Above the break, 27 mels span a factor of 6.4 in frequency.
const MELS_PER_FACTOR: f64 = 27.0;
const FACTOR: f64 = 6.4;

/// The filter bank, `count` rows of [`BINS`] weights, row after row.
///
/// Each triangle has the area of 1 Hz⁻¹ ("slaney" normalisation). The order of the operations and
/// the two roundings to 32 bits follow the library that generated the asset, so the result equals
/// it bit for bit (except for the sign of one zero).
#[must_use]
pub fn filters(count: usize) -> Vec<f32> {
    let top = mel_of(SAMPLE_RATE / 2.0);
    let step = top / as_f64(count + 1);
    let edges: Vec<f64> = (0..=count)
        .map(|i| hz_of(as_f64(i) * step))
        .chain([hz_of(top)])
        .collect();
    let mut weights = Vec::with_capacity(count * BINS);
    for edge in edges.windows(3) {
        let (low, centre, high) = (edge[0], edge[1], edge[2]);
        let normalisation = 2.0 / (high - low);
        for bin in 0..BINS {
            let hz = as_f64(bin) * SAMPLE_RATE / as_f64(FFT_SAMPLES);
            let rising = (hz - low) / (centre - low);
            let falling = (high - hz) / (high - centre);
            let triangle = rounded(rising.min(falling).max(0.0));
            weights.push(rounded(f64::from(triangle) * normalisation));
        }
    }
    weights
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the file holds 32-bit weights"
)]
fn rounded(weight: f64) -> f32 {
    weight as f32
}

fn mel_of(hz: f64) -> f64 {
    if hz < BREAK_HZ {
        hz / HZ_PER_MEL
    } else {
        BREAK_MEL + (hz / BREAK_HZ).ln() / (FACTOR.ln() / MELS_PER_FACTOR)
    }
}

fn hz_of(mel: f64) -> f64 {
    if mel < BREAK_MEL {
        HZ_PER_MEL * mel
    } else {
        BREAK_HZ * ((FACTOR.ln() / MELS_PER_FACTOR) * (mel - BREAK_MEL)).exp()
    }
}

fn as_f64(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn the_mel_scale_is_invertible_and_right_at_the_break() {
        assert!((mel_of(1_000.0) - 15.0).abs() < 1e-12);
        assert!((mel_of(6_400.0) - 42.0).abs() < 1e-12);
        for hz in [0.0, 60.0, 999.0, 1_000.0, 3_333.3, 8_000.0] {
            assert!((hz_of(mel_of(hz)) - hz).abs() < 1e-9, "{hz}");
        }
    }

    /// Values of `mel_80` in openai-whisper's assets/mel_filters.npz (MIT).
    #[test]
    fn filters_match_sampled_values_of_whispers_asset() {
        let filters = filters(80);
        assert_eq!(filters.len(), 80 * BINS);
        for (row, bin, expected) in [
            (0, 0, 0.0_f32),
            (0, 1, 0.024_862_595),
            (1, 1, 0.001_990_822),
            (79, 199, 0.000_448_759),
        ] {
            let actual = filters[row * BINS + bin];
            assert!((actual - expected).abs() < 1e-9, "{row},{bin}: {actual}");
        }
    }

    /// The digests of the asset's arrays as little-endian floats. The one -0.0 in each (weight of 0
    /// Hz in the first filter) is replaced by 0.0.
    #[test]
    fn filters_match_whispers_asset_bit_for_bit() {
        for (count, expected) in [
            (
                80,
                "85818f156f7e189453901a515e4726d270d307f976e161cf9403e8caab405498",
            ),
            (
                128,
                "e399c2d72d2f7375e503c296d8453cefcc0c1e47a9c1a0a09e0d70f59c820f20",
            ),
        ] {
            let bytes: Vec<u8> = filters(count)
                .iter()
                .flat_map(|w| w.to_le_bytes())
                .collect();
            assert_eq!(hex::encode(Sha256::digest(bytes)), expected);
        }
    }

    #[test]
    fn every_row_is_one_triangle() {
        for count in [80, 128] {
            for row in filters(count).chunks(BINS) {
                let nonzero: Vec<usize> = (0..BINS).filter(|&bin| row[bin] > 0.0).collect();
                assert!(!nonzero.is_empty());
                assert!(nonzero.windows(2).all(|pair| pair[1] == pair[0] + 1));
            }
        }
    }
}
