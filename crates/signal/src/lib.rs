//! Fourier transforms and resampling of sound: the algorithms of `realfft` and `rubato` for the
//! types of samples that Slovo uses, as trait objects.
//!
//! Both libraries are generic over that type. A crate that makes a transform or a resampler itself
//! compiles dozens of algorithms again: they were two thirds of the code of `slovo-transducer`, and
//! a third of that of `slovo-engine`.

use std::sync::Arc;

use realfft::RealFftPlanner;
use rubato::{Fft, FixedSync, WindowFunction};

pub use realfft::RealToComplex;
pub use realfft::num_complex::Complex;
pub use rubato::audioadapter_buffers::direct::InterleavedSlice;
pub use rubato::{Indexing, Resampler, ResamplerConstructionError};

/// The transform of `points` real samples in single precision into `points / 2 + 1` bins, not
/// scaled.
#[must_use]
pub fn forward_f32(points: usize) -> Arc<dyn RealToComplex<f32>> {
    RealFftPlanner::new().plan_fft_forward(points)
}

/// [`forward_f32`] in double precision.
#[must_use]
pub fn forward_f64(points: usize) -> Arc<dyn RealToComplex<f64>> {
    RealFftPlanner::new().plan_fft_forward(points)
}

/// A resampler of one channel from `input_rate` to `output_rate`, both in Hz. It takes about
/// `frames` samples at a time: it rounds the number to whole blocks. `parts` is the number of its
/// transforms in each of them; more have a shorter filter, and preserve less of the high
/// frequencies.
///
/// # Errors
///
/// If a rate is zero.
pub fn resampler(
    input_rate: usize,
    output_rate: usize,
    frames: usize,
    parts: usize,
) -> Result<Box<dyn Resampler<f32>>, ResamplerConstructionError> {
    let resampler = Fft::new_custom(
        input_rate,
        output_rate,
        frames,
        parts,
        1,
        WindowFunction::BlackmanHarris2,
        FixedSync::Input,
    )?;
    Ok(Box::new(resampler))
}
