//! In which language a page is asked for, and whether as it is or as a draft has it.

use axum::http::{HeaderMap, HeaderValue, Uri, header};
use slovo_rules::locale::Locale;
use slovo_site::PREVIEW;

use super::forms::cookie;
use super::parameter;

/// The cookie that the application and `first-paint.js` write, too.
const COOKIE: &str = "slovo.locale";
const YEAR_SECONDS: u32 = 365 * 24 * 60 * 60;

/// The language that the reader's cookie keeps, else Ukrainian.
pub(crate) fn readers_locale(headers: &HeaderMap) -> Locale {
    let kept = cookie(headers, COOKIE).and_then(Locale::parse);
    kept.unwrap_or_default()
}

/// The language of an answer.
pub(super) struct Language {
    /// The language.
    pub locale: Locale,
    /// Whether the address asks for it, which is a choice that is kept.
    chosen: bool,
    /// The token of a draft that the address asks to see ([`super::preview`]).
    pub preview: Option<String>,
}

impl Language {
    /// That of the address (`?lang=`), else that of the cookie, else Ukrainian.
    pub(super) fn of(uri: &Uri, headers: &HeaderMap) -> Self {
        let asked = parameter(uri, "lang").and_then(|lang| Locale::parse(&lang));
        let kept = || cookie(headers, COOKIE).and_then(Locale::parse);
        Self {
            locale: asked.or_else(kept).unwrap_or_default(),
            chosen: asked.is_some(),
            preview: parameter(uri, PREVIEW),
        }
    }

    /// That of the cookie, else Ukrainian.
    pub(super) fn of_headers(headers: &HeaderMap) -> Self {
        Self::of_form(readers_locale(headers))
    }

    /// That of a form that was sent.
    pub(super) fn of_form(locale: Locale) -> Self {
        Self {
            locale,
            chosen: false,
            preview: None,
        }
    }

    /// Says what the answer depends on, and keeps a choice for visitors without scripts.
    pub(super) fn mark(&self, headers: &mut HeaderMap) {
        headers.append(header::VARY, HeaderValue::from_static("cookie"));
        headers.insert(
            header::CONTENT_LANGUAGE,
            HeaderValue::from_static(self.locale.as_str()),
        );
        if self.chosen {
            let text = format!(
                "{COOKIE}={}; Path=/; Max-Age={YEAR_SECONDS}; SameSite=Lax",
                self.locale
            );
            if let Ok(value) = HeaderValue::from_str(&text) {
                headers.append(header::SET_COOKIE, value);
            }
        }
    }
}
