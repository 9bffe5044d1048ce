//! Counting the minutes of a month.

use crate::violation::{Code, Violation};

wire_enum! {
    /// Why the remaining minutes have changed; its text is `changes.<word>` in `subscription.json`.
    UsageChange {
        /// Minutes were reserved for a queued or running job.
        Reserve => "reserve",
        /// A job has ended, and the actual duration of its recording is known.
        Settle => "settle",
        /// A job has ended without a text.
        Refund => "refund",
        /// A job has ended without any speech in its recording, and the server does not charge for
        /// that.
        Silent => "silent",
        /// An administrator has added or subtracted minutes.
        Adjust => "adjust",
        /// A new month has begun.
        Reset => "reset",
        /// The plan was changed; the amount of this change is 0.
        Plan => "plan",
    }
}

/// Minutes left this month: limit minus used, at least 0. Non-finite values count as 0.
#[must_use]
pub fn remaining(monthly_limit: f64, used: f64) -> f64 {
    rounded((finite(monthly_limit) - finite(used)).max(0.0))
}

/// Minutes available this month: the plan's, plus corrections by administrators, at least 0; `None`
/// means unlimited, regardless of corrections.
#[must_use]
pub fn month_limit(plan_limit: Option<f64>, bonus: f64) -> Option<f64> {
    let limit = finite(plan_limit?) + finite(bonus);
    Some(rounded(limit.max(0.0)))
}

/// Minutes used, for display: a started minute counts. All displays use this, so that they agree;
/// for an integer limit it and [`whole_left`] add up to the limit.
#[must_use]
pub fn whole_used(used: f64) -> f64 {
    from_hundredths(to_hundredths(used)).max(0.0).ceil() + 0.0
}

/// Minutes left this month, for display: a started minute is not counted.
#[must_use]
pub fn whole_left(monthly_limit: f64, used: f64) -> f64 {
    from_hundredths(to_hundredths(remaining(monthly_limit, used))).floor() + 0.0
}

/// Used share of the limit in percent; above 100 if more was used. Without a limit it is 0 if
/// nothing was used, else 100.
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

/// Minutes that a recording costs: its duration, rounded up to hundredths of a minute, so that no
/// recording is free and sums stay exact to two decimals.
#[must_use]
pub fn of_duration(seconds: f64) -> f64 {
    let seconds = finite(seconds).max(0.0);
    // The tolerance absorbs the rounding error of the division. Adding 0.0 turns a negative zero
    // into zero.
    (seconds / 0.6 - 1e-6).ceil().max(0.0) / 100.0 + 0.0
}

/// Minutes in their stored form: integer hundredths.
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    reason = "a cast of a float stops at the ends of the range"
)]
pub fn to_hundredths(minutes: f64) -> i64 {
    (finite(minutes) * 100.0).round() as i64
}

/// Minutes from hundredths.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    reason = "exact up to 90,000,000,000,000 minutes"
)]
pub fn from_hundredths(hundredths: i64) -> f64 {
    hundredths as f64 / 100.0
}

/// Checks whether a job of `needed` minutes may start. Without a limit any number is allowed, and
/// without a maximum duration any length.
///
/// # Errors
/// Too few minutes are left, or the recording is longer than the plan allows.
pub fn may_start(
    monthly_limit: Option<f64>,
    used: f64,
    needed: f64,
    max_file_duration: Option<f64>,
) -> Result<(), Violation> {
    let needed = finite(needed).max(0.0);
    if let Some(max) = max_file_duration
        && needed > max
    {
        return Err(Violation::new("duration", Code::DurationOverPlan).with("max", rounded(max)));
    }
    let left = monthly_limit.map(|limit| remaining(limit, used));
    if let Some(left) = left.filter(|left| needed > *left) {
        return Err(Violation::new("duration", Code::MinutesExceeded)
            .with("left", rounded(left))
            .with("needed", rounded(needed)));
    }
    Ok(())
}

fn finite(figure: f64) -> f64 {
    if figure.is_finite() { figure } else { 0.0 }
}

/// Minutes for output, rounded to hundredths to hide binary rounding errors. Non-finite values
/// become 0.
#[must_use]
pub fn rounded(minutes: f64) -> f64 {
    (finite(minutes) * 100.0).round() / 100.0 + 0.0
}
