//! `/privacy` and `/terms`.

use leptos::prelude::*;

use crate::scene::texts;
use crate::texts::Section;

use super::reading::{chapter, contents_of};

/// `/privacy`
#[component]
pub(crate) fn Privacy() -> impl IntoView {
    let words = &texts().legal.privacy;
    document(&words.title, &words.lead, words.chapters())
}

/// `/terms`
#[component]
pub(crate) fn Terms() -> impl IntoView {
    let words = &texts().legal.terms;
    document(&words.title, &words.lead, words.chapters())
}

fn document(
    title: &'static str,
    lead: &'static str,
    chapters: Vec<(&'static str, &'static Section)>,
) -> AnyView {
    let words = &texts().legal;
    let contents = contents_of(&chapters);
    let chapters = chapters
        .into_iter()
        .map(|(id, section)| chapter(id, section));
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
