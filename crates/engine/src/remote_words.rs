//! Times for the words of a text from elsewhere: its words' own, else its segments', else none.

use crate::guards::plain;
use crate::recognition::Token;
use crate::remote::{RemoteText, TimedText};
use crate::vad::SAMPLE_RATE;
use crate::windows::Window;
use crate::words::is_spaceless;

/// The words of a text as tokens, as a local model gives them. `language` decides whether words are
/// separated by spaces.
pub(crate) fn tokens(text: &RemoteText, part: &Window, language: &str) -> Vec<Token> {
    let spaceless = is_spaceless(language);
    let words = if !text.words.is_empty() {
        with_punctuation(&text.words, &text.text, spaceless)
    } else if !text.segments.is_empty() {
        let segments = text.segments.iter();
        segments
            .flat_map(|segment| spread(segment, part, spaceless))
            .collect()
    } else {
        let whole = TimedText {
            text: text.text.clone(),
            start: 0.0,
            end: seconds(part.end - part.start),
            confidence: None,
        };
        spread(&whole, part, spaceless)
    };
    let mut tokens = Vec::with_capacity(words.len() * 2);
    let mut begins = 0.0;
    let starts: Vec<f64> = words.iter().map(|word| word.start).collect();
    for (place, word) in words.iter().enumerate() {
        if word.start > begins {
            tokens.push(pause_until(word.start));
        }
        // A word ends before the next begins, whatever the other engine says.
        let next = starts.get(place + 1).copied().unwrap_or(word.end);
        begins = word.end.min(next.max(word.start)).max(begins);
        let text = match (spaceless, word.text.starts_with(' ')) {
            (true, true) | (false, _) => format!(" {}", word.text.trim()),
            (true, false) => word.text.trim().to_owned(),
        };
        tokens.push(Token {
            bytes: text.into_bytes(),
            end: begins,
            probability: word.confidence.unwrap_or(1.0),
        });
    }
    tokens
}

fn pause_until(end: f64) -> Token {
    Token {
        bytes: Vec::new(),
        end,
        probability: 1.0,
    }
}

fn seconds(samples: u64) -> f64 {
    samples as f64 / SAMPLE_RATE as f64
}

/// The words of a text: between spaces. Without spaces between words: single characters, and words of
/// other scripts, which begin with a space where the text has one.
fn pieces(text: &str, spaceless: bool) -> Vec<String> {
    if !spaceless {
        return text.split_whitespace().map(str::to_owned).collect();
    }
    let mut pieces: Vec<String> = Vec::new();
    let mut previous = ' ';
    for c in text.trim().chars() {
        let continues = c.is_alphanumeric()
            && previous.is_alphanumeric()
            && !is_ideograph_or_kana(c)
            && !is_ideograph_or_kana(previous);
        if let Some(piece) = pieces.last_mut().filter(|_| continues) {
            piece.push(c);
        } else if previous.is_whitespace() && !pieces.is_empty() && !c.is_whitespace() {
            pieces.push(format!(" {c}"));
        } else if !c.is_whitespace() {
            pieces.push(c.to_string());
        }
        previous = c;
    }
    pieces
}

/// Whether a character of Chinese or Japanese counts as a word.
const fn is_ideograph_or_kana(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

/// The words as the text writes them: some engines give words without the punctuation that their
/// text has. If the two have different letters, the words as given.
fn with_punctuation(words: &[TimedText], text: &str, spaceless: bool) -> Vec<TimedText> {
    let lengths = words.iter().map(|word| plain(&word.text).chars().count());
    // The word of each letter.
    let owners: Vec<usize> = lengths
        .enumerate()
        .flat_map(|(place, count)| std::iter::repeat_n(place, count))
        .collect();
    let letters: String = words.iter().map(|word| plain(&word.text)).collect();
    if letters.is_empty() || letters != plain(text) {
        return words.to_vec();
    }
    let mut written: Vec<TimedText> = Vec::with_capacity(words.len());
    let mut next = 0;
    for piece in pieces(text, spaceless) {
        let count = plain(&piece).chars().count();
        let first = &words[owners[next.min(owners.len() - 1)]];
        let last = &words[owners[(next + count.max(1) - 1).min(owners.len() - 1)]];
        // Punctuation alone is where the word before it ends.
        let previous_end = written.last().map_or(first.start, |word| word.end);
        let (start, end) = match count {
            0 => (previous_end, previous_end),
            _ => (first.start, last.end),
        };
        written.push(TimedText {
            text: piece,
            start,
            end,
            confidence: first.confidence,
        });
        next += count;
    }
    written
}

/// The words of a segment with times in proportion to their letters, within what is voiced of it.
fn spread(segment: &TimedText, part: &Window, spaceless: bool) -> Vec<TimedText> {
    let within = |sample: u64| {
        let offset = seconds(sample.saturating_sub(part.start));
        offset.clamp(segment.start, segment.end)
    };
    let voiced = part.voiced.iter();
    let mut regions: Vec<(f64, f64)> = voiced
        .map(|&(start, end)| (within(start), within(end)))
        .filter(|(start, end)| end > start)
        .collect();
    if regions.is_empty() {
        regions.push((segment.start, segment.end));
    }
    let total: f64 = regions.iter().map(|(start, end)| end - start).sum();
    let pieces = pieces(&segment.text, spaceless);
    let weight = |piece: &str| plain(piece).chars().count().max(1) as f64;
    let weights: f64 = pieces.iter().map(|piece| weight(piece)).sum();
    let mut done = 0.0;
    let mut words = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let from = done / weights;
        done += weight(&piece);
        words.push(TimedText {
            text: piece,
            start: at(&regions, total * from, true),
            end: at(&regions, total * (done / weights), false),
            confidence: segment.confidence,
        });
    }
    words
}

/// The time after so many seconds of voice. Between two regions, a start is in the later one.
fn at(regions: &[(f64, f64)], mut voiced: f64, is_start: bool) -> f64 {
    for &(start, end) in regions {
        let length = end - start;
        if voiced < length || (!is_start && voiced <= length) {
            return start + voiced;
        }
        voiced -= length;
    }
    regions.last().map_or(0.0, |region| region.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    fn timed(text: &str, start: f64, end: f64) -> TimedText {
        TimedText {
            text: text.to_owned(),
            start,
            end,
            confidence: Some(0.8),
        }
    }

    fn window(voiced: &[(f64, f64)]) -> Window {
        let at = |seconds: f64| ((100.0 + seconds) * SAMPLE_RATE as f64) as u64;
        Window {
            index: 0,
            start: at(0.0),
            end: at(12.0),
            voiced: voiced
                .iter()
                .map(|&(start, end)| (at(start), at(end)))
                .collect(),
            forced_start: None,
            forced_end: false,
        }
    }

    fn found(text: &RemoteText, voiced: &[(f64, f64)], language: &str) -> Vec<(String, f64, f64)> {
        let window = window(voiced);
        let tokens = tokens(text, &window, language);
        let words = words::from_tokens(&tokens, &window, language);
        words
            .into_iter()
            .map(|word| (word.text, word.start, word.end))
            .collect()
    }

    fn texts(found: &[(String, f64, f64)]) -> Vec<&str> {
        found.iter().map(|(text, ..)| text.as_str()).collect()
    }

    #[test]
    fn words_get_the_punctuation_of_the_text() {
        let text = RemoteText {
            text: " «Як справи?» — спитав він.".to_owned(),
            words: vec![
                timed("Як", 1.0, 1.4),
                timed("справи", 1.4, 2.0),
                timed("спитав", 3.0, 3.4),
                timed("він", 3.4, 3.8),
            ],
            ..RemoteText::default()
        };
        let found = found(&text, &[(1.0, 2.0), (3.0, 3.8)], "uk");
        assert_eq!(texts(&found), ["«Як", "справи?» —", "спитав", "він."]);
        assert_eq!((found[1].1, found[1].2), (101.4, 102.0));
        assert_eq!((found[2].1, found[3].2), (103.0, 103.8));
    }

    #[test]
    fn words_with_other_letters_than_the_text_stay_as_they_are() {
        let text = RemoteText {
            text: "Twenty one.".to_owned(),
            words: vec![timed(" 21", 1.0, 2.0)],
            ..RemoteText::default()
        };
        assert_eq!(texts(&found(&text, &[(1.0, 2.0)], "en")), ["21"]);
        // Words without letters, for example of a damaged answer.
        let text = RemoteText {
            text: String::new(),
            words: vec![timed("…", 1.0, 2.0)],
            ..RemoteText::default()
        };
        assert!(found(&text, &[(1.0, 2.0)], "en").len() <= 1);
    }

    #[test]
    fn a_text_without_spaces_is_split_into_characters() {
        let text = RemoteText {
            text: "こんにちは。".to_owned(),
            words: vec![timed("こん", 1.0, 1.4), timed("にちは", 1.4, 2.0)],
            ..RemoteText::default()
        };
        let found = found(&text, &[(1.0, 2.0)], "ja");
        assert_eq!(texts(&found), ["こ", "ん", "に", "ち", "は。"]);
        assert!(found.windows(2).all(|pair| pair[0].1 <= pair[1].1));
    }

    #[test]
    fn words_of_other_scripts_stay_whole_in_a_text_without_spaces() {
        assert_eq!(
            pieces("Windows 11 Update を使う。", true),
            ["Windows", " 11", " Update", " を", "使", "う", "。"]
        );
        let text = RemoteText {
            text: "Windows Update を使う。".to_owned(),
            words: vec![
                timed(" Windows", 1.0, 1.4),
                timed(" Update", 1.4, 2.0),
                timed("を使う", 2.0, 3.0),
            ],
            ..RemoteText::default()
        };
        let found = found(&text, &[(1.0, 3.0)], "ja");
        assert_eq!(texts(&found), ["Windows", "Update", "を", "使", "う。"]);
    }

    #[test]
    fn an_overlong_word_does_not_squeeze_those_after_it() {
        let text = RemoteText {
            text: "a b c".to_owned(),
            words: vec![
                timed("a", 0.0, 10.0),
                timed("b", 1.0, 2.0),
                timed("c", 2.0, 3.0),
            ],
            ..RemoteText::default()
        };
        let found = found(&text, &[(0.0, 10.0)], "en");
        let starts: Vec<f64> = found.iter().map(|(_, start, _)| *start).collect();
        assert_eq!(starts, [100.0, 101.0, 102.0]);
    }

    #[test]
    fn the_words_of_a_segment_are_where_its_voice_is() {
        let text = RemoteText {
            text: "One two three four".to_owned(),
            segments: vec![timed("One two three four", 0.0, 12.0)],
            ..RemoteText::default()
        };
        let voiced = [(1.0, 3.0), (9.0, 11.0)];
        let found = found(&text, &voiced, "en");
        assert_eq!(texts(&found), ["One", "two", "three", "four"]);
        for (text, start, end) in &found {
            let is_voiced = voiced
                .iter()
                .any(|(from, to)| *start >= from + 100.0 - 0.1 && *end <= to + 100.1);
            assert!(is_voiced || text == "three", "{text} {start} {end}");
        }
        assert_eq!(found[0].1, 101.0);
        assert_eq!(found[3].2, 111.0);
    }

    #[test]
    fn a_text_without_times_is_spread_over_the_voice() {
        let text = RemoteText {
            text: "One two".to_owned(),
            ..RemoteText::default()
        };
        let found = found(&text, &[(2.0, 4.0)], "en");
        assert_eq!((found[0].1, found[1].2), (102.0, 104.0));
        assert_eq!(found[0].2, found[1].1);
        let silent = RemoteText::default();
        assert!(tokens(&silent, &window(&[]), "en").is_empty());
    }
}
