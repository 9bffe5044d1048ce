//! The text as Deepgram's clients read it.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use jiff::Timestamp;
use serde::Serialize;
use sha2::{Digest, Sha256};
use slovo_app::state::AppState;
use slovo_rules::edit::{EditedSegment, EditedTranscript};
use slovo_rules::transcript::{Word, rounded};
use slovo_storage::LocalFile;
use tokio::sync::Semaphore;
use utoipa::ToSchema;

use super::query::ListenQuery;
use crate::recognised_text::{mean, place_of_speaker};
use crate::run::Recognised;

/// Bytes read at once.
const READ: usize = 64 * 1024;

/// The answer.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DeepgramAnswer)]
pub(super) struct ListenAnswer {
    /// About the request and the recording.
    metadata: Metadata,
    /// The text.
    results: Results,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DeepgramMetadata)]
struct Metadata {
    /// Always `deprecated`.
    transaction_key: &'static str,
    /// Id of the job in the library.
    request_id: String,
    /// SHA-256 of the recording in hexadecimal; empty if its file was deleted.
    sha256: String,
    /// When the job was created (RFC 3339).
    created: String,
    /// Length of the recording in seconds.
    duration: f64,
    /// Always 1: channels are mixed.
    channels: u32,
    /// The model's id.
    models: Vec<String>,
    /// About the model.
    model_info: BTreeMap<String, ModelInfo>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DeepgramModelInfo)]
struct ModelInfo {
    /// The model's id.
    name: String,
    /// Version of this server.
    version: &'static str,
    /// `full` or `lite`.
    arch: &'static str,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DeepgramResults)]
struct Results {
    /// One channel.
    channels: Vec<Channel>,
    /// What was said between pauses, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    utterances: Option<Vec<Utterance>>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DeepgramChannel)]
struct Channel {
    /// One text.
    alternatives: Vec<Alternative>,
    /// Code of the language, if its detection was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    detected_language: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DeepgramAlternative)]
struct Alternative {
    /// The whole text.
    transcript: String,
    /// Mean confidence of the words, 0 to 1.
    confidence: f64,
    /// The words.
    words: Vec<TimedWord>,
    /// The text in paragraphs, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    paragraphs: Option<Paragraphs>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = DeepgramWord)]
struct TimedWord {
    /// In lower case, without punctuation.
    word: String,
    /// Start in seconds.
    start: f64,
    /// End in seconds.
    end: f64,
    /// 0 to 1.
    confidence: f64,
    /// Number of the speaker from 0, if speakers were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    speaker: Option<usize>,
    /// The word as it is written, if punctuation was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    punctuated_word: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DeepgramParagraphs)]
struct Paragraphs {
    /// The text with empty lines between paragraphs.
    transcript: String,
    /// The paragraphs.
    paragraphs: Vec<Paragraph>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DeepgramParagraph)]
struct Paragraph {
    /// The sentences.
    sentences: Vec<Sentence>,
    /// Number of words.
    num_words: usize,
    /// Start in seconds.
    start: f64,
    /// End in seconds.
    end: f64,
    /// Number of the speaker from 0, if speakers were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    speaker: Option<usize>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DeepgramSentence)]
struct Sentence {
    /// The sentence.
    text: String,
    /// Start in seconds.
    start: f64,
    /// End in seconds.
    end: f64,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DeepgramUtterance)]
struct Utterance {
    /// Start in seconds.
    start: f64,
    /// End in seconds.
    end: f64,
    /// Mean confidence of its words, 0 to 1.
    confidence: f64,
    /// Always 0.
    channel: u32,
    /// Its text.
    transcript: String,
    /// Its words.
    words: Vec<TimedWord>,
    /// Number of the speaker from 0, if speakers were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    speaker: Option<usize>,
    /// Place from 0.
    id: String,
}

/// The answer that the query asks for.
pub(super) async fn answer(
    state: &AppState,
    query: &ListenQuery,
    done: Recognised,
) -> ListenAnswer {
    let Recognised { job, text } = done;
    let words = timed_words(query, &text);
    let sha256 = match state.storage.open_local(job.media_id).await {
        Ok(file) => sha256(file).await,
        Err(_) => None,
    };
    let created = Timestamp::from_millisecond(job.created_at).unwrap_or_default();
    let info = ModelInfo {
        name: text.model.clone(),
        version: env!("CARGO_PKG_VERSION"),
        arch: text.mode.as_str(),
    };
    ListenAnswer {
        metadata: Metadata {
            transaction_key: "deprecated",
            request_id: job.id.to_string(),
            sha256: sha256.unwrap_or_default(),
            created: created.to_string(),
            duration: rounded(text.duration),
            channels: 1,
            models: vec![text.model.clone()],
            model_info: BTreeMap::from([(text.model.clone(), info)]),
        },
        results: Results {
            utterances: query.utterances.map(|pause| utterances(&words, pause)),
            channels: vec![Channel {
                detected_language: query.detect_language.then(|| text.language.clone()),
                alternatives: vec![Alternative {
                    transcript: spelled(&words),
                    confidence: confidence(&words),
                    paragraphs: query.paragraphs.then(|| paragraphs(query, &text)),
                    words,
                }],
            }],
        },
    }
}

/// SHA-256 of a file; `None` if it cannot be read. One at a time, so that repeated requests for a
/// large file do not keep all cores busy.
async fn sha256(file: LocalFile) -> Option<String> {
    static TURN: Semaphore = Semaphore::const_new(1);
    let turn = TURN.acquire().await.ok()?;
    let hashed = tokio::task::spawn_blocking(move || {
        let sum = digest(file.path());
        drop(turn);
        sum
    });
    hashed.await.ok()?
}

/// SHA-256 of a file; `None` if it cannot be read.
fn digest(file: &Path) -> Option<String> {
    let mut hash = Sha256::new();
    let mut file = std::fs::File::open(file).ok()?;
    let mut buffer = vec![0; READ];
    loop {
        match file.read(&mut buffer).ok()? {
            0 => return Some(hex::encode(hash.finalize())),
            bytes => hash.update(&buffer[..bytes]),
        }
    }
}

/// A word in lower case, without punctuation at its ends.
fn bare(word: &str) -> String {
    let letters = word.trim_matches(|c: char| !c.is_alphanumeric());
    // A word of signs only, such as `&`, is kept.
    let letters = if letters.is_empty() { word } else { letters };
    letters.to_lowercase()
}

fn timed_words(query: &ListenQuery, text: &EditedTranscript) -> Vec<TimedWord> {
    let of_segment = |segment: &EditedSegment| {
        let speaker = place_of_speaker(text, segment.speaker.as_deref());
        let timed = |word: &Word| TimedWord {
            word: bare(&word.text),
            start: rounded(word.start),
            end: rounded(word.end),
            confidence: rounded(word.confidence),
            speaker,
            punctuated_word: query.punctuate.then(|| word.text.clone()),
        };
        segment.words.iter().map(timed).collect::<Vec<_>>()
    };
    text.segments.iter().flat_map(of_segment).collect()
}

/// Words as a text: as they are written if punctuation was asked for.
fn spelled(words: &[TimedWord]) -> String {
    let each = words
        .iter()
        .map(|it| it.punctuated_word.as_ref().unwrap_or(&it.word).as_str());
    each.collect::<Vec<_>>().join(" ")
}

fn confidence(words: &[TimedWord]) -> f64 {
    rounded(mean(words.iter().map(|it| it.confidence)))
}

/// What one speaker says without such a pause.
fn utterances(words: &[TimedWord], pause: f64) -> Vec<Utterance> {
    let is_same = |last: &TimedWord, next: &TimedWord| {
        last.speaker == next.speaker && next.start - last.end < pause
    };
    let runs = words.chunk_by(is_same).enumerate();
    runs.filter_map(|(place, run)| {
        let (first, last) = (run.first()?, run.last()?);
        Some(Utterance {
            start: first.start,
            end: last.end,
            confidence: confidence(run),
            channel: 0,
            transcript: spelled(run),
            words: run.to_vec(),
            speaker: first.speaker,
            id: place.to_string(),
        })
    })
    .collect()
}

fn paragraphs(query: &ListenQuery, text: &EditedTranscript) -> Paragraphs {
    let runs = text.segments.chunk_by(slovo_export::follows);
    let paragraphs: Vec<_> = runs.filter_map(|run| paragraph(query, text, run)).collect();
    let each = paragraphs.iter().map(|paragraph| {
        let sentences: Vec<_> = paragraph
            .sentences
            .iter()
            .map(|it| it.text.as_str())
            .collect();
        let said = sentences.join(" ");
        match paragraph.speaker {
            Some(number) => format!("Speaker {number}: {said}"),
            None => said,
        }
    });
    Paragraphs {
        transcript: each.collect::<Vec<_>>().join("\n\n"),
        paragraphs,
    }
}

fn paragraph(
    query: &ListenQuery,
    text: &EditedTranscript,
    run: &[EditedSegment],
) -> Option<Paragraph> {
    let (first, last) = (run.first()?, run.last()?);
    let sentence = |segment: &EditedSegment| Sentence {
        text: if query.punctuate {
            segment.text.clone()
        } else {
            let words = segment.text.split_whitespace().map(bare);
            words.collect::<Vec<_>>().join(" ")
        },
        start: rounded(segment.start),
        end: rounded(segment.end),
    };
    Some(Paragraph {
        num_words: run.iter().map(|it| it.words.len()).sum(),
        sentences: run.iter().map(sentence).collect(),
        start: rounded(first.start),
        end: rounded(last.end),
        speaker: place_of_speaker(text, first.speaker.as_deref()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str, start: f64, end: f64, speaker: usize) -> TimedWord {
        TimedWord {
            word: bare(text),
            start,
            end,
            confidence: 0.5,
            speaker: Some(speaker),
            punctuated_word: Some(text.to_owned()),
        }
    }

    #[test]
    fn bare_words_have_no_punctuation_at_their_ends() {
        for (written, expected) in [
            ("«Слово»,", "слово"),
            ("п'ять.", "п'ять"),
            ("10%", "10"),
            ("&", "&"),
            ("C++", "c"),
        ] {
            assert_eq!(bare(written), expected);
        }
    }

    #[test]
    fn an_utterance_ends_at_a_pause_or_with_its_speaker() {
        let words = [
            word("One,", 0.0, 0.5, 0),
            word("two.", 0.7, 1.0, 0),
            word("Three.", 1.1, 1.5, 1),
            word("Four.", 3.0, 3.5, 1),
        ];
        let texts = |pause| -> Vec<String> {
            let found = utterances(&words, pause).into_iter();
            found.map(|it| it.transcript).collect()
        };
        assert_eq!(texts(0.8), ["One, two.", "Three.", "Four."]);
        assert_eq!(texts(0.1), ["One,", "two.", "Three.", "Four."]);
        assert_eq!(texts(5.0), ["One, two.", "Three. Four."]);
        assert!(utterances(&[], 0.8).is_empty());
    }
}
