//! Counting a month's minutes.

use crate::violation::{Code, Violation};

/// Minutes left this month: limit minus used, never below 0. Figures that are not finite
/// count as 0.
#[must_use]
pub fn left(monthly_limit: f64, used: f64) -> f64 {
    (finite(monthly_limit) - finite(used)).max(0.0)
}

/// Used share of the limit in percent; above 100 when more was used. Without a limit it is
/// 0 when nothing was used, else 100.
#[must_use]
pub fn usage_percent(monthly_limit: f64, used: f64) -> f64 {
    let (limit, used) = (finite(monthly_limit).max(0.0), finite(used).max(0.0));
    if limit > 0.0 {
        used / limit * 100.0
    } else if used > 0.0 {
        100.0
    } else {
        0.0
    }
}

/// Minutes that a recording costs: its seconds, rounded up to hundredths of a minute, so
/// that no recording is free and a sum of them stays exact in two decimals.
#[must_use]
pub fn of_duration(seconds: f64) -> f64 {
    let seconds = finite(seconds).max(0.0);
    // The tolerance keeps the noise of the division from costing a hundredth. The last sum
    // turns a negative zero into zero.
    (seconds / 0.6 - 1e-6).ceil().max(0.0) / 100.0 + 0.0
}

/// Minutes that several recordings cost, from the seconds of each: the sum of [`of_duration`],
/// exact in two decimals.
#[must_use]
pub fn of_durations(seconds: impl IntoIterator<Item = f64>) -> f64 {
    hundredths(seconds.into_iter().map(of_duration).sum())
}

/// Whether a job of `needed` minutes may start.
///
/// # Errors
/// The minutes left do not suffice, or the recording is longer than the plan allows.
pub fn may_start(
    monthly_limit: f64,
    used: f64,
    needed: f64,
    max_file_duration: Option<f64>,
) -> Result<(), Violation> {
    let needed = finite(needed).max(0.0);
    if let Some(max) = max_file_duration
        && needed > max
    {
        return Err(Violation::new("duration", Code::DurationOverPlan).with("max", hundredths(max)));
    }
    let left = left(monthly_limit, used);
    if needed > left {
        return Err(Violation::new("duration", Code::MinutesExceeded)
            .with("left", hundredths(left))
            .with("needed", hundredths(needed)));
    }
    Ok(())
}

fn finite(figure: f64) -> f64 {
    if figure.is_finite() { figure } else { 0.0 }
}

fn hundredths(figure: f64) -> f64 {
    (finite(figure) * 100.0).round() / 100.0
}
