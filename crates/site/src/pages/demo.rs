//! A clip in the page's language and its transcript, highlighted in step with the audio. The
//! English transcript was made by `slovo transcribe`; the Ukrainian text was the input of the
//! program that speaks it.

use std::fmt::Write;

use leptos::prelude::*;

use crate::clip::Clip;
use crate::drawing::{Draw, Drawing};
use crate::scene::scene;

/// See the module.
#[component]
pub(super) fn Demo() -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.home.demo;
    let transcript = Clip::of(scene.locale);
    let spoken = transcript.words.iter().map(|word| {
        view! {
            <span class="word" data-start=word.start.to_string() data-end=word.end.to_string()>
                {word.text.as_str()}
            </span>
            " "
        }
    });
    view! {
        <figure
            class="demo"
            data-island="demo"
            data-mode=transcript.made_by.as_ref().map(|made_by| made_by.mode.as_str())
            data-model=transcript.made_by.as_ref().map(|made_by| made_by.model.as_str())
            data-duration=transcript.duration.to_string()
            aria-label=words.title.as_str()
        >
            <p class="kicker">{words.title.as_str()}</p>
            <span class="demo-wave" inner_html=wave(&transcript.peaks)></span>
            <audio src=format!("/demo/{}", transcript.file) controls preload="none" aria-label=words.player.as_str()></audio>
            <div class="demo-controls">
                <button class="button demo-play" type="button">
                    <span class="demo-off">
                        <Draw of=Drawing::Play class="icon"/>
                        {words.play.as_str()}
                    </span>
                    <span class="demo-on">
                        <Draw of=Drawing::Pause class="icon"/>
                        {words.pause.as_str()}
                    </span>
                </button>
                <input
                    class="demo-place"
                    type="range"
                    min="0"
                    max=transcript.duration.to_string()
                    step="0.1"
                    value="0"
                    autocomplete="off"
                    aria-label=words.place.as_str()
                />
            </div>
            <p class="demo-speaker">{words.speaker.as_str()}</p>
            <p class="demo-text" lang=transcript.lang.as_str()>{spoken.collect_view()}</p>
            <p class="demo-hint">{words.hint.as_str()}</p>
            <figcaption>
                <p>{words.label.as_str()}" "{words.source.as_str()}</p>
            </figcaption>
        </figure>
    }
}

/// Draws the clip as vertically centred bars of its loudness. They are defined once and drawn
/// twice, the second time up to the playback position (`--played`).
fn wave(peaks: &[f32]) -> String {
    const STEP: usize = 5;
    const HEIGHT: f32 = 56.0;
    let mut bars = String::new();
    for (i, peak) in peaks.iter().enumerate() {
        let height = (peak * HEIGHT).max(3.0);
        let _ = write!(
            bars,
            "M{} {:.1}v{height:.1}",
            i * STEP + 2,
            (HEIGHT - height) / 2.0
        );
    }
    let svg = |class: &str, inner: &str| {
        format!(
            "<svg class=\"{class}\" viewBox=\"0 0 {} {HEIGHT}\" aria-hidden=\"true\" \
             preserveAspectRatio=\"none\" stroke=\"var(--voice)\" stroke-width=\"2.6\" \
             stroke-linecap=\"round\">{inner}</svg>",
            peaks.len() * STEP
        )
    };
    svg(
        "demo-whole",
        &format!("<path id=\"demo-bars\" d=\"{bars}\"/>"),
    ) + &svg("demo-played", "<use href=\"#demo-bars\"/>")
}
