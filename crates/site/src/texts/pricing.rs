//! The words of `/pricing`. Figures and what is in a plan's comparison are the rules' own.

use serde::Deserialize;
use slovo_rules::plan;

use super::Faq;
use super::common::texts;

texts! {
    Pricing {
        kicker: String,
        title: String,
        lead: String,
        plans: Plans,
        comparison: Comparison,
        faq: Faq,
        help: Help,
    }
    Plans {
        title: String,
        from: String,
        per_month: String,
        popular: String,
        note: String,
        starter: Tier,
        professional: Tier,
        enterprise: Tier,
    }
    Tier {
        about: String,
        minutes: String,
        items: Vec<String>,
        choose: String,
    }
    Comparison {
        title: String,
        caption: String,
        feature: String,
    }
    Help {
        title: String,
        text: String,
        write: String,
    }
}

impl Plans {
    pub(crate) const fn of(&self, tier: plan::Tier) -> &Tier {
        match tier {
            plan::Tier::Starter => &self.starter,
            plan::Tier::Professional => &self.professional,
            plan::Tier::Enterprise => &self.enterprise,
        }
    }
}
