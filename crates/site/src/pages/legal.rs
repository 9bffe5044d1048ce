//! `/privacy` and `/terms`.

use leptos::prelude::*;

use crate::scene::{scene, texts};
use crate::texts::Section;

use super::owner::owner;
use super::reading::{chapter, chapter_with, contents_of};

/// The chapters that say with whom one deals.
const OWNER: [&str; 2] = ["who", "parties"];
/// The chapter about prices.
const PLANS: &str = "plans";

/// `/privacy`
#[component]
pub(crate) fn Privacy() -> impl IntoView {
    let words = &texts().legal.privacy;
    document(&words.title, &words.lead, words.chapters())
}

/// `/terms`; where nothing is sold, nothing is said of plans.
#[component]
pub(crate) fn Terms() -> impl IntoView {
    let words = &texts().legal.terms;
    let mut chapters = words.chapters();
    if !scene().own().sells() {
        chapters.retain(|(id, _)| *id != PLANS);
    }
    document(&words.title, &words.lead, chapters)
}

fn document(
    title: &'static str,
    lead: &'static str,
    chapters: Vec<(&'static str, &'static Section)>,
) -> AnyView {
    let words = &texts().legal;
    let contents = contents_of(&chapters);
    let chapters = chapters.into_iter().map(|(id, section)| {
        if OWNER.contains(&id) {
            chapter_with(id, section, owner())
        } else {
            chapter(id, section)
        }
    });
    view! {
        <article class="wide page-top reading">
            <header class="reading-head">
                <p class="kicker">{words.changed.as_str()}</p>
                <h1 class="headline">{title}</h1>
                <p class="lead">{lead}</p>
            </header>
            {contents}
            <div class="reading-text">
                {chapters.collect_view()}
            </div>
        </article>
    }
    .into_any()
}
