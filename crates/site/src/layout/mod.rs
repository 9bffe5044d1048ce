//! What surrounds every page.

mod footer;
mod head;
mod header;
mod newsletter;

use leptos::prelude::*;

use crate::page::Page;
use crate::pages;
use crate::scene::scene;
use footer::Footer;
use head::Head;
use header::Header;

pub(crate) use newsletter::{NewsletterForm, Trap};

/// The whole document.
#[component]
pub(crate) fn Document(page: Page) -> impl IntoView {
    let scene = scene();
    view! {
        <!DOCTYPE html>
        <html lang=scene.locale.as_str() data-site="" data-density="reading">
            <Head page=&page/>
            <body>
                <a class="skip" href="#content">{scene.texts.site.skip.as_str()}</a>
                <Header/>
                <main id="content" tabindex="-1">{pages::body(page)}</main>
                <Footer/>
            </body>
        </html>
    }
}
