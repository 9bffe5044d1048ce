//! Removes text that was not spoken: sound annotations, loops, and phrases that Whisper learned
//! from subtitles and writes over noise. Nothing is removed without evidence from the sound or the
//! model, and every removal is reported with its evidence.

mod echo;
mod evidence;
mod loops;
mod marks;

use slovo_rules::removed::{Removed, RemovedReason};

use crate::event::RecognisedWord;
use crate::windows::Window;
pub(crate) use evidence::{Evidence, MAX_COMPRESSION, compression_ratio};
pub(crate) use marks::is_annotation;

/// Text of a window with a mean confidence below this is discarded as noise.
const NOISE: f64 = 0.22;

/// Phrases that Whisper writes over music, noise and silence, in lower case without punctuation.
const HALLUCINATED_PHRASES: [&str; 26] = [
    "thank you",
    "thanks for watching",
    "thank you for watching",
    "thank you very much",
    "you",
    "bye",
    "bye bye",
    "please subscribe",
    "the end",
    "i'm sorry",
    "so",
    "okay",
    "oh",
    "hmm",
    "продолжение следует",
    "субтитры сделал dimatorzok",
    "редактор субтитров асемкин корректор аегорова",
    "спасибо за просмотр",
    "дякую за перегляд",
    "дякую",
    "sous-titres réalisés par la communauté d'amara.org",
    "subtítulos realizados por la comunidad de amara.org",
    "sottotitoli creati dalla comunità amara.org",
    "untertitel der amara.org-community",
    "ご視聴ありがとうございました",
    "请不吝点赞 订阅 转发 打赏支持明镜与点点栏目",
];

/// The remaining words of a window, and the removed ones.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct CleanedWords {
    pub words: Vec<RecognisedWord>,
    /// In order of time.
    pub removed: Vec<Removed>,
}

impl CleanedWords {
    /// Records the removal of neighbouring words, which are no longer in the window.
    fn remove(&mut self, words: &[RecognisedWord], evidence: Evidence, reason: RemovedReason) {
        let removed = evidence.removal_of(words, reason);
        tracing::debug!(?removed, "taken out");
        self.removed.push(removed);
    }
}

/// Removes invented text from the words of one window. `prompt`: sentences that were in the prompt,
/// which the model may repeat; empty if there were none.
pub(crate) fn clean(words: Vec<RecognisedWord>, window: &Window, prompt: &str) -> CleanedWords {
    let mut cleaned = CleanedWords {
        words,
        removed: Vec::new(),
    };
    echo::remove_echoes(&mut cleaned, window, prompt);
    marks::remove_annotations(&mut cleaned, window);
    loops::remove_loops(&mut cleaned, window);
    if !cleaned.words.is_empty() {
        let evidence = Evidence::measure(&cleaned.words, window);
        if let Some(reason) = reason_if_invented(&cleaned.words, evidence, window) {
            let words = std::mem::take(&mut cleaned.words);
            cleaned.remove(&words, evidence, reason);
        }
    }
    cleaned.removed.sort_by(|a, b| a.start.total_cmp(&b.start));
    cleaned
}

/// The reason why the whole text of a window is invented, if it is.
fn reason_if_invented(
    words: &[RecognisedWord],
    evidence: Evidence,
    window: &Window,
) -> Option<RemovedReason> {
    let is_doubtful = evidence.confidence < evidence::DOUBTFUL;
    if evidence.confidence < NOISE {
        Some(evidence.doubt())
    } else if is_doubtful && is_phantom(words) {
        Some(RemovedReason::PhantomPhrase)
    } else if is_doubtful && evidence.is_too_fast_for(window.voiced_seconds()) {
        Some(RemovedReason::Silence)
    } else {
        None
    }
}

fn is_phantom(words: &[RecognisedWord]) -> bool {
    let text = words.iter().map(|word| plain(&word.text));
    let text: String = text.collect();
    HALLUCINATED_PHRASES
        .iter()
        .any(|phantom| plain(phantom) == text)
}

/// Letters and digits in lower case.
pub(crate) fn plain(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, confidence: f32) -> Vec<RecognisedWord> {
        text.split_whitespace()
            .enumerate()
            .map(|(place, word)| RecognisedWord {
                start: place as f64,
                end: place as f64 + 0.5,
                text: word.to_owned(),
                spaced: true,
                confidence,
                language: None,
            })
            .collect()
    }

    fn window(voiced: f64) -> Window {
        let samples = (voiced * crate::vad::SAMPLE_RATE as f64) as u64;
        Window {
            index: 0,
            start: 0,
            end: samples.max(60 * crate::vad::SAMPLE_RATE as u64),
            voiced: vec![(0, samples)],
            forced_start: None,
            forced_end: false,
        }
    }

    fn run(text: &str, confidence: f32, voiced: f64) -> CleanedWords {
        clean(words(text, confidence), &window(voiced), "")
    }

    fn cleaned(text: &str, confidence: f32, voiced: f64) -> String {
        evidence::text(&run(text, confidence, voiced).words)
    }

    fn removed(text: &str, confidence: f32, voiced: f64) -> Vec<(String, RemovedReason)> {
        let removed = run(text, confidence, voiced).removed;
        removed
            .into_iter()
            .map(|passage| (passage.text, passage.reason))
            .collect()
    }

    #[test]
    fn sound_annotations_are_removed() {
        assert_eq!(
            cleaned(
                "[MUSIC PLAYING] Hello (coughs) there *sighs* ♪ friend",
                0.6,
                5.0
            ),
            "Hello there friend"
        );
        assert_eq!(cleaned("[BLANK_AUDIO]", 0.9, 5.0), "");
    }

    #[test]
    fn long_bracketed_speech_stays_and_a_window_of_only_notes_is_removed() {
        for text in [
            "the price (which they never told me about before) was high",
            "I *really really did not want* that",
        ] {
            assert_eq!(cleaned(text, 0.9, 9.0), text);
        }
        assert_eq!(
            cleaned("Yes (upbeat music playing on)", 0.6, 9.0),
            "Yes",
            "four words are a note"
        );
        assert_eq!(
            cleaned("(the crowd cheers and sings along)", 0.9, 9.0),
            "",
            "nothing else was written"
        );
        assert_eq!(
            cleaned("So [a man speaks in a foreign language] he said", 0.9, 9.0),
            "So he said"
        );
    }

    #[test]
    fn an_unclosed_bracket_in_a_text_stays() {
        assert_eq!(
            cleaned("costs (about five euros and more", 0.9, 5.0),
            "costs (about five euros and more"
        );
    }

    #[test]
    fn loops_are_reduced_to_one_occurrence() {
        let text = format!("Well {} done", "I see it. ".repeat(12));
        assert_eq!(cleaned(&text, 0.9, 20.0), "Well I see it. done");
        assert_eq!(cleaned(&"you ".repeat(40), 0.9, 20.0), "you");
    }

    #[test]
    fn removals_are_reported_with_time_reason_and_evidence() {
        let text = format!("Well {} done [MUSIC]", "I see it. ".repeat(12));
        let cleaned = run(&text, 0.9, 60.0);
        let reasons: Vec<_> = cleaned
            .removed
            .iter()
            .map(|passage| passage.reason)
            .collect();
        assert_eq!(reasons, [RemovedReason::Loop, RemovedReason::SoundMark]);
        let looped = &cleaned.removed[0];
        assert_eq!(looped.text, "I see it. ".repeat(11).trim());
        assert_eq!((looped.start, looped.end), (4.0, 36.5));
        assert!(looped.compression > MAX_COMPRESSION, "{looped:?}");
        assert!((looped.confidence - 0.9).abs() < 1e-3 && looped.voiced > 0.99);
        assert_eq!(
            removed("Thank you.", 0.3, 1.0),
            [("Thank you.".to_owned(), RemovedReason::PhantomPhrase)]
        );
        assert_eq!(
            removed("completely unsure", 0.1, 3.0),
            [("completely unsure".to_owned(), RemovedReason::Unrecognised)]
        );
        let silent = Window {
            voiced: vec![(0, crate::vad::SAMPLE_RATE as u64 / 4)],
            ..window(1.0)
        };
        let removed = clean(words("completely unsure", 0.1), &silent, "").removed;
        assert_eq!(removed[0].reason, RemovedReason::LowProbability);
    }

    #[test]
    fn a_short_loop_is_removed_only_if_the_sound_contradicts_it() {
        // Four repetitions of three short words compress only to about a half: somebody may say
        // that.
        let text = "I see it. ".repeat(4);
        assert_eq!(cleaned(&text, 0.9, 20.0), text.trim());
        assert_eq!(cleaned(&text, 0.4, 20.0), "I see it.", "doubted");
        assert_eq!(cleaned(&text, 0.9, 4.0), "I see it.", "hardly any voice");
    }

    #[test]
    fn a_bracketed_remark_that_was_clearly_spoken_stays() {
        assert_eq!(
            cleaned("two (or three) days", 0.9, 9.0),
            "two (or three) days"
        );
        assert_eq!(cleaned("Hello (coughs) there", 0.5, 9.0), "Hello there");
        assert_eq!(
            cleaned("Hello (coughs) there", 0.9, 0.6),
            "Hello there",
            "no voice"
        );
    }

    #[test]
    fn echoes_of_the_prompt_are_removed() {
        let prompt = "Він прийшов учора. Вона сказала, що все готово.";
        let cleaned = |text: &str, confidence| {
            let cleaned = clean(words(text, confidence), &window(9.0), prompt);
            let texts: Vec<String> = cleaned.words.into_iter().map(|word| word.text).collect();
            (texts.join(" "), cleaned.removed)
        };
        let (text, removed) = cleaned(prompt, 0.9);
        assert_eq!(text, "");
        assert_eq!(removed.len(), 1);
        assert_eq!(removed[0].reason, RemovedReason::PhantomPhrase);
        // Sentences of the prompt may be speech.
        for spoken in [
            "Він прийшов учора.",
            "Вона сказала, що все готово.",
            "Вона сказала, що все буде добре.",
        ] {
            assert_eq!(cleaned(spoken, 0.9).0, spoken);
        }
        assert_eq!(cleaned("Він прийшов учора.", 0.4).0, "");
        let echoed = "Добре. Вона сказала, що все готово.";
        assert_eq!(
            cleaned(echoed, 0.4).1[0].reason,
            RemovedReason::PhantomPhrase
        );
        assert_eq!(clean(words(prompt, 0.9), &window(9.0), "").removed, []);
    }

    #[test]
    fn ordinary_repetition_stays() {
        assert_eq!(cleaned("No, no, no, no!", 0.9, 2.0), "No, no, no, no!");
        assert_eq!(
            cleaned("row row row your boat row row row your boat", 0.9, 9.0),
            "row row row your boat row row row your boat"
        );
    }

    #[test]
    fn phantom_phrases_are_removed_only_at_low_confidence() {
        assert_eq!(cleaned("Thank you.", 0.3, 1.0), "");
        assert_eq!(cleaned("Thank you.", 0.9, 1.0), "Thank you.");
        assert_eq!(cleaned("completely unsure words", 0.1, 3.0), "");
    }

    #[test]
    fn impossibly_fast_doubtful_text_is_removed() {
        assert_eq!(
            cleaned(&"one two three four five six seven ".repeat(2), 0.4, 0.5),
            ""
        );
        assert_eq!(cleaned("one two three", 0.4, 1.5), "one two three");
    }
}
