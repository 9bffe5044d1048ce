//! Mission, values, and frequently asked questions.

use leptos::prelude::*;

use super::faq::Questions;
use super::opening::Opening;
use crate::drawing::{Draw, Drawing};
use crate::scene::{forms, scene, texts};

/// See the module.
#[component]
pub(crate) fn About() -> impl IntoView {
    let words = &texts().about;
    view! {
        <Opening
            kicker=&words.kicker
            title=&words.title
            lead=words.lead.clone()
            drawing=Some(Drawing::About)
            class="drawing opening-drawing opening-drawing-wide"
        />
        <Mission/>
        <Values/>
        <Questions words=&words.faq/>
        {scene().own().sells_plans().then(|| view! { <Trial/> })}
        {social()}
    }
}

#[component]
fn Mission() -> impl IntoView {
    let words = &texts().about.mission;
    let paragraphs = words
        .paragraphs
        .iter()
        .map(|text| view! { <p>{text.as_str()}</p> });
    view! {
        <section class="section section-ruled">
            <div class="wide beside">
                <h2 class="headline beside-head">{words.title.as_str()}</h2>
                <div class="mission-text">{paragraphs.collect_view()}</div>
            </div>
        </section>
    }
}

#[component]
fn Values() -> impl IntoView {
    let words = &texts().about.values;
    let values = [
        (Drawing::ValueClarity, &words.clarity),
        (Drawing::ValuePrivacy, &words.privacy),
        (Drawing::ValueLanguage, &words.language),
        (Drawing::ValueCraft, &words.craft),
    ];
    let items = values.map(|(of, value)| {
        view! {
            <li class="value">
                <Draw of class="drawing value-drawing"/>
                <div>
                    <h3 class="headline">{value.title.as_str()}</h3>
                    <p>{value.text.as_str()}</p>
                </div>
            </li>
        }
    });
    view! {
        <section class="section" id="values">
            <div class="wide">
                <h2 class="headline">{words.title.as_str()}</h2>
                <ul class="grid-2 values">{items.into_iter().collect_view()}</ul>
            </div>
        </section>
    }
}

#[component]
fn Trial() -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.about.trial;
    let (figure, text) = (
        scene.filled_in(&words.figure)?,
        scene.filled_in(&words.text)?,
    );
    Some(view! {
        <section class="band trial" id="trial" aria-labelledby="trial-title">
            <div class="wide band-row">
                <p class="band-figure">
                    <span class="headline">{figure}</span>
                    " "
                    <span class="band-unit">{words.unit.as_str()}</span>
                </p>
                <div class="band-words">
                    <h2 class="headline" id="trial-title">{words.title.as_str()}</h2>
                    <p>{text}</p>
                </div>
                {forms()
                    .sign_up
                    .then(|| {
                        view! {
                            <a class="button button-primary" href="/signup">{words.start.as_str()}</a>
                        }
                    })}
            </div>
        </section>
    })
}

/// The owner's external pages, if there are any.
fn social() -> Option<impl IntoView> {
    let scene = scene();
    let links = &scene.own().settings.social;
    let items = links.iter().map(|link| {
        let (name, url) = (link.name.clone(), link.url.clone());
        view! { <li><a href=url rel="me noopener">{name}</a></li> }
    });
    let items: Vec<_> = items.collect();
    (!items.is_empty()).then(|| {
        view! {
            <section class="section section-small" id="social">
                <div class="wide beside">
                    <h2 class="headline beside-head">{scene.texts.about.social.as_str()}</h2>
                    <ul class="aside-text">{items}</ul>
                </div>
            </section>
        }
    })
}
