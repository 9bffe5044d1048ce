//! What the functions promise. Not inside the crate: its unit tests would compile every algorithm
//! once more.

use slovo_signal::{forward_f32, forward_f64, resampler};

/// A cosine with eight periods in 64 points, transformed: the magnitude of each bin.
macro_rules! magnitudes {
    ($number:ty, $transform:expr) => {{
        let transform = $transform;
        let mut tone: Vec<$number> = (0..64u8)
            .map(|point| (<$number>::from(point) / 8.0 * std::f64::consts::TAU as $number).cos())
            .collect();
        let mut bins = transform.make_output_vec();
        transform.process(&mut tone, &mut bins).unwrap();
        bins.iter().map(|bin| bin.norm()).collect::<Vec<_>>()
    }};
}

#[test]
fn a_tone_is_in_its_bin_and_not_scaled() {
    let single = magnitudes!(f32, forward_f32(64));
    assert_eq!(single.len(), 33);
    for (bin, magnitude) in single.iter().enumerate() {
        let expected = if bin == 8 { 32.0 } else { 0.0 };
        assert!((magnitude - expected).abs() < 1e-3, "{bin}: {magnitude}");
    }
    let double = magnitudes!(f64, forward_f64(64));
    for (bin, magnitude) in double.iter().enumerate() {
        let expected = if bin == 8 { 32.0 } else { 0.0 };
        assert!((magnitude - expected).abs() < 1e-12, "{bin}: {magnitude}");
    }
}

#[test]
fn a_resampler_takes_about_the_frames_it_was_made_for() {
    let converter = resampler(44_100, 16_000, 4096, 4).unwrap();
    assert_eq!(converter.nbr_channels(), 1);
    assert!(converter.input_frames_next().abs_diff(4096) < 441);
    let ratio = converter.resample_ratio();
    assert!((ratio - 16_000.0 / 44_100.0).abs() < 1e-9, "{ratio}");
}

#[test]
fn a_rate_of_zero_is_refused() {
    assert!(resampler(0, 16_000, 4096, 4).is_err());
    assert!(resampler(16_000, 0, 4096, 4).is_err());
}
