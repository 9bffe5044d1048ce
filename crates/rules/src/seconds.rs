//! Stored and serialised seconds: numbers, rounded to milliseconds.

use serde::Serializer;

/// Seconds rounded to milliseconds; non-finite values become 0.
#[must_use]
pub fn rounded(seconds: f64) -> f64 {
    if seconds.is_finite() {
        (seconds * 1000.0).round() / 1000.0
    } else {
        0.0
    }
}

/// The number, if it is finite.
pub(crate) fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

/// Writes a number [`rounded`] to thousandths, for serde's `serialize_with`.
///
/// # Errors
/// The errors of the serializer.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
pub(crate) fn thousandths<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(rounded(*value))
}
