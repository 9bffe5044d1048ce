//! The page for unknown addresses.

use leptos::prelude::*;

use crate::drawing::{Draw, Drawing};
use crate::scene::scene;

/// See the module.
#[component]
pub(crate) fn NotFound() -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.site.not_found;
    view! {
        <section class="wide lost">
            <p class="kicker">"404"</p>
            <h1 class="headline">{words.title.as_str()}</h1>
            <p class="lead">{words.text.as_str()}</p>
            <p><a class="button button-primary" href=scene.href("/")>{words.home.as_str()}</a></p>
            <Draw of=Drawing::NotFound class="drawing lost-drawing"/>
        </section>
    }
}
