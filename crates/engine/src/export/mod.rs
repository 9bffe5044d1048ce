//! Writers of a transcript: plain text, SubRip, WebVTT and JSON.
//!
//! They read nothing but the transcript, so the command line and the server give
//! the same bytes. Every writer takes hostile text: what a format would read as
//! its own syntax is escaped or replaced, and no text can end a cue early.

mod cues;
mod lines;
mod paragraphs;
mod subtitles;
mod time;

use std::io::{self, Write};
use std::str::FromStr;

use slovo_rules::transcript::Transcript;

pub use paragraphs::continues;

/// A format of the written transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Paragraphs of text, with speakers where there are some.
    Txt,
    /// SubRip subtitles.
    Srt,
    /// WebVTT subtitles.
    Vtt,
    /// The transcript as data.
    Json,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Txt, Self::Srt, Self::Vtt, Self::Json];

    /// Name on the command line and in the API; also the file's extension.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Txt => "txt",
            Self::Srt => "srt",
            Self::Vtt => "vtt",
            Self::Json => "json",
        }
    }

    /// MIME type of the written file; all of them are UTF-8.
    #[must_use]
    pub const fn mime(self) -> &'static str {
        match self {
            Self::Txt => "text/plain; charset=utf-8",
            Self::Srt => "application/x-subrip; charset=utf-8",
            Self::Vtt => "text/vtt; charset=utf-8",
            Self::Json => "application/json",
        }
    }
}

/// The name is none of the four.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the format is one of txt, srt, vtt and json")]
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

/// Writes the transcript in this format.
///
/// An empty transcript gives a valid empty file: nothing for txt and srt, the
/// bare header for vtt, an empty list for json. Subtitles are split at words
/// where the segments carry them.
///
/// # Errors
/// When the output fails.
pub fn write(format: Format, transcript: &Transcript, out: &mut impl Write) -> io::Result<()> {
    match format {
        Format::Txt => paragraphs::write(transcript, out),
        Format::Srt => subtitles::write_srt(transcript, out),
        Format::Vtt => subtitles::write_vtt(transcript, out),
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, transcript)?;
            out.write_all(b"\n")
        }
    }
}

#[cfg(test)]
mod tests;
