//! What a page says in schema.org's words.

use serde_json::{Value, json};
use slovo_rules::plan::{TIERS, TierFigures};
use slovo_rules::site::Words;

use crate::page::{Name, Page};
use crate::scene::{Scene, scene};
use crate::texts::{Faq, facts};

/// What the page says in schema.org's words, as JSON that cannot end the script it stands in.
pub(crate) fn json_ld(page: &Page) -> Option<String> {
    let scene = scene();
    let graph = graph(&scene, page.name());
    if graph.is_empty() {
        return None;
    }
    let document = json!({"@context": "https://schema.org", "@graph": graph});
    Some(in_script(&document))
}

/// `<` stands in JSON only in strings, where it can be written as a number.
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
        Name::Pricing => vec![
            product(scene),
            questions(scene, page, &scene.texts.pricing.faq),
        ],
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
    let said = |text: &str| (!text.is_empty()).then(|| Value::from(text));
    let shown = |words: &Words| words.shown(scene.locale).map(Value::from);
    let social: Vec<_> = settings.social.iter().map(|link| &*link.url).collect();
    for (name, value) in [
        ("description", shown(&settings.purpose)),
        ("legalName", shown(&settings.legal_name)),
        ("email", said(&settings.email)),
        ("telephone", said(&settings.phone)),
        ("address", shown(&settings.address)),
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
    if scene.own().sells() {
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
    TIERS.iter().map(|figures| offer(scene, figures)).collect()
}

fn offer(scene: &Scene, figures: &TierFigures) -> Value {
    let sum = if figures.price_from {
        "minPrice"
    } else {
        "price"
    };
    let mut price = json!({
        "@type": "UnitPriceSpecification",
        "priceCurrency": "USD",
        "unitCode": "MON",
        "billingDuration": 1,
    });
    price[sum] = figures.price_usd.into();
    json!({
        "@type": "Offer",
        "name": scene.texts.tier(figures.tier.as_str()),
        "description": scene.texts.pricing.plans.of(figures.tier).items.join("; "),
        "price": figures.price_usd,
        "priceCurrency": "USD",
        "priceSpecification": price,
        "availability": "https://schema.org/OnlineOnly",
        "url": scene.address("/pricing", scene.locale),
    })
}

fn questions(scene: &Scene, page: Name, faq: &Faq) -> Value {
    let items = faq.of(scene.own()).map(|item| {
        json!({
            "@type": "Question",
            "name": facts(&item.question),
            "acceptedAnswer": {"@type": "Answer", "text": facts(&item.answer)},
        })
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
    fn no_text_ends_the_script() {
        let text = "</script><!-- <script>";
        let json = in_script(&json!({"text": text}));
        assert!(!json.contains('<'));
        assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["text"], text);
    }
}
