//! Exporting transcripts as files.
//!
//! A file is made from the current text, on a blocking thread, and only a few are made at once:
//! hours of speech as PDF take seconds of a core and some 100 MB.

pub mod annotated;
pub mod templates;

use std::sync::{Arc, LazyLock};

use anyhow::Context;
use jiff::tz::TimeZone;
use slovo_db::jobs::Job;
use slovo_export::{Error, Extras, Format, FrontMatter, Options, Source};
use slovo_rules::analysis::TranslatedCue;
use slovo_rules::edit::EditedTranscript;
use slovo_rules::export::ExportLayout;
use slovo_rules::job_plan::JobPlan;
use slovo_rules::subtitles::SubtitleOptions;
use tokio::sync::Semaphore;

use annotated::AnnotationList;
use slovo_platform::clock::from_ms;
use templates::TemplateFields;

/// Files that may be made concurrently.
const MAX_CONCURRENT: usize = 2;

static PERMITS: LazyLock<Arc<Semaphore>> =
    LazyLock::new(|| Arc::new(Semaphore::new(MAX_CONCURRENT)));

/// Why a file could not be made.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The format cannot hold the text.
    #[error(transparent)]
    Export(#[from] Error),
    /// An internal error.
    #[error(transparent)]
    Internal(#[from] anyhow::Error),
}

/// Options of a request; missing ones are taken from the job's settings.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestedOptions {
    /// Whether to name the speakers.
    pub speakers: Option<bool>,
    /// Whether to give times.
    pub timestamps: Option<bool>,
    /// Whether to give the time of each word.
    pub words: Option<bool>,
    /// Limits for subtitles.
    pub subtitles: SubtitleOptions,
    /// Layout of the text.
    pub layout: ExportLayout,
}

impl RequestedOptions {
    /// The export options for a job.
    #[must_use]
    pub fn of(self, plan: &JobPlan) -> Options {
        let requested = Options::from_plan(plan);
        Options {
            speakers: self.speakers.unwrap_or(requested.speakers),
            timestamps: self.timestamps.unwrap_or(requested.timestamps),
            words: self.words.unwrap_or(requested.words),
            subtitles: self.subtitles,
            layout: self.layout,
        }
    }
}

/// Makes a file of the job's text.
///
/// # Errors
/// [`Failure`].
pub async fn make(
    format: Format,
    options: Options,
    job: &Job,
    transcript: EditedTranscript,
) -> Result<Vec<u8>, Failure> {
    make_with(format, options, job, transcript, FormatOptions::default()).await
}

/// Options of some formats only.
#[derive(Debug, Default)]
pub struct FormatOptions {
    /// A translation under the lines of subtitles.
    pub translation: Vec<TranslatedCue>,
    /// The speaker who asks in the questions-and-answers layout, by id.
    pub asks: Option<String>,
    /// Appended at the end.
    pub annotated: AnnotationList,
    /// The template of a DOCX.
    pub template: Option<TemplateFields>,
    /// Facts before a Markdown text.
    pub front_matter: Option<Facts>,
}

/// What the front matter of a Markdown text says besides the text's own facts.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Address of the text's page.
    pub url: String,
    /// Names of its tags.
    pub tags: Vec<String>,
    /// Its summary; empty if there is none.
    pub summary: String,
}

/// [`make`] with the options of some formats only.
///
/// # Errors
/// [`Failure`].
pub async fn make_with(
    format: Format,
    options: Options,
    job: &Job,
    transcript: EditedTranscript,
    additions: FormatOptions,
) -> Result<Vec<u8>, Failure> {
    let permit = Arc::clone(&PERMITS).acquire_owned().await;
    let permit = permit.context("no more files can be made")?;
    let title = title(job).to_owned();
    let date = from_ms(job.created_at).to_zoned(TimeZone::UTC).date();
    let work = move || {
        // Released when the file is made, even if the caller has stopped waiting.
        let _permit = permit;
        let mut file = Vec::new();
        let source = Source {
            title: &title,
            date: Some(date),
            transcript: &transcript,
        };
        let fields = additions.template.as_ref();
        let extras = Extras {
            translation: &additions.translation,
            asks: additions.asks.as_deref(),
            annotations: additions.annotated.as_written(),
            template: fields.map(|fields| &*fields.template),
            summary: fields.map_or("", |fields| fields.summary.as_str()),
            language: fields.map_or("", |fields| fields.language.as_str()),
            front_matter: additions.front_matter.as_ref().map(|facts| FrontMatter {
                url: &facts.url,
                tags: &facts.tags,
                summary: &facts.summary,
            }),
        };
        let written = slovo_export::write_with(format, source, options, extras, &mut file);
        written.map(|()| file)
    };
    let result = tokio::task::spawn_blocking(work).await;
    Ok(result.context("a file cannot be made")??)
}

/// The title of a job's text: its own, or its file name without the extension.
#[must_use]
pub fn title(job: &Job) -> &str {
    let title = job.title.as_deref();
    title.unwrap_or_else(|| stem(&job.original_filename))
}

/// The name of a recording without its extension.
fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.trim_matches(['.', ' ']).is_empty() => stem,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn the_extension_is_removed_from_the_name() {
        assert_eq!(stem("talk.mp3"), "talk");
        assert_eq!(stem("a.b.mp3"), "a.b");
        assert_eq!(stem("talk"), "talk");
        assert_eq!(stem(".mp3"), ".mp3");
        assert_eq!(stem("..mp3"), "..mp3");
    }
}
