//! Questions and answers: native elements that work without scripts, one open at a time.

use leptos::prelude::*;

use crate::drawing::{Draw, Drawing};
use crate::scene::scene;
use crate::texts::Faq;

/// See the module.
#[component]
pub(super) fn Questions(words: &'static Faq) -> impl IntoView {
    let scene = scene();
    let ask = words.ask.as_deref();
    // Questions that promise something this server does not offer are left out.
    let items = words.of(scene.own().sells_plans()).filter_map(|item| {
        let (question, answer) = (
            scene.filled_in(&item.question)?,
            scene.filled_in(&item.answer)?,
        );
        Some(view! {
            <details class="question" name="faq">
                <summary>
                    <span>{question}</span>
                    <Draw of=Drawing::Chevron class="icon"/>
                </summary>
                <p>{answer}</p>
            </details>
        })
    });
    let items = items.collect_view();
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
                <div class="questions">{items}</div>
            </div>
        </section>
    }
}
