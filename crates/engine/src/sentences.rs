//! Groups words into segments that end where sentences end. Streaming: a segment is emitted as soon
//! as the word after it is known, and never changes again.

use slovo_rules::transcript::{Segment, Word};

use crate::event::RecognisedWord;

/// A pause of this many seconds ends a segment even within a sentence.
pub(crate) const LONG_PAUSE: f64 = 1.5;

/// A segment of this many seconds ends at the next comma or pause.
const LONG: f64 = 15.0;

/// The longest segment in seconds: about what two subtitles show.
const LONGEST: f64 = 25.0;

/// A pause at which a long segment may end, in seconds.
const BREATH: f64 = 0.3;

/// Abbreviations whose full stop does not end a sentence, in lower case without it.
const SHORT_FORMS: [&str; 29] = [
    "mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "vs", "approx", "bzw", "ca", "str", "sra",
    "ud", "uds", "mme", "mlle", "sig", "dott", "ул", "гг", "вул", "ім", "див", "рр", "напр", "тис",
    "акад",
];

/// The same, but only before a number: elsewhere they are ordinary words or end a sentence ("He
/// said no.", "в 2024 г.").
const BEFORE_NUMBERS: [&str; 7] = ["no", "nr", "vol", "fig", "рис", "стр", "г"];

/// "And so on" in abbreviations of single letters, which do end a sentence.
const AND_SO_ON: [&str; 2] = ["т.д", "т.п"];

/// Groups words into segments. The caller numbers them.
pub(crate) struct SentenceMaker {
    with_words: bool,
    words: Vec<RecognisedWord>,
}

impl SentenceMaker {
    /// `with_words`: whether the segments include their words.
    pub(crate) fn new(with_words: bool) -> Self {
        Self {
            with_words,
            words: Vec::new(),
        }
    }

    /// Adds words and returns the segments that are now complete. `repair` may change two neighbours
    /// before it is decided whether a segment ends between them; only the first word of all has none
    /// before it.
    pub(crate) fn push(
        &mut self,
        words: Vec<RecognisedWord>,
        mut repair: impl FnMut(Option<&mut RecognisedWord>, &mut RecognisedWord),
    ) -> Vec<Segment> {
        let mut segments = Vec::new();
        for mut word in words {
            repair(self.words.last_mut(), &mut word);
            if let Some(last) = self.words.last()
                && self.ends_before(last, &word)
            {
                segments.extend(self.take());
            }
            self.words.push(word);
        }
        segments
    }

    /// Start of the current sentence, in seconds.
    pub(crate) fn current_start(&self) -> Option<f64> {
        self.words.first().map(|word| word.start)
    }

    /// The last, incomplete segment.
    pub(crate) fn finish(&mut self) -> Option<Segment> {
        self.take()
    }

    fn ends_before(&self, last: &RecognisedWord, next: &RecognisedWord) -> bool {
        let pause = next.start - last.end;
        let length = last.end - self.words.first().map_or(last.start, |first| first.start);
        pause >= LONG_PAUSE
            || last.language != next.language
            || next.end - (last.end - length) > LONGEST
            || ends_sentence(&last.text, &next.text)
            || (length >= LONG
                && (pause >= BREATH || last.text.ends_with([',', ';', ':', '，', '、', '،'])))
    }

    fn take(&mut self) -> Option<Segment> {
        let words = std::mem::take(&mut self.words);
        let (first, last) = (words.first()?, words.last()?);
        let (start, end, language) = (first.start, last.end, first.language);
        let mut text = String::new();
        for word in &words {
            if word.spaced && !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&word.text);
        }
        let words = if self.with_words {
            words.into_iter().map(Word::from).collect()
        } else {
            Vec::new()
        };
        Some(Segment {
            index: 0,
            start,
            end,
            speaker: None,
            language: language.map(|language| language.as_str().to_owned()),
            text,
            words,
        })
    }
}

impl From<RecognisedWord> for Word {
    fn from(word: RecognisedWord) -> Self {
        Self {
            start: word.start,
            end: word.end,
            text: word.text,
            confidence: f64::from(word.confidence),
        }
    }
}

/// Whether a sentence ends with this word.
pub(crate) fn ends_sentence(word: &str, next: &str) -> bool {
    let trimmed =
        word.trim_end_matches(['"', '\'', '”', '’', '»', ')', ']', '“', ' ', '—', '–', '-']);
    if trimmed.ends_with(['!', '?', '…', '。', '！', '？', '؟', '۔', '।']) {
        return true;
    }
    let Some(stem) = trimmed.strip_suffix('.') else {
        return false;
    };
    let stem = stem.trim_start_matches(|c: char| !c.is_alphanumeric());
    let form = stem.to_lowercase();
    let before_number = || {
        next.chars()
            .find(|c| c.is_alphanumeric())
            .is_some_and(char::is_numeric)
    };
    !(are_initials(stem)
        || SHORT_FORMS.contains(&form.as_str())
        || (BEFORE_NUMBERS.contains(&form.as_str()) && before_number()))
}

/// An initial ("J."), or an abbreviation of single letters ("U.S." continues the sentence more
/// often than not). Neither exists in scripts without case.
fn are_initials(stem: &str) -> bool {
    let is_dotted = stem.contains('.');
    stem.split('.').all(|part| {
        let mut letters = part.chars();
        matches!((letters.next(), letters.next()), (Some(c), None)
            if c.is_uppercase() || (is_dotted && c.is_lowercase()))
    }) && !AND_SO_ON.contains(&stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spoken(text: &str, from: f64, step: f64) -> Vec<RecognisedWord> {
        text.split_whitespace()
            .enumerate()
            .map(|(place, word)| RecognisedWord {
                start: from + place as f64 * step,
                end: from + (place as f64 + 0.9) * step,
                text: word.to_owned(),
                spaced: true,
                confidence: 0.9,
                language: None,
            })
            .collect()
    }

    fn segments(words: Vec<RecognisedWord>) -> Vec<Segment> {
        let mut maker = SentenceMaker::new(true);
        let mut segments = maker.push(words, |_, _| ());
        segments.extend(maker.finish());
        segments
    }

    fn texts(segments: &[Segment]) -> Vec<&str> {
        segments
            .iter()
            .map(|segment| segment.text.as_str())
            .collect()
    }

    #[test]
    fn segments_end_with_sentences() {
        let result = segments(spoken(
            "Good morning. How are you? “Fine,” he said. Thanks",
            0.0,
            0.3,
        ));
        assert_eq!(
            texts(&result),
            [
                "Good morning.",
                "How are you?",
                "“Fine,” he said.",
                "Thanks"
            ]
        );
        assert_eq!(result[1].words.len(), 3);
        assert!((result[1].start - 0.6).abs() < 1e-9);
    }

    #[test]
    fn abbreviations_initials_and_numbers_do_not_end_sentences() {
        for text in [
            "Mr. Quilter spoke",
            "J. Smith spoke",
            "about 3.5 percent",
            "вул. Хрещатик довга",
            "the U.S. Army came",
            "at nine a.m. or later",
            "see vol. 3 there",
            "No. 5 is alive",
            "на стр. 12 есть",
        ] {
            assert_eq!(texts(&segments(spoken(text, 0.0, 0.3))), [text]);
        }
    }

    #[test]
    fn abbreviations_used_before_numbers_end_sentences_elsewhere() {
        for (text, first) in [
            ("He said no. Then he left", "He said no."),
            ("Turn up the vol. Thanks", "Turn up the vol."),
            ("Это было в 2024 г. Потом стало", "Это было в 2024 г."),
            ("Я отдал это им. Они ушли", "Я отдал это им."),
            ("яблоки и т.д. Потом ушли", "яблоки и т.д."),
        ] {
            assert_eq!(texts(&segments(spoken(text, 0.0, 0.3)))[0], first);
        }
    }

    #[test]
    fn a_long_pause_ends_a_segment() {
        let mut words = spoken("one two", 0.0, 0.5);
        words.extend(spoken("three", 10.0, 0.5));
        assert_eq!(texts(&segments(words)), ["one two", "three"]);
    }

    #[test]
    fn an_endless_sentence_is_split_at_a_comma_or_by_length() {
        let comma = "word ".repeat(50) + "comma, " + &"more ".repeat(10);
        let result = segments(spoken(&comma, 0.0, 0.35));
        assert!(result[0].text.ends_with("comma,"), "{}", result[0].text);
        for segment in segments(spoken(&"word ".repeat(300), 0.0, 0.3)) {
            assert!(segment.end - segment.start <= LONGEST);
        }
    }

    #[test]
    fn segments_do_not_depend_on_how_the_words_arrive() {
        let words = spoken("One two three. Four five six seven. Eight nine", 0.0, 0.4);
        let at_once = segments(words.clone());
        let mut maker = SentenceMaker::new(true);
        let mut parts = Vec::new();
        for chunk in words.chunks(2) {
            parts.extend(maker.push(chunk.to_vec(), |_, _| ()));
        }
        parts.extend(maker.finish());
        assert_eq!(parts, at_once);
    }

    #[test]
    fn repairs_come_before_segments() {
        let mut maker = SentenceMaker::new(true);
        let mut segments = maker.push(
            spoken("one two. three", 0.0, 0.3),
            |last, next| match last {
                Some(last) => last.text = last.text.replace('.', ","),
                None => next.text.insert(0, '«'),
            },
        );
        segments.extend(maker.finish());
        assert_eq!(texts(&segments), ["«one two, three"]);
    }

    #[test]
    fn words_are_left_out_unless_requested() {
        let mut maker = SentenceMaker::new(false);
        maker.push(spoken("Hello there", 0.0, 0.3), |_, _| ());
        assert_eq!(
            maker.finish().map(|segment| segment.words),
            Some(Vec::new())
        );
    }

    #[test]
    fn words_of_unspaced_languages_are_joined_without_spaces() {
        let mut words = spoken("今日 は。", 0.0, 0.3);
        words.iter_mut().for_each(|word| word.spaced = false);
        assert_eq!(texts(&segments(words)), ["今日は。"]);
    }
}
