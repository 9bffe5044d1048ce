//! The parts around every page.

mod footer;
mod head;
mod header;

use leptos::prelude::*;

use crate::page::Page;
use crate::pages;
use crate::scene::scene;
use footer::Footer;
use head::Head;
use header::{Header, NameMark};

/// Marks the pages of a draft.
fn preview() -> Option<impl IntoView> {
    let scene = scene();
    let is_draft = scene.own().preview.is_some();
    is_draft.then(
        || view! { <p class="preview-note" role="note">{scene.texts.site.preview.as_str()}</p> },
    )
}

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
                {preview()}
                <Header/>
                <main id="content" tabindex="-1">{pages::body(page)}</main>
                <Footer/>
            </body>
        </html>
    }
}
