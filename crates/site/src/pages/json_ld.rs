//! Structured data of a page (schema.org).

use serde_json::{Value, json};
use slovo_rules::plan::TIERS;
use slovo_rules::site::Words;

use crate::offer::PricedPlan;
use crate::page::{Name, Page};
use crate::scene::{Scene, scene};
use crate::texts::{Faq, facts};

/// The page's structured data, as JSON that cannot close the surrounding script element.
pub(crate) fn json_ld(page: &Page) -> Option<String> {
    let scene = scene();
    let graph = graph(&scene, page.name());
    if graph.is_empty() {
        return None;
    }
    let document = json!({"@context": "https://schema.org", "@graph": graph});
    Some(in_script(&document))
}

/// In JSON, `<` occurs only inside strings, where it can be escaped as a number.
fn in_script(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

fn graph(scene: &Scene, page: Name) -> Vec<Value> {
    match page {
        Name::Home => vec![organization(scene), web_site(scene), application(scene)],
        Name::About => vec![
            organization(scene),
            questions(scene, page, &scene.texts.about.faq),
        ],
        Name::Features => vec![application(scene)],
        Name::Pricing => {
            // Without plans there is no product to describe.
            let product = (!scene.own().offer.plans.is_empty()).then(|| product(scene));
            let questions = questions(scene, page, &scene.texts.pricing.faq);
            product.into_iter().chain([questions]).collect()
        }
        _ => Vec::new(),
    }
}

fn id(scene: &Scene, name: &str) -> String {
    format!("{}/#{name}", scene.site.origin)
}

fn organization(scene: &Scene) -> Value {
    let own = scene.own();
    let settings = &own.settings;
    let mut organization = json!({
        "@type": "Organization",
        "@id": id(scene, "organization"),
        "name": own.name(),
        "url": format!("{}/", scene.site.origin),
        "logo": format!("{}/apple-touch-icon.png", scene.site.origin),
        "description": facts(&scene.texts.site.pages.home.description),
    });
    let non_empty = |text: &str| (!text.is_empty()).then(|| Value::from(text));
    let translated = |words: &Words| words.shown(scene.locale).map(Value::from);
    let social: Vec<_> = settings.social.iter().map(|link| &*link.url).collect();
    for (name, value) in [
        ("description", translated(&settings.purpose)),
        ("legalName", translated(&settings.legal_name)),
        ("email", non_empty(&settings.email)),
        ("telephone", non_empty(&settings.phone)),
        ("address", translated(&settings.address)),
        ("sameAs", (!social.is_empty()).then(|| social.into())),
    ] {
        if let Some(value) = value {
            organization[name] = value;
        }
    }
    organization
}

fn web_site(scene: &Scene) -> Value {
    json!({
        "@type": "WebSite",
        "@id": id(scene, "site"),
        "name": scene.own().name(),
        "url": scene.address("/", scene.locale),
        "inLanguage": scene.locale.as_str(),
        "publisher": {"@id": id(scene, "organization")},
    })
}

fn application(scene: &Scene) -> Value {
    let mut application = json!({
        "@type": "SoftwareApplication",
        "@id": id(scene, "application"),
        "name": "Slovo",
        "description": facts(&scene.texts.site.pages.features.description),
        "url": scene.address("/features", scene.locale),
        "applicationCategory": "MultimediaApplication",
        "operatingSystem": "Linux, Web",
        "inLanguage": scene.locale.as_str(),
    });
    if scene.own().sells_plans() {
        application["offers"] = offers(scene).into();
    }
    application
}

fn product(scene: &Scene) -> Value {
    json!({
        "@type": "Product",
        "@id": id(scene, "product"),
        "name": "Slovo",
        "description": scene.texts.site.pages.pricing.description,
        "url": scene.address("/pricing", scene.locale),
        "image": format!("{}/og/pricing-{}.png", scene.site.origin, scene.locale),
        "brand": {"@type": "Brand", "name": "Slovo"},
        "offers": offers(scene),
    })
}

fn offers(scene: &Scene) -> Vec<Value> {
    let plans = scene.own().offer.plans.iter();
    plans.map(|plan| offer(scene, plan)).collect()
}

fn offer(scene: &Scene, plan: &PricedPlan) -> Value {
    let from = plan
        .tier
        .is_some_and(|tier| TIERS[tier as usize].price_from);
    let sum = if from { "minPrice" } else { "price" };
    let amount = number(plan.form.price);
    let mut price = json!({
        "@type": "UnitPriceSpecification",
        "priceCurrency": plan.form.currency,
        "unitCode": "MON",
        "billingDuration": 1,
    });
    price[sum] = amount.clone();
    json!({
        "@type": "Offer",
        "name": plan.form.name,
        "description": scene.own().offer.items(plan, scene.texts).join("; "),
        "price": amount,
        "priceCurrency": plan.form.currency,
        "priceSpecification": price,
        "availability": "https://schema.org/OnlineOnly",
        "url": scene.address("/pricing", scene.locale),
    })
}

/// A whole number without a decimal point.
fn number(sum: f64) -> Value {
    if sum.fract() == 0.0 && sum.abs() < 1e15 {
        json!(sum as i64)
    } else {
        json!(sum)
    }
}

fn questions(scene: &Scene, page: Name, faq: &Faq) -> Value {
    let items = faq.of(scene.own().sells_plans()).filter_map(|item| {
        let (question, answer) = (
            scene.filled_in(&item.question)?,
            scene.filled_in(&item.answer)?,
        );
        Some(json!({
            "@type": "Question",
            "name": question,
            "acceptedAnswer": {"@type": "Answer", "text": answer},
        }))
    });
    json!({
        "@type": "FAQPage",
        "url": scene.address(page.path(), scene.locale),
        "inLanguage": scene.locale.as_str(),
        "mainEntity": items.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_ld_text_cannot_end_the_script() {
        let text = "</script><!-- <script>";
        let json = in_script(&json!({"text": text}));
        assert!(!json.contains('<'));
        assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["text"], text);
    }
}
