//! Data available to every part of a page.

use std::sync::Arc;

use leptos::prelude::*;
use slovo_rules::locale::Locale;

use crate::assets::Assets;
use crate::own::{Forms, SiteInfo};
use crate::page::Name;
use crate::texts::{Texts, facts};

/// The URL parameter with the token of a draft.
pub const PREVIEW: &str = "preview";

/// The placeholder in texts for the identity provider's name.
const PROVIDER: &str = "{{provider}}";

/// Data for all pages of this server.
#[derive(Clone, Debug)]
pub struct Site {
    /// `https://slovo.example.com`, for absolute links.
    pub origin: String,
    /// The built files.
    pub assets: Assets,
    /// What the pages say about the server.
    pub own: SiteInfo,
}

impl Site {
    /// The pages of a server without settings.
    #[must_use]
    pub fn new(origin: &str, assets: Assets) -> Self {
        Self {
            origin: origin.to_owned(),
            assets,
            own: SiteInfo::default(),
        }
    }

    /// The same pages with this data about the server.
    #[must_use]
    pub fn with_info(&self, own: SiteInfo) -> Self {
        Self {
            origin: self.origin.clone(),
            assets: self.assets.clone(),
            own,
        }
    }
}

/// The page being rendered.
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

    /// A link to a public page in the language of this one. The URL contains English, so that it
    /// can be shared and indexed; Ukrainian is the default.
    pub(crate) fn href(&self, path: &str) -> String {
        self.with_draft(in_language(path, self.locale))
    }

    /// A link to this page in another language.
    pub(crate) fn this_page_in(&self, locale: Locale) -> String {
        self.with_draft(format!("?lang={locale}"))
    }

    /// Adds the token of the draft, so that links stay within it.
    fn with_draft(&self, address: String) -> String {
        let Some(token) = &self.site.own.preview else {
            return address;
        };
        let (path, place) = address.split_once('#').unwrap_or((&address, ""));
        let sign = if path.contains('?') { '&' } else { '?' };
        let hash = if place.is_empty() { "" } else { "#" };
        format!("{path}{sign}{PREVIEW}={token}{hash}{place}")
    }

    /// What the pages say about the server.
    pub(crate) fn own(&self) -> &SiteInfo {
        &self.site.own
    }

    /// The text with the figures of the rules and of this server filled in; `None` if it promises
    /// something not offered, or mentions an identity provider and there is none.
    pub(crate) fn filled_in(&self, text: &str) -> Option<String> {
        let own = &self.site.own;
        let filled = own
            .accepted_files
            .filled_in(&facts(&own.offer.filled_in(text)?));
        if !filled.contains(PROVIDER) {
            return Some(filled);
        }
        // Markup characters have no meaning in its name.
        let name = own.provider.as_ref()?;
        Some(filled.replace(PROVIDER, &name.replace(['`', '*', '[', ']'], "")))
    }

    /// The absolute URL of a page in a language.
    pub(crate) fn address(&self, path: &str, locale: Locale) -> String {
        format!("{}{}", self.site.origin, in_language(path, locale))
    }
}

/// Adds the language, for example `/about#faq` to `/about?lang=en#faq`.
pub(crate) fn in_language(path: &str, locale: Locale) -> String {
    match (locale, path.split_once('#')) {
        (Locale::Uk, _) => path.to_owned(),
        (Locale::En, None) if path.contains('?') => format!("{path}&lang=en"),
        (Locale::En, None) => format!("{path}?lang=en"),
        (Locale::En, Some((path, place))) => format!("{path}?lang=en#{place}"),
    }
}

/// The page being rendered.
pub(crate) fn scene() -> Scene {
    expect_context()
}

/// The enabled forms.
pub(crate) fn forms() -> Forms {
    scene().own().forms
}

/// The texts in the page's language.
pub(crate) fn texts() -> &'static Texts {
    scene().texts
}
