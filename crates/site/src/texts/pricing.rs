//! Texts of `/pricing`. Figures and the features of plans come from the rules.

use serde::Deserialize;
use slovo_rules::plan;

use super::Faq;
use super::common::texts;

texts! {
    Pricing {
        kicker: String,
        title: String,
        lead: String,
        plain_lead: String,
        none: String,
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
        free: String,
        minutes: String,
        unlimited: String,
        choose: String,
        note: String,
        plain_note: String,
        items: Items,
        starter: Tier,
        professional: Tier,
        enterprise: Tier,
    }
    Tier {
        about: String,
        choose: String,
    }
    /// What plans include.
    Items {
        transcription: String,
        basic_formats: String,
        diarization: String,
        formatting: String,
        analytics: String,
        queue: String,
        api: String,
        translation: String,
        all_formats: String,
        email_support: String,
        agreement: String,
        dedicated_support: String,
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
