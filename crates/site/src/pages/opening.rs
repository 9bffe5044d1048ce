//! The beginning of a page: its title and its drawing.

use leptos::prelude::*;

use crate::drawing::{Draw, Drawing};

/// See the module.
#[component]
pub(super) fn Opening(
    kicker: &'static str,
    title: &'static str,
    lead: String,
    drawing: Option<Drawing>,
    #[prop(default = "drawing opening-drawing")] class: &'static str,
) -> impl IntoView {
    let sentences = title.split_inclusive(". ").map(|sentence| {
        view! { <span class="sentence">{sentence.trim_end()}</span> " " }
    });
    let plain = if drawing.is_none() {
        " opening-plain"
    } else {
        ""
    };
    view! {
        <div class=format!("wide page-top opening{plain}")>
            <div class="opening-words">
                <p class="kicker">{kicker}</p>
                <h1 class="headline">{sentences.collect_view()}</h1>
                <p class="lead">{lead}</p>
            </div>
            {drawing.map(|of| view! { <Draw of class/> })}
        </div>
    }
}
