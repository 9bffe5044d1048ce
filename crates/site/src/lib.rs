//! The public pages: (page, language, server data) to HTML, written with Leptos.
//!
//! Nothing is hydrated: interactive parts are React islands, which take over small parts of this
//! HTML when a visitor uses them (`web/src/features/site-islands`). So a page is complete and
//! usable without scripts, and identical for all visitors.

// A page is one deeply nested type; computing its layout exceeds the default recursion limit.
#![recursion_limit = "256"]

mod accepted_files;
mod api_page;
mod assets;
mod clip;
mod drawing;
mod files;
mod layout;
mod newsletter_form;
mod offer;
mod own;
mod page;
mod pages;
mod prose;
mod robots;
mod scene;
mod texts;

#[cfg(test)]
mod own_tests;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use leptos::prelude::*;
use slovo_rules::locale::Locale;

pub use accepted_files::AcceptedFiles;
pub use api_page::ApiPage;
pub use assets::Assets;
pub use clip::{Clip, ClipOrigin, ClipWord};
pub use files::{manifest, security_txt};
pub use offer::{Offer, PricedPlan, Trial};
pub use own::{Figures, Forms, SiteInfo};
pub use page::{
    ContactPage, CookiesPage, FormOutcome, Name, NewsletterPage, Page, Part, Recipient, Recipients,
    StatusPage,
};
pub use pages::changelog_feed;
pub use robots::{robots, sitemap};
pub use scene::{PREVIEW, Site};

use layout::Document;
use scene::Scene;

/// A page as a view, for a renderer with its own owner.
pub fn view(site: &Arc<Site>, locale: Locale, page: Page) -> impl IntoView + use<> {
    provide_context(Scene::new(Arc::clone(site), locale, page.name()));
    view! { <Document page=page/> }
}

/// A page as HTML text.
#[must_use]
pub fn html(site: &Arc<Site>, locale: Locale, page: Page) -> String {
    Owner::new().with(|| view(site, locale, page).to_html())
}

/// The README's example is compiled and run by `cargo test --doc`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
