//! The transcript as data: as it was recognised, with the edits and the speakers' names in it.

use std::io::{self, Write};

use serde::Serialize;
use slovo_rules::edit::{EditedTranscript, Speaker};
use slovo_rules::removed::Removed;
use slovo_rules::settings::TranscriptionType;
use slovo_rules::transcript::{Segment, Warning, rounded};

use super::Options;

#[derive(Serialize)]
struct Data<'a> {
    language: &'a str,
    duration: f64,
    mode: TranscriptionType,
    model: &'a str,
    speakers: &'a [Speaker],
    segments: Vec<Segment>,
    warnings: &'a [Warning],
    removed: &'a [Removed],
}

/// Writes one object; every segment has its times.
pub fn write(
    transcript: &EditedTranscript,
    options: Options,
    out: &mut impl Write,
) -> io::Result<()> {
    let segments = transcript.segments.iter().zip(0..);
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
            .map(|(segment, index)| Segment {
                index,
                start: segment.start,
                end: segment.end,
                speaker: segment.speaker.clone().filter(|_| options.speakers),
                text: segment.text.clone(),
                words: segment.words.clone(),
            })
            .collect(),
        warnings: &transcript.warnings,
        removed: &transcript.removed,
    };
    serde_json::to_writer_pretty(&mut *out, &data)?;
    out.write_all(b"\n")
}
