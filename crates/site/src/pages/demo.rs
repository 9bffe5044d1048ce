//! A clip and its text, highlighted in step with the sound. The text is what `slovo transcribe` gave.

use std::fmt::Write;
use std::sync::LazyLock;

use leptos::prelude::*;
use serde::Deserialize;

use crate::drawing::{Draw, Drawing};
use crate::scene::texts;
use crate::texts::fill;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Transcript {
    model: String,
    mode: String,
    /// Seconds.
    duration: f64,
    words: Vec<Word>,
    /// Loudness of equal parts of the clip, 0 to 1.
    peaks: Vec<f32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Word {
    start: f64,
    end: f64,
    text: String,
}

/// # Panics
/// If the file in this crate is no transcript, which the tests would say.
static TRANSCRIPT: LazyLock<Transcript> =
    LazyLock::new(
        || match serde_json::from_str(include_str!("../demo/transcript.json")) {
            Ok(transcript) => transcript,
            Err(error) => panic!("demo/transcript.json: {error}"),
        },
    );

/// See the module.
#[component]
pub(super) fn Demo() -> impl IntoView {
    let words = &texts().home.demo;
    let transcript = &*TRANSCRIPT;
    let label = fill(&words.label, "model", &transcript.model);
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
            data-mode=transcript.mode.as_str()
            data-duration=transcript.duration.to_string()
            aria-label=words.title.as_str()
        >
            <p class="kicker">{words.title.as_str()}</p>
            <span class="demo-wave" inner_html=wave(&transcript.peaks)></span>
            <audio src="/demo/inaugural-1961.mp3" controls preload="none" aria-label=words.player.as_str()></audio>
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
            <p class="demo-text" lang="en">{spoken.collect_view()}</p>
            <p class="demo-hint">{words.hint.as_str()}</p>
            <figcaption>
                <p><span class="demo-as">{words.translation_label.as_str()}": "</span>{words.translation.as_str()}</p>
                <p>{label}" "{words.source.as_str()}</p>
            </figcaption>
        </figure>
    }
}

/// The clip drawn: bars of its loudness, half way to the lines below them.
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
    format!(
        "<svg viewBox=\"0 0 {} {HEIGHT}\" aria-hidden=\"true\" preserveAspectRatio=\"none\"><path d=\"{bars}\" \
         stroke=\"var(--voice)\" stroke-width=\"2.6\" stroke-linecap=\"round\"/></svg>",
        peaks.len() * STEP
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clip_is_one_that_slovo_could_have_made() {
        let transcript = &*TRANSCRIPT;
        assert_eq!(transcript.mode, "full");
        assert!(!transcript.words.is_empty());
        let mut last = 0.0;
        for word in &transcript.words {
            assert!(word.start >= last && word.end > word.start, "{}", word.text);
            last = word.end;
        }
        assert!(last <= transcript.duration);
        assert!(
            transcript
                .peaks
                .iter()
                .all(|peak| (0.0..=1.0).contains(peak))
        );
    }
}
