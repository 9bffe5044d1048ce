//! Cookies that visitors send.

use axum::http::{HeaderMap, header};
use slovo_rules::locale::Locale;

/// Cookie with the language; the app and `first-paint.js` write it as well.
pub const LOCALE_COOKIE: &str = "slovo.locale";

/// The values of all cookies with this name.
pub fn values<'a>(headers: &'a HeaderMap, name: &str) -> impl Iterator<Item = &'a str> {
    let lines = headers.get_all(header::COOKIE).iter();
    let pairs = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'));
    pairs
        .filter_map(|pair| pair.trim().split_once('='))
        .filter_map(move |(found, value)| (found == name).then_some(value))
}

/// The value of a cookie; if there are several, the first.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    values(headers, name).next()
}

/// The language in the reader's cookie, else Ukrainian.
pub fn readers_locale(headers: &HeaderMap) -> Locale {
    let stored = cookie(headers, LOCALE_COOKIE).and_then(Locale::parse);
    stored.unwrap_or_default()
}
