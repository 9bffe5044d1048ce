//! Terms around plans: limits without a plan, requests, and trials.

use serde::{Deserialize, Serialize};

use super::{DEMO_MINUTES, MAX_FIGURE, PlanFeature, each_once, figure};
use crate::form::{self, Validate};
use crate::text;
use crate::valid::Valid;
use crate::violation::{Violation, Violations};

/// Limits and features of accounts without a plan. By default nothing is limited, so that a
/// self-hosted server can be used immediately.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Validate)]
#[serde(default)]
#[validate(crate = "crate::form")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(missing_as_null))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DemoPlan {
    /// Minutes per month, at least 0; null means unlimited.
    #[validate(range(min = 0.0, max = MAX_FIGURE))]
    #[cfg_attr(feature = "wasm", tsify(type = "number | null"))]
    pub monthly_minutes_limit: Option<f64>,
    /// Longest recording in minutes, at least 0; null means unlimited.
    #[validate(range(min = 0.0, max = MAX_FIGURE))]
    #[cfg_attr(feature = "wasm", tsify(type = "number | null"))]
    pub max_file_duration_minutes: Option<f64>,
    /// The included features.
    pub features: Vec<PlanFeature>,
}

impl DemoPlan {
    /// The limits without a plan on a server that sells plans: enough to try Slovo.
    #[must_use]
    pub fn for_paid_service() -> Self {
        Self {
            monthly_minutes_limit: Some(f64::from(DEMO_MINUTES)),
            max_file_duration_minutes: None,
            features: Vec::new(),
        }
    }
}

impl Default for DemoPlan {
    fn default() -> Self {
        Self {
            monthly_minutes_limit: None,
            max_file_duration_minutes: None,
            features: PlanFeature::ALL.to_vec(),
        }
    }
}

/// Longest message of a request and longest answer to it, in characters.
pub const MAX_REQUEST_MESSAGE: usize = 1000;

/// Checks the message of a request for a plan, or the answer to it; returns it trimmed.
///
/// # Errors
/// The text is too long.
pub fn validate_request_message(message: &str) -> Result<String, Violations> {
    let mut v = Violations::new();
    let message = message.trim();
    text::limited(&mut v, "message", message, MAX_REQUEST_MESSAGE);
    v.or(|| message.to_owned())
}

/// Maximum length of a trial and of the refund period, in days.
pub const MAX_TERM_DAYS: u32 = 366;

/// Checks a number of days; returns the violation, if any.
#[must_use]
pub fn validate_days(field: &'static str, days: u32) -> Vec<Violation> {
    let mut v = Violations::new();
    figure(&mut v, field, f64::from(days), f64::from(MAX_TERM_DAYS));
    v.0
}

/// Checks the limits without a plan.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate_demo(form: &DemoPlan) -> Result<Valid<DemoPlan>, Violations> {
    let form = DemoPlan {
        monthly_minutes_limit: form.monthly_minutes_limit.map(form::finite),
        max_file_duration_minutes: form.max_file_duration_minutes.map(form::finite),
        features: each_once(&form.features),
    };
    let fields = ["monthly_minutes_limit", "max_file_duration_minutes"];
    form::check(&form, &fields).or(|| Valid::new(form))
}
