//! The three plans. Their figures are the rules' own.

use leptos::prelude::*;
use slovo_rules::plan::{TIERS, Tier, TierFigures};

use super::comparison::Comparison;
use super::faq::Questions;
use super::opening::Opening;
use crate::drawing::{Draw, Drawing};
use crate::scene::{forms, scene, texts};
use crate::texts::{facts, fill};

/// See the module.
#[component]
pub(crate) fn Pricing() -> impl IntoView {
    let words = &texts().pricing;
    view! {
        <Opening kicker=&words.kicker title=&words.title lead=facts(&words.lead) drawing=Some(Drawing::Pricing)/>
        <Plans/>
        <Comparison/>
        <Questions words=&words.faq/>
        <Help/>
    }
}

#[component]
fn Plans() -> impl IntoView {
    let words = &texts().pricing.plans;
    view! {
        <section class="wide plans" aria-labelledby="plans-title">
            <h2 class="sr-only" id="plans-title">{words.title.as_str()}</h2>
            <div class="tiers">
                {TIERS.iter().map(|figures| view! { <Plan figures/> }).collect_view()}
            </div>
            <p class="plans-note">{words.note.as_str()}</p>
        </section>
    }
}

#[component]
fn Plan(figures: &'static TierFigures) -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.pricing.plans;
    let plan = words.of(figures.tier);
    let minutes = figures.monthly_minutes.unwrap_or_default().to_string();
    let class = if figures.most_popular {
        "tier tier-popular"
    } else {
        "tier"
    };
    let button = if figures.most_popular {
        "button button-primary"
    } else {
        "button"
    };
    let items = plan.items.iter().map(|item| {
        view! {
            <li>
                <Draw of=Drawing::Check class="icon"/>
                <span>{item.as_str()}</span>
            </li>
        }
    });
    view! {
        <article class=class>
            <div class="tier-head">
                <h3 class="headline">{scene.texts.tier(figures.tier.as_str())}</h3>
                {figures.most_popular.then(|| view! { <p class="tier-badge">{words.popular.as_str()}</p> })}
            </div>
            <p class="tier-about">{plan.about.as_str()}</p>
            <p class="price">
                {figures.price_from.then(|| view! { <span class="price-per">{words.from.as_str()}</span> " " })}
                <span class="price-sum">{dollars(figures.price_usd)}</span>
                " "
                <span class="price-per">{words.per_month.as_str()}</span>
            </p>
            <p class="tier-minutes">{fill(&plan.minutes, "minutes", &minutes)}</p>
            {way(figures.tier)
                .map(|way| view! { <a class=button href=scene.href(way)>{plan.choose.as_str()}</a> })}
            <ul class="ticks">{items.collect_view()}</ul>
        </article>
    }
}

/// Where a plan is had: nowhere while nobody can make an account.
fn way(tier: Tier) -> Option<&'static str> {
    match tier {
        Tier::Starter | Tier::Professional => forms().sign_up.then_some("/signup"),
        Tier::Enterprise => Some("/contact"),
    }
}

/// A price as it is shown.
pub(super) fn dollars(sum: u32) -> String {
    format!("${sum}")
}

#[component]
fn Help() -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.pricing.help;
    view! {
        <section class="band" aria-labelledby="help-title">
            <div class="wide band-row">
                <div class="band-words">
                    <h2 class="headline" id="help-title">{words.title.as_str()}</h2>
                    <p>{words.text.as_str()}</p>
                </div>
                <a class="button" href=scene.href("/contact")>{words.write.as_str()}</a>
            </div>
        </section>
    }
}
