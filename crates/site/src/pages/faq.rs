//! Questions and answers: native, so that they open and close without scripts, one at a time.

use leptos::prelude::*;

use crate::drawing::{Draw, Drawing};
use crate::scene::scene;
use crate::texts::{Faq, facts};

/// See the module.
#[component]
pub(super) fn Questions(words: &'static Faq) -> impl IntoView {
    let scene = scene();
    let ask = words.ask.as_deref();
    let items = words.of(scene.own()).map(|item| {
        view! {
            <details class="question" name="faq">
                <summary>
                    <span>{facts(&item.question)}</span>
                    <Draw of=Drawing::Chevron class="icon"/>
                </summary>
                <p>{facts(&item.answer)}</p>
            </details>
        }
    });
    view! {
        <section class="section faq" id="faq" aria-labelledby="faq-title">
            <div class="wide beside">
                <div class="beside-head">
                    <h2 class="headline" id="faq-title">{words.title.as_str()}</h2>
                    <p>
                        {words.lead.as_str()}
                        {ask.map(|text| view! { " " <a href=scene.href("/contact")>{text}</a> })}
                    </p>
                </div>
                <div class="questions">{items.collect_view()}</div>
            </div>
        </section>
    }
}
