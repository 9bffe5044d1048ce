//! Files of a site that are read by programs.

use std::fmt::Write;

use serde_json::json;
use slovo_rules::locale::Locale;

use crate::texts::Texts;

/// `/.well-known/security.txt` (RFC 9116): where to report vulnerabilities. `expires` is a time in
/// RFC 3339 format, less than a year ahead.
#[must_use]
pub fn security_txt(origin: &str, expires: &str) -> String {
    let mut text = String::new();
    let _ = write!(
        text,
        "Contact: {origin}/contact\nExpires: {expires}\nPreferred-Languages: uk, en\n\
         Canonical: {origin}/.well-known/security.txt\nPolicy: {origin}/privacy?lang=en#safety\n"
    );
    text
}

/// The manifest of the installed application (W3C Web Application Manifest) in one language.
#[must_use]
pub fn manifest(locale: Locale) -> String {
    let texts = &Texts::of(locale).site;
    let icon = |src: &str, size: &str, kind: &str| json!({"src": src, "sizes": size, "type": kind});
    let mut maskable = icon("/icon-maskable-512.png", "512x512", "image/png");
    maskable["purpose"] = json!("maskable");
    json!({
        "name": "Slovo",
        "short_name": "Slovo",
        "description": texts.pages.home.description,
        "lang": locale.as_str(),
        "dir": "ltr",
        "id": "/dashboard",
        "start_url": "/dashboard",
        "scope": "/",
        "display": "standalone",
        "theme_color": "#f8f4ec",
        "background_color": "#f8f4ec",
        "icons": [
            icon("/icon-192.png", "192x192", "image/png"),
            icon("/icon-512.png", "512x512", "image/png"),
            maskable,
            icon("/favicon.svg", "any", "image/svg+xml"),
        ],
        "shortcuts": [{"name": texts.nav.new_transcription, "url": "/upload"}],
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_is_in_the_requested_language() {
        for locale in Locale::ALL.iter().copied() {
            let manifest: serde_json::Value = serde_json::from_str(&manifest(locale)).unwrap();
            assert_eq!(manifest["lang"], locale.as_str());
            assert_eq!(
                manifest["description"],
                Texts::of(locale).site.pages.home.description
            );
        }
    }

    #[test]
    fn security_txt_has_a_contact_and_an_expiry_date() {
        let text = security_txt("https://slovo.example", "2027-01-01T00:00:00Z");
        for line in [
            "Contact: https://slovo.example/contact",
            "Expires: 2027-01-01T00:00:00Z",
        ] {
            assert!(text.lines().any(|found| found == line), "{text}");
        }
    }
}
