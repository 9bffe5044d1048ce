//! The server's current plans, and what may be promised about them.
//!
//! A text with a promise contains a placeholder for its figure. If the server does not offer that,
//! the figure is missing and the text is not shown.

use slovo_rules::limits::{REFUND_DAYS, TRIAL_DAYS};
use slovo_rules::plan::{
    Cell, ComparisonRow, PlanFeature, PlanForm, QueueSpeed, TIERS, Tier, compare,
};

use crate::texts::{Texts, fill};

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// The plans on offer, cheapest first.
    pub plans: Vec<PricedPlan>,
    /// The plan features that this server has.
    pub has: Vec<PlanFeature>,
    /// The trial of a new account.
    pub trial: Option<Trial>,
    /// Refund period in days.
    pub refund_days: Option<u32>,
}

/// A plan with a price.
#[derive(Clone, Debug, PartialEq)]
pub struct PricedPlan {
    /// Its id for a request.
    pub id: Option<String>,
    /// Its tier, which has texts of its own; `None` for an administrator's own plan.
    pub tier: Option<Tier>,
    /// Its values.
    pub form: PlanForm,
}

/// A plan on trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The plan's name.
    pub plan: String,
    /// Its monthly minutes; `None` means unlimited.
    pub minutes: Option<f64>,
    /// Length in days.
    pub days: u32,
}

impl Default for Offer {
    /// The offer of the specification.
    fn default() -> Self {
        let trial = &TIERS[Tier::Professional as usize];
        let name = |tier: Tier| Texts::of(slovo_rules::locale::Locale::En).tier(tier.as_str());
        let plans = Tier::ALL.iter().map(|tier| PricedPlan {
            id: None,
            tier: Some(*tier),
            form: tier.plan(name(*tier)),
        });
        Self {
            plans: plans.collect(),
            has: PlanFeature::ALL.to_vec(),
            trial: Some(Trial {
                plan: name(trial.tier).to_owned(),
                minutes: trial.monthly_minutes.map(f64::from),
                days: TRIAL_DAYS,
            }),
            refund_days: Some(REFUND_DAYS),
        }
    }
}

impl Offer {
    /// The plan of this tier.
    pub(crate) fn tier(&self, tier: Tier) -> Option<&PricedPlan> {
        self.plans.iter().find(|plan| plan.tier == Some(tier))
    }

    /// The text with the figures of the offer filled in; `None` if one is missing.
    pub(crate) fn filled_in(&self, text: &str) -> Option<String> {
        let trial = self.trial.as_ref();
        let minutes = trial.and_then(|trial| trial.minutes);
        let enterprise = self.tier(Tier::Enterprise);
        let figures = [
            ("trial_days", trial.map(|trial| trial.days.to_string())),
            ("trial_plan", trial.map(|trial| trial.plan.clone())),
            ("trial_minutes", minutes.map(figure)),
            ("refund_days", self.refund_days.map(|days| days.to_string())),
            ("enterprise", enterprise.map(|plan| plan.form.name.clone())),
        ];
        let mut filled = text.to_owned();
        for (name, value) in figures {
            if filled.contains(&format!("{{{{{name}}}}}")) {
                filled = fill(&filled, name, &value?);
            }
        }
        Some(filled)
    }

    /// Whether both the plan and the server have the feature.
    pub(crate) fn includes_feature(&self, plan: &PricedPlan, feature: PlanFeature) -> bool {
        self.has.contains(&feature) && plan.form.features.contains(&feature)
    }

    /// The rows of the comparison that apply to this server.
    pub(crate) fn rows(&self) -> Vec<ComparisonRow> {
        let rows = ComparisonRow::ALL.iter().copied();
        rows.filter(|row| match row {
            ComparisonRow::Minutes | ComparisonRow::Speed => true,
            ComparisonRow::Support => self.plans.iter().any(|plan| plan.tier.is_some()),
            // Sign-in with a provider does not depend on the plan.
            ComparisonRow::Sso => false,
            row => feature_of(*row).is_some_and(|feature| self.has.contains(&feature)),
        })
        .collect()
    }

    /// A cell of the comparison.
    pub(crate) fn cell(&self, row: ComparisonRow, plan: &PricedPlan) -> CellContent {
        match row {
            ComparisonRow::Minutes => CellContent::Minutes(plan.form.monthly_minutes_limit),
            ComparisonRow::Speed => CellContent::Word(plan.form.queue_speed.as_str()),
            ComparisonRow::Support => match plan.tier.map(|tier| compare(row, tier)) {
                Some(Cell::Word(word)) => CellContent::Word(word),
                _ => CellContent::Has(false),
            },
            row => CellContent::Has(
                feature_of(row).is_some_and(|feature| self.includes_feature(plan, feature)),
            ),
        }
    }

    /// The features of the plan, in the page's language and in the order of the price list.
    pub(crate) fn items(&self, plan: &PricedPlan, texts: &'static Texts) -> Vec<&'static str> {
        let words = &texts.pricing.plans.items;
        let includes = |feature| self.includes_feature(plan, feature);
        let is_tier = |tier| plan.tier == Some(tier);
        let starter = is_tier(Tier::Starter);
        let all_formats = includes(PlanFeature::ExportFormats);
        let first = plan.form.queue_speed != QueueSpeed::Standard;
        let items = [
            (starter, &words.transcription),
            (!all_formats, &words.basic_formats),
            (includes(PlanFeature::Diarization), &words.diarization),
            (plan.tier.is_some() && !starter, &words.formatting),
            (includes(PlanFeature::Analytics), &words.analytics),
            (first, &words.queue),
            (includes(PlanFeature::Api), &words.api),
            (includes(PlanFeature::Translation), &words.translation),
            (all_formats, &words.all_formats),
            (starter, &words.email_support),
            (is_tier(Tier::Enterprise), &words.agreement),
            (is_tier(Tier::Enterprise), &words.dedicated_support),
        ];
        let items = items.into_iter().filter(|(is_in, _)| *is_in);
        items.map(|(_, item)| item.as_str()).collect()
    }
}

/// The content of a cell of the comparison.
#[derive(Clone, Copy)]
pub(crate) enum CellContent {
    /// Monthly minutes; `None` means unlimited.
    Minutes(Option<f64>),
    /// A text of the comparison.
    Word(&'static str),
    /// Yes or no.
    Has(bool),
}

fn feature_of(row: ComparisonRow) -> Option<PlanFeature> {
    let mut features = PlanFeature::ALL.iter().copied();
    features.find(|feature| feature.row() == row)
}

/// Formats minutes or money, without decimals if they are zero.
pub(crate) fn figure(number: f64) -> String {
    let text = format!("{number:.2}");
    let short = text.strip_suffix(".00").unwrap_or(&text);
    short.to_owned()
}

/// Formats a price.
pub(crate) fn money(sum: f64, currency: &str) -> String {
    let sum = figure(sum);
    match currency {
        "USD" => format!("${sum}"),
        "EUR" => format!("€{sum}"),
        currency => format!("{sum} {currency}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_from_the_offer_or_the_text_is_omitted() {
        let offer = Offer::default();
        let text = "{{trial_days}} {{trial_plan}} {{trial_minutes}} {{refund_days}} {{enterprise}}";
        let filled = offer.filled_in(text);
        assert_eq!(
            filled.as_deref(),
            Some("14 Professional 1000 30 Enterprise")
        );
        let nothing = Offer {
            plans: Vec::new(),
            trial: None,
            refund_days: None,
            ..offer
        };
        for figure in text.split(' ') {
            assert_eq!(nothing.filled_in(figure), None, "{figure}");
        }
        assert_eq!(nothing.filled_in("plain").as_deref(), Some("plain"));
    }

    #[test]
    fn prices_are_formatted_without_empty_cents() {
        assert_eq!(money(9.0, "USD"), "$9");
        assert_eq!(money(9.5, "EUR"), "€9.50");
        assert_eq!(money(350.0, "UAH"), "350 UAH");
    }
}
