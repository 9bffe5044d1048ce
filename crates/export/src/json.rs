//! The transcript as JSON: the recognised text with edits and speaker names.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use slovo_rules::edit::{EditedSegment, EditedTranscript, Speaker};
use slovo_rules::removed::{Removed, RemovedReason};
use slovo_rules::settings::TranscriptionType;
use slovo_rules::transcript::{Warning, Word, rounded};

use super::Options;
use super::annotations::{self, Annotations};

#[derive(Serialize)]
struct Data<'a> {
    language: &'a str,
    duration: f64,
    mode: TranscriptionType,
    model: &'a str,
    speakers: &'a [Speaker],
    segments: Vec<JsonSegment<'a>>,
    warnings: &'a [Warning],
    removed: Vec<JsonRemovedPassage<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    annotations: Vec<annotations::Data<'a>>,
}

#[derive(Serialize)]
struct JsonSegment<'a> {
    index: u32,
    #[serde(flatten)]
    times: Option<Times>,
    speaker: Option<&'a str>,
    language: &'a str,
    text: &'a str,
    words: &'a [Word],
}

#[derive(Serialize)]
struct JsonRemovedPassage<'a> {
    #[serde(flatten)]
    times: Option<Times>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speaker: Option<&'a str>,
    text: &'a str,
    reason: RemovedReason,
    #[serde(serialize_with = "thousandths")]
    voiced: f64,
    #[serde(serialize_with = "thousandths")]
    confidence: f64,
    #[serde(serialize_with = "thousandths")]
    compression: f64,
}

#[derive(Serialize)]
struct Times {
    #[serde(serialize_with = "thousandths")]
    start: f64,
    #[serde(serialize_with = "thousandths")]
    end: f64,
}

/// Writes one object. Without times, segments and removed passages have no `start` and no `end`;
/// without word times, `words` is empty. `annotations` is present only if there are any.
pub fn write(
    transcript: &EditedTranscript,
    options: Options,
    marks: Annotations<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let segments = transcript.segments.iter().zip(0..);
    let removed = transcript.removed.iter();
    let data = Data {
        language: &transcript.language,
        duration: rounded(transcript.duration),
        mode: transcript.mode,
        model: &transcript.model,
        speakers: if options.speakers {
            &transcript.speakers
        } else {
            &[]
        },
        segments: segments
            .map(|(segment, index)| segment_data(segment, index, &transcript.language, options))
            .collect(),
        warnings: &transcript.warnings,
        removed: removed
            .map(|passage| removed_data(passage, options))
            .collect(),
        annotations: annotations::data(marks, transcript, options.speakers),
    };
    serde_json::to_writer_pretty(&mut *out, &data)?;
    out.write_all(b"\n")
}

fn segment_data<'a>(
    segment: &'a EditedSegment,
    index: u32,
    language: &'a str,
    options: Options,
) -> JsonSegment<'a> {
    JsonSegment {
        index,
        times: times(segment.start, segment.end, options),
        speaker: segment.speaker.as_deref().filter(|_| options.speakers),
        language: segment.language_or(language),
        text: &segment.text,
        words: if options.words { &segment.words } else { &[] },
    }
}

fn removed_data(passage: &Removed, options: Options) -> JsonRemovedPassage<'_> {
    JsonRemovedPassage {
        times: times(passage.start, passage.end, options),
        speaker: passage.speaker.as_deref().filter(|_| options.speakers),
        text: &passage.text,
        reason: passage.reason,
        voiced: passage.voiced,
        confidence: passage.confidence,
        compression: passage.compression,
    }
}

fn times(start: f64, end: f64, options: Options) -> Option<Times> {
    options.timestamps.then_some(Times { start, end })
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn thousandths<S: Serializer>(figure: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(rounded(*figure))
}
