//! The text in the forms that OpenAI's clients read.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::LazyLock;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde::Serialize;
use slovo_export::{Format, Options};
use slovo_rules::edit::{EditedSegment, EditedTranscript};
use slovo_rules::export::ExportLayout;
use slovo_rules::subtitles::SubtitleOptions;
use slovo_rules::transcript::{Word, rounded};
use slovo_transcripts::exports::{self, Failure};
use utoipa::ToSchema;

use super::error::OpenAiError;
use super::form::{AudioForm, ResponseFormat, Task};
use crate::run::Recognised;

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
    words: Option<Vec<VerboseWord>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    segments: Option<Vec<VerboseSegment>>,
    usage: Usage,
}

#[derive(Serialize)]
struct VerboseWord {
    word: String,
    start: f64,
    end: f64,
}

#[derive(Serialize)]
struct VerboseSegment {
    id: usize,
    /// Hundredths of a second.
    seek: i64,
    start: f64,
    end: f64,
    text: String,
    /// Always empty: the models here have other tokens than OpenAI's.
    tokens: [u32; 0],
    temperature: f64,
    avg_logprob: f64,
    compression_ratio: f64,
    no_speech_prob: f64,
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
pub(super) async fn answer(form: &AudioForm, done: Recognised) -> Result<Response, OpenAiError> {
    let text = &done.text;
    let whole = || joined(text.segments.iter().map(|it| &it.text));
    let task = if form.request.translate {
        Task::Translate
    } else {
        Task::Transcribe
    };
    let task = task.name();
    Ok(match form.format {
        ResponseFormat::Json => axum::Json(Transcription {
            text: whole(),
            logprobs: form.logprobs.then(|| logprobs(words_of(text), true)),
            usage: usage(text),
        })
        .into_response(),
        ResponseFormat::Text => plain("text/plain; charset=utf-8", whole() + "\n"),
        ResponseFormat::Srt => subtitles(Format::Srt, form, done).await?,
        ResponseFormat::Vtt => subtitles(Format::Vtt, form, done).await?,
        ResponseFormat::VerboseJson => axum::Json(Verbose {
            task,
            language: spoken_language(text, form.request.translate),
            duration: rounded(text.duration),
            text: whole(),
            words: form.words.then(|| verbose_words(text)),
            segments: form.segments.then(|| verbose_segments(text)),
            usage: usage(text),
        })
        .into_response(),
        ResponseFormat::DiarizedJson => axum::Json(Diarized {
            task,
            duration: rounded(text.duration),
            text: whole(),
            segments: diarized(text),
            usage: usage(text),
        })
        .into_response(),
    })
}

fn plain(kind: &'static str, body: impl IntoResponse) -> Response {
    let mut response = body.into_response();
    let kind = HeaderValue::from_static(kind);
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

async fn subtitles(
    format: Format,
    form: &AudioForm,
    done: Recognised,
) -> Result<Response, OpenAiError> {
    let options = Options {
        speakers: form.request.diarize,
        timestamps: true,
        words: false,
        subtitles: SubtitleOptions::NONE,
        layout: ExportLayout::Paragraphs,
    };
    let made = exports::make(format, options, &done.job, done.text).await;
    let file = made.map_err(|failure| match failure {
        Failure::Export(error) => anyhow::Error::from(error),
        Failure::Internal(error) => error,
    });
    let file =
        file.map_err(|error| OpenAiError::from(slovo_app::http::Problem::internal(error)))?;
    Ok(plain(format.mime(), file))
}

/// Sentences as a text on one line.
pub(super) fn joined<'a>(sentences: impl Iterator<Item = &'a String>) -> String {
    sentences.map(String::as_str).collect::<Vec<_>>().join(" ")
}

pub(super) fn usage(text: &EditedTranscript) -> Usage {
    Usage {
        kind: "duration",
        seconds: text.duration.ceil(),
    }
}

fn words_of(text: &EditedTranscript) -> impl Iterator<Item = &Word> {
    text.segments.iter().flat_map(|it| &it.words)
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

/// Natural logarithm of the confidence; finite also for 0.
fn logprob(word: &Word) -> f64 {
    rounded(word.confidence.max(1e-6).ln())
}

fn verbose_words(text: &EditedTranscript) -> Vec<VerboseWord> {
    words_of(text)
        .map(|word| VerboseWord {
            word: word.text.clone(),
            start: rounded(word.start),
            end: rounded(word.end),
        })
        .collect()
}

fn verbose_segments(text: &EditedTranscript) -> Vec<VerboseSegment> {
    let segments = text.segments.iter().enumerate();
    segments
        .map(|(id, segment)| VerboseSegment {
            id,
            #[expect(clippy::cast_possible_truncation, reason = "hundredths of a day fit")]
            seek: (segment.start * 100.0) as i64,
            start: rounded(segment.start),
            end: rounded(segment.end),
            text: segment.text.clone(),
            tokens: [],
            temperature: 0.0,
            avg_logprob: mean_logprob(segment),
            compression_ratio: compression_ratio(&segment.text),
            no_speech_prob: 0.0,
        })
        .collect()
}

fn mean_logprob(segment: &EditedSegment) -> f64 {
    let sum: f64 = segment.words.iter().map(logprob).sum();
    let count = u32::try_from(segment.words.len()).unwrap_or(u32::MAX);
    rounded(sum / f64::from(count.max(1)))
}

/// Bytes of a text by the bytes of its zlib stream, as Whisper computes it to find repetitions.
fn compression_ratio(text: &str) -> f64 {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let packed = encoder
        .write_all(text.as_bytes())
        .and_then(|()| encoder.finish());
    let size = |bytes: usize| f64::from(u32::try_from(bytes).unwrap_or(u32::MAX));
    packed.map_or(1.0, |packed| {
        rounded(size(text.len()) / size(packed.len().max(1)))
    })
}

/// The segments with their speakers, who are called A, B, C … in the order of their first words.
pub(super) fn diarized(text: &EditedTranscript) -> Vec<DiarizedSegment> {
    let label = |id: &str| {
        let place = text.speakers.iter().position(|speaker| speaker.id == id);
        letters(place.unwrap_or(text.speakers.len()))
    };
    let segments = text.segments.iter().enumerate();
    segments
        .map(|(index, segment)| DiarizedSegment {
            kind: "transcript.text.segment",
            id: format!("seg_{index}"),
            start: rounded(segment.start),
            end: rounded(segment.end),
            text: segment.text.clone(),
            speaker: segment.speaker.as_deref().map_or_else(|| letters(0), label),
        })
        .collect()
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

/// The English name of the language in lower case, as Whisper calls it.
fn spoken_language(text: &EditedTranscript, is_translated: bool) -> String {
    static NAMES: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
        let file = include_str!("../../../../web/src/locales/en/languages.json");
        serde_json::from_str(file).unwrap_or_default()
    });
    let code = if is_translated { "en" } else { &text.language };
    let name = NAMES.get(code).map_or(code, String::as_str);
    name.to_lowercase()
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
    fn repetitions_are_compressed_more() {
        let prose = compression_ratio("A talk about maps and the people who draw them.");
        let loops = compression_ratio(&"and then ".repeat(40));
        assert!(prose < 1.2 && loops > 10.0, "{prose} {loops}");
        assert!(compression_ratio("") >= 0.0);
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
