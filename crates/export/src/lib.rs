//! Writes a transcript as plain text, Markdown, subtitles, tables, JSON, DOCX or PDF.
//!
//! The writers depend on their input only, so the command line and the server produce the same
//! bytes. Every writer handles hostile text: characters that a format would read as its own syntax
//! are escaped or replaced, so no text can end a cue, a cell or a paragraph early.

mod annotations;
mod bilingual;
mod columns;
pub mod csv;
mod docx;
mod front_matter;
mod json;
mod markdown;
mod names;
mod numbered;
mod paragraphs;
mod pdf;
mod plain;
mod questions;
mod script;
mod stl;
mod subtitles;
mod text;
mod time;
mod ttml;

use std::io::{self, Write};
use std::str::FromStr;

use jiff::civil::Date;
use slovo_rules::analysis::TranslatedCue;
use slovo_rules::edit::{EditedSegment, EditedTranscript, Place, Speaker};
use slovo_rules::export::{ExportLayout, supports_layout};
use slovo_rules::job_plan::JobPlan;
use slovo_rules::settings::MadeFile;
use slovo_rules::subtitles::SubtitleOptions;
use slovo_rules::transcript::Transcript;

pub use annotations::{Annotation, Annotations};
pub use docx::template::{Example, Template, TemplateRejection, example};
pub use front_matter::FrontMatter;
use names::Names;
pub use paragraphs::{continues, follows};
use questions::Roles;

/// An export format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Paragraphs of text.
    Txt,
    /// SubRip subtitles.
    Srt,
    /// WebVTT subtitles.
    Vtt,
    /// TTML subtitles: the text profile of IMSC 1.1.
    Ttml,
    /// EBU STL subtitles (Tech 3264), binary.
    Stl,
    /// The transcript as JSON.
    Json,
    /// A table with a row per segment, or per word if word times are requested (RFC 4180).
    Csv,
    /// Markdown as defined by `CommonMark`.
    Md,
    /// A document for Word and compatible programs (Office Open XML).
    Docx,
    /// Pages for reading and printing, A4.
    Pdf,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 10] = [
        Self::Txt,
        Self::Srt,
        Self::Vtt,
        Self::Ttml,
        Self::Stl,
        Self::Json,
        Self::Csv,
        Self::Md,
        Self::Docx,
        Self::Pdf,
    ];

    /// Name on the command line and in the API; also the file extension.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Txt => "txt",
            Self::Srt => "srt",
            Self::Vtt => "vtt",
            Self::Ttml => "ttml",
            Self::Stl => "stl",
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Md => "md",
            Self::Docx => "docx",
            Self::Pdf => "pdf",
        }
    }

    /// MIME type of the file; text formats are UTF-8.
    #[must_use]
    pub const fn mime(self) -> &'static str {
        match self {
            Self::Txt => "text/plain; charset=utf-8",
            Self::Srt => "application/x-subrip; charset=utf-8",
            Self::Vtt => "text/vtt; charset=utf-8",
            Self::Ttml => "application/ttml+xml; charset=utf-8",
            // STL has no registered type.
            Self::Stl => "application/octet-stream",
            Self::Json => "application/json",
            Self::Csv => "text/csv; charset=utf-8",
            Self::Md => "text/markdown; charset=utf-8",
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Pdf => "application/pdf",
        }
    }

    /// Whether it is a subtitle format: it can contain a translation and has subtitle limits.
    #[must_use]
    pub const fn is_subtitles(self) -> bool {
        matches!(self, Self::Srt | Self::Vtt | Self::Ttml | Self::Stl)
    }

    /// The contents of a file without the user's settings: speakers always, times if the format
    /// needs them, no word times.
    #[must_use]
    pub const fn defaults(self) -> Options {
        let timestamps = match self {
            Self::Srt | Self::Vtt | Self::Ttml | Self::Stl | Self::Json | Self::Csv => true,
            Self::Txt | Self::Md | Self::Docx | Self::Pdf => false,
        };
        Options {
            speakers: true,
            timestamps,
            words: false,
            subtitles: SubtitleOptions::NONE,
            layout: ExportLayout::Paragraphs,
        }
    }
}

impl From<MadeFile> for Format {
    fn from(file: MadeFile) -> Self {
        match file {
            MadeFile::Txt => Self::Txt,
            MadeFile::Srt => Self::Srt,
        }
    }
}

/// The name is not one of the ten formats.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the format is one of txt, srt, vtt, ttml, stl, json, csv, md, docx and pdf")]
pub struct UnknownFormat;

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Self::ALL
            .into_iter()
            .find(|format| format.name() == name)
            .ok_or(UnknownFormat)
    }
}

/// The contents of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Speakers, if known.
    pub speakers: bool,
    /// Times. Subtitles always have them.
    pub timestamps: bool,
    /// Word times: in JSON with the words, in CSV as a row per word, in VTT within the lines.
    /// Ignored by the other formats.
    pub words: bool,
    /// Limits of subtitles. Ignored by the other formats.
    pub subtitles: SubtitleOptions,
    /// The layout in TXT, Markdown, DOCX and PDF. A layout that a format does not support
    /// ([`slovo_rules::export`]) is replaced by paragraphs.
    pub layout: ExportLayout,
}

impl Options {
    /// The options for the settings of a transcription.
    #[must_use]
    pub const fn from_plan(plan: &JobPlan) -> Self {
        Self {
            speakers: true,
            timestamps: plan.sentence_times,
            words: plan.word_times,
            subtitles: SubtitleOptions::NONE,
            layout: ExportLayout::Paragraphs,
        }
    }

    /// All contents.
    pub const EVERYTHING: Self = Self {
        speakers: true,
        timestamps: true,
        words: true,
        subtitles: SubtitleOptions::NONE,
        layout: ExportLayout::Paragraphs,
    };
}

/// The data of a file.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The title of the recording. Used in Markdown, DOCX, PDF, TTML and STL.
    pub title: &'a str,
    /// The date of the job. Used in Markdown, DOCX, PDF and STL.
    pub date: Option<Date>,
    /// What is said in it.
    pub transcript: &'a EditedTranscript,
}

/// Additional data that only some formats use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extras<'a> {
    /// A translation of the subtitles, shown under their lines. Ignored by the other formats.
    pub translation: &'a [TranslatedCue],
    /// Id of the speaker who asks, in the question-and-answer layout; if `None` or if this speaker
    /// says nothing, it is the one whose turns most often end with a question.
    pub asks: Option<&'a str>,
    /// Bookmarks and highlights at the end of TXT, JSON, Markdown, DOCX and PDF.
    pub annotations: Annotations<'a>,
    /// The template of a DOCX.
    pub template: Option<&'a Template>,
    /// The text for a template's `{{summary}}`.
    pub summary: &'a str,
    /// The text for a template's `{{language}}`; the language code if empty.
    pub language: &'a str,
    /// Facts before a Markdown text.
    pub front_matter: Option<FrontMatter<'a>>,
}

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Writing to the output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A PDF cannot show the text: neither the built-in fonts nor those of the system have its
    /// letters.
    #[error("no font has the letters of the script {script}")]
    FontMissing {
        /// The script's code (ISO 15924), for example `Jpan`.
        script: &'static str,
    },
    /// The PDF could not be created.
    #[error("the pages cannot be made: {0}")]
    Pages(String),
}

/// Writes the transcript in this format.
///
/// An empty transcript gives a valid empty file: no bytes for txt and srt, only the header for vtt,
/// ttml, stl, csv, md, docx and pdf, empty lists for json. Subtitles are split between words if the
/// segments contain them. A PDF of hours of speech takes some seconds of CPU time.
///
/// # Errors
/// When writing fails, or a PDF cannot show the text.
pub fn write(
    format: Format,
    source: Source<'_>,
    options: Options,
    out: &mut impl Write,
) -> Result<(), Error> {
    write_with(format, source, options, Extras::default(), out)
}

/// As [`write`], with additional data for some formats.
///
/// # Errors
/// As for [`write`].
pub fn write_with(
    format: Format,
    source: Source<'_>,
    options: Options,
    extras: Extras<'_>,
    out: &mut impl Write,
) -> Result<(), Error> {
    let transcript = source.transcript;
    let marks = extras.annotations;
    let names = Names::of(transcript, options.speakers);
    if format.is_subtitles() {
        let cues = subtitles::written_cues(transcript, &names, options, extras.translation);
        let limits = options.subtitles.limits(&transcript.language);
        match format {
            Format::Vtt => subtitles::write_vtt(&cues, &limits, options.words, out)?,
            Format::Ttml => ttml::write(source, options, &cues, out)?,
            Format::Stl => stl::write(source, options, &cues, out)?,
            _ => subtitles::write_srt(&cues, &limits, out)?,
        }
        return Ok(());
    }
    let options = Options {
        layout: if supports_layout(format.name(), options.layout) {
            options.layout
        } else {
            ExportLayout::Paragraphs
        },
        ..options
    };
    let roles = Roles::of(transcript, extras.asks);
    match format {
        Format::Txt => {
            plain::write(source, &names, options, &roles, out)?;
            annotations::write_text(marks, transcript, &names, out)?;
        }
        // Already written above.
        Format::Srt | Format::Vtt | Format::Ttml | Format::Stl => {}
        Format::Json => json::write(transcript, options, marks, out)?,
        Format::Csv => csv::write(transcript, &names, options, out)?,
        Format::Md => {
            if let Some(matter) = extras.front_matter {
                front_matter::write(source, &names, matter, out)?;
            }
            markdown::write(source, &names, options, &roles, out)?;
            annotations::write_markdown(marks, transcript, &names, out)?;
        }
        Format::Docx => {
            let text = docx::Text {
                source,
                names: &names,
                options,
                roles: &roles,
                marks,
            };
            docx::write(&text, extras.template, extras.summary, extras.language, out)?;
        }
        Format::Pdf => pdf::write(source, &names, options, &roles, marks, out)?,
    }
    Ok(())
}

/// Converts a transcript without edits to the writers' input type.
#[must_use]
pub fn unedited(transcript: Transcript) -> EditedTranscript {
    let mut speakers: Vec<Speaker> = Vec::new();
    for id in transcript
        .segments
        .iter()
        .filter_map(|s| s.speaker.as_ref())
    {
        if speakers.iter().all(|speaker| speaker.id != *id) {
            speakers.push(Speaker {
                id: id.clone(),
                name: None,
            });
        }
    }
    let segments = transcript.segments.into_iter();
    EditedTranscript {
        version: 1,
        seq: 0,
        language: transcript.language,
        duration: transcript.duration,
        mode: transcript.mode,
        model: transcript.model,
        speakers,
        segments: segments
            .map(|segment| EditedSegment {
                id: segment.index.to_string(),
                revision: 0,
                place: Place {
                    base: segment.index,
                    part: 0,
                },
                start: segment.start,
                end: segment.end,
                speaker: segment.speaker,
                language: segment.language,
                text: segment.text,
                words: segment.words,
                cues: Vec::new(),
            })
            .collect(),
        warnings: transcript.warnings,
        removed: transcript.removed,
    }
}

/// The README's example is compiled and run by `cargo test --doc`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests;
