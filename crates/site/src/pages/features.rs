//! The features of the product.

use leptos::prelude::*;
use slovo_rules::plan::Tier;

use super::accuracy::{Accuracy, Languages};
use super::opening::Opening;
use super::pricing::minutes;
use crate::drawing::{Draw, Drawing, FEATURES};
use crate::offer::money;
use crate::scene::{scene, texts};
use crate::texts::facts;

/// See the module.
#[component]
pub(crate) fn Features() -> impl IntoView {
    let words = &texts().features;
    view! {
        <Opening kicker=&words.kicker title=&words.title lead=words.lead.clone() drawing=None/>
        <Cards/>
        <Accuracy/>
        <Languages/>
        <Benefits/>
        <section class="section">
            <div class="wide why">
                <Why/>
                {scene().own().sells_plans().then(|| view! { <Price/> })}
            </div>
        </section>
    }
}

#[component]
fn Cards() -> impl IntoView {
    let words = &texts().features.cards;
    let cards = [
        &words.accuracy,
        &words.realtime,
        &words.multilang,
        &words.speakers,
        &words.formatting,
        &words.analytics,
    ];
    let cards = FEATURES.into_iter().zip(cards);
    let items = cards.map(|(of, card)| {
        view! {
            <li class="feature">
                <Draw of class="drawing feature-drawing"/>
                <h3 class="headline">{card.title.as_str()}</h3>
                <p class="feature-fact">{facts(&card.fact)}</p>
                <p>{facts(&card.text)}</p>
            </li>
        }
    });
    view! {
        <section class="wide features">
            <h2 class="sr-only">{words.title.as_str()}</h2>
            <ul class="grid-3">{items.collect_view()}</ul>
        </section>
    }
}

#[component]
fn Benefits() -> impl IntoView {
    let words = &texts().features.benefits;
    let benefits = [
        (Drawing::BenefitTime, &words.time),
        (Drawing::BenefitReach, &words.reach),
        (Drawing::BenefitTrust, &words.trust),
    ];
    let items = benefits.map(|(of, benefit)| {
        view! {
            <li class="benefit">
                <Draw of class="drawing benefit-drawing"/>
                <h3 class="headline">{benefit.title.as_str()}</h3>
                <p>{benefit.text.as_str()}</p>
            </li>
        }
    });
    view! {
        <section class="section benefits-band">
            <div class="wide">
                <h2 class="headline">{words.title.as_str()}</h2>
                <ul class="benefits">{items.into_iter().collect_view()}</ul>
            </div>
        </section>
    }
}

#[component]
fn Why() -> impl IntoView {
    let words = &texts().features.why;
    let items = words.items.iter().map(|item| {
        view! {
            <li class="reason">
                <Draw of=Drawing::Check class="icon"/>
                <div>
                    <h3>{item.title.as_str()}</h3>
                    <p>{item.text.as_str()}</p>
                </div>
            </li>
        }
    });
    view! {
        <div>
            <h2 class="headline">{words.title.as_str()}</h2>
            <ul class="reasons">{items.collect_view()}</ul>
        </div>
    }
}

/// The most popular plan, at the side.
#[component]
fn Price() -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.features.price;
    let offer = &scene.own().offer;
    let plan = offer.tier(Tier::Professional)?;
    let trial = scene.filled_in(&words.trial);
    let features = offer.items(plan, scene.texts).join(", ");
    Some(view! {
        <aside class="sheet side-price" aria-labelledby="side-price-title">
            <p class="kicker">{words.label.as_str()}</p>
            <h2 class="headline" id="side-price-title">{plan.form.name.clone()}</h2>
            <p class="price">
                <span class="price-sum">{money(plan.form.price, &plan.form.currency)}</span>
                " "
                <span class="price-per">{words.per_month.as_str()}</span>
            </p>
            <p>{minutes(&scene, plan)}</p>
            <p>{features}</p>
            {trial.map(|trial| view! { <p class="side-price-trial">{trial}</p> })}
            <a class="button button-primary" href=scene.href("/pricing")>{words.compare.as_str()}</a>
        </aside>
    })
}
