//! Groups the tokens of a window into words on the original timeline.

mod join;
mod squeezed;
mod timeline;

use slovo_rules::transcript::rounded;

use crate::event::RecognisedWord;
use crate::recognition::Token;
use crate::windows::Window;

pub(crate) use join::{join, same_word};
use timeline::Timeline;

/// Languages written without spaces between words: every character counts as a word.
const UNSPACED: [&str; 2] = ["ja", "zh"];

/// Whether a language is written without spaces between words.
pub(crate) fn is_spaceless(language: &str) -> bool {
    UNSPACED.contains(&language)
}

/// Groups tokens into words and determines their times.
pub(crate) fn from_tokens(
    tokens: &[Token],
    window: &Window,
    language: &str,
) -> Vec<RecognisedWord> {
    let spaceless = is_spaceless(language);
    let timeline = Timeline::new(window);
    let mut words = Vec::new();
    // The window's first word is treated like one after a full stop.
    let mut group = Group {
        after_stop: true,
        ..Group::default()
    };
    let mut begins = 0.0_f64;
    for token in tokens {
        if token.bytes.is_empty() {
            begins = token.end.max(begins);
            continue;
        }
        let starts_word = token.bytes.first() == Some(&b' ');
        let splits =
            starts_word || (spaceless && group.is_complete_utf8() && !is_punctuation(&token.bytes));
        if splits {
            words.extend(group.take(&timeline));
        }
        group.push(token, begins);
        begins = token.end.max(begins);
    }
    words.extend(group.take(&timeline));
    let mut words = attach_loose_punctuation(words);
    in_order(&mut words);
    timeline.extend_to_sound_end(&mut words);
    squeezed::widen(&mut words, timeline.end());
    words
}

/// The tokens of one word.
#[derive(Default)]
struct Group {
    bytes: Vec<u8>,
    start: f64,
    end: f64,
    /// Sum of the log probabilities, and their number.
    logarithms: (f32, u32),
    /// Whether the previous word ended a sentence.
    after_stop: bool,
}

impl Group {
    fn push(&mut self, token: &Token, start: f64) {
        if self.bytes.is_empty() {
            self.start = start;
        }
        self.bytes.extend_from_slice(&token.bytes);
        if !is_punctuation(&token.bytes) || self.logarithms.1 == 0 {
            // Punctuation affects neither the end of a word nor its confidence.
            self.end = token.end.max(start);
            self.logarithms.0 += token.probability.max(1e-6).ln();
            self.logarithms.1 += 1;
        }
    }

    /// Whether the bytes so far are complete characters.
    fn is_complete_utf8(&self) -> bool {
        std::str::from_utf8(&self.bytes).is_ok()
    }

    fn take(&mut self, timeline: &Timeline) -> Option<RecognisedWord> {
        if self.bytes.is_empty() {
            // No word yet: the state before it still applies.
            return None;
        }
        let group = std::mem::take(self);
        self.after_stop = group.bytes.ends_with(b".")
            || group.bytes.ends_with(b"?")
            || group.bytes.ends_with(b"!");
        let text = String::from_utf8_lossy(&group.bytes);
        let spaced = text.starts_with(' ');
        // A character cut off at a window's end becomes U+FFFD: leave it out.
        let text = text.replace('\u{fffd}', "").trim().to_owned();
        if text.is_empty() {
            return None;
        }
        let (start, end) = timeline.place(group.start, group.end, group.after_stop);
        let (sum, count) = group.logarithms;
        Some(RecognisedWord {
            start: rounded(start),
            end: rounded(end),
            text,
            spaced,
            confidence: confidence(sum, count),
            language: None,
        })
    }
}

/// The geometric mean of a word's token probabilities, rounded to three decimals.
fn confidence(sum_of_logarithms: f32, count: u32) -> f32 {
    let mean = (sum_of_logarithms / count.max(1) as f32).exp();
    (mean.clamp(0.0, 1.0) * 1000.0).round() / 1000.0
}

fn is_punctuation(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes)
        .is_ok_and(|text| !text.trim().is_empty() && !text.chars().any(char::is_alphanumeric))
}

/// Merges words that are only punctuation into a neighbour: opening marks into the next word, all
/// others into the previous one.
fn attach_loose_punctuation(words: Vec<RecognisedWord>) -> Vec<RecognisedWord> {
    let mut attached: Vec<RecognisedWord> = Vec::with_capacity(words.len());
    let mut opening: Option<RecognisedWord> = None;
    for mut word in words {
        if let Some(mark) = opening.take() {
            word.text.insert_str(0, &mark.text);
            word.spaced = mark.spaced;
        }
        if word.text.chars().any(char::is_alphanumeric) {
            attached.push(word);
        } else if word
            .text
            .ends_with(['«', '“', '„', '¿', '¡', '(', '[', '‘'])
        {
            opening = Some(word);
        } else if let Some(previous) = attached.last_mut() {
            if word.spaced && word.text.starts_with(['-', '–', '—', '&', '+', '=']) {
                previous.text.push(' ');
            }
            previous.text.push_str(&word.text);
        }
    }
    attached
}

/// Removes the overlaps that remain when words are placed one by one.
fn in_order(words: &mut [RecognisedWord]) {
    for place in 1..words.len() {
        let (before, rest) = words.split_at_mut(place);
        separate(&mut before[place - 1], &mut rest[0]);
    }
}

/// Removes the overlap of a word with the previous word.
fn separate(before: &mut RecognisedWord, word: &mut RecognisedWord) {
    if word.start < before.end {
        // The later word keeps at least half of the overlap.
        let border = before
            .end
            .min(f64::midpoint(before.start, word.end))
            .max(before.start);
        before.end = rounded(border);
        word.start = rounded(border.max(word.start));
    }
    word.end = word.end.max(word.start);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vad::SAMPLE_RATE;

    fn token(text: &str, end: f64) -> Token {
        Token {
            bytes: text.as_bytes().to_vec(),
            end,
            probability: 0.5,
        }
    }

    fn window(start: f64, end: f64, voiced: &[(f64, f64)]) -> Window {
        let sample = |seconds: f64| (seconds * SAMPLE_RATE as f64) as u64;
        Window {
            index: 0,
            start: sample(start),
            end: sample(end),
            voiced: voiced
                .iter()
                .map(|&(from, to)| (sample(from), sample(to)))
                .collect(),
            forced_start: None,
            forced_end: false,
        }
    }

    fn texts(words: &[RecognisedWord]) -> Vec<&str> {
        words.iter().map(|word| word.text.as_str()).collect()
    }

    #[test]
    fn tokens_become_words_with_their_punctuation() {
        let tokens = [
            token(" Trans", 0.5),
            token("cript", 0.9),
            token(",", 0.95),
            token(" please", 1.4),
            token(".", 2.9),
        ];
        let words = from_tokens(&tokens, &window(10.0, 13.0, &[(10.2, 11.5)]), "en");
        assert_eq!(texts(&words), ["Transcript,", "please."]);
        assert_eq!((words[0].start, words[0].end), (10.2, 10.9));
        assert_eq!((words[1].start, words[1].end), (10.95, 11.5));
        assert_eq!(words[0].confidence, 0.5);
    }

    #[test]
    fn the_last_word_before_a_pause_ends_with_its_sound() {
        let tokens = [token(" One", 0.9), token(" Two", 2.5)];
        let words = from_tokens(&tokens, &window(0.0, 4.0, &[(0.2, 1.1), (2.0, 3.2)]), "en");
        assert_eq!(words[0].end, 1.1);
        // Too far away: the model may have missed a word there.
        assert_eq!(words[1].end, 2.5);
    }

    #[test]
    fn a_word_after_a_pause_begins_with_its_sound() {
        let tokens = [token(" One", 0.8), token(".", 0.9), token(" Two", 3.0)];
        let words = from_tokens(&tokens, &window(0.0, 4.0, &[(0.2, 0.8), (2.5, 3.2)]), "en");
        assert_eq!((words[0].start, words[0].end), (0.2, 0.8));
        assert_eq!((words[1].start, words[1].end), (2.5, 3.2));
    }

    #[test]
    fn an_end_in_a_pause_moves_back_to_the_sound() {
        let tokens = [token(" One", 1.9), token(" Two", 3.0)];
        let words = from_tokens(&tokens, &window(0.0, 4.0, &[(0.2, 0.8), (2.5, 3.2)]), "en");
        assert_eq!((words[0].start, words[0].end), (0.2, 0.8));
        assert_eq!(words[1].start, 2.5);
    }

    #[test]
    fn a_word_aligned_into_a_pause_moves_to_the_next_sound() {
        let tokens = [
            token(" One", 0.85),
            token(".", 0.9),
            token(" There", 1.5),
            token(" is", 2.6),
        ];
        let words = from_tokens(&tokens, &window(0.0, 4.0, &[(0.2, 0.8), (2.0, 3.2)]), "en");
        assert_eq!((words[0].start, words[0].end), (0.2, 0.8));
        assert_eq!((words[1].start, words[1].end), (2.0, 2.2));
        assert_eq!((words[2].start, words[2].end), (2.2, 2.6));
    }

    #[test]
    fn the_first_word_is_treated_like_one_after_a_full_stop() {
        let tokens = [token(" One", 1.5), token(" two", 2.6)];
        let words = from_tokens(&tokens, &window(0.6, 4.6, &[(0.6, 0.8), (2.6, 3.8)]), "en");
        assert_eq!(words[0].start, 2.6);
    }

    #[test]
    fn a_word_moved_to_the_next_sound_stays_in_the_window() {
        let tokens = [token(" One", 0.8), token(".", 0.9), token(" Two", 1.9)];
        let words = from_tokens(&tokens, &window(0.0, 2.1, &[(0.2, 0.8), (2.0, 2.1)]), "en");
        assert_eq!((words[1].start, words[1].end), (2.0, 2.1));
    }

    #[test]
    fn times_never_run_backwards_in_a_word_or_leave_the_window() {
        let tokens = [token(" a", 5.0), token(" b", 1.0), token(" c", 99.0)];
        for word in from_tokens(&tokens, &window(0.0, 4.0, &[]), "en") {
            assert!(word.start <= word.end && word.end <= 4.02, "{word:?}");
        }
    }

    #[test]
    fn characters_split_across_tokens_are_joined() {
        let bytes = " ї".as_bytes();
        let tokens = [
            Token {
                bytes: bytes[..2].to_vec(),
                end: 0.1,
                probability: 0.9,
            },
            Token {
                bytes: bytes[2..].to_vec(),
                end: 0.2,
                probability: 0.9,
            },
            Token {
                bytes: vec![b' ', 0xd1],
                end: 0.3,
                probability: 0.9,
            },
        ];
        assert_eq!(
            texts(&from_tokens(&tokens, &window(0.0, 1.0, &[]), "uk")),
            ["ї"]
        );
    }

    #[test]
    fn languages_without_spaces_split_at_every_token() {
        let tokens = [token("今日", 0.4), token("は", 0.6), token("。", 0.7)];
        let words = from_tokens(&tokens, &window(0.0, 1.0, &[]), "ja");
        assert_eq!(texts(&words), ["今日", "は。"]);
        assert!(!words[1].spaced);
    }

    #[test]
    fn loose_punctuation_is_attached_to_neighbouring_words() {
        let tokens = [
            token(" ¿", 0.1),
            token("Qué", 0.2),
            token(" —", 0.3),
            token(" «", 0.4),
            token("sí", 0.5),
            token("»", 0.6),
        ];
        let words = from_tokens(&tokens, &window(0.0, 1.0, &[]), "es");
        assert_eq!(texts(&words), ["¿Qué —", "«sí»"]);
    }
}
