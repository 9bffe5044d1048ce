//! Validates a service's response, which is untrusted. A text is accepted only if all of it is
//! consistent.

use std::collections::HashMap;

use serde::Deserialize;
use slovo_rules::job_plan::JobPlan;
use slovo_rules::transcript::{Segment, Transcript, Warning, Word, rounded, speaker_name};

use crate::language_names;

/// Most segments of a text: a day of one-second sentences.
const MAX_SEGMENTS: usize = 100_000;
/// Most words of a text: a day of quick speech has half of them.
const MAX_WORDS: usize = 500_000;
/// Longest segment, in characters.
const LONGEST_SEGMENT: usize = 20_000;
/// Longest word, in characters.
const LONGEST_WORD: usize = 500;
/// Longest name of a speaker, in characters.
const LONGEST_SPEAKER: usize = 200;
/// Most speakers.
const MAX_SPEAKERS: usize = 100;
/// How far a time may lie after the recording's end, in seconds: models pad their input.
const BEHIND_END: f64 = 1.0;
/// How far outside of its segment a word may be, in seconds.
const SEGMENT_TOLERANCE: f64 = 0.5;
/// Maximum length of a recording whose length is not known, in seconds: a week.
const LONGEST: f64 = 7.0 * 24.0 * 3600.0;

/// What is known before the response is read.
#[derive(Debug)]
pub(super) struct Bounds<'a> {
    /// Seconds of the recording.
    pub duration: Option<f64>,
    /// What was asked for.
    pub plan: &'a JobPlan,
    /// The model name stored in the transcript.
    pub model: String,
}

/// Why a response is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerError {
    /// It is not JSON of the required form.
    Shape,
    /// A time is not a number, is out of range or out of order.
    Times,
    /// It exceeds a limit, such as the number of words.
    TooMuch,
    /// The language is unknown.
    Language,
}

impl AnswerError {
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::Shape => "answer_shape",
            Self::Times => "answer_times",
            Self::TooMuch => "answer_too_much",
            Self::Language => "answer_language",
        }
    }
}

#[derive(Deserialize)]
struct Answer {
    text: String,
    language: Option<String>,
    duration: Option<f64>,
    segments: Vec<AnswerSegment>,
}

#[derive(Deserialize)]
struct AnswerSegment {
    start: f64,
    end: f64,
    text: String,
    speaker: Option<Speaker>,
    words: Option<Vec<AnswerWord>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Speaker {
    Name(String),
    Number(u32),
}

#[derive(Deserialize)]
struct AnswerWord {
    word: String,
    start: f64,
    end: f64,
    probability: Option<f64>,
}

/// The transcript in a response.
pub(super) fn read(body: &[u8], bounds: Bounds<'_>) -> Result<Transcript, AnswerError> {
    // Serde would accept a JSON array as the fields in their order.
    let object = body.trim_ascii_start().starts_with(b"{");
    let answer = object.then(|| serde_json::from_slice(body).ok()).flatten();
    let answer: Answer = answer.ok_or(AnswerError::Shape)?;
    let duration = duration(bounds.duration, answer.duration)?;
    let language = language(answer.language.as_deref(), bounds.plan)?;
    let mut reading = Reading {
        limit: duration,
        keeps_speakers: bounds.plan.speakers.is_some(),
        speakers: HashMap::new(),
        words: 0,
        from: 0.0,
    };
    if answer.segments.len() > MAX_SEGMENTS {
        return Err(AnswerError::TooMuch);
    }
    let mut segments = Vec::with_capacity(answer.segments.len());
    for received in answer.segments {
        segments.extend(reading.segment(received)?);
    }
    for (index, segment) in (0..).zip(&mut segments) {
        segment.index = index;
    }
    // A text without times cannot be shown.
    if segments.is_empty() && !answer.text.trim().is_empty() {
        return Err(AnswerError::Shape);
    }
    let warning = segments.is_empty().then(|| Warning::new("no_speech"));
    Ok(Transcript {
        language,
        duration,
        mode: bounds.plan.mode,
        model: bounds.model,
        segments,
        warnings: warning.into_iter().collect(),
        removed: Vec::new(),
    })
}

/// The recording's own length if it is known, else the one that the service states.
fn duration(known: Option<f64>, stated: Option<f64>) -> Result<f64, AnswerError> {
    let is_valid = |seconds: f64| (0.0..=LONGEST).contains(&seconds);
    if stated.is_some_and(|stated| !is_valid(stated)) {
        return Err(AnswerError::Times);
    }
    let known = known.filter(|known| known.is_finite() && *known > 0.0);
    known.or(stated).ok_or(AnswerError::Times)
}

/// Accepts a code, or the English name that OpenAI's own servers send. If the service states no
/// language, the requested one is used.
fn language(stated: Option<&str>, plan: &JobPlan) -> Result<String, AnswerError> {
    let Some(stated) = stated.filter(|stated| !stated.trim().is_empty()) else {
        let requested = plan.language.ok_or(AnswerError::Language)?;
        return Ok(requested.as_str().to_owned());
    };
    let known = language_names::parse(stated).ok_or(AnswerError::Language)?;
    Ok(known.as_str().to_owned())
}

/// The state while the segments are read.
struct Reading {
    /// Seconds of the recording.
    limit: f64,
    keeps_speakers: bool,
    /// Numbered in the order of their first segments.
    speakers: HashMap<String, usize>,
    words: usize,
    /// Start of the previous segment.
    from: f64,
}

impl Reading {
    /// A segment; `None` if it has no text.
    fn segment(&mut self, received: AnswerSegment) -> Result<Option<Segment>, AnswerError> {
        let (start, end) = self.times(received.start, received.end)?;
        if start < self.from {
            return Err(AnswerError::Times);
        }
        self.from = start;
        let text = clean(&received.text, LONGEST_SEGMENT)?;
        let received_words = received.words.unwrap_or_default();
        self.words += received_words.len();
        if self.words > MAX_WORDS {
            return Err(AnswerError::TooMuch);
        }
        let mut words = Vec::with_capacity(received_words.len());
        let mut from = 0.0;
        for word in received_words {
            let read = self.word(&word, start, end)?;
            if read.start < from {
                return Err(AnswerError::Times);
            }
            from = read.start;
            words.extend(Some(read).filter(|word| !word.text.is_empty()));
        }
        let speaker = received.speaker.map(|speaker| self.speaker(speaker));
        let speaker = speaker.transpose()?.filter(|_| self.keeps_speakers);
        Ok((!text.is_empty()).then_some(Segment {
            index: 0,
            start,
            end,
            speaker,
            language: None,
            text,
            words,
        }))
    }

    fn word(&self, received: &AnswerWord, from: f64, to: f64) -> Result<Word, AnswerError> {
        let (start, end) = self.times(received.start, received.end)?;
        if start < from - SEGMENT_TOLERANCE || end > to + SEGMENT_TOLERANCE {
            return Err(AnswerError::Times);
        }
        let confidence = received.probability.unwrap_or(1.0);
        if !(0.0..=1.0).contains(&confidence) {
            return Err(AnswerError::Shape);
        }
        Ok(Word {
            start: start.clamp(from, to),
            end: end.clamp(from, to),
            text: clean(&received.word, LONGEST_WORD)?,
            confidence,
        })
    }

    /// Two times in order and within the recording.
    fn times(&self, start: f64, end: f64) -> Result<(f64, f64), AnswerError> {
        // Comparisons with NaN are false.
        let is_valid = start >= 0.0 && end >= start && end <= self.limit + BEHIND_END;
        if !is_valid {
            return Err(AnswerError::Times);
        }
        Ok((rounded(start.min(self.limit)), rounded(end.min(self.limit))))
    }

    fn speaker(&mut self, speaker: Speaker) -> Result<String, AnswerError> {
        let name = match speaker {
            Speaker::Name(name) => name,
            Speaker::Number(number) => number.to_string(),
        };
        if name.len() > LONGEST_SPEAKER {
            return Err(AnswerError::TooMuch);
        }
        let next = self.speakers.len();
        let number = *self.speakers.entry(name).or_insert(next);
        if self.speakers.len() > MAX_SPEAKERS {
            return Err(AnswerError::TooMuch);
        }
        Ok(speaker_name(number))
    }
}

/// A text on one line, without control characters.
fn clean(text: &str, longest: usize) -> Result<String, AnswerError> {
    if text.len() > longest * 4 {
        return Err(AnswerError::TooMuch);
    }
    let cleaned = text
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c });
    let cleaned: String = cleaned.filter(|c| !c.is_control()).collect();
    let cleaned = cleaned.trim();
    if cleaned.chars().count() > longest {
        return Err(AnswerError::TooMuch);
    }
    Ok(cleaned.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use slovo_rules::settings::TranscriptionSettings;

    use super::*;

    fn with_speakers() -> JobPlan {
        plan(TranscriptionSettings {
            diarization: true,
            ..TranscriptionSettings::default()
        })
    }

    fn plan(settings: TranscriptionSettings) -> JobPlan {
        settings.try_into().unwrap()
    }

    fn read_with(
        answer: &Value,
        duration: Option<f64>,
        plan: &JobPlan,
    ) -> Result<Transcript, AnswerError> {
        let bounds = Bounds {
            duration,
            plan,
            model: "webhook:Fast".to_owned(),
        };
        read(answer.to_string().as_bytes(), bounds)
    }

    fn read_json(answer: &Value) -> Result<Transcript, AnswerError> {
        read_with(answer, Some(10.0), &with_speakers())
    }

    fn good() -> Value {
        json!({"text": "Добрий день. Так.", "language": "ukrainian", "duration": 10.02, "task": "x",
        "segments": [
            {"id": 0, "start": 0.0, "end": 2.5, "text": " Добрий\nдень.", "speaker": "Ольга",
             "words": [{"word": " Добрий", "start": 0.1, "end": 1.0, "probability": 0.9},
                       {"word": "день.", "start": 1.0, "end": 2.6}]},
            {"start": 3.0, "end": 10.5, "text": "Так.", "speaker": 7},
            {"start": 9.0, "end": 10.0, "text": "\u{0} "},
        ]})
    }

    #[test]
    fn a_valid_response_becomes_a_transcript() {
        let text = read_json(&good()).unwrap();
        assert_eq!((text.language.as_str(), text.duration), ("uk", 10.0));
        assert_eq!(
            (text.model.as_str(), text.segments.len()),
            ("webhook:Fast", 2)
        );
        let first = &text.segments[0];
        assert_eq!(first.text, "Добрий день.");
        assert_eq!(first.speaker.as_deref(), Some("SPEAKER_0"));
        assert_eq!(first.words[0].text, "Добрий");
        assert_eq!((first.words[1].end, first.words[1].confidence), (2.5, 1.0));
        let second = &text.segments[1];
        assert_eq!((second.index, second.end), (1, 10.0));
        assert_eq!(second.speaker.as_deref(), Some("SPEAKER_1"));

        let without = plan(TranscriptionSettings::default());
        let text = read_with(&good(), None, &without).unwrap();
        assert_eq!(text.segments[0].speaker, None, "nobody asked for them");
        assert_eq!(text.duration, 10.02);
        let empty = json!({"text": " ", "segments": []});
        let empty = read_json(&empty).unwrap();
        assert_eq!(empty.warnings, [Warning::new("no_speech")]);
        assert_eq!(empty.language, "uk", "what was asked for");
    }

    #[test]
    fn a_response_with_any_invalid_value_is_rejected_completely() {
        let with = |change: &dyn Fn(&mut Value)| {
            let mut answer = good();
            change(&mut answer);
            read_json(&answer).unwrap_err()
        };
        for (path, value) in [
            ("/segments/0/start", json!(-0.1)),
            ("/segments/0/start", json!(2.6)),
            ("/segments/1/end", json!(11.5)),
            ("/segments/1/start", json!(1e300)),
            ("/segments/2/start", json!(2.9)),
            ("/segments/0/words/0/start", json!(1.5)),
            ("/segments/0/words/1/start", json!(0.05)),
            ("/segments/0/words/1/end", json!(3.1)),
            ("/duration", json!(-1)),
            ("/duration", json!(1e12)),
        ] {
            let error = with(&|answer| *answer.pointer_mut(path).unwrap() = value.clone());
            assert_eq!(error, AnswerError::Times, "{path} {value}");
        }
        for (path, value) in [
            ("/segments", json!({})),
            ("/segments", json!([])),
            ("/segments/0", json!(5)),
            ("/segments/0/start", json!("0")),
            ("/segments/0/start", json!(null)),
            ("/segments/0/text", json!(null)),
            ("/segments/0/speaker", json!({"a": 1})),
            ("/segments/0/words/0/probability", json!(1.1)),
            ("/segments/0/words", json!("x")),
            ("/text", json!(3)),
        ] {
            let error = with(&|answer| *answer.pointer_mut(path).unwrap() = value.clone());
            assert_eq!(error, AnswerError::Shape, "{path} {value}");
        }
        for (path, value) in [
            ("/segments/0/text", json!("a".repeat(LONGEST_SEGMENT + 1))),
            (
                "/segments/0/words/0/word",
                json!("a".repeat(LONGEST_WORD + 1)),
            ),
            (
                "/segments/0/speaker",
                json!("a".repeat(LONGEST_SPEAKER + 1)),
            ),
        ] {
            let error = with(&|answer| *answer.pointer_mut(path).unwrap() = value.clone());
            assert_eq!(error, AnswerError::TooMuch, "{path}");
        }
        for language in ["klingon", "UK-UA", "\u{0}"] {
            let error = with(&|answer| answer["language"] = language.into());
            assert_eq!(error, AnswerError::Language, "{language}");
        }
    }

    #[test]
    fn oversized_and_malformed_responses_are_rejected() {
        let segment = json!({"start": 1, "end": 1, "text": "a"});
        let many = json!({"text": "", "segments": vec![segment; MAX_SEGMENTS + 1]});
        assert_eq!(read_json(&many).unwrap_err(), AnswerError::TooMuch);
        let speakers: Vec<_> = (0..=MAX_SPEAKERS)
            .map(|n| json!({"start": 1, "end": 1, "text": "a", "speaker": n}))
            .collect();
        let many = json!({"text": "", "segments": speakers});
        assert_eq!(read_json(&many).unwrap_err(), AnswerError::TooMuch);
        let speaker_plan = with_speakers();
        for noise in [
            "".to_owned(),
            "null".to_owned(),
            "[\"a\", \"uk\", 1, []]".to_owned(),
            "<html>".to_owned(),
            "{\"text\": \"a\", \"segments\": [{\"start\": NaN, \"end\": 1, \"text\": \"a\"}]}"
                .to_owned(),
            "{\"text\": \"a\", \"segments\": [{\"start\": 1e999, \"end\": 1, \"text\": \"a\"}]}"
                .to_owned(),
            format!("{{\"text\": {}", "[".repeat(100_000)),
            "{\"text\": \"\u{fffd}".to_owned(),
        ] {
            let bounds = Bounds {
                duration: Some(5.0),
                plan: &speaker_plan,
                model: String::new(),
            };
            let read = read(noise.as_bytes(), bounds);
            assert_eq!(read.unwrap_err(), AnswerError::Shape, "{noise:.50}");
        }
        let auto = plan(TranscriptionSettings {
            language_code: "auto".to_owned(),
            ..TranscriptionSettings::default()
        });
        let unnamed = json!({"text": "", "segments": []});
        let read = read_with(&unnamed, Some(1.0), &auto);
        assert_eq!(read.unwrap_err(), AnswerError::Language);
        let read = read_with(&json!({"text": "", "segments": []}), None, &with_speakers());
        assert_eq!(read.unwrap_err(), AnswerError::Times, "how long is it?");
    }
}
