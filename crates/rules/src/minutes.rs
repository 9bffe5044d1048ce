//! Counting a month's minutes.

use crate::violation::{Code, Violation};

wire_enum! {
    /// Why the minutes left have changed; its text is `changes.<word>` in `subscription.json`.
    UsageChange {
        /// A job waits or runs.
        Reserve => "reserve",
        /// A job has ended, and its recording's real length is known.
        Settle => "settle",
        /// A job has ended without a text.
        Refund => "refund",
        /// A job has ended, nobody speaks in its recording, and the server does not charge for that.
        Silent => "silent",
        /// An administrator has added or taken some.
        Adjust => "adjust",
        /// A new month has begun.
        Reset => "reset",
        /// Another plan holds; the change itself is 0.
        Plan => "plan",
    }
}

/// Minutes left this month: limit minus used, never below 0. Figures that are not finite
/// count as 0.
#[must_use]
pub fn left(monthly_limit: f64, used: f64) -> f64 {
    rounded((finite(monthly_limit) - finite(used)).max(0.0))
}

/// Minutes that may be used this month: the plan's, and what administrators have added to this
/// month or taken, never below 0; `None` is without a limit, which no correction changes.
#[must_use]
pub fn month_limit(plan_limit: Option<f64>, bonus: f64) -> Option<f64> {
    let limit = finite(plan_limit?) + finite(bonus);
    Some(rounded(limit.max(0.0)))
}

/// Minutes used, as pages show them: a begun minute counts. Whatever shows them uses this, so that
/// no two places differ; for a whole limit it and [`whole_left`] add up to the limit.
#[must_use]
pub fn whole_used(used: f64) -> f64 {
    from_hundredths(to_hundredths(used)).max(0.0).ceil() + 0.0
}

/// Minutes left this month, as pages show them: a begun minute is not promised.
#[must_use]
pub fn whole_left(monthly_limit: f64, used: f64) -> f64 {
    from_hundredths(to_hundredths(left(monthly_limit, used))).floor() + 0.0
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

/// Minutes as they are stored: whole hundredths.
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    reason = "a cast of a float stops at the ends of the range"
)]
pub fn to_hundredths(minutes: f64) -> i64 {
    (finite(minutes) * 100.0).round() as i64
}

/// Minutes of so many hundredths.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    reason = "exact up to 90,000,000,000,000 minutes"
)]
pub fn from_hundredths(hundredths: i64) -> f64 {
    hundredths as f64 / 100.0
}

/// Whether a job of `needed` minutes may start. Without a limit any number may be used, and
/// without a greatest duration a recording may be of any length.
///
/// # Errors
/// The minutes left do not suffice, or the recording is longer than the plan allows.
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
    let left = monthly_limit.map(|limit| left(limit, used));
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

/// Minutes as they are told: hundredths, so that no sum of them shows the ends of its binary
/// fraction. What is not finite is 0.
#[must_use]
pub fn rounded(minutes: f64) -> f64 {
    (finite(minutes) * 100.0).round() / 100.0 + 0.0
}
