//! One file per page.

mod about;
mod accuracy;
mod changelog;
mod comparison;
mod contact;
mod cookies;
mod demo;
mod docs;
mod docs_clients;
mod docs_programs;
mod faq;
mod features;
mod home;
mod json_ld;
mod legal;
mod newsletter;
mod not_found;
mod number;
#[cfg(test)]
mod offer_tests;
mod opening;
mod owner;
mod pricing;
mod reading;
#[cfg(test)]
mod reading_tests;
mod reference;
#[cfg(test)]
mod reference_tests;
mod shortcuts;
mod status;

#[cfg(test)]
mod tests;

use leptos::prelude::*;

use crate::page::Page;

pub use changelog::feed as changelog_feed;
pub(crate) use json_ld::json_ld;

/// The content of the page.
pub(crate) fn body(page: Page) -> AnyView {
    match page {
        Page::Home => view! { <home::Home/> }.into_any(),
        Page::About => view! { <about::About/> }.into_any(),
        Page::Features => view! { <features::Features/> }.into_any(),
        Page::Pricing => view! { <pricing::Pricing/> }.into_any(),
        Page::Contact(page) => view! { <contact::Contact page/> }.into_any(),
        Page::Newsletter(page) => view! { <newsletter::Newsletter page/> }.into_any(),
        Page::Privacy(recipients) => view! { <legal::Privacy recipients=&recipients/> }.into_any(),
        Page::Changelog => view! { <changelog::Changelog/> }.into_any(),
        Page::Terms => view! { <legal::Terms/> }.into_any(),
        Page::Cookies(page) => view! { <cookies::Cookies page/> }.into_any(),
        Page::Status(page) => view! { <status::Status page/> }.into_any(),
        Page::Docs => view! { <docs::Docs/> }.into_any(),
        Page::Api(page) => reference::reference(&page),
        Page::NotFound => view! { <not_found::NotFound/> }.into_any(),
    }
}
