//! Finds voiced stretches in the middle of a window for which the model wrote nothing.
//!
//! Whisper sometimes skips a sentence, mostly where the speaker changes: the text before and after
//! is right, and the alignment leaves the stretch without words. Such a stretch is recognised again
//! as a window of its own.

use slovo_rules::removed::{Removed, RemovedReason};
use slovo_rules::transcript::rounded;

use crate::event::RecognisedWord;
use crate::guards::{CleanedWords, Evidence};
use crate::vad::{SAMPLE_RATE, seconds};
use crate::windows::{PADDING, Window};
use crate::words::same_word;

/// Seconds of voiced sound without a word from which a passage counts as skipped: about six words
/// of running speech. A long laugh or breath is shorter.
const SHORTEST_GAP: f64 = 2.5;

/// The least seconds of a voiced region beside a word's aligned time that count; shorter rests are
/// alignment error and would contain a part of that word.
const SHORTEST_REST: f64 = 1.0;

/// Text with a lower mean confidence is not speech: laughter, music, a cough.
const MIN_CONFIDENCE: f64 = 0.4;

/// Seconds of voiced sound from which a passage without any text is reported as speech; shorter
/// ones are breaths, laughs and clicks.
const MIN_UNWRITTEN: f64 = 1.0;

/// If more than this share of its words is in the neighbouring text, the passage was not skipped
/// but misaligned.
const KNOWN: f64 = 0.6;

/// How many words more than the passage has are compared on each side.
const NEIGHBOURS: usize = 4;

/// The stretches of a window that have voice and no words, each as a window of its own.
///
/// A window without any word has none: recognising it again would give the same result.
pub(crate) fn stretches(words: &[RecognisedWord], window: &Window) -> Vec<Window> {
    if words.is_empty() {
        return Vec::new();
    }
    let ends = std::iter::once(window.start).chain(words.iter().map(|word| sample(word.end)));
    let starts = words
        .iter()
        .map(|word| sample(word.start))
        .chain(std::iter::once(window.end));
    ends.zip(starts)
        .filter_map(|(from, to)| stretch(window, from, to))
        .collect()
}

/// The window between two words, if enough in it is voiced.
fn stretch(window: &Window, from: u64, to: u64) -> Option<Window> {
    let voiced: Vec<(u64, u64)> = window
        .voiced
        .iter()
        .map(|&(start, end)| ((start, end), (start.max(from), end.min(to))))
        .filter(|&(region, rest)| {
            rest.0 < rest.1 && (rest == region || seconds(rest.1 - rest.0) >= SHORTEST_REST)
        })
        .map(|(_, rest)| rest)
        .collect();
    let found = Window {
        index: window.index,
        start: voiced.first()?.0.saturating_sub(PADDING).max(from),
        end: (voiced.last()?.1 + PADDING).min(to),
        voiced,
        forced_start: None,
        forced_end: false,
    };
    (found.voiced_seconds() >= SHORTEST_GAP).then_some(found)
}

/// Inserts the words of a stretch into its window, unless they are doubtful or already there.
/// Returns whether it did.
///
/// Doubtful words are reported as removed; words that are already there are dropped.
pub(crate) fn insert(
    cleaned: &mut CleanedWords,
    recognised: CleanedWords,
    stretch: &Window,
) -> bool {
    cleaned.removed.extend(recognised.removed);
    let (words, recognised) = (&mut cleaned.words, recognised.words);
    let Some(first) = recognised.first() else {
        return false;
    };
    let evidence = Evidence::measure(&recognised, stretch);
    let place = words.partition_point(|word| word.start < first.start);
    let reach = recognised.len() + NEIGHBOURS;
    let before = &words[place.saturating_sub(reach)..place];
    let after = &words[place..words.len().min(place + reach)];
    let known = common(&recognised, before).max(common(&recognised, after));
    if known as f64 > KNOWN * recognised.len() as f64 {
        return false;
    }
    if evidence.confidence < MIN_CONFIDENCE {
        let removed = evidence.removal_of(&recognised, evidence.doubt());
        cleaned.removed.push(removed);
        return false;
    }
    words.splice(place..place, recognised);
    true
}

/// Reports speech for which the model wrote nothing at all, not even words that were removed.
pub(crate) fn report_unwritten(cleaned: &mut CleanedWords, window: &Window) {
    if !cleaned.words.is_empty() || !cleaned.removed.is_empty() {
        return;
    }
    let (Some(first), Some(last)) = (window.voiced.first(), window.voiced.last()) else {
        return;
    };
    let voiced = window.voiced_seconds();
    if voiced < MIN_UNWRITTEN {
        return;
    }
    let (start, end) = (seconds(first.0), seconds(last.1));
    cleaned.removed.push(Removed {
        start: rounded(start),
        end: rounded(end),
        speaker: None,
        text: String::new(),
        reason: RemovedReason::Unrecognised,
        voiced: rounded((voiced / (end - start).max(1e-3)).clamp(0.0, 1.0)),
        confidence: 0.0,
        compression: 0.0,
    });
}

/// Length of the longest common subsequence of two texts, in words.
fn common(first: &[RecognisedWord], second: &[RecognisedWord]) -> usize {
    let mut lengths = vec![0; second.len() + 1];
    for word in first {
        let mut diagonal = 0;
        for (place, candidate) in second.iter().enumerate() {
            let above = lengths[place + 1];
            lengths[place + 1] = if same_word(&word.text, &candidate.text) {
                diagonal + 1
            } else {
                above.max(lengths[place])
            };
            diagonal = above;
        }
    }
    lengths[second.len()]
}

fn sample(time: f64) -> u64 {
    (time * SAMPLE_RATE as f64).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(voiced: &[(f64, f64)]) -> Window {
        Window {
            index: 7,
            start: sample(10.0),
            end: sample(35.0),
            voiced: voiced
                .iter()
                .map(|&(from, to)| (sample(from), sample(to)))
                .collect(),
            forced_start: Some(sample(10.0)),
            forced_end: true,
        }
    }

    fn spoken(text: &str, start: f64, confidence: f32) -> Vec<RecognisedWord> {
        text.split(' ')
            .enumerate()
            .map(|(place, word)| RecognisedWord {
                start: start + 0.4 * place as f64,
                end: start + 0.4 * (place + 1) as f64,
                text: word.to_owned(),
                spaced: true,
                confidence,
                language: None,
            })
            .collect()
    }

    fn cleaned_of(words: Vec<RecognisedWord>) -> CleanedWords {
        CleanedWords {
            words,
            removed: Vec::new(),
        }
    }

    #[test]
    fn a_skipped_sentence_becomes_a_window_of_its_own() {
        let window = window(&[(10.2, 11.4), (13.0, 15.0), (15.6, 18.0), (20.0, 21.6)]);
        let mut words = spoken("attention to it.", 10.2, 0.9);
        words.extend(spoken("lobsters and lobsters", 20.3, 0.9));
        let found = stretches(&words, &window);
        assert_eq!(found.len(), 1);
        let found = &found[0];
        assert_eq!(found.index, 7);
        assert_eq!(found.start, sample(12.8));
        assert_eq!(found.end, sample(18.2));
        assert_eq!(found.voiced.len(), 2);
        assert!(found.forced_start.is_none() && !found.forced_end);
    }

    #[test]
    fn a_voice_without_any_word_is_reported_as_unrecognised_speech() {
        let mut cleaned = CleanedWords::default();
        report_unwritten(&mut cleaned, &window(&[(10.2, 11.4), (13.0, 15.0)]));
        let [passage] = &cleaned.removed[..] else {
            panic!("{cleaned:?}");
        };
        assert_eq!((passage.start, passage.end), (10.2, 15.0));
        assert_eq!(passage.reason, RemovedReason::Unrecognised);
        assert!(passage.text.is_empty() && passage.confidence == 0.0);
        assert!((passage.voiced - 0.667).abs() < 1e-9, "{passage:?}");
    }

    #[test]
    fn clicks_and_passages_with_words_are_not_unrecognised_speech() {
        let reported = |mut cleaned: CleanedWords, voiced: &[(f64, f64)]| {
            let before = cleaned.removed.len();
            report_unwritten(&mut cleaned, &window(voiced));
            cleaned.removed.len() > before
        };
        let voice = [(10.0, 14.0)];
        assert!(reported(CleanedWords::default(), &voice));
        assert!(!reported(
            CleanedWords::default(),
            &[(10.0, 10.4), (12.0, 12.5)]
        ));
        assert!(!reported(CleanedWords::default(), &[]));
        assert!(!reported(cleaned_of(spoken("a word", 10.0, 0.9)), &voice));
        let mut removed = CleanedWords::default();
        report_unwritten(&mut removed, &window(&voice));
        assert!(!reported(removed, &voice), "it is reported once");
    }

    #[test]
    fn a_long_rest_of_a_voiced_region_becomes_a_window() {
        let window = window(&[(10.0, 20.0)]);
        let found = stretches(&spoken("one two", 10.0, 0.9), &window);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].voiced, [(sample(10.8), sample(20.0))]);
        // Nothing before the end of the words is recognised again.
        assert_eq!(found[0].start, sample(10.8));
    }

    #[test]
    fn pauses_and_alignment_errors_are_not_skipped_speech() {
        let window = window(&[(10.0, 11.2), (11.9, 12.8), (20.0, 21.2)]);
        let mut words = spoken("one two three", 10.0, 0.9);
        words.extend(spoken("four five six", 20.0, 0.9));
        assert_eq!(stretches(&words, &window), []);
        assert_eq!(stretches(&[], &window), []);
    }

    #[test]
    fn a_passage_is_inserted_between_its_neighbours() {
        let mut words = spoken("attention to it.", 10.2, 0.9);
        words.extend(spoken("lobsters and lobsters", 20.3, 0.9));
        let mut cleaned = cleaned_of(words);
        assert!(insert(
            &mut cleaned,
            cleaned_of(spoken("serve with dry toast", 13.0, 0.7)),
            &window(&[(13.0, 15.0)])
        ));
        let words = cleaned.words;
        let text: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(
            text.join(" "),
            "attention to it. serve with dry toast lobsters and lobsters"
        );
    }

    #[test]
    fn doubtful_or_already_present_text_is_not_inserted() {
        let before = spoken("please wait a moment while I connect", 10.0, 0.9);
        let mut cleaned = cleaned_of(before.clone());
        let window = window(&[(15.0, 17.0)]);
        for passage in [
            spoken("Wait a moment,", 15.0, 0.9),
            spoken("Wait a moment,", 15.0, 0.3),
            Vec::new(),
        ] {
            assert!(!insert(&mut cleaned, cleaned_of(passage), &window));
            assert!(cleaned.removed.is_empty(), "it was said once");
        }
        assert!(!insert(
            &mut cleaned,
            cleaned_of(spoken("la la la la", 15.0, 0.3)),
            &window
        ));
        assert_eq!(cleaned.words, before);
        assert_eq!(cleaned.removed.len(), 1);
        let removed = &cleaned.removed[0];
        assert_eq!(removed.text, "la la la la");
        assert_eq!(removed.reason, RemovedReason::Unrecognised);
        assert!(removed.voiced > 0.99 && removed.confidence < 0.31);
    }
}
