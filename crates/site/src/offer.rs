//! What this server offers: its plans as they are now, and what may be promised of them.
//!
//! A text that promises something names its figure. Where the server does not offer that, the figure
//! is missing, and so the text is not shown.

use slovo_rules::limits::{REFUND_DAYS, TRIAL_DAYS};
use slovo_rules::plan::{
    Cell, ComparisonRow, PlanFeature, PlanForm, QueueSpeed, TIERS, Tier, compare,
};

use crate::texts::{Texts, fill};

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// The plans that can be asked for, the cheapest first.
    pub plans: Vec<PricedPlan>,
    /// What this server has of what plans may include.
    pub has: Vec<PlanFeature>,
    /// What a new account has on trial.
    pub trial: Option<Trial>,
    /// Days within which money is given back.
    pub refund_days: Option<u32>,
}

/// A plan with a price.
#[derive(Clone, Debug, PartialEq)]
pub struct PricedPlan {
    /// By which it is asked for.
    pub id: Option<String>,
    /// The tier that it is, which has words of its own; `None` for an administrator's own plan.
    pub tier: Option<Tier>,
    /// What it holds.
    pub form: PlanForm,
}

/// A plan on trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The plan's name.
    pub plan: String,
    /// Its minutes a month; `None` means without a limit.
    pub minutes: Option<f64>,
    /// For how many days.
    pub days: u32,
}

impl Default for Offer {
    /// As the specification has it.
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
    /// The plan that is this tier.
    pub(crate) fn tier(&self, tier: Tier) -> Option<&PricedPlan> {
        self.plans.iter().find(|plan| plan.tier == Some(tier))
    }

    /// The text with the figures of the offer; `None` if it names one that there is not.
    pub(crate) fn says(&self, text: &str) -> Option<String> {
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
        let mut said = text.to_owned();
        for (name, value) in figures {
            if said.contains(&format!("{{{{{name}}}}}")) {
                said = fill(&said, name, &value?);
            }
        }
        Some(said)
    }

    /// Whether the plan has the feature and the server, too.
    pub(crate) fn gives(&self, plan: &PricedPlan, feature: PlanFeature) -> bool {
        self.has.contains(&feature) && plan.form.features.contains(&feature)
    }

    /// The rows of the comparison that say something true of this server.
    pub(crate) fn rows(&self) -> Vec<ComparisonRow> {
        let rows = ComparisonRow::ALL.iter().copied();
        rows.filter(|row| match row {
            ComparisonRow::Minutes | ComparisonRow::Speed => true,
            ComparisonRow::Support => self.plans.iter().any(|plan| plan.tier.is_some()),
            // No part of this program gives one plan a sign-in of its own.
            ComparisonRow::Sso => false,
            row => feature_of(*row).is_some_and(|feature| self.has.contains(&feature)),
        })
        .collect()
    }

    /// A cell of the comparison.
    pub(crate) fn cell(&self, row: ComparisonRow, plan: &PricedPlan) -> Shown {
        match row {
            ComparisonRow::Minutes => Shown::Minutes(plan.form.monthly_minutes_limit),
            ComparisonRow::Speed => Shown::Word(plan.form.queue_speed.as_str()),
            ComparisonRow::Support => match plan.tier.map(|tier| compare(row, tier)) {
                Some(Cell::Word(word)) => Shown::Word(word),
                _ => Shown::Has(false),
            },
            row => Shown::Has(feature_of(row).is_some_and(|feature| self.gives(plan, feature))),
        }
    }

    /// What the plan includes, in the page's language, in the order of the price list.
    pub(crate) fn items(&self, plan: &PricedPlan, texts: &'static Texts) -> Vec<&'static str> {
        let words = &texts.pricing.plans.items;
        let gives = |feature| self.gives(plan, feature);
        let is = |tier| plan.tier == Some(tier);
        let starter = is(Tier::Starter);
        let all_formats = gives(PlanFeature::ExportFormats);
        let first = plan.form.queue_speed != QueueSpeed::Standard;
        let items = [
            (starter, &words.transcription),
            (!all_formats, &words.basic_formats),
            (gives(PlanFeature::Diarization), &words.diarization),
            (plan.tier.is_some() && !starter, &words.formatting),
            (gives(PlanFeature::Analytics), &words.analytics),
            (first, &words.queue),
            (gives(PlanFeature::Api), &words.api),
            (gives(PlanFeature::Translation), &words.translation),
            (all_formats, &words.all_formats),
            (starter, &words.email_support),
            (is(Tier::Enterprise), &words.agreement),
            (is(Tier::Enterprise), &words.dedicated_support),
        ];
        let items = items.into_iter().filter(|(is_in, _)| *is_in);
        items.map(|(_, item)| item.as_str()).collect()
    }
}

/// What stands in a cell of the comparison.
#[derive(Clone, Copy)]
pub(crate) enum Shown {
    /// Minutes a month; `None` means without a limit.
    Minutes(Option<f64>),
    /// A word of the comparison.
    Word(&'static str),
    /// Yes or no.
    Has(bool),
}

fn feature_of(row: ComparisonRow) -> Option<PlanFeature> {
    let mut features = PlanFeature::ALL.iter().copied();
    features.find(|feature| feature.row() == row)
}

/// A number of minutes or money as it is read: without what is nothing behind the point.
pub(crate) fn figure(number: f64) -> String {
    let text = format!("{number:.2}");
    let short = text.strip_suffix(".00").unwrap_or(&text);
    short.to_owned()
}

/// A price as it is read.
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
    fn figures_are_those_of_the_offer_and_what_is_not_offered_is_not_said() {
        let offer = Offer::default();
        let text = "{{trial_days}} {{trial_plan}} {{trial_minutes}} {{refund_days}} {{enterprise}}";
        let said = offer.says(text);
        assert_eq!(said.as_deref(), Some("14 Professional 1000 30 Enterprise"));
        let nothing = Offer {
            plans: Vec::new(),
            trial: None,
            refund_days: None,
            ..offer
        };
        for figure in text.split(' ') {
            assert_eq!(nothing.says(figure), None, "{figure}");
        }
        assert_eq!(nothing.says("plain").as_deref(), Some("plain"));
    }

    #[test]
    fn sums_are_short() {
        assert_eq!(money(9.0, "USD"), "$9");
        assert_eq!(money(9.5, "EUR"), "€9.50");
        assert_eq!(money(350.0, "UAH"), "350 UAH");
    }
}
