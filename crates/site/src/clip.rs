//! The recordings that come with Slovo, one per language, with their transcripts: played on the
//! landing page, and used as the sample of a new account. Their origin is documented in
//! `web/public/demo/LICENSE.md`.

use std::sync::LazyLock;

use serde::Deserialize;
use slovo_rules::locale::Locale;

/// A recording in one language, with its transcript.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clip {
    /// The spoken language.
    pub lang: Locale,
    /// The audio file, in `web/public/demo`.
    pub file: String,
    /// What recognised the transcript; `None` if it was not recognised.
    pub made_by: Option<ClipOrigin>,
    /// Seconds.
    pub duration: f64,
    /// The words, in order.
    pub words: Vec<ClipWord>,
    /// Loudness of equal parts of the clip, 0 to 1.
    pub(crate) peaks: Vec<f32>,
}

/// What recognised a transcript.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClipOrigin {
    /// Id of the model.
    pub model: String,
    /// Recognition mode.
    pub mode: String,
}

/// A word of a clip.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClipWord {
    /// Seconds from the start.
    pub start: f64,
    /// Seconds from the start.
    pub end: f64,
    /// The word with its punctuation.
    pub text: String,
    /// The model's confidence, 0 to 1; `None` if the text was known and not recognised.
    pub confidence: Option<f64>,
}

static UK: LazyLock<Clip> = LazyLock::new(|| read("uk.json", include_str!("demo/uk.json")));
static EN: LazyLock<Clip> = LazyLock::new(|| read("en.json", include_str!("demo/en.json")));

/// # Panics
/// If the embedded file is not a clip; tests check this.
fn read(file: &str, text: &str) -> Clip {
    match serde_json::from_str(text) {
        Ok(clip) => clip,
        Err(error) => panic!("demo/{file}: {error}"),
    }
}

impl Clip {
    /// The clip in this language.
    #[must_use]
    pub fn of(locale: Locale) -> &'static Self {
        match locale {
            Locale::Uk => &UK,
            Locale::En => &EN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::Texts;

    #[test]
    fn each_language_has_its_own_clip() {
        for locale in Locale::ALL {
            let clip = Clip::of(*locale);
            assert_eq!(clip.lang, *locale);
            assert!(!clip.words.is_empty());
            let mut last = 0.0;
            for word in &clip.words {
                assert!(word.start >= last && word.end > word.start, "{}", word.text);
                // Recognised words have a confidence, others do not.
                assert_eq!(word.confidence.is_some(), clip.made_by.is_some());
                assert!((0.0..=1.0).contains(&word.confidence.unwrap_or(1.0)));
                last = word.end;
            }
            assert!(last <= clip.duration);
            let mut peaks = clip.peaks.iter();
            assert!(peaks.all(|peak| (0.0..=1.0).contains(peak)));
        }
    }

    #[test]
    fn the_label_of_a_clip_states_how_it_was_made() {
        let made_by = EN.made_by.as_ref().unwrap();
        assert_eq!(made_by.mode, "full");
        let label = &Texts::of(Locale::En).home.demo.label;
        assert!(label.contains(&made_by.model), "{label}");
        // The Ukrainian text was not recognised; the page names the program that speaks it.
        assert!(UK.made_by.is_none());
        assert!(Texts::of(Locale::Uk).home.demo.label.contains("espeak-ng"));
    }
}
