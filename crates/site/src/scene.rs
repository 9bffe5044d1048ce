//! What every part of a page can ask for.

use std::sync::Arc;

use leptos::prelude::*;
use slovo_rules::locale::Locale;

use crate::assets::Assets;
use crate::page::Name;
use crate::texts::Texts;

/// The forms that a visitor can send. One that an administrator has switched off is not shown, nor
/// is a link to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forms {
    /// To make an account.
    pub sign_up: bool,
    /// To write to whoever runs the server.
    pub contact: bool,
    /// To subscribe to news.
    pub newsletter: bool,
}

impl Default for Forms {
    fn default() -> Self {
        Self {
            sign_up: true,
            contact: true,
            newsletter: true,
        }
    }
}

/// The server's own figures.
#[derive(Clone, Debug)]
pub struct Site {
    /// `https://slovo.example.com`, for links that leave the page.
    pub origin: String,
    /// The built files.
    pub assets: Assets,
    /// The forms that are on.
    pub forms: Forms,
}

/// The page that is being written.
#[derive(Clone)]
pub(crate) struct Scene {
    pub site: Arc<Site>,
    pub locale: Locale,
    pub page: Name,
    pub texts: &'static Texts,
}

impl Scene {
    pub(crate) fn new(site: Arc<Site>, locale: Locale, page: Name) -> Self {
        let texts = Texts::of(locale);
        Self {
            site,
            locale,
            page,
            texts,
        }
    }

    /// An address of the public pages in the language of this one. English stands in the address,
    /// so that it can be sent on and found; Ukrainian needs no mark.
    pub(crate) fn href(&self, path: &str) -> String {
        in_language(path, self.locale)
    }

    /// The whole address of a page in a language.
    pub(crate) fn address(&self, path: &str, locale: Locale) -> String {
        format!("{}{}", self.site.origin, in_language(path, locale))
    }
}

/// `/about#faq` into `/about?lang=en#faq`.
pub(crate) fn in_language(path: &str, locale: Locale) -> String {
    match (locale, path.split_once('#')) {
        (Locale::Uk, _) => path.to_owned(),
        (Locale::En, None) => format!("{path}?lang=en"),
        (Locale::En, Some((path, place))) => format!("{path}?lang=en#{place}"),
    }
}

/// The page that is being written.
pub(crate) fn scene() -> Scene {
    expect_context()
}

/// The forms that are on.
pub(crate) fn forms() -> Forms {
    scene().site.forms
}

/// The texts of the page's language.
pub(crate) fn texts() -> &'static Texts {
    scene().texts
}
