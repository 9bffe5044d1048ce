//! Privacy, terms, cookies, status, documentation and the reference, in both languages.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use slovo_rules::locale::Locale;

use crate::pages::shortcuts::KEYS;
use crate::{
    ApiPage, Assets, CookiesPage, Page, Part, Recipient, Recipients, Site, SiteInfo, StatusPage,
    html,
};

pub(super) const OPENAPI: &str = include_str!("../../../../web/openapi.json");
pub(super) const LOCALES: [Locale; 2] = [Locale::Uk, Locale::En];

pub(super) fn written(locale: Locale, page: Page) -> String {
    let site = Arc::new(Site::new("https://slovo.example", Assets::default()));
    html(&site, locale, page)
}

/// Like [`written`], for a server with this identity provider.
fn written_with(provider: &str, locale: Locale, page: Page) -> String {
    let site = Site::new("https://slovo.example", Assets::default());
    let own = SiteInfo {
        provider: Some(provider.to_owned()),
        ..SiteInfo::default()
    };
    html(&Arc::new(site.with_info(own)), locale, page)
}

pub(super) fn api() -> ApiPage {
    ApiPage::read(OPENAPI).expect("the real document is read")
}

fn status(engine: bool) -> Page {
    Page::Status(StatusPage {
        version: "0.1.0",
        parts: vec![
            (Part::Program, true),
            (Part::Database, true),
            (Part::Engine, engine),
        ],
    })
}

fn privacy() -> Page {
    Page::Privacy(Recipients {
        speech_endpoint: Some(Recipient::of_host("speech.models.org")),
        language_model: Some(Recipient::of_host("api.models.org")),
        nocodb: Some(Recipient::of_host("10.0.0.8")),
        services: vec![("CRM **[x](y)".to_owned(), Recipient::of_host("crm.org"))],
        mail: None,
        sign_in: Some(Recipient::of_host("accounts.google.com")),
        fetches: true,
    })
}

#[test]
fn the_privacy_page_lists_external_recipients() {
    let page = written(Locale::En, privacy());
    for recipient in [
        "speech.models.org",
        "api.models.org",
        "crm.org",
        "CRM x(y)",
        "accounts.google.com",
    ] {
        assert!(page.contains(recipient), "{recipient}");
    }
    // Machines in the server's own network are not named.
    assert!(!page.contains("10.0.0.8"));
    assert!(page.contains("a machine in this server’s own network"));
    assert!(!page.contains("Mail relay"));
    let nothing = written(Locale::En, Page::Privacy(Recipients::default()));
    assert!(nothing.contains("Nothing leaves this server"));
}

#[test]
fn a_sign_in_provider_is_named_only_if_configured() {
    for locale in LOCALES {
        for page in [
            Page::Privacy(Recipients::default()),
            Page::Cookies(CookiesPage::default()),
        ] {
            let without = written(locale, page.clone());
            assert!(!without.contains("Google") && !without.contains("slovo.openid"));
            let with = written_with("Дія *<b>*", locale, page);
            assert!(with.contains("Дія &lt;b&gt;"), "{with}");
            assert!(!with.contains("Google") && !with.contains("{{"));
        }
    }
}

#[test]
fn private_and_local_hosts_are_internal_recipients() {
    for inside in [
        "localhost",
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.9",
        "[::1]",
        "[fd00::1]",
        "nocodb",
        "llm.internal",
        "printer.local",
        "box.lan.",
        "[fe80::1]",
        "0.0.0.0",
    ] {
        assert_eq!(Recipient::of_host(inside), Recipient::Inside, "{inside}");
    }
    for outside in ["example.org", "8.8.8.8", "[2001:db8::1]", "LOCAL.example"] {
        assert_eq!(
            Recipient::of_host(outside),
            Recipient::Host(outside.to_owned())
        );
    }
}

fn all() -> Vec<Page> {
    let saved = CookiesPage {
        preferences: true,
        statistics: false,
        saved: true,
    };
    vec![
        privacy(),
        Page::Changelog,
        Page::Terms,
        Page::Cookies(saved),
        status(true),
        status(false),
        Page::Docs,
        Page::Api(Arc::new(api())),
    ]
}

/// The text from `start` to the next quotation mark, for every occurrence.
fn values<'a>(html: &'a str, start: &str) -> Vec<&'a str> {
    let after = html.split(start).skip(1);
    after.filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn ids_are_unique_and_every_anchor_exists() {
    for locale in LOCALES {
        for page in all() {
            let html = written(locale, page);
            let ids = values(&html, " id=\"");
            let unique: BTreeSet<&str> = ids.iter().copied().collect();
            assert_eq!(ids.len(), unique.len(), "{ids:?}");
            for anchor in values(&html, "href=\"#") {
                assert!(unique.contains(anchor), "{locale}: #{anchor}");
            }
            assert_eq!(html.matches("<h1").count(), 1);
            assert!(!html.contains("{{") && !html.contains("{origin}"));
        }
    }
}

#[test]
fn links_to_sections_of_other_pages_resolve() {
    let page_of = |path: &str| match path {
        "/privacy" => Some(privacy()),
        "/terms" => Some(Page::Terms),
        "/cookies" => Some(Page::Cookies(CookiesPage::default())),
        "/docs" => Some(Page::Docs),
        _ => None,
    };
    for page in all() {
        for target in values(&written(Locale::Uk, page), "href=\"/") {
            let Some((path, place)) = target.split_once('#') else {
                continue;
            };
            let Some(page) = page_of(&format!("/{path}")) else {
                continue;
            };
            let html = written(Locale::Uk, page);
            assert!(html.contains(&format!(" id=\"{place}\"")), "/{target}");
        }
    }
}

#[test]
fn sections_are_in_the_contents_and_links_keep_the_language() {
    for page in [privacy(), Page::Terms] {
        let chapters = |locale| {
            let html = written(locale, page.clone());
            let ids: Vec<String> = values(&html, "<section id=\"")
                .into_iter()
                .map(str::to_owned)
                .collect();
            assert!(ids.len() > 9, "{ids:?}");
            for id in &ids {
                assert!(html.contains(&format!("href=\"#{id}\"")), "{id}");
            }
            assert!(html.contains("25"), "it says when it was last changed");
            ids
        };
        assert_eq!(chapters(Locale::Uk), chapters(Locale::En));
    }
    let english = written(Locale::En, privacy());
    assert!(english.contains("href=\"/cookies?lang=en#settings\""));
    assert!(
        english.contains("href=\"/settings\""),
        "the application's pages are not ours"
    );
}

#[test]
fn the_cookie_form_shows_the_current_choice() {
    let choice = |preferences, statistics, saved| {
        let page = CookiesPage {
            preferences,
            statistics,
            saved,
        };
        let html = written(Locale::En, Page::Cookies(page));
        let form = html.split("<form id=\"settings\"").nth(1).expect("a form");
        form.split("</form>").next().unwrap_or_default().to_owned()
    };
    let checked = |form: &str, name: &str| {
        let boxes = form.split("<input").skip(1);
        let mut boxes = boxes.filter_map(|rest| rest.split('>').next());
        let found = boxes.find(|rest| rest.contains(&format!("name=\"{name}\"")));
        found.expect(name).contains("checked")
    };
    let form = choice(true, false, true);
    assert!(form.contains("method=\"post\"") && form.contains("action=\"/cookies?lang=en\""));
    assert!(checked(&form, "preferences") && !checked(&form, "statistics"));
    assert!(form.contains("Your choice has been saved."));
    let form = choice(false, true, false);
    assert!(!checked(&form, "preferences") && checked(&form, "statistics"));
    assert!(!form.contains("Your choice has been saved."));
    assert_eq!(
        form.matches("disabled").count(),
        1,
        "the necessary ones have no choice"
    );
}

#[test]
fn the_status_page_shows_failures_by_icon_and_text() {
    let good = written(Locale::En, status(true));
    assert!(good.contains("All systems operational") && !good.contains("not working"));
    let bad = written(Locale::En, status(false));
    assert!(bad.contains("Some systems aren’t working"));
    assert_eq!(bad.matches("data-state=\"fails\"").count(), 1);
    assert!(bad.contains("No recognition models are installed"));
    for html in [good, bad] {
        assert!(html.contains("0.1.0") && html.contains("href=\"/healthz\""));
        assert!(
            html.contains("href=\"/status?lang=en\""),
            "it can be asked again"
        );
    }
}

/// Sources of the web application, without tests.
fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the web application is beside this crate") {
        let path = entry.expect("a readable folder").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            sources(&path, into);
        } else if name.contains(".ts") && !name.contains(".test.") {
            into.push(path);
        }
    }
}

#[test]
fn every_storage_key_of_the_web_application_is_on_the_page() {
    let html = written_with("Google", Locale::En, Page::Cookies(CookiesPage::default()));
    let named = values(
        &html
            .replace("<code class=\"short\">", "<code>")
            .replace("<code>", "<code>\"")
            .replace("</code>", "\""),
        "<code>\"",
    )
    .into_iter()
    .map(str::to_owned)
    .collect::<Vec<_>>();
    assert!(named.len() > 20, "{named:?}");
    let covers = |key: &str| {
        let mut named = named.iter().map(|name| name.trim_end_matches('…'));
        named.any(|name| {
            key == name || (name.ends_with('.') && key.starts_with(name.trim_end_matches('.')))
        })
    };
    // Names of locks, which are held in memory, and of keys inside a text.
    let stores_nothing = [
        "slovo.session.refresh",
        "slovo.editor",
        "slovo.voice.",
        "slovo.upload.",
    ];
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src");
    let mut files = Vec::new();
    sources(&web, &mut files);
    let mut found = 0;
    for file in files {
        let source = fs::read_to_string(&file).expect("a text");
        for mark in ["\"", "`"] {
            for rest in source.split(&format!("{mark}slovo.")).skip(1) {
                let name = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
                let end = rest.find(|c| !name(c)).unwrap_or(rest.len());
                let key = format!("slovo.{}", &rest[..end]);
                found += 1;
                let known = covers(&key) || stores_nothing.contains(&key.as_str());
                assert!(known, "{}: {key} is not on /cookies", file.display());
            }
        }
    }
    assert!(found > 20, "only {found} keys were found");
}

#[test]
fn listed_shortcuts_match_the_application() {
    let sources = [
        include_str!("../../../../web/src/domain/transcript/player-keys.ts"),
        include_str!("../../../../web/src/features/transcript/editor/shortcuts.ts"),
        include_str!("../../../../web/src/features/transcript/help/help.tsx"),
    ]
    .concat()
    .replace("[HELP_COMBO]", "[\"?\"]");
    for (label, free, typing) in KEYS {
        let start = sources.find(&format!("\"{label}\"")).expect(label);
        let entry = sources[start..].split('}').next().unwrap_or_default();
        let listed = |name: &str| -> Vec<&str> {
            let list = entry
                .split(&format!("{name}: ["))
                .nth(1)
                .unwrap_or_default();
            let list = list.split(']').next().unwrap_or_default();
            list.split('"').skip(1).step_by(2).collect()
        };
        assert_eq!(listed("combos"), free, "{label}");
        assert_eq!(listed("typing"), typing, "{label}");
    }
}

#[test]
fn api_examples_use_existing_paths_and_this_server() {
    let html = written(Locale::En, Page::Docs);
    assert!(html.contains("SLOVO=https://slovo.example"));
    let paths: Vec<String> = api()
        .groups
        .into_iter()
        .flat_map(|group| group.operations)
        .map(|operation| operation.path.replace("{id}", "$JOB"))
        .collect();
    let html = html.replace(['\n', ' ', '?', '<', '`'], "\"");
    let mut examples = values(&html, "$SLOVO/");
    examples.retain(|path| !path.is_empty());
    assert!(examples.len() > 4, "{examples:?}");
    for path in examples {
        assert!(paths.contains(&format!("/{path}")), "{path}");
    }
}

/// Writes the pages for manual review: `SLOVO_PAGES=folder cargo test -p slovo-site
/// pages_are_written_for_manual_review`.
#[test]
fn pages_are_written_for_manual_review() {
    let Some(folder) = std::env::var_os("SLOVO_PAGES").map(PathBuf::from) else {
        return;
    };
    let names = [
        "privacy",
        "terms",
        "cookies",
        "status",
        "status-bad",
        "docs",
        "api",
    ];
    for locale in LOCALES {
        for (name, page) in names.iter().zip(all()) {
            let file = folder.join(format!("{name}-{locale}.html"));
            fs::write(file, written(locale, page)).expect("a writable folder");
        }
    }
}
