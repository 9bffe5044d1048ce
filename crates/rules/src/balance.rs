//! An administrator's correction of a user's minutes.

use serde::{Deserialize, Serialize};

use crate::minutes::{self, rounded, to_hundredths};
use crate::plan;
use crate::text;
use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};

/// Longest reason, in characters.
pub const MAX_REASON: usize = 500;
/// Minimum minutes of a correction: less would change nothing.
pub const MIN_MINUTES: f64 = 0.01;
/// Maximum minutes of a correction: about 190 years; sums stay exact.
pub const MAX_MINUTES: f64 = 100_000_000.0;

wire_enum! {
    /// The direction of the correction.
    Operation {
        /// Adds minutes.
        Add => "add",
        /// Subtracts minutes.
        Subtract => "subtract",
    }
}

/// The correction as it was filled in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BalanceForm {
    /// Add or subtract.
    pub operation: Operation,
    /// Number of minutes, at least 0.01; rounded to hundredths.
    pub minutes: f64,
    /// The reason; required.
    pub reason: String,
}

/// A validated correction.
#[derive(Debug, Clone, PartialEq)]
pub struct Adjustment {
    /// Signed change in minutes.
    pub change_minutes: f64,
    /// Trimmed.
    pub reason: String,
}

/// Checks a correction.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate(form: &BalanceForm) -> Result<Valid<Adjustment>, Violations> {
    let mut violations = Violations::new();
    if form.minutes.is_nan() || rounded(form.minutes.min(1.0)) < MIN_MINUTES {
        violations.push(Violation::new("minutes", Code::NumberTooSmall).with("min", MIN_MINUTES));
    } else {
        plan::figure(&mut violations, "minutes", form.minutes, MAX_MINUTES);
    }
    let reason = text::required(
        &mut violations,
        "reason",
        &form.reason,
        Code::ReasonRequired,
        MAX_REASON,
    );
    violations.or(|| {
        Valid::new(Adjustment {
            change_minutes: change(form),
            reason,
        })
    })
}

/// The signed change of a form.
fn change(form: &BalanceForm) -> f64 {
    match form.operation {
        Operation::Add => rounded(form.minutes),
        Operation::Subtract => -rounded(form.minutes),
    }
}

/// A user's month before a correction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct BalanceMonth {
    /// Monthly minutes of the plan, or of an account without one; `None` means unlimited.
    pub plan_limit: Option<f64>,
    /// Minutes that administrators have added or subtracted so far.
    pub bonus: f64,
    /// Minutes used, including those of queued and running jobs.
    pub used: f64,
}

/// A user's month after a correction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct BalanceAfter {
    /// Minutes available this month.
    pub limit: f64,
    /// Minutes left of them.
    pub left: f64,
}

impl BalanceMonth {
    /// The month after a change of this many minutes. At most the remaining minutes can be
    /// deducted: used minutes cannot be taken back, and a larger deduction would silently consume
    /// minutes added later.
    ///
    /// # Errors
    /// The month is unlimited, or more would be deducted than is left.
    pub fn after(&self, change_minutes: f64) -> Result<BalanceAfter, Violation> {
        let limit = minutes::month_limit(self.plan_limit, self.bonus);
        let Some(limit) = limit else {
            return Err(Violation::new("minutes", Code::BalanceUnlimited));
        };
        let left = minutes::remaining(limit, self.used);
        if to_hundredths(-change_minutes) > to_hundredths(left) {
            return Err(Violation::new("minutes", Code::BalanceTooLow).with("left", left));
        }
        let bonus = self.bonus + change_minutes;
        let limit = minutes::month_limit(self.plan_limit, bonus).unwrap_or_default();
        Ok(BalanceAfter {
            limit,
            left: minutes::remaining(limit, self.used),
        })
    }

    /// Preview of a correction, while its form is being filled in.
    ///
    /// # Errors
    /// The violations of [`Self::after`], and minutes out of range.
    pub fn preview(&self, form: &BalanceForm) -> Result<BalanceAfter, Violation> {
        let mut form = form.clone();
        // The reason is entered last, so it is not checked here.
        "-".clone_into(&mut form.reason);
        let violations = validate(&form)
            .err()
            .and_then(|violations| violations.0.into_iter().next());
        match violations {
            Some(violation) => Err(violation),
            None => self.after(change(&form)),
        }
    }
}
