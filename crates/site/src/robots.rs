//! Files for search engines.

use std::fmt::Write;

use slovo_rules::locale::Locale;

use crate::page::Name;
use crate::scene::{Site, in_language};

/// `robots.txt`: allows the public pages and excludes the pages of users.
#[must_use]
pub fn robots(origin: &str) -> String {
    let mut text = String::from("User-agent: *\nAllow: /\n");
    for closed in [
        "/api/",
        "/admin/",
        "/dashboard",
        "/transcription",
        "/shared/",
        "/newsletter",
    ] {
        text.push_str("Disallow: ");
        text.push_str(closed);
        text.push('\n');
    }
    text + "\nSitemap: " + origin + "/sitemap.xml\n"
}

/// `sitemap.xml` (sitemaps.org 0.9): every page of this server in both languages, each linked to
/// the other.
#[must_use]
pub fn sitemap(site: &Site) -> String {
    let origin = &site.origin;
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n",
    );
    for page in Name::LISTED
        .into_iter()
        .filter(|page| site.own.has_page(*page))
    {
        let path = page.path();
        for locale in Locale::ALL.iter().copied() {
            let address = in_language(path, locale);
            let _ = writeln!(text, "  <url>\n    <loc>{origin}{address}</loc>");
            for other in Locale::ALL.iter().copied() {
                let address = in_language(path, other);
                let _ = writeln!(
                    text,
                    "    <xhtml:link rel=\"alternate\" hreflang=\"{other}\" href=\"{origin}{address}\"/>"
                );
            }
            let _ = writeln!(
                text,
                "    <xhtml:link rel=\"alternate\" hreflang=\"x-default\" href=\"{origin}{path}\"/>\n  </url>"
            );
        }
    }
    text + "</urlset>\n"
}
