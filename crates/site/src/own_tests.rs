//! What pages say about the server, in both editions and languages.

use std::sync::Arc;

use serde_json::Value;
use slovo_rules::locale::Locale;
use slovo_rules::site::{Edition, ExampleFigures, SiteSettings, SocialLink, Testimonial, Words};

use crate::texts::Texts;
use crate::{
    AcceptedFiles, Assets, ContactPage, CookiesPage, Figures, FormOutcome, Name, NewsletterPage,
    Page, Recipients, Site, SiteInfo, html, sitemap,
};

const EDITIONS: [Edition; 2] = [Edition::Service, Edition::Organisation];

fn site(own: SiteInfo) -> Arc<Site> {
    let site = Site::new("https://slova.org.ua", Assets::default());
    Arc::new(site.with_info(own))
}

fn bare(edition: Edition) -> Arc<Site> {
    site(SiteInfo {
        edition,
        ..SiteInfo::default()
    })
}

fn site_with(edition: Edition, settings: SiteSettings) -> Arc<Site> {
    site(SiteInfo {
        edition,
        settings: Arc::new(settings),
        ..SiteInfo::default()
    })
}

fn words(uk: &str, en: &str) -> Words {
    Words {
        uk: uk.to_owned(),
        en: en.to_owned(),
    }
}

fn all() -> SiteSettings {
    SiteSettings {
        edition: None,
        server_name: "Архів слів".to_owned(),
        purpose: words("Записи нашого архіву стають текстом.", ""),
        legal_name: words("ГО «Слова»", "Slova NGO"),
        email: "a&b@slova.org.ua".to_owned(),
        phone: "+380 (44) 123-45-67".to_owned(),
        address: words("Львів", "Lviv"),
        hours: words("Щодня", "Daily"),
        hosting: words("У нашій серверній", "In our server room"),
        imprint: words("Перший рядок\n\nДругий <b>рядок</b>", ""),
        social: vec![SocialLink {
            name: "Mastodon".to_owned(),
            url: "https://mastodon.social/@slova".to_owned(),
        }],
        figures: true,
        example_figures: ExampleFigures::default(),
        testimonials: true,
        own_testimonials: vec![Testimonial {
            name: "Ганна".to_owned(),
            role: "архіваріуска".to_owned(),
            content: "Працює & не губить.".to_owned(),
            rating: 4,
        }],
    }
}

fn pages() -> Vec<Page> {
    vec![
        Page::Home,
        Page::About,
        Page::Features,
        Page::Pricing,
        Page::Contact(ContactPage::default()),
        Page::Contact(ContactPage {
            sent: FormOutcome::Off,
            ..ContactPage::default()
        }),
        Page::Privacy(Recipients::default()),
        Page::Changelog,
        Page::Terms,
        Page::Cookies(CookiesPage::default()),
        Page::Docs,
        Page::Newsletter(NewsletterPage::Left),
        Page::NotFound,
    ]
}

#[test]
fn no_page_contains_placeholder_data() {
    for edition in EDITIONS {
        for site in [bare(edition), site_with(edition, all())] {
            for locale in Locale::ALL {
                for page in pages() {
                    let name = page.name();
                    let html = html(&site, *locale, page);
                    for piece in [
                        ".example\"",
                        ".example<",
                        ".example/",
                        "+380 44 000",
                        "Прикладна",
                        "Prykladna",
                        "{{",
                        "github.com",
                    ] {
                        assert!(
                            !html.contains(piece),
                            "{edition} {locale} {name:?}: {piece}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn the_organisation_edition_has_no_links_to_prices() {
    let site = bare(Edition::Organisation);
    for locale in Locale::ALL {
        let texts = Texts::of(*locale);
        for page in pages() {
            let name = page.name();
            if name == Name::Pricing {
                continue;
            }
            let html = html(&site, *locale, page);
            for piece in ["/pricing", "$29", "\"offers\"", &texts.home.hero.note] {
                assert!(!html.contains(piece), "{locale} {name:?}: {piece}");
            }
        }
        let home = html(&site, *locale, Page::Home);
        assert!(!home.contains("class=\"quote\"") && !home.contains("class=\"stat\""));
        let about = html(&site, *locale, Page::About);
        assert!(!about.contains(" id=\"trial\""));
        let sold = texts.about.faq.items.iter().filter(|item| item.service);
        assert_eq!(sold.clone().count(), 2);
        for item in sold {
            assert!(!about.contains(&item.question), "{}", item.question);
        }
        let terms = html(&site, *locale, Page::Terms);
        assert!(!terms.contains(" id=\"plans\""));
    }
    let map = sitemap(&site);
    assert!(!map.contains("/pricing") && map.contains("/features"));
    let site = bare(Edition::Service);
    assert!(sitemap(&site).contains("/pricing"));
    assert!(html(&site, Locale::Uk, Page::Terms).contains(" id=\"plans\""));
}

#[test]
fn site_settings_appear_on_their_pages() {
    let site = site_with(Edition::Organisation, all());
    let home = html(&site, Locale::En, Page::Home);
    assert!(home.contains("<title>Архів слів: audio and video to text</title>"));
    assert!(
        home.contains("Записи нашого архіву стають текстом."),
        "in the other language"
    );
    assert!(home.contains("© Slova NGO · Powered by Slovo"));
    assert!(home.contains("href=\"https://mastodon.social/@slova\""));
    assert!(home.contains("Працює &amp; не губить."));
    assert!(!home.contains(&Texts::of(Locale::En).home.testimonials.example));
    let contact = html(&site, Locale::Uk, Page::Contact(ContactPage::default()));
    for piece in [
        "href=\"mailto:a%26b@slova.org.ua\"",
        "href=\"tel:+380441234567\"",
        "ГО «Слова»",
        "Львів",
        "Щодня",
        "У нашій серверній",
        "<p>Перший рядок</p>",
        "Другий &lt;b&gt;рядок&lt;/b&gt;",
    ] {
        assert!(contact.contains(piece), "{piece}");
    }
    for page in [Page::Privacy(Recipients::default()), Page::Terms] {
        let page = html(&site, Locale::Uk, page);
        assert!(page.contains("ГО «Слова»") && page.contains("У нашій серверній"));
        assert!(page.contains("href=\"/contact#imprint\""));
    }
    let json = home.split("application/ld+json\">").nth(1).unwrap();
    let json: Value = serde_json::from_str(json.split("</script>").next().unwrap()).unwrap();
    let owner = &json["@graph"][0];
    assert_eq!(owner["name"], "Архів слів");
    assert_eq!(owner["legalName"], "Slova NGO");
    assert_eq!(owner["sameAs"][0], "https://mastodon.social/@slova");
}

#[test]
fn missing_site_settings_leave_no_empty_elements() {
    for edition in EDITIONS {
        let site = bare(edition);
        let contact = html(&site, Locale::En, Page::Contact(ContactPage::default()));
        for absent in ["ways-title", " id=\"imprint\"", "class=\"ways\"", "mailto:"] {
            assert!(!contact.contains(absent), "{absent}");
        }
        let privacy = html(&site, Locale::En, Page::Privacy(Recipients::default()));
        assert!(!privacy.contains("class=\"ways\""));
    }
}

#[test]
fn figures_are_examples_until_real_ones_are_available() {
    let own = Figures {
        minutes: 1_234,
        recordings: 87,
        words: 150_000,
    };
    for edition in EDITIONS {
        for locale in Locale::ALL {
            let words = &Texts::of(*locale).home.stats;
            let page = |figures, are_shown| {
                let settings = SiteSettings {
                    figures: are_shown,
                    ..SiteSettings::default()
                };
                let own = SiteInfo {
                    edition,
                    figures,
                    settings: Arc::new(settings),
                    ..SiteInfo::default()
                };
                html(&site(own), *locale, Page::Home)
            };
            let examples = page(None, true);
            assert_eq!(
                examples.contains(&words.example),
                edition == Edition::Service
            );
            assert_eq!(
                examples.contains(&words.accuracy.figure),
                edition == Edition::Service
            );
            // An example must not pass for a measurement; those are linked.
            assert_eq!(
                examples.matches("class=\"stat-mark\"").count(),
                if edition == Edition::Service { 3 } else { 0 }
            );
            let table = match locale {
                Locale::Uk => "href=\"/features#accuracy\"",
                Locale::En => "href=\"/features?lang=en#accuracy\"",
            };
            assert_eq!(examples.contains(table), edition == Edition::Service);
            let real = page(Some(own), true);
            let minutes = match locale {
                Locale::Uk => "1\u{a0}234",
                Locale::En => "1,234",
            };
            assert!(real.contains(minutes) && real.contains(">87<"));
            assert!(real.contains(&words.own.minutes));
            assert!(!real.contains(&words.example) && !real.contains(&words.accuracy.figure));
            assert!(!page(Some(own), false).contains("class=\"stat\""));
        }
    }
}

#[test]
fn configured_example_figures_are_still_marked_as_examples() {
    let settings = SiteSettings {
        example_figures: ExampleFigures {
            minutes: words("20 000", "20,000"),
            accuracy: words("<b>97</b>", ""),
            saved: Words::default(),
        },
        ..SiteSettings::default()
    };
    for (locale, minutes, saved) in [
        (Locale::Uk, "<dd>20\u{a0}000</dd>", "<dd>340\u{a0}год</dd>"),
        (Locale::En, "<dd>20,000</dd>", "<dd>340h</dd>"),
    ] {
        let page = html(
            &site_with(Edition::Service, settings.clone()),
            locale,
            Page::Home,
        );
        assert!(page.contains(minutes), "{locale:?}");
        // A text missing in one language is taken from the other; without either, the product's is
        // used.
        assert!(
            page.contains("<dd>&lt;b>97&lt;/b></dd>")
                || page.contains("<dd>&lt;b&gt;97&lt;/b&gt;</dd>")
        );
        assert!(!page.contains("<b>97"));
        assert!(page.contains(saved), "{locale:?}");
        assert_eq!(page.matches("class=\"stat-mark\"").count(), 3);
        let nothing_sold = site_with(Edition::Organisation, settings.clone());
        assert!(!html(&nothing_sold, locale, Page::Home).contains(minutes));
    }
}

#[test]
fn the_questions_name_the_accepted_formats_and_sizes() {
    for locale in Locale::ALL {
        let page = |accepted_files| {
            let own = SiteInfo {
                accepted_files,
                ..SiteInfo::default()
            };
            html(&site(own), *locale, Page::About)
        };
        let usual = page(AcceptedFiles::default());
        let other = page(AcceptedFiles {
            max_bytes: 2 << 30,
            more_types: vec!["aiff".to_owned()],
        });
        for (page, mb, types, absent) in [
            (usual, "500", "MOV, MKV,", "AIFF"),
            (other, "2048", "MOV, MKV, AIFF,", " 500\u{a0}"),
        ] {
            // On the page, and in the structured data.
            assert_eq!(page.matches(types).count(), 2, "{locale:?}");
            assert!(page.contains(&format!(" {mb}\u{a0}")), "{locale:?} {mb}");
            assert!(!page.contains(absent), "{locale:?} {absent}");
        }
    }
}

#[test]
fn testimonials_can_be_disabled() {
    let settings = SiteSettings {
        testimonials: false,
        ..all()
    };
    let page = html(
        &site_with(Edition::Service, settings),
        Locale::Uk,
        Page::Home,
    );
    assert!(!page.contains("class=\"quote\""));
}

#[test]
fn a_preview_is_marked_and_its_links_stay_in_the_preview() {
    let own = SiteInfo {
        preview: Some("t-1".to_owned()),
        ..SiteInfo::default()
    };
    let page = html(&site(own), Locale::En, Page::Home);
    assert!(page.contains("class=\"preview-note\""));
    assert!(page.contains("noindex") && !page.contains("rel=\"canonical\""));
    assert!(page.contains("href=\"/about?lang=en&amp;preview=t-1#faq\""));
    assert!(page.contains("href=\"?lang=uk&amp;preview=t-1\""));
    assert!(!html(&bare(Edition::Service), Locale::En, Page::Home).contains("preview"));
}

#[test]
fn the_hero_states_the_product_its_users_and_where_it_runs() {
    for (locale, pieces) in [
        (
            Locale::Uk,
            ["журналістів", "на текст", "на власному сервері"],
        ),
        (
            Locale::En,
            ["journalists", "transcripts", "on your own server"],
        ),
    ] {
        let hero = &Texts::of(locale).home.hero;
        let plain = format!("{} {}", hero.title, hero.lead).replace('\u{a0}', " ");
        for piece in pieces {
            assert!(plain.contains(piece), "{piece}: {plain}");
        }
        let page = html(&bare(Edition::Service), locale, Page::Home);
        assert!(page.contains(&hero.title) && page.contains(&hero.lead));
        let picture = format!("src=\"/pictures/editor-{locale}.webp\"");
        assert!(page.contains(&picture), "{picture}");
    }
}
