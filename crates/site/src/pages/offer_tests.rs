//! The pages promise what the server offers, and nothing more.

use std::sync::Arc;

use serde_json::Value;
use slovo_rules::locale::Locale;
use slovo_rules::plan::{PlanFeature, PlanForm};

use crate::assets::Assets;
use crate::offer::{Offer, PricedPlan};
use crate::own::SiteInfo;
use crate::page::Page;
use crate::scene::Site;
use crate::texts::Texts;

fn html(locale: Locale, page: Page, offer: Offer) -> String {
    let site = Site::new("https://slovo.example", Assets::default()).with_info(SiteInfo {
        offer,
        ..SiteInfo::default()
    });
    crate::html(&Arc::new(site), locale, page)
}

fn empty_offer() -> Offer {
    Offer {
        plans: Vec::new(),
        trial: None,
        refund_days: None,
        ..Offer::default()
    }
}

#[test]
fn pages_do_not_mention_what_is_not_offered() {
    for locale in [Locale::Uk, Locale::En] {
        for page in [
            Page::Home,
            Page::About,
            Page::Features,
            Page::Pricing,
            Page::Terms,
        ] {
            let name = page.name();
            let text = html(locale, page, empty_offer()).replace('\u{a0}', " ");
            assert!(!text.contains("{{"), "{name:?}");
            for promise in [
                "14 days",
                "14 днів",
                "30 days",
                "30 днів",
                "$9",
                "$29",
                "Professional",
                "SSO",
                "Zoom",
                "priceCurrency",
            ] {
                assert!(!text.contains(promise), "{name:?}: {promise}");
            }
        }
        let pricing = html(locale, Page::Pricing, empty_offer());
        assert!(pricing.contains(&Texts::of(locale).pricing.none));
        assert!(!pricing.contains("<table") && !pricing.contains("<article"));
    }
}

#[test]
fn features_the_server_lacks_are_in_no_plan() {
    let offer = Offer {
        has: vec![PlanFeature::Translation, PlanFeature::ExportFormats],
        ..Offer::default()
    };
    let rules = Texts::of(Locale::En);
    let text = html(Locale::En, Page::Pricing, offer);
    for feature in ["api", "diarization", "analytics", "realtime", "sso"] {
        assert!(!text.contains(rules.comparison_row(feature)), "{feature}");
    }
    for feature in ["translation", "export_formats", "minutes", "support"] {
        assert!(text.contains(rules.comparison_row(feature)), "{feature}");
    }
    let all = html(Locale::En, Page::Pricing, Offer::default());
    assert!(all.contains(rules.comparison_row("api")) && !all.contains("SSO"));
}

#[test]
fn a_plan_of_the_administrator_is_shown_with_its_own_data() {
    let plan = PricedPlan {
        id: Some("0197f3a0-0000-7000-8000-000000000000".into()),
        tier: None,
        form: PlanForm {
            name: "<b>Редакція</b>".into(),
            description: "Для газет".into(),
            price: 350.5,
            currency: "UAH".into(),
            monthly_minutes_limit: Some(600.0),
            features: vec![PlanFeature::Diarization],
            ..PlanForm::default()
        },
    };
    let offer = Offer {
        plans: vec![plan],
        ..empty_offer()
    };
    let text = html(Locale::En, Page::Pricing, offer);
    for piece in [
        "350.50 UAH",
        "600",
        "Для газет",
        "href=\"/signup?plan=0197f3a0-0000-7000-8000-000000000000&amp;lang=en\"",
        "TXT and VTT export",
        "Speaker diarization",
    ] {
        assert!(text.contains(piece), "{piece}");
    }
    assert!(!text.contains("<b>Редакція") && !text.contains("US dollars"));
    let json = text.split("<script type=\"application/ld+json\">").nth(1);
    let json = json.unwrap().split("</script>").next().unwrap();
    let document: Value = serde_json::from_str(json).unwrap();
    let offer = &document["@graph"][0]["offers"][0];
    assert_eq!(offer["price"], 350.5);
    assert_eq!(offer["priceCurrency"], "UAH");
    assert_eq!(
        offer["description"],
        "TXT and VTT export; Speaker diarization"
    );
}
