//! The plans side by side, row by row; compares only features that this server has.

use leptos::prelude::*;
use slovo_rules::plan::{ComparisonRow, TIERS};

use crate::drawing::{Draw, Drawing};
use crate::offer::{CellContent, PricedPlan, figure};
use crate::scene::{scene, texts};

/// See the module. A table wider than the window scrolls in its own frame, which is focusable so
/// that keys can scroll it.
#[component]
pub(super) fn Comparison() -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.pricing.comparison;
    let offer = &scene.own().offer;
    let heads = offer.plans.iter().map(head).collect_view();
    let lines = offer.rows().into_iter().map(line).collect_view();
    view! {
        <section class="section" id="compare">
            <div class="wide">
                <h2 class="headline" id="compare-title">{words.title.as_str()}</h2>
                <div class="table-frame" role="region" aria-labelledby="compare-title" tabindex="0">
                    <table class="comparison">
                        <caption>{words.caption.as_str()}</caption>
                        <thead>
                            <tr>
                                <th scope="col">{words.feature.as_str()}</th>
                                {heads}
                            </tr>
                        </thead>
                        <tbody>{lines}</tbody>
                    </table>
                </div>
            </div>
        </section>
    }
}

/// The popular plan is marked in every cell of its column.
fn marked(plan: &PricedPlan) -> Option<&'static str> {
    let popular = plan
        .tier
        .is_some_and(|tier| TIERS[tier as usize].most_popular);
    popular.then_some("popular")
}

fn head(plan: &PricedPlan) -> impl IntoView + use<> {
    let name = plan.form.name.clone();
    view! { <th scope="col" class=marked(plan)>{name}</th> }
}

fn line(row: ComparisonRow) -> impl IntoView {
    let scene = scene();
    let offer = &scene.own().offer;
    let cells = offer.plans.iter().map(|plan| {
        view! { <td class=marked(plan)>{cell(offer.cell(row, plan))}</td> }
    });
    let cells = cells.collect_view();
    view! {
        <tr>
            <th scope="row">{scene.texts.comparison_row(row.as_str())}</th>
            {cells}
        </tr>
    }
}

fn cell(cell: CellContent) -> AnyView {
    let texts = texts();
    match cell {
        CellContent::Minutes(Some(minutes)) => figure(minutes).into_any(),
        CellContent::Minutes(None) => texts.comparison("unlimited").into_any(),
        CellContent::Word(word) => texts.comparison(word).into_any(),
        CellContent::Has(has) => {
            let (of, class, word) = if has {
                (Drawing::Check, "icon has", "yes")
            } else {
                (Drawing::Dash, "icon has-not", "no")
            };
            view! {
                <Draw of class/>
                <span class="sr-only">{texts.comparison(word)}</span>
            }
            .into_any()
        }
    }
}
