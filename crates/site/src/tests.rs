//! Every page in both languages.

use super::*;

fn site() -> Arc<Site> {
    Arc::new(Site::new("https://slovo.example", Assets::default()))
}

fn simple() -> [Page; 9] {
    [
        Page::Home,
        Page::About,
        Page::Features,
        Page::Pricing,
        Page::Contact(ContactPage::default()),
        Page::Privacy(Recipients::default()),
        Page::Changelog,
        Page::Terms,
        Page::NotFound,
    ]
}

#[test]
fn a_page_states_its_language_and_links_the_other_one() {
    for (locale, lang, title) in [
        (Locale::Uk, "uk", "Slovo: аудіо та відео в\u{a0}текст"),
        (Locale::En, "en", "Slovo: audio and video to text"),
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
fn links_of_an_english_page_keep_the_language() {
    for page in simple() {
        let text = html(&site(), Locale::En, page);
        for path in ["/about", "/features", "/pricing", "/contact", "/privacy"] {
            assert!(!text.contains(&format!("<a href=\"{path}\"")), "{path}");
        }
        assert!(text.contains("href=\"/about?lang=en#faq\""));
    }
}

#[test]
fn the_landing_page_has_the_specified_sections() {
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
        let first = if locale == Locale::Uk {
            "0.15"
        } else {
            "0.352"
        };
        assert!(page.contains(&format!("data-start=\"{first}\"")));
        let text = page
            .split("<p ")
            .find(|text| text.contains("class=\"demo-text\""));
        let tag = text.and_then(|text| text.split('>').next()).unwrap();
        assert!(tag.contains(&format!("lang=\"{locale}\"")), "{tag}");
        let words = &texts::Texts::of(locale).home;
        assert!(page.contains(&words.stats.example));
        assert!(page.contains(&words.testimonials.example));
    }
}

#[test]
fn the_sitemap_lists_every_page_in_both_languages() {
    let map = sitemap(&site());
    assert_eq!(map.matches("<loc>").count(), 2 * Name::LISTED.len());
    assert!(map.contains("<loc>https://slovo.example/pricing?lang=en</loc>"));
    assert!(
        robots("https://slovo.example").ends_with("Sitemap: https://slovo.example/sitemap.xml\n")
    );
}

#[test]
fn a_disabled_form_is_neither_shown_nor_linked() {
    let closed = Arc::new(site().with_info(SiteInfo {
        forms: Forms {
            sign_up: false,
            contact: false,
            newsletter: false,
        },
        ..SiteInfo::default()
    }));
    let newsletter = || {
        Page::Newsletter(NewsletterPage::Form {
            email: String::new(),
            sent: FormOutcome::Not,
        })
    };
    for locale in [Locale::Uk, Locale::En] {
        for page in simple().into_iter().chain([newsletter()]) {
            let name = page.name();
            let text = html(&closed, locale, page);
            assert!(!text.contains("/signup"), "{name:?}");
            assert!(!text.contains("<form"), "{name:?}");
            assert!(!text.contains("#newsletter-email"), "{name:?}");
        }
        let open = html(&site(), locale, newsletter());
        assert!(open.contains("<form") && open.contains("/signup"));
    }
}
