//! `/privacy` and `/terms`.

use leptos::prelude::*;

use crate::page::{Recipient, Recipients};
use crate::prose::prose;
use crate::scene::{scene, texts};
use crate::texts::{Outside, Section, fill};

use super::owner::owner;
use super::reading::{chapter, chapter_with, contents_of};

/// The chapters that name the responsible party.
const OWNER: [&str; 2] = ["who", "parties"];
/// The chapter about prices.
const PLANS: &str = "plans";

/// `/privacy`
#[component]
pub(crate) fn Privacy<'a>(recipients: &'a Recipients) -> impl IntoView + use<> {
    let words = &texts().legal.privacy;
    let mut now = Some(external_services(recipients));
    document(&words.title, &words.lead, words.chapters(), move |id| {
        (id == "outside").then(|| now.take()).flatten()
    })
}

/// `/terms`; without the chapter about plans if nothing is sold.
#[component]
pub(crate) fn Terms() -> impl IntoView {
    let words = &texts().legal.terms;
    let mut chapters = words.chapters();
    if !scene().own().sells_plans() {
        chapters.retain(|(id, _)| *id != PLANS);
    }
    document(&words.title, &words.lead, chapters, |_| None)
}

fn document(
    title: &'static str,
    lead: &'static str,
    chapters: Vec<(&'static str, &'static Section)>,
    mut between: impl FnMut(&'static str) -> Option<AnyView>,
) -> AnyView {
    let words = &texts().legal;
    let contents = contents_of(&chapters);
    let chapters = chapters.into_iter().map(|(id, section)| {
        match between(id).or_else(|| OWNER.contains(&id).then(owner)) {
            Some(more) => chapter_with(id, section, more),
            None => chapter(id, section),
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

/// What the configuration sends to other parties, and to which.
fn external_services(recipients: &Recipients) -> AnyView {
    let words = &texts().legal.outside;
    let lines = lines(words, recipients);
    let list = if lines.is_empty() {
        view! { <p>{words.nothing.as_str()}</p> }.into_any()
    } else {
        let lines = lines
            .into_iter()
            .map(|line| view! { <li>{prose(&line)}</li> });
        view! { <ul class="points">{lines.collect_view()}</ul> }.into_any()
    };
    view! {
        <h3 id="recipients">{words.title.as_str()}</h3>
        {list}
    }
    .into_any()
}

fn lines(words: &Outside, recipients: &Recipients) -> Vec<String> {
    let host = |to: &Recipient| match to {
        // Markup characters have no meaning in a host name.
        Recipient::Host(host) => format!("`{}`", host.replace('`', "")),
        Recipient::Inside => words.inside.clone(),
    };
    let with_host = |text: &str, to: &Recipient| fill(text, "host", &host(to));
    let mut lines = Vec::new();
    let single = [
        (&words.speech_endpoint, &recipients.speech_endpoint),
        (&words.language_model, &recipients.language_model),
        (&words.nocodb, &recipients.nocodb),
    ];
    lines.extend(
        single
            .iter()
            .filter_map(|(text, to)| Some(with_host(text, to.as_ref()?))),
    );
    for (name, to) in &recipients.services {
        lines.push(fill(
            &with_host(&words.service, to),
            "name",
            &name.replace(['`', '*', '[', ']'], ""),
        ));
    }
    let single = [
        (&words.mail, &recipients.mail),
        (&words.sign_in, &recipients.sign_in),
    ];
    lines.extend(
        single
            .iter()
            .filter_map(|(text, to)| Some(with_host(text, to.as_ref()?))),
    );
    if recipients.fetches {
        lines.push(words.fetches.clone());
    }
    lines
}
