//! The language of a request, and whether it is for a draft.

use axum::http::{HeaderMap, HeaderValue, Uri, header};
use slovo_app::http::cookies::{LOCALE_COOKIE, cookie, readers_locale};
use slovo_rules::locale::Locale;
use slovo_site::PREVIEW;

use super::parameter;

const YEAR_SECONDS: u32 = 365 * 24 * 60 * 60;

/// The language of a response.
pub(super) struct Language {
    /// The language.
    pub locale: Locale,
    /// Whether the URL asks for it explicitly, which is then stored in the cookie.
    chosen: bool,
    /// The token of the draft in the URL ([`super::preview`]).
    pub preview: Option<String>,
}

impl Language {
    /// From the URL (`?lang=`), else from the cookie, else Ukrainian.
    pub(super) fn of(uri: &Uri, headers: &HeaderMap) -> Self {
        let requested = parameter(uri, "lang").and_then(|lang| Locale::parse(&lang));
        let stored = || cookie(headers, LOCALE_COOKIE).and_then(Locale::parse);
        Self {
            locale: requested.or_else(stored).unwrap_or_default(),
            chosen: requested.is_some(),
            preview: parameter(uri, PREVIEW),
        }
    }

    /// From the cookie, else Ukrainian.
    pub(super) fn of_headers(headers: &HeaderMap) -> Self {
        Self::of_form(readers_locale(headers))
    }

    /// From a submitted form.
    pub(super) fn of_form(locale: Locale) -> Self {
        Self {
            locale,
            chosen: false,
            preview: None,
        }
    }

    /// Sets `Vary`, and the cookie for an explicit choice, for visitors without scripts.
    pub(super) fn mark(&self, headers: &mut HeaderMap) {
        headers.append(header::VARY, HeaderValue::from_static("cookie"));
        headers.insert(
            header::CONTENT_LANGUAGE,
            HeaderValue::from_static(self.locale.as_str()),
        );
        if self.chosen {
            let text = format!(
                "{LOCALE_COOKIE}={}; Path=/; Max-Age={YEAR_SECONDS}; SameSite=Lax",
                self.locale
            );
            if let Ok(value) = HeaderValue::from_str(&text) {
                headers.append(header::SET_COOKIE, value);
            }
        }
    }
}
