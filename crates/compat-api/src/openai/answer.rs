//! The text in the forms that OpenAI's clients read.

use axum::response::{IntoResponse, Response};
use serde::Serialize;
use slovo_export::Format;
use slovo_rules::edit::EditedTranscript;
use slovo_rules::transcript::{Word, rounded};
use utoipa::ToSchema;

use super::form::{AudioForm, ResponseFormat, Task};
use crate::recognised_text::{
    language_code, language_name, logprob, place_of_speaker, whole, words_of,
};
use crate::refusal::Refusal;
use crate::run::Recognised;
use crate::text_files::{plain, subtitles};
use crate::whisper_json::{self, WhisperSegment, WhisperWord};

/// What a request used.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = OpenAiUsage)]
pub(super) struct Usage {
    /// Always `duration`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Length of the recording in seconds, rounded up.
    seconds: f64,
}

/// A word with the probability that the model gave it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = OpenAiLogprob)]
pub(super) struct Logprob {
    /// The word, with a space before it unless it is the first.
    token: String,
    /// Natural logarithm of its probability.
    logprob: f64,
    /// The word in UTF-8.
    bytes: Vec<u8>,
}

/// The answer in the format `json`; the other formats have more fields or are text.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OpenAiTranscription)]
pub(super) struct Transcription {
    /// The whole text.
    text: String,
    /// The words, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    logprobs: Option<Vec<Logprob>>,
    /// What the request used.
    usage: Usage,
}

#[derive(Serialize)]
struct Verbose {
    task: &'static str,
    language: String,
    duration: f64,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<Vec<WhisperWord>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    segments: Option<Vec<WhisperSegment>>,
    usage: Usage,
}

#[derive(Serialize)]
struct Diarized {
    task: &'static str,
    duration: f64,
    text: String,
    segments: Vec<DiarizedSegment>,
    usage: Usage,
}

/// A part of the text with its speaker.
#[derive(Debug, Serialize)]
pub(super) struct DiarizedSegment {
    #[serde(rename = "type")]
    kind: &'static str,
    id: String,
    start: f64,
    end: f64,
    text: String,
    speaker: String,
}

/// The answer in the format that the form asks for.
///
/// # Errors
/// Subtitles cannot be made.
pub(super) async fn answer(form: &AudioForm, done: Recognised) -> Result<Response, Refusal> {
    let text = &done.text;
    let task = if form.request.translate {
        Task::Translate
    } else {
        Task::Transcribe
    };
    let task = task.name();
    Ok(match form.format {
        ResponseFormat::Json => axum::Json(Transcription {
            text: whole(text),
            logprobs: form.logprobs.then(|| logprobs(words_of(text), true)),
            usage: usage(text),
        })
        .into_response(),
        ResponseFormat::Text => plain(&done),
        ResponseFormat::Srt => subtitles(Format::Srt, form.request.diarize, done).await?,
        ResponseFormat::Vtt => subtitles(Format::Vtt, form.request.diarize, done).await?,
        ResponseFormat::VerboseJson => axum::Json(Verbose {
            task,
            language: language_name(language_code(text, form.request.translate)),
            duration: rounded(text.duration),
            text: whole(text),
            words: form
                .words
                .then(|| words_of(text).map(WhisperWord::new).collect()),
            segments: form
                .segments
                .then(|| whisper_json::segments(text).collect()),
            usage: usage(text),
        })
        .into_response(),
        ResponseFormat::DiarizedJson => axum::Json(Diarized {
            task,
            duration: rounded(text.duration),
            text: whole(text),
            segments: diarized(text),
            usage: usage(text),
        })
        .into_response(),
    })
}

pub(super) fn usage(text: &EditedTranscript) -> Usage {
    Usage {
        kind: "duration",
        seconds: text.duration.ceil(),
    }
}

/// The words with their probabilities; `begins`: the first one begins the text.
pub(super) fn logprobs<'a>(
    words: impl IntoIterator<Item = &'a Word>,
    begins: bool,
) -> Vec<Logprob> {
    let token = |(index, word): (usize, &Word)| {
        let space = if begins && index == 0 { "" } else { " " };
        let token = format!("{space}{}", word.text);
        Logprob {
            bytes: token.clone().into_bytes(),
            logprob: logprob(word),
            token,
        }
    };
    words.into_iter().enumerate().map(token).collect()
}

/// The segments with their speakers. Those without a name are called A, B, C … in the order of their
/// first words.
pub(super) fn diarized(text: &EditedTranscript) -> Vec<DiarizedSegment> {
    let segments = text.segments.iter().enumerate();
    segments
        .map(|(index, segment)| DiarizedSegment {
            kind: "transcript.text.segment",
            id: format!("seg_{index}"),
            start: rounded(segment.start),
            end: rounded(segment.end),
            text: segment.text.clone(),
            speaker: speaker(text, segment.speaker.as_deref()),
        })
        .collect()
}

fn speaker(text: &EditedTranscript, id: Option<&str>) -> String {
    let mut speakers = text.speakers.iter();
    let speaker = speakers.find(|speaker| Some(speaker.id.as_str()) == id);
    let name = speaker.and_then(|speaker| speaker.name.clone());
    name.unwrap_or_else(|| letters(place_of_speaker(text, id).unwrap_or(0)))
}

/// A to Z, then AA and so on.
fn letters(mut number: usize) -> String {
    let mut name = String::new();
    loop {
        let letter = b'A' + u8::try_from(number % 26).unwrap_or(0);
        name.insert(0, char::from(letter));
        if number < 26 {
            return name;
        }
        number = number / 26 - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speakers_are_letters() {
        let names = [0, 1, 25, 26, 27, 51, 52, 701, 702].map(letters);
        assert_eq!(names, ["A", "B", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]);
    }

    #[test]
    fn impossible_words_have_a_finite_probability() {
        let word = |confidence| Word {
            start: 0.0,
            end: 1.0,
            text: "слово".to_owned(),
            confidence,
        };
        let (sure, unsure) = (word(1.0), word(0.0));
        let tokens = logprobs([&sure, &unsure], true);
        assert_eq!(
            (tokens[0].token.as_str(), tokens[0].logprob),
            ("слово", 0.0)
        );
        assert_eq!(tokens[1].token, " слово");
        assert!(tokens[1].logprob < -10.0 && tokens[1].logprob.is_finite());
    }
}
