//! What every part of a page can ask for.

use std::sync::Arc;

use leptos::prelude::*;
use slovo_rules::locale::Locale;

use crate::assets::Assets;
use crate::own::{Forms, Own};
use crate::page::Name;
use crate::texts::{Texts, facts};

/// The parameter of an address that has the token of a draft.
pub const PREVIEW: &str = "preview";

/// What stands in a text for the name of the provider whom people can sign in with.
const PROVIDER: &str = "{{provider}}";

/// What pages of this server are written with.
#[derive(Clone, Debug)]
pub struct Site {
    /// `https://slovo.example.com`, for links that leave the page.
    pub origin: String,
    /// The built files.
    pub assets: Assets,
    /// What they say of the server.
    pub own: Own,
}

impl Site {
    /// The pages of a server of which nobody has said anything yet.
    #[must_use]
    pub fn new(origin: &str, assets: Assets) -> Self {
        Self {
            origin: origin.to_owned(),
            assets,
            own: Own::default(),
        }
    }

    /// The same pages, saying this of the server.
    #[must_use]
    pub fn saying(&self, own: Own) -> Self {
        Self {
            origin: self.origin.clone(),
            assets: self.assets.clone(),
            own,
        }
    }
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
        self.with_draft(in_language(path, self.locale))
    }

    /// This page in a language.
    pub(crate) fn here_in(&self, locale: Locale) -> String {
        self.with_draft(format!("?lang={locale}"))
    }

    /// Pages of a draft lead to pages of the same draft.
    fn with_draft(&self, address: String) -> String {
        let Some(token) = &self.site.own.preview else {
            return address;
        };
        let (path, place) = address.split_once('#').unwrap_or((&address, ""));
        let sign = if path.contains('?') { '&' } else { '?' };
        let hash = if place.is_empty() { "" } else { "#" };
        format!("{path}{sign}{PREVIEW}={token}{hash}{place}")
    }

    /// What the pages say of the server.
    pub(crate) fn own(&self) -> &Own {
        &self.site.own
    }

    /// The text with the figures of the rules and of what this server offers; `None` if it promises
    /// what is not offered, or speaks of signing in by another server where there is no such.
    pub(crate) fn says(&self, text: &str) -> Option<String> {
        let own = &self.site.own;
        let said = own.taken.says(&facts(&own.offer.says(text)?));
        if !said.contains(PROVIDER) {
            return Some(said);
        }
        // Marks of prose have no meaning in its name.
        let name = own.provider.as_ref()?;
        Some(said.replace(PROVIDER, &name.replace(['`', '*', '[', ']'], "")))
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
        (Locale::En, None) if path.contains('?') => format!("{path}&lang=en"),
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
    scene().own().forms
}

/// The texts of the page's language.
pub(crate) fn texts() -> &'static Texts {
    scene().texts
}
