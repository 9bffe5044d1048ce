//! Content of the pages about, features, pricing and contact, in both languages.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;
use slovo_rules::contact::{ContactForm, MAX_MESSAGE, MAX_NAME, validate};
use slovo_rules::locale::Locale;

use crate::accepted_files::AcceptedFiles;
use crate::assets::Assets;
use crate::offer::Offer;
use crate::page::{ContactPage, FormOutcome, Page};
use crate::scene::Site;
use crate::texts::{Texts, facts};

const LOCALES: [Locale; 2] = [Locale::Uk, Locale::En];

fn html(locale: Locale, page: Page) -> String {
    let site = Site::new("https://slovo.example", Assets::default());
    crate::html(&Arc::new(site), locale, page)
}

fn contact(locale: Locale, form: ContactForm, sent: FormOutcome) -> String {
    html(locale, Page::Contact(ContactPage { form, sent }))
}

/// The texts between two marks, for every occurrence.
fn between<'a>(html: &'a str, from: &str, to: &str) -> Vec<&'a str> {
    let pieces = html.split(from).skip(1);
    pieces.filter_map(|piece| piece.split(to).next()).collect()
}

/// The element with this id, up to the next one of its kind or the end of the page.
fn at<'a>(html: &'a str, id: &str) -> &'a str {
    let from = html
        .find(&format!(" id=\"{id}\""))
        .unwrap_or_else(|| panic!("no {id}"));
    let piece = &html[from..];
    &piece[..piece.find("</p>").unwrap_or(piece.len())]
}

fn main_part(html: &str) -> &str {
    between(html, "<main", "</main>")[0]
}

fn data(html: &str) -> Vec<Value> {
    let json = between(html, "<script type=\"application/ld+json\">", "</script>")[0];
    let document: Value = serde_json::from_str(json).unwrap();
    assert_eq!(document["@context"], "https://schema.org");
    document["@graph"].as_array().unwrap().clone()
}

fn of_type(graph: &[Value], kind: &str) -> Value {
    let found = graph.iter().find(|node| node["@type"] == kind);
    found.unwrap_or_else(|| panic!("no {kind}")).clone()
}

fn broken_form() -> ContactForm {
    ContactForm {
        first_name: "\"><script>alert(1)</script>".into(),
        last_name: " ".into(),
        email: "not an address".into(),
        message: "\n</textarea><script>alert(2)</script> & so on".into(),
    }
}

#[test]
fn texts_are_filled_in_and_ids_are_unique() {
    for locale in LOCALES {
        for page in [
            Page::About,
            Page::Features,
            Page::Pricing,
            Page::Contact(ContactPage::default()),
        ] {
            let name = page.name();
            let html = html(locale, page);
            assert!(!html.contains("{{"), "{name:?}");
            let ids = between(&html, " id=\"", "\"");
            let different: BTreeSet<_> = ids.iter().collect();
            assert_eq!(ids.len(), different.len(), "{name:?} {ids:?}");
            for attribute in ["aria-labelledby", "aria-describedby", "for"] {
                for id in between(&html, &format!(" {attribute}=\""), "\"") {
                    assert!(different.contains(&id), "{name:?}: nothing is {id}");
                }
            }
            assert_eq!(html.matches("<h1").count(), 1, "{name:?}");
        }
    }
}

#[test]
fn the_about_page_has_values_questions_and_the_trial() {
    for locale in LOCALES {
        let html = html(locale, Page::About);
        let words = &Texts::of(locale).about;
        let values = &words.values;
        for value in [
            &values.clarity,
            &values.privacy,
            &values.language,
            &values.craft,
        ] {
            assert!(html.contains(&value.title) && html.contains(&value.text));
        }
        // The same name: browsers keep only one of them open.
        let questions = html.matches("<details name=\"faq\"").count();
        assert_eq!(questions, words.faq.items.len());
        assert!((7..=8).contains(&questions));
        let faq = &html[html.find(" id=\"faq\"").unwrap()..];
        for figure in ["95–98", "28", "60", "5–10", "24", "14", "30", "VTT"] {
            assert!(faq.contains(figure), "{figure}");
        }
        assert!(!html.contains(" id=\"social\""), "nobody has named a page");
        let trial = &html[html.find(" id=\"trial\"").unwrap()..];
        assert!(trial.contains("href=\"/signup\"") && trial.contains("14"));
        assert!(html.contains("<input id=\"newsletter-email\""));
    }
}

#[test]
fn the_features_page_has_cards_benefits_and_the_price() {
    for locale in LOCALES {
        let html = html(locale, Page::Features);
        let main = main_part(&html);
        assert_eq!(main.matches("class=\"feature\"").count(), 6);
        assert_eq!(main.matches("class=\"benefit\"").count(), 3);
        let reasons = main.matches("class=\"reason\"").count();
        assert_eq!(reasons, Texts::of(locale).features.why.items.len());
        let price = &main[main.find("<aside").unwrap()..];
        let to = if locale == Locale::En {
            "/pricing?lang=en"
        } else {
            "/pricing"
        };
        assert!(price.contains("$29") && price.contains(&format!("href=\"{to}\"")));
    }
}

#[test]
fn the_pricing_page_compares_three_plans() {
    for (locale, popular, unlimited, fastest) in [
        (Locale::Uk, "Найпопулярніший", "Необмежено", "Надшвидка"),
        (Locale::En, "Most popular", "Unlimited", "Ultra fast"),
    ] {
        let html = html(locale, Page::Pricing);
        let main = main_part(&html);
        let plans = between(main, "<article", "</article>");
        assert_eq!(plans.len(), 3);
        let to = if locale == Locale::En {
            "/contact?lang=en"
        } else {
            "/contact"
        };
        let from = &Texts::of(locale).pricing.plans.from;
        for (plan, price, minutes, link) in [
            (plans[0], "$9<", "120", "/signup"),
            (plans[1], "$29<", "1000", "/signup"),
            (plans[2], "$99<", "", to),
        ] {
            assert!(plan.contains(price) && plan.contains(minutes), "{plan}");
            assert!(plan.contains(&format!("href=\"{link}")), "{plan}");
            assert_eq!(plan.contains(popular), price == "$29<");
            assert_eq!(plan.contains(&format!(">{from}<")), price == "$99<");
        }
        let table = between(main, "<table", "</table>")[0];
        assert!(table.contains("<caption>"));
        assert_eq!(table.matches("scope=\"col\"").count(), 4);
        assert_eq!(table.matches("scope=\"row\"").count(), 9);
        for word in ["120", "1000", unlimited, fastest] {
            assert!(table.contains(word), "{word}");
        }
        let texts = Texts::of(locale);
        for (word, count) in [("yes", 11), ("no", 7)] {
            let cell = format!("<span class=\"sr-only\">{}</span>", texts.comparison(word));
            assert_eq!(table.matches(&cell).count(), count, "{word}");
        }
        let rest = &main[main.find(" id=\"faq\"").unwrap()..];
        assert!(rest.contains("<details name=\"faq\""));
        let help = &rest[rest.find("help-title").unwrap()..];
        assert!(help.contains(&format!("href=\"{to}\"")));
    }
}

#[test]
fn the_contact_form_matches_its_script() {
    for locale in LOCALES {
        let html = contact(locale, ContactForm::default(), FormOutcome::Not);
        let form = &html[html.find("<form id=\"form\"").unwrap()..];
        let form = &form[..form.find("</form>").unwrap()];
        for piece in [
            "data-island=\"contact\"",
            "class=\"form\"",
            "method=\"post\" action=\"/contact\"",
            &format!("name=\"locale\" value=\"{locale}\""),
            "name=\"website\"",
            &format!("maxlength=\"{MAX_NAME}\""),
            &format!("maxlength=\"{MAX_MESSAGE}\""),
            "<button type=\"submit\"",
            "role=\"status\"",
        ] {
            assert!(form.contains(piece), "{piece}");
        }
        for name in ["first_name", "last_name", "email", "message"] {
            assert!(form.contains(&format!("id=\"contact-{name}\" name=\"{name}\"")));
            assert!(form.contains(&format!("aria-describedby=\"contact-{name}-error\"")));
        }
        assert_eq!(form.matches(" required ").count(), 4);
        assert!(!form.contains("aria-invalid") && !form.contains("data-state"));
        assert!(!form.contains("autofocus"));
        for link in ["mailto:", "tel:"] {
            assert!(!html.contains(link), "nobody has said how to be reached");
        }
        assert_eq!(html.matches("data-island=\"newsletter\"").count(), 1);
    }
}

#[test]
fn violations_are_at_their_fields_and_input_is_escaped() {
    let violations = validate(&broken_form()).unwrap_err().0;
    assert_eq!(violations.len(), 2);
    for locale in LOCALES {
        let sent = FormOutcome::Invalid(violations.clone());
        let html = contact(locale, broken_form(), sent);
        for violation in &violations {
            let text = Texts::of(locale).violation(violation);
            let place = at(&html, &format!("contact-{}-error", violation.field));
            assert!(place.contains(&text), "{text}: {place}");
        }
        assert_eq!(html.matches("aria-invalid=\"true\"").count(), 2);
        let focus = at(&html, "contact-last_name");
        assert!(focus.contains(" autofocus"));
        assert_eq!(html.matches(" autofocus").count(), 1);
        assert!(!html.contains("<script>alert"));
        assert!(html.contains("value=\"&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;\""));
        assert!(html.contains("value=\"not an address\""));
        // The first line break belongs to the element; the second one was typed.
        assert!(
            html.contains(
                ">\n\n&lt;/textarea>&lt;script>alert(2)&lt;/script> &amp; so on</textarea>"
            )
        );
    }
}

#[test]
fn the_contact_form_reports_its_outcome() {
    for (locale, sent, state, text) in [
        (
            Locale::Uk,
            FormOutcome::Accepted,
            "sent",
            "Дякуємо! Ми скоро з вами зв’яжемося.",
        ),
        (
            Locale::En,
            FormOutcome::Accepted,
            "sent",
            "Thank you! We will contact you soon.",
        ),
        (
            Locale::Uk,
            FormOutcome::Failed,
            "failed",
            "Помилка надсилання. Спробуйте ще раз.",
        ),
        (
            Locale::En,
            FormOutcome::Failed,
            "failed",
            "Error sending. Please try again.",
        ),
        (
            Locale::En,
            FormOutcome::Limited,
            "failed",
            "Too many attempts.",
        ),
    ] {
        let accepted = matches!(sent, FormOutcome::Accepted);
        let html = contact(locale, broken_form(), sent);
        let form = &html[html.find("<form id=\"form\"").unwrap()..];
        let status = &form[form.find("role=\"status\"").unwrap()..];
        let status = status.split("</p>").next().unwrap().replace('\u{a0}', " ");
        assert!(status.contains(text), "{status}");
        assert!(
            status.contains(&format!("data-state=\"{state}\"")),
            "{status}"
        );
        assert_eq!(html.contains("not an address"), !accepted);
    }
}

#[test]
fn structured_data_matches_the_visible_page() {
    for locale in LOCALES {
        let texts = Texts::of(locale);
        let about = data(&html(locale, Page::About));
        assert_eq!(of_type(&about, "Organization")["name"], "Slovo");
        let pricing = data(&html(locale, Page::Pricing));
        for (graph, faq) in [(&about, &texts.about.faq), (&pricing, &texts.pricing.faq)] {
            let questions = of_type(graph, "FAQPage")["mainEntity"].clone();
            assert_eq!(questions.as_array().unwrap().len(), faq.items.len());
            for (question, item) in questions.as_array().unwrap().iter().zip(&faq.items) {
                let with_offer = |text| Offer::default().filled_in(text).unwrap();
                let text_of = |text| AcceptedFiles::default().filled_in(&facts(&with_offer(text)));
                assert_eq!(question["name"], text_of(&item.question));
                assert_eq!(question["acceptedAnswer"]["text"], text_of(&item.answer));
            }
        }
        let offers = of_type(&pricing, "Product")["offers"].clone();
        let prices = offers
            .as_array()
            .unwrap()
            .iter()
            .map(|offer| &offer["price"]);
        assert_eq!(prices.collect::<Vec<_>>(), [9, 29, 99]);
        assert_eq!(offers[2]["priceSpecification"]["minPrice"], 99);
        let features = data(&html(locale, Page::Features));
        assert_eq!(of_type(&features, "SoftwareApplication")["name"], "Slovo");
        let home = data(&html(locale, Page::Home));
        assert_eq!(
            of_type(&home, "Organization")["url"],
            "https://slovo.example/"
        );
    }
}
