//! Reads a transcription in OpenAI's `verbose_json` or `json`, which is untrusted. Servers differ in
//! what they leave out; what is missing is estimated, and what is wrong fails.

use serde::Deserialize;
use slovo_engine::{RemoteText, TimedText};

use crate::language_names;

/// The most words of a part: 30 s of the fastest speech have a quarter of them.
const MAX_WORDS: usize = 1_000;
/// The longest text of a part, in bytes, and of all its words.
const MAX_TEXT: usize = 8 * 1024;
/// How far behind the end of a part a time may be, in seconds: models pad their input to 30 s. It is
/// moved to the end.
const BEHIND_END: f64 = 31.0;

/// Why an answer cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerError {
    /// It is not JSON of the required form.
    Shape,
    /// A time is not a number, or far outside of the part.
    Times,
    /// It exceeds a limit, such as the number of words.
    TooMuch,
}

impl AnswerError {
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::Shape => "answer_shape",
            Self::Times => "answer_times",
            Self::TooMuch => "answer_too_much",
        }
    }
}

#[derive(Deserialize)]
struct Answer {
    text: String,
    language: Option<String>,
    segments: Option<Vec<Segment>>,
    words: Option<Vec<Word>>,
}

#[derive(Deserialize)]
struct Segment {
    start: f64,
    end: f64,
    text: String,
    avg_logprob: Option<f64>,
    words: Option<Vec<Word>>,
}

#[derive(Deserialize)]
struct Word {
    word: String,
    start: f64,
    end: f64,
    probability: Option<f64>,
}

impl Word {
    /// Its probability, else that of the segment that it is in.
    fn confidence(&self, segments: &[Segment]) -> Option<f64> {
        let middle = f64::midpoint(self.start, self.end);
        let is_in = |it: &&Segment| (it.start..=it.end).contains(&middle);
        let segment = || segments.iter().find(is_in)?.confidence();
        self.probability.or_else(segment)
    }
}

impl Segment {
    fn confidence(&self) -> Option<f64> {
        self.avg_logprob.map(f64::exp)
    }
}

/// The text of a part of so many seconds.
pub(super) fn read(body: &[u8], seconds: f64) -> Result<RemoteText, AnswerError> {
    // Serde would accept a JSON array as the fields in their order.
    let is_object = body.trim_ascii_start().starts_with(b"{");
    let answer = is_object.then(|| serde_json::from_slice(body).ok());
    let answer: Answer = answer.flatten().ok_or(AnswerError::Shape)?;
    let segments = answer.segments.unwrap_or_default();
    let words = answer.words.filter(|words| !words.is_empty());
    let listed = words.iter().flatten();
    let nested = segments.iter().flat_map(|it| it.words.iter().flatten());
    let words: Vec<&Word> = if words.is_some() {
        listed.collect()
    } else {
        nested.collect()
    };
    let in_segments: usize = segments.iter().map(|segment| segment.text.len()).sum();
    let in_words: usize = words.iter().map(|word| word.word.len()).sum();
    let longest = answer.text.len().max(in_segments).max(in_words);
    if words.len() > MAX_WORDS || longest > MAX_TEXT {
        return Err(AnswerError::TooMuch);
    }
    let mut times = Times { seconds, from: 0.0 };
    let words: Result<Vec<_>, _> = words
        .into_iter()
        .map(|word| times.of(&word.word, word.start, word.end, word.confidence(&segments)))
        .collect();
    let mut times = Times { seconds, from: 0.0 };
    let timed_segments: Result<Vec<_>, _> = segments
        .iter()
        .map(|it| times.of(&it.text, it.start, it.end, it.confidence()))
        .collect();
    let text = match answer.text.trim() {
        // Some servers give only segments.
        "" => segments
            .iter()
            .map(|segment| segment.text.as_str())
            .collect(),
        text => text.to_owned(),
    };
    let stated = answer.language.filter(|stated| !stated.trim().is_empty());
    let language = stated.as_deref().and_then(language_names::parse);
    Ok(RemoteText {
        language,
        is_other_language: stated.is_some() && language.is_none(),
        text: printable(&text),
        segments: timed_segments?,
        words: words?,
    })
}

/// Brings times into the part and in order.
struct Times {
    seconds: f64,
    from: f64,
}

impl Times {
    fn of(
        &mut self,
        text: &str,
        start: f64,
        end: f64,
        confidence: Option<f64>,
    ) -> Result<TimedText, AnswerError> {
        // Comparisons with NaN are false.
        let is_possible = |time: f64| (-1.0..=self.seconds + BEHIND_END).contains(&time);
        if !is_possible(start) || !is_possible(end) {
            return Err(AnswerError::Times);
        }
        let start = start.clamp(self.from.min(self.seconds), self.seconds);
        let end = end.clamp(start, self.seconds);
        self.from = start;
        Ok(TimedText {
            text: printable(text),
            start,
            end,
            #[expect(clippy::cast_possible_truncation, reason = "it is from 0 to 1")]
            confidence: confidence.map(|value| value.clamp(0.0, 1.0) as f32),
        })
    }
}

/// A text without control characters.
fn printable(text: &str) -> String {
    let spaced = text
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c });
    spaced.filter(|c| !c.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use slovo_rules::language::Language;

    use super::*;

    fn read_json(answer: &Value) -> Result<RemoteText, AnswerError> {
        read(answer.to_string().as_bytes(), 10.0)
    }

    fn spans(timed: &[TimedText]) -> Vec<(&str, f64, f64)> {
        timed
            .iter()
            .map(|it| (it.text.as_str(), it.start, it.end))
            .collect()
    }

    #[test]
    fn words_are_read_from_the_answer_or_from_its_segments() {
        let word = json!({"word": " Hi", "start": 0.5, "end": 1.0, "probability": 0.5});
        let nested = json!({"text": "Hi", "language": "English",
            "segments": [{"start": 0, "end": 2, "text": " Hi", "words": [word], "avg_logprob": 0.0}]});
        let listed = json!({"text": "Hi", "language": "en", "words": [word]});
        for answer in [nested, listed] {
            let text = read_json(&answer).unwrap();
            assert_eq!(text.language, Some(Language::En));
            assert_eq!(spans(&text.words), [(" Hi", 0.5, 1.0)]);
            assert_eq!(text.words[0].confidence, Some(0.5));
        }
    }

    #[test]
    fn a_word_without_a_probability_has_that_of_its_segment() {
        let segment = |start: f64, avg: f64| json!({"start": start, "end": start + 2.0, "text": "a b", "avg_logprob": avg});
        let words = json!([{"word": "a", "start": 0.5, "end": 1.0},
            {"word": "b", "start": 2.5, "end": 3.0}, {"word": "c", "start": 8.0, "end": 9.0}]);
        let text = read_json(&json!({"text": "a b c", "words": words,
            "segments": [segment(0.0, 0.0), segment(2.0, -1.0)]}));
        let words = text.unwrap().words;
        let confidences: Vec<_> = words.iter().map(|word| word.confidence).collect();
        assert_eq!(confidences[0], Some(1.0));
        assert!(confidences[1].is_some_and(|value| (value - 0.368).abs() < 0.001));
        assert_eq!(confidences[2], None);
    }

    #[test]
    fn what_is_missing_stays_missing() {
        let text = read_json(&json!({"text": " Добрий\u{0} день\n", "usage": {}})).unwrap();
        assert_eq!((text.language, &*text.text), (None, "Добрий день"));
        assert!(text.words.is_empty() && text.segments.is_empty());
        let text = read_json(&json!({"text": "", "segments": [
            {"start": 0, "end": 1, "text": "One"}, {"start": 1, "end": 2, "text": " two"}]}));
        assert_eq!(text.unwrap().text, "One two");
        let welsh = read_json(&json!({"text": "x", "language": "welsh", "words": []}));
        let welsh = welsh.unwrap();
        assert!(welsh.language.is_none() && welsh.is_other_language);
    }

    #[test]
    fn times_are_moved_into_the_part_and_in_order() {
        let text = read_json(&json!({"text": "", "words": [
            {"word": "a", "start": -0.2, "end": 0.1}, {"word": "b", "start": 3, "end": 2},
            {"word": "c", "start": 1, "end": 4}, {"word": "d", "start": 9, "end": 29.9}]}));
        let words = text.unwrap().words;
        assert_eq!(
            spans(&words),
            [
                ("a", 0.0, 0.1),
                ("b", 3.0, 3.0),
                ("c", 3.0, 4.0),
                ("d", 9.0, 10.0)
            ]
        );
    }

    #[test]
    fn unusable_answers_are_refused() {
        let word = |start: f64| json!({"word": "a", "start": start, "end": 1e9});
        let many: Vec<_> = (0..=MAX_WORDS)
            .map(|_| json!({"word": "a", "start": 0, "end": 0}))
            .collect();
        for (answer, error) in [
            (json!([]), AnswerError::Shape),
            (json!(["text", null, null, null]), AnswerError::Shape),
            (json!({"error": {"message": "no"}}), AnswerError::Shape),
            (json!({"text": 1}), AnswerError::Shape),
            (
                json!({"text": "a", "words": [word(0.0)]}),
                AnswerError::Times,
            ),
            (
                json!({"text": "a", "words": [word(-5.0)]}),
                AnswerError::Times,
            ),
            (json!({"text": "a", "words": many}), AnswerError::TooMuch),
            (
                json!({"text": "a".repeat(MAX_TEXT + 1)}),
                AnswerError::TooMuch,
            ),
        ] {
            assert_eq!(read_json(&answer).unwrap_err(), error);
        }
        assert_eq!(read(b"<html>", 1.0).unwrap_err(), AnswerError::Shape);
        assert_eq!(read(b"", 1.0).unwrap_err(), AnswerError::Shape);
        assert_eq!(
            read(b"{\"text\": \"a", 1.0).unwrap_err(),
            AnswerError::Shape
        );
    }
}
