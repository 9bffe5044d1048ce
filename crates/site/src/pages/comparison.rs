//! The plans side by side, row by row as the rules compare them.

use leptos::prelude::*;
use slovo_rules::plan::{Cell, ComparisonRow, TIERS, TierFigures, compare};

use crate::drawing::{Draw, Drawing};
use crate::scene::{scene, texts};

/// See the module. The table scrolls in its own frame where it is wider than the window; keys
/// scroll what has the focus, so the frame can have it.
#[component]
pub(super) fn Comparison() -> impl IntoView {
    let words = &texts().pricing.comparison;
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
                                {TIERS.iter().map(head).collect_view()}
                            </tr>
                        </thead>
                        <tbody>{ComparisonRow::ALL.iter().map(|row| line(*row)).collect_view()}</tbody>
                    </table>
                </div>
            </div>
        </section>
    }
}

/// The popular plan's column is marked all the way down.
fn marked(figures: &TierFigures) -> Option<&'static str> {
    figures.most_popular.then_some("popular")
}

fn head(figures: &'static TierFigures) -> impl IntoView {
    let name = texts().tier(figures.tier.as_str());
    view! { <th scope="col" class=marked(figures)>{name}</th> }
}

fn line(row: ComparisonRow) -> impl IntoView {
    let scene = scene();
    let cells = TIERS.iter().map(|figures| {
        view! { <td class=marked(figures)>{cell(compare(row, figures.tier))}</td> }
    });
    view! {
        <tr>
            <th scope="row">{scene.texts.comparison_row(row.as_str())}</th>
            {cells.collect_view()}
        </tr>
    }
}

fn cell(cell: Cell) -> AnyView {
    let texts = texts();
    match cell {
        Cell::Minutes(Some(minutes)) => minutes.to_string().into_any(),
        Cell::Minutes(None) => texts.comparison("unlimited").into_any(),
        Cell::Word(word) => texts.comparison(word).into_any(),
        Cell::Has(has) => {
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
