//! Subscription plans: the three tiers of the pricing page, and plans created by administrators.

mod terms;

use serde::{Deserialize, Serialize};

use crate::form::{self, Validate, ValidationError};
use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};

pub use terms::{
    DemoPlan, MAX_REQUEST_MESSAGE, MAX_TERM_DAYS, validate_days, validate_demo,
    validate_request_message,
};

/// Longest plan name, in characters.
pub const MAX_NAME: usize = 200;
/// Longest plan description, in characters.
pub const MAX_DESCRIPTION: usize = 2000;
/// Maximum price or number of minutes; sums stay exact.
pub const MAX_FIGURE: f64 = 1_000_000_000.0;
/// Currency of the three tiers.
pub const TIER_CURRENCY: &str = "USD";
/// Monthly minutes without a plan, on a server that sells plans.
pub const DEMO_MINUTES: u32 = 30;
/// Currency of a new plan.
pub const DEFAULT_CURRENCY: &str = "UAH";

wire_enum! {
    /// A plan of the pricing page; its texts are content of the locale files.
    Tier {
        /// Starter.
        Starter => "starter",
        /// Professional, marked most popular.
        Professional => "professional",
        /// Enterprise.
        Enterprise => "enterprise",
    }
}

wire_enum! {
    /// A row of the comparison table.
    ComparisonRow {
        /// Minutes per month.
        Minutes => "minutes",
        /// Speed of processing.
        Speed => "speed",
        /// File formats besides TXT and VTT.
        ExportFormats => "export_formats",
        /// Distinguishing speakers.
        Diarization => "diarization",
        /// Translation.
        Translation => "translation",
        /// Text during recognition.
        Realtime => "realtime",
        /// Analytics.
        Analytics => "analytics",
        /// API access.
        Api => "api",
        /// Support.
        Support => "support",
        /// Single sign-on.
        Sso => "sso",
    }
}

/// A cell of the comparison table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(missing_as_null))]
pub enum Cell {
    /// Minutes per month; null means unlimited.
    Minutes(#[cfg_attr(feature = "wasm", tsify(type = "number | null"))] Option<u32>),
    /// Yes or no.
    Has(bool),
    /// A text; it is `comparison.<word>` in `rules.json`.
    Word(&'static str),
}

/// Figures of a tier on the pricing page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct TierFigures {
    /// Which tier.
    pub tier: Tier,
    /// US dollars per month.
    pub price_usd: u32,
    /// Whether the price is a minimum.
    pub price_from: bool,
    /// Minutes per month; null means unlimited.
    #[cfg_attr(feature = "wasm", tsify(type = "number | null"))]
    pub monthly_minutes: Option<u32>,
    /// Whether it is marked as most popular.
    pub most_popular: bool,
}

/// The three tiers.
pub const TIERS: [TierFigures; 3] = [
    TierFigures {
        tier: Tier::Starter,
        price_usd: 9,
        price_from: false,
        monthly_minutes: Some(120),
        most_popular: false,
    },
    TierFigures {
        tier: Tier::Professional,
        price_usd: 29,
        price_from: false,
        monthly_minutes: Some(1000),
        most_popular: true,
    },
    TierFigures {
        tier: Tier::Enterprise,
        price_usd: 99,
        price_from: true,
        monthly_minutes: None,
        most_popular: false,
    },
];

/// The cell of the comparison table.
#[must_use]
pub const fn compare(row: ComparisonRow, tier: Tier) -> Cell {
    match row {
        ComparisonRow::Minutes => Cell::Minutes(TIERS[tier as usize].monthly_minutes),
        ComparisonRow::Speed => Cell::Word(match tier {
            Tier::Starter => "standard",
            Tier::Professional => "fast",
            Tier::Enterprise => "ultra_fast",
        }),
        ComparisonRow::Support => Cell::Word(match tier {
            Tier::Starter => "email",
            Tier::Professional => "priority",
            Tier::Enterprise => "dedicated",
        }),
        ComparisonRow::Translation | ComparisonRow::Sso => {
            Cell::Has(matches!(tier, Tier::Enterprise))
        }
        ComparisonRow::ExportFormats
        | ComparisonRow::Diarization
        | ComparisonRow::Realtime
        | ComparisonRow::Analytics
        | ComparisonRow::Api => Cell::Has(!matches!(tier, Tier::Starter)),
    }
}

wire_enum! {
    /// A feature that a plan includes besides plain transcription.
    PlanFeature {
        /// Distinguishing speakers, and recognising each channel separately.
        Diarization => "diarization",
        /// Translation, by the recognition model or another one.
        Translation => "translation",
        /// The text during recognition.
        Realtime => "realtime",
        /// Summary, sentiment, classification, custom prompts and the assistant.
        Analytics => "analytics",
        /// API keys.
        Api => "api",
        /// File formats besides TXT and VTT.
        ExportFormats => "export_formats",
    }
}

/// The formats that every plan can export, by their names in the API.
pub const BASIC_FORMATS: [&str; 2] = ["txt", "vtt"];

/// The plan feature required for files of this format.
#[must_use]
pub fn export_needs(format: &str) -> Option<PlanFeature> {
    (!BASIC_FORMATS.contains(&format)).then_some(PlanFeature::ExportFormats)
}

impl PlanFeature {
    /// Its row in the comparison of plans.
    #[must_use]
    pub const fn row(self) -> ComparisonRow {
        match self {
            Self::Diarization => ComparisonRow::Diarization,
            Self::Translation => ComparisonRow::Translation,
            Self::Realtime => ComparisonRow::Realtime,
            Self::Analytics => ComparisonRow::Analytics,
            Self::Api => ComparisonRow::Api,
            Self::ExportFormats => ComparisonRow::ExportFormats,
        }
    }
}

impl Tier {
    /// The queue priority of the tier's jobs.
    #[must_use]
    pub const fn queue_speed(self) -> QueueSpeed {
        match self {
            Self::Starter => QueueSpeed::Standard,
            Self::Professional => QueueSpeed::Fast,
            Self::Enterprise => QueueSpeed::UltraFast,
        }
    }

    /// The features of the tier, according to the comparison.
    #[must_use]
    pub fn features(self) -> Vec<PlanFeature> {
        let all = PlanFeature::ALL.iter().copied();
        all.filter(|feature| compare(feature.row(), self) == Cell::Has(true))
            .collect()
    }

    /// A plan with this name and the tier's values.
    #[must_use]
    pub fn plan(self, name: &str) -> PlanForm {
        let figures = &TIERS[self as usize];
        PlanForm {
            name: name.to_owned(),
            description: String::new(),
            price: f64::from(figures.price_usd),
            currency: TIER_CURRENCY.to_owned(),
            monthly_minutes_limit: figures.monthly_minutes.map(f64::from),
            max_file_duration_minutes: None,
            is_active: true,
            features: self.features(),
            queue_speed: self.queue_speed(),
        }
    }
}

wire_enum! {
    /// The queue priority of a plan's jobs.
    QueueSpeed {
        /// After all others.
        Standard => "standard",
        /// Before the standard ones.
        Fast => "fast",
        /// Before all others.
        UltraFast => "ultra_fast",
    }
}

wire_enum! {
    /// The state of a plan request.
    RequestStatus {
        /// Not decided yet.
        Open => "open",
        /// Approved; the user has the plan.
        Approved => "approved",
        /// Declined by an administrator.
        Declined => "declined",
        /// Withdrawn by the user.
        Withdrawn => "withdrawn",
    }
}

impl QueueSpeed {
    /// The priority of a job; higher numbers come first.
    #[must_use]
    pub const fn priority(self) -> i64 {
        match self {
            Self::Standard => 0,
            Self::Fast => 1,
            Self::UltraFast => 2,
        }
    }
}

/// A plan as an administrator filled it in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Validate)]
#[serde(default)]
#[validate(crate = "crate::form")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(missing_as_null))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlanForm {
    /// Name; required.
    #[validate(length(min = 1, max = MAX_NAME, code = "plan_name_required"))]
    pub name: String,
    /// Description.
    #[validate(length(max = MAX_DESCRIPTION))]
    pub description: String,
    /// Price per month in `currency`, at least 0.
    #[validate(range(min = 0.0, max = MAX_FIGURE))]
    pub price: f64,
    /// Three-letter code (ISO 4217).
    #[validate(custom(function = check_currency))]
    pub currency: String,
    /// Minutes per month, at least 0; null means unlimited.
    #[validate(range(min = 0.0, max = MAX_FIGURE))]
    #[cfg_attr(feature = "wasm", tsify(type = "number | null"))]
    pub monthly_minutes_limit: Option<f64>,
    /// Longest recording in minutes, at least 0; null means unlimited.
    #[validate(range(min = 0.0, max = MAX_FIGURE))]
    #[cfg_attr(feature = "wasm", tsify(type = "number | null"))]
    pub max_file_duration_minutes: Option<f64>,
    /// Whether users can subscribe to it.
    pub is_active: bool,
    /// The features that it includes.
    pub features: Vec<PlanFeature>,
    /// The queue priority of its jobs.
    pub queue_speed: QueueSpeed,
}

impl Default for PlanForm {
    fn default() -> Self {
        Self {
            name: String::new(),
            description: String::new(),
            price: 0.0,
            currency: DEFAULT_CURRENCY.to_owned(),
            monthly_minutes_limit: Some(0.0),
            max_file_duration_minutes: None,
            is_active: true,
            features: Vec::new(),
            queue_speed: QueueSpeed::Standard,
        }
    }
}

/// Checks a plan. The result is trimmed, its currency in upper case.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate(form: &PlanForm) -> Result<Valid<PlanForm>, Violations> {
    let form = PlanForm {
        name: form.name.trim().to_owned(),
        description: form.description.trim().to_owned(),
        price: form::finite(form.price),
        currency: form.currency.trim().to_ascii_uppercase(),
        monthly_minutes_limit: form.monthly_minutes_limit.map(form::finite),
        max_file_duration_minutes: form.max_file_duration_minutes.map(form::finite),
        features: each_once(&form.features),
        ..form.clone()
    };
    let fields = [
        "name",
        "description",
        "price",
        "currency",
        "monthly_minutes_limit",
        "max_file_duration_minutes",
    ];
    form::check(&form, &fields).or(|| Valid::new(form))
}

fn check_currency(currency: &str) -> Result<(), ValidationError> {
    if currency.len() == 3 && currency.bytes().all(|b| b.is_ascii_alphabetic()) {
        return Ok(());
    }
    Err(ValidationError::new(Code::CurrencyInvalid.as_str()))
}

/// The features in the order of their definition, without duplicates.
fn each_once(features: &[PlanFeature]) -> Vec<PlanFeature> {
    let all = PlanFeature::ALL.iter().copied();
    all.filter(|feature| features.contains(feature)).collect()
}

/// Adds a violation for a figure that is not a number from 0 to `max`.
pub(crate) fn figure(violations: &mut Violations, field: &str, figure: f64, max: f64) {
    if figure.is_nan() || figure < 0.0 {
        violations.push(Violation::new(field, Code::NumberTooSmall).with("min", 0));
    } else if figure > max {
        violations.push(Violation::new(field, Code::NumberTooLarge).with("max", max));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_of_tiers_match_the_price_list() {
        for tier in Tier::ALL.iter().copied() {
            let plan = tier.plan("Name");
            validate(&plan).unwrap();
            let cell = compare(ComparisonRow::Speed, tier);
            assert_eq!(cell, Cell::Word(plan.queue_speed.as_str()));
            for feature in PlanFeature::ALL.iter().copied() {
                let cell = compare(feature.row(), tier);
                assert_eq!(cell, Cell::Has(plan.features.contains(&feature)));
                assert_eq!(feature.row().as_str(), feature.as_str());
            }
        }
        assert_eq!(Tier::Starter.plan("").features, []);
        assert_eq!(Tier::Starter.plan("").monthly_minutes_limit, Some(120.0));
        assert_eq!(Tier::Enterprise.plan("").monthly_minutes_limit, None);
        assert_eq!(Tier::Enterprise.features(), PlanFeature::ALL);
    }

    #[test]
    fn basic_export_formats_need_no_plan_feature() {
        for format in BASIC_FORMATS {
            assert_eq!(export_needs(format), None);
        }
        for format in ["docx", "srt", "TXT", ""] {
            assert_eq!(export_needs(format), Some(PlanFeature::ExportFormats));
        }
    }
}
