//! An administrator's correction of a user's minutes.

use serde::{Deserialize, Serialize};

use crate::plan;
use crate::text;
use crate::valid::Valid;
use crate::violation::{Code, Violations};

/// Longest reason, in characters.
pub const MAX_REASON: usize = 500;
/// Most minutes of one correction: about 190 years, and sums of them stay exact.
pub const MAX_MINUTES: f64 = 100_000_000.0;

wire_enum! {
    /// What the correction does.
    Operation {
        /// Gives minutes.
        Add => "add",
        /// Takes minutes.
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
    /// How many minutes, at least 0.
    pub minutes: f64,
    /// Why; required.
    pub reason: String,
}

/// A correction as the rules let it pass.
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
/// Every broken rule, in the order of the fields.
pub fn validate(form: &BalanceForm) -> Result<Valid<Adjustment>, Violations> {
    let mut violations = Violations::new();
    plan::figure(&mut violations, "minutes", form.minutes, MAX_MINUTES);
    let reason = text::required(
        &mut violations,
        "reason",
        &form.reason,
        Code::ReasonRequired,
        MAX_REASON,
    );
    let change_minutes = match form.operation {
        Operation::Add => form.minutes,
        Operation::Subtract => -form.minutes,
    };
    violations.or(|| {
        Valid::new(Adjustment {
            change_minutes,
            reason,
        })
    })
}
