//! ggml's 8-bit blocks: 32 weights share one 16-bit scale.
//!
//! The same arithmetic as ggml's reference routine for model files (scale = largest magnitude /
//! 127, rounding half away from zero), in Rust, so that the bytes do not depend on how the C
//! library was built.

use half::f16;

/// Weights in one block.
pub const BLOCK: usize = 32;

/// Appends the blocks of `weights`, whose length must be a multiple of [`BLOCK`].
pub fn quantise(weights: &[f32], out: &mut Vec<u8>) {
    debug_assert_eq!(weights.len() % BLOCK, 0);
    for block in weights.chunks_exact(BLOCK) {
        let largest = block
            .iter()
            .fold(0.0_f32, |max, weight| max.max(weight.abs()));
        let scale = largest / 127.0;
        let inverse = if scale == 0.0 { 0.0 } else { 1.0 / scale };
        out.extend(f16::from_f32(scale).to_le_bytes());
        out.extend(block.iter().map(|weight| {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "within -127..=127 by the scale"
            )]
            let level = (weight * inverse).round() as i8;
            level.to_le_bytes()[0]
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of one block: the scale, then one byte for each weight.
    const BLOCK_BYTES: usize = 2 + BLOCK;

    fn restored(bytes: &[u8]) -> Vec<f32> {
        let scale = f16::from_le_bytes([bytes[0], bytes[1]]).to_f32();
        bytes[2..]
            .iter()
            .map(|&b| f32::from(i8::from_le_bytes([b])) * scale)
            .collect()
    }

    #[test]
    fn a_block_is_34_bytes_and_close_to_its_weights() {
        let weights: Vec<f32> = (0..32_u8).map(|i| (f32::from(i) - 15.5) / 7.0).collect();
        let mut bytes = Vec::new();
        quantise(&weights, &mut bytes);
        assert_eq!(bytes.len(), BLOCK_BYTES);
        for (weight, back) in weights.iter().zip(restored(&bytes)) {
            assert!((weight - back).abs() < 2.3 / 127.0, "{weight} {back}");
        }
    }

    #[test]
    fn zeros_stay_zero_and_the_extremes_are_127() {
        let mut bytes = Vec::new();
        quantise(&[0.0; 32], &mut bytes);
        assert_eq!(bytes, [0; BLOCK_BYTES]);
        let mut weights = [0.0; 32];
        weights[0] = 12.7;
        weights[1] = -12.7;
        weights[2] = 0.05;
        bytes.clear();
        quantise(&weights, &mut bytes);
        assert_eq!(&bytes[2..5], &[127, 129, 1]);
    }
}
