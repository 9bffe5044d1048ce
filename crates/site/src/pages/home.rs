//! The landing page.

use leptos::prelude::*;

use super::demo::Demo;
use crate::drawing::{Draw, Drawing, FEATURES};
use crate::scene::{scene, texts};
use crate::texts::{Notice, Testimonial, fill};

/// See the module.
#[component]
pub(crate) fn Home() -> impl IntoView {
    [
        view! { <Hero/> }.into_any(),
        view! { <Stats/> }.into_any(),
        view! { <Steps/> }.into_any(),
        view! { <Features/> }.into_any(),
        view! { <Testimonials/> }.into_any(),
        view! { <Call/> }.into_any(),
    ]
    .into_iter()
    .collect_view()
}

#[component]
fn Hero() -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.home.hero;
    let note = scene.says(&words.note);
    view! {
        <section class="hero">
            <div class="wide hero-grid">
                <div class="hero-words">
                    <p class="kicker">{words.kicker.as_str()}</p>
                    <h1 class="headline">{words.title.as_str()}</h1>
                    <p class="lead">{words.lead.as_str()}</p>
                    <div class="actions">
                        <a class="button button-primary" href="/signup">{words.start.as_str()}</a>
                        <a class="button" href=scene.href("/contact")>{words.talk.as_str()}</a>
                    </div>
                    {note.map(|note| view! { <p class="note">{note}</p> })}
                </div>
                <Demo/>
            </div>
        </section>
    }
}

#[component]
fn Stats() -> impl IntoView {
    let words = &texts().home.stats;
    let figures = [&words.minutes, &words.accuracy, &words.saved].map(|stat| {
        view! {
            <div class="stat">
                <dt>{stat.label.as_str()}</dt>
                <dd>{stat.figure.as_str()}</dd>
            </div>
        }
    });
    view! {
        <section class="stats" aria-label=words.title.as_str()>
            <dl class="wide stats-row">{figures.into_iter().collect_view()}</dl>
        </section>
    }
}

#[component]
fn Steps() -> impl IntoView {
    let words = &texts().home.steps;
    let steps = [
        (Drawing::StepUpload, &words.upload),
        (Drawing::StepProcess, &words.process),
        (Drawing::StepEdit, &words.edit),
        (Drawing::StepExport, &words.export),
    ];
    let items = steps.into_iter().enumerate().map(|(i, (drawing, step))| {
        view! {
            <li class="step">
                <Draw of=drawing class="drawing step-drawing"/>
                <p class="step-number" aria-hidden="true">{(i + 1).to_string()}</p>
                <h3 class="headline">{step.title.as_str()}</h3>
                <p>{step.text.as_str()}</p>
            </li>
        }
    });
    view! {
        <section class="section wide">
            <p class="kicker">{words.kicker.as_str()}</p>
            <h2 class="headline">{words.title.as_str()}</h2>
            <ol class="steps">{items.collect_view()}</ol>
        </section>
    }
}

#[component]
fn Features() -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.home.features;
    let cards = [
        &words.accuracy,
        &words.realtime,
        &words.multilang,
        &words.speakers,
        &words.formatting,
        &words.analytics,
    ];
    let cards = FEATURES.into_iter().zip(cards);
    view! {
        <section class="section wide">
            <p class="kicker">{words.kicker.as_str()}</p>
            <h2 class="headline">{words.title.as_str()}</h2>
            <div class="grid-3 cards">{cards.map(|(drawing, text)| card(drawing, text)).collect_view()}</div>
            <p class="more"><a href=scene.href("/features")>{words.more.as_str()}</a></p>
        </section>
    }
}

fn card(drawing: Drawing, words: &'static Notice) -> impl IntoView {
    view! {
        <article class="card">
            <Draw of=drawing class="drawing card-drawing"/>
            <h3 class="headline">{words.title.as_str()}</h3>
            <p>{words.text.as_str()}</p>
        </article>
    }
}

#[component]
fn Testimonials() -> impl IntoView {
    let words = &texts().home.testimonials;
    let people = words
        .people
        .iter()
        .map(|person| testimonial(&words.stars, person));
    view! {
        <section class="section wide">
            <p class="kicker">{words.kicker.as_str()}</p>
            <h2 class="headline">{words.title.as_str()}</h2>
            <div class="quotes">{people.collect_view()}</div>
        </section>
    }
}

fn testimonial(stars: &'static str, person: &'static Testimonial) -> impl IntoView {
    let label = fill(stars, "rating", &person.rating.to_string());
    view! {
        <figure class="quote">
            <div class="stars" role="img" aria-label=label>
                {(0..person.rating).map(|_| view! { <Draw of=Drawing::Star class="icon"/> }).collect_view()}
            </div>
            <blockquote>{person.content.as_str()}</blockquote>
            <figcaption>
                <strong>{person.name.as_str()}</strong>
                <span>{person.role.as_str()}</span>
            </figcaption>
        </figure>
    }
}

#[component]
fn Call() -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.home.call;
    view! {
        <section class="call">
            <div class="wide call-row">
                <div>
                    <h2 class="headline">{words.title.as_str()}</h2>
                    <p class="lead">{words.text.as_str()}</p>
                </div>
                <div class="actions">
                    <a class="button button-primary" href="/signup">{words.start.as_str()}</a>
                    <a class="button" href=scene.href("/contact")>{words.talk.as_str()}</a>
                </div>
            </div>
        </section>
    }
}
