//! The landing page.

use leptos::prelude::*;
use slovo_rules::locale::Locale;
use slovo_rules::site::{Testimonial, Words};

use super::demo::Demo;
use super::number::grouped;
use crate::drawing::{Draw, Drawing, FEATURES};
use crate::scene::{forms, scene, texts};
use crate::texts::{Notice, facts, fill};

/// See the module.
#[component]
pub(crate) fn Home() -> impl IntoView {
    [
        view! { <Hero/> }.into_any(),
        stats().into_any(),
        view! { <Picture/> }.into_any(),
        view! { <Steps/> }.into_any(),
        view! { <Features/> }.into_any(),
        testimonials().into_any(),
        view! { <Call/> }.into_any(),
    ]
    .into_iter()
    .collect_view()
}

/// The link to sign up, if sign-up is possible.
#[component]
fn Start(text: &'static str) -> impl IntoView {
    forms()
        .sign_up
        .then(|| view! { <a class="button button-primary" href="/signup">{text}</a> })
}

#[component]
fn Hero() -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.home.hero;
    let own = scene.own();
    let kicker = if own.is_named() {
        own.name()
    } else {
        &words.kicker
    };
    // An organisation's server shows its purpose, others the product's description.
    let purpose = own.settings.purpose.shown(scene.locale);
    let lead = purpose.unwrap_or(&words.lead).to_owned();
    let note = scene.filled_in(&words.note);
    view! {
        <section class="hero">
            <div class="wide hero-grid">
                <div class="hero-words">
                    <p class="kicker">{kicker.to_owned()}</p>
                    <h1 class="headline">{words.title.as_str()}</h1>
                    <p class="lead">{lead}</p>
                    <div class="actions">
                        <Start text=start(&words.start)/>
                        <a class="button" href=scene.href("/contact")>{words.talk.as_str()}</a>
                    </div>
                    {note.map(|note| view! { <p class="note">{note}</p> })}
                </div>
                <Demo/>
            </div>
        </section>
    }
}

/// The label of the sign-up button: a server that sells nothing does not say that it is free.
fn start(sold: &'static str) -> &'static str {
    let scene = scene();
    if scene.own().sells_plans() {
        sold
    } else {
        &scene.texts.site.nav.sign_up
    }
}

/// The server's own figures once there are any. Until then figures marked as examples: an
/// administrator's, or else the specification's; none if nothing is sold.
fn stats() -> Option<impl IntoView> {
    let scene = scene();
    let words = &scene.texts.home.stats;
    let own = scene.own();
    if !own.settings.figures || (own.figures.is_none() && !own.sells_plans()) {
        return None;
    }
    let is_example = own.figures.is_none();
    let figures = match own.figures {
        Some(figures) => [
            (&words.own.minutes, figures.minutes),
            (&words.own.recordings, figures.recordings),
            (&words.own.words, figures.words),
        ]
        .map(|(label, figure)| (label, grouped(scene.locale, figure))),
        None => {
            let configured = &own.settings.example_figures;
            [
                (&words.minutes, &configured.minutes),
                (&words.accuracy, &configured.accuracy),
                (&words.saved, &configured.saved),
            ]
            .map(|(stat, configured_text)| {
                (
                    &stat.label,
                    example(scene.locale, configured_text, &stat.figure),
                )
            })
        }
    };
    let figures = figures.map(|(label, figure)| {
        view! {
            <div class="stat">
                <dt>
                    {label.as_str()}
                    {is_example.then(|| view! { " " <small class="stat-mark">{words.mark.as_str()}</small> })}
                </dt>
                <dd>{figure}</dd>
            </div>
        }
    });
    Some(view! {
        <section class="stats" aria-label=words.title.as_str()>
            <dl class="wide stats-row">{figures.into_iter().collect_view()}</dl>
            {is_example.then(|| view! {
                <p class="wide example">
                    {words.example.as_str()}
                    " "
                    <a href=scene.href("/features#accuracy")>{words.measured.as_str()}</a>
                </p>
            })}
        </section>
    })
}

/// An example figure, on one line.
fn example(locale: Locale, configured: &Words, usual: &str) -> String {
    configured
        .shown(locale)
        .unwrap_or(usual)
        .replace(' ', "\u{a0}")
}

/// The application in use, in the language of the page.
#[component]
fn Picture() -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.home.picture;
    view! {
        <section class="section wide picture">
            <div>
                <p class="kicker">{words.kicker.as_str()}</p>
                <h2 class="headline">{words.title.as_str()}</h2>
                <p>{words.text.as_str()}</p>
            </div>
            <img
                src=format!("/pictures/editor-{}.webp", scene.locale)
                width="1280"
                height="800"
                loading="lazy"
                decoding="async"
                alt=words.alt.as_str()
            />
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
            <p>{facts(&words.text)}</p>
        </article>
    }
}

/// The owner's testimonials; without any, those of the specification, marked as examples; none if
/// nothing is sold.
fn testimonials() -> Option<impl IntoView> {
    let scene = scene();
    let words = &scene.texts.home.testimonials;
    let own = scene.own();
    let is_example = own.settings.own_testimonials.is_empty();
    if !own.settings.testimonials || (is_example && !own.sells_plans()) {
        return None;
    }
    let people = if is_example {
        &words.people
    } else {
        &own.settings.own_testimonials
    };
    let people = people
        .iter()
        .map(|person| testimonial(&words.stars, person.clone()));
    let example = is_example.then_some(words.example.as_str());
    Some(view! {
        <section class="section wide">
            <p class="kicker">{words.kicker.as_str()}</p>
            <h2 class="headline">{words.title.as_str()}</h2>
            <div class="quotes">{people.collect_view()}</div>
            {example.map(|text| view! { <p class="example">{text}</p> })}
        </section>
    })
}

fn testimonial(stars: &'static str, person: Testimonial) -> impl IntoView {
    let label = fill(stars, "rating", &person.rating.to_string());
    view! {
        <figure class="quote">
            <div class="stars" role="img" aria-label=label>
                {(0..person.rating).map(|_| view! { <Draw of=Drawing::Star class="icon"/> }).collect_view()}
            </div>
            <blockquote>{person.content}</blockquote>
            <figcaption>
                <strong>{person.name}</strong>
                <span>{person.role}</span>
            </figcaption>
        </figure>
    }
}

#[component]
fn Call() -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.home.call;
    let text = if scene.own().sells_plans() {
        &words.text
    } else {
        &words.text_organisation
    };
    view! {
        <section class="call">
            <div class="wide call-row">
                <div>
                    <h2 class="headline">{words.title.as_str()}</h2>
                    <p class="lead">{text.as_str()}</p>
                </div>
                <div class="actions">
                    <Start text=start(&words.start)/>
                    <a class="button" href=scene.href("/contact")>{words.talk.as_str()}</a>
                </div>
            </div>
        </section>
    }
}
