//! The plans of this server, with their prices.

use leptos::prelude::*;
use slovo_rules::plan::{TIERS, Tier};

use super::comparison::Comparison;
use super::faq::Questions;
use super::opening::Opening;
use crate::drawing::{Draw, Drawing};
use crate::offer::{PricedPlan, figure, money};
use crate::scene::{Scene, forms, scene, texts};
use crate::texts::fill;

/// See the module.
#[component]
pub(crate) fn Pricing() -> impl IntoView {
    let scene = scene();
    let words = &texts().pricing;
    let lead = scene.filled_in(&words.lead);
    let lead = lead.unwrap_or_else(|| words.plain_lead.clone());
    let sells = !scene.own().offer.plans.is_empty();
    view! {
        <Opening kicker=&words.kicker title=&words.title lead=lead drawing=Some(Drawing::Pricing)/>
        {sells.then(|| view! { <Plans/><Comparison/> })}
        {(!sells).then(|| view! { <p class="wide plans-note">{words.none.as_str()}</p> })}
        <Questions words=&words.faq/>
        <Help/>
    }
}

#[component]
fn Plans() -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.pricing.plans;
    let plans = &scene.own().offer.plans;
    let in_dollars = plans.iter().all(|plan| plan.form.currency == "USD");
    let note = if in_dollars {
        &words.note
    } else {
        &words.plain_note
    };
    let cards = plans.iter().map(|plan| card(&scene, plan)).collect_view();
    view! {
        <section class="wide plans" aria-labelledby="plans-title">
            <h2 class="sr-only" id="plans-title">{words.title.as_str()}</h2>
            <div class="tiers">{cards}</div>
            <p class="plans-note">{note.as_str()}</p>
        </section>
    }
}

fn card(scene: &Scene, plan: &PricedPlan) -> impl IntoView + use<> {
    let words = &scene.texts.pricing.plans;
    let figures = plan.tier.map(|tier| &TIERS[tier as usize]);
    let popular = figures.is_some_and(|figures| figures.most_popular);
    let from = figures.is_some_and(|figures| figures.price_from);
    let (class, button) = if popular {
        ("tier tier-popular", "button button-primary")
    } else {
        ("tier", "button")
    };
    let about = match plan.tier {
        // The administrator's description replaces ours.
        Some(tier) if plan.form.description.is_empty() => words.of(tier).about.clone(),
        _ => plan.form.description.clone(),
    };
    let choose = plan
        .tier
        .map_or(&words.choose, |tier| &words.of(tier).choose);
    let choose = fill(choose, "plan", &plan.form.name);
    let items = scene.own().offer.items(plan, scene.texts).into_iter();
    let items = items.map(|item| {
        view! {
            <li>
                <Draw of=Drawing::Check class="icon"/>
                <span>{item}</span>
            </li>
        }
    });
    let items = items.collect_view();
    view! {
        <article class=class>
            <div class="tier-head">
                <h3 class="headline">{plan.form.name.clone()}</h3>
                {popular.then(|| view! { <p class="tier-badge">{words.popular.as_str()}</p> })}
            </div>
            <p class="tier-about">{about}</p>
            {price(scene, plan, from)}
            <p class="tier-minutes">{minutes(scene, plan)}</p>
            {plan_url(plan).map(|way| view! { <a class=button href=scene.href(&way)>{choose}</a> })}
            <ul class="ticks">{items}</ul>
        </article>
    }
}

fn price(scene: &Scene, plan: &PricedPlan, from: bool) -> impl IntoView + use<> {
    let words = &scene.texts.pricing.plans;
    let form = &plan.form;
    if form.price <= 0.0 {
        return view! { <p class="price"><span class="price-sum">{words.free.as_str()}</span></p> }
            .into_any();
    }
    let sum = money(form.price, &form.currency);
    view! {
        <p class="price">
            {from.then(|| view! { <span class="price-per">{words.from.as_str()}</span> " " })}
            <span class="price-sum">{sum}</span>
            " "
            <span class="price-per">{words.per_month.as_str()}</span>
        </p>
    }
    .into_any()
}

/// The plan's minutes, as text.
pub(super) fn minutes(scene: &Scene, plan: &PricedPlan) -> String {
    let words = &scene.texts.pricing.plans;
    match plan.form.monthly_minutes_limit {
        Some(minutes) => fill(&words.minutes, "minutes", &figure(minutes)),
        None => words.unlimited.clone(),
    }
}

/// The link to get a plan: sign-up with this plan, unless only administrators create accounts; or
/// the contact page.
fn plan_url(plan: &PricedPlan) -> Option<String> {
    match (plan.tier, &plan.id) {
        (Some(Tier::Enterprise), _) => Some("/contact".to_owned()),
        (_, Some(id)) => forms().sign_up.then(|| format!("/signup?plan={id}")),
        (_, None) => forms().sign_up.then(|| "/signup".to_owned()),
    }
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
