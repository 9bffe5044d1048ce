//! Every page in both languages.

use super::*;

fn site() -> Arc<Site> {
    Arc::new(Site {
        origin: "https://slovo.example".into(),
        assets: Assets::default(),
        offer: Offer::default(),
    })
}

fn simple() -> [Page; 8] {
    [
        Page::Home,
        Page::About,
        Page::Features,
        Page::Pricing,
        Page::Contact(ContactPage::default()),
        Page::Privacy,
        Page::Terms,
        Page::NotFound,
    ]
}

#[test]
fn a_page_says_its_language_and_where_its_other_one_is() {
    for (locale, lang, title) in [
        (Locale::Uk, "uk", "Slovo: аудіо та відео в\u{a0}текст"),
        (Locale::En, "en", "Slovo: audio and video into text"),
    ] {
        let page = html(&site(), locale, Page::Home);
        assert!(page.starts_with(&format!("<!DOCTYPE html><html lang=\"{lang}\"")));
        assert!(page.contains(&format!("<title>{title}</title>")));
        for address in ["https://slovo.example/", "https://slovo.example/?lang=en"] {
            assert!(page.contains(&format!("href=\"{address}\"")), "{address}");
        }
    }
}

#[test]
fn links_of_an_english_page_stay_english() {
    for page in simple() {
        let text = html(&site(), Locale::En, page);
        for path in ["/about", "/features", "/pricing", "/contact", "/privacy"] {
            assert!(!text.contains(&format!("<a href=\"{path}\"")), "{path}");
        }
        assert!(text.contains("href=\"/about?lang=en#faq\""));
    }
}

#[test]
fn the_landing_page_has_what_the_specification_names() {
    for (locale, figures) in [
        (Locale::Uk, ["12\u{a0}543", "98,5\u{a0}%", "340\u{a0}год"]),
        (Locale::En, ["12,543", "98.5%", "340h"]),
    ] {
        let page = html(&site(), locale, Page::Home);
        for figure in figures {
            assert!(page.contains(figure), "{figure}");
        }
        assert_eq!(page.matches("class=\"step\"").count(), 4);
        assert_eq!(page.matches("class=\"card\"").count(), 6);
        assert_eq!(page.matches("class=\"quote\"").count(), 3);
        assert!(page.contains("href=\"/signup\""));
        assert!(page.contains("data-start=\"0.352\""));
    }
}

#[test]
fn the_map_names_every_page_in_both_languages() {
    let map = sitemap("https://slovo.example");
    assert_eq!(map.matches("<loc>").count(), 2 * Name::LISTED.len());
    assert!(map.contains("<loc>https://slovo.example/pricing?lang=en</loc>"));
    assert!(
        robots("https://slovo.example").ends_with("Sitemap: https://slovo.example/sitemap.xml\n")
    );
}
