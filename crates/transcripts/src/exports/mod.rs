//! Files of transcripts.
//!
//! A file is made of the text as it reads now, off the threads that answer requests, and no more
//! than a few at once: hours of speech as PDF take seconds of a core and some 100 MB.

pub mod annotated;
pub mod templates;

use std::sync::{Arc, LazyLock};

use anyhow::Context;
use jiff::tz::TimeZone;
use slovo_db::jobs::Job;
use slovo_export::{Error, Extras, Format, Options, Source};
use slovo_rules::analysis::TranslatedCue;
use slovo_rules::edit::EditedTranscript;
use slovo_rules::export::ExportLayout;
use slovo_rules::job_plan::JobPlan;
use slovo_rules::subtitles::SubtitleWishes;
use tokio::sync::Semaphore;

use annotated::Annotated;
use slovo_platform::clock::from_ms;
use templates::TemplateFields;

/// Files that may be made at once.
const MOST_AT_ONCE: usize = 2;

static PERMITS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(MOST_AT_ONCE)));

/// Why there is no file.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The format cannot hold the text.
    #[error(transparent)]
    Export(#[from] Error),
    /// Something of ours.
    #[error(transparent)]
    Internal(#[from] anyhow::Error),
}

/// What somebody wants in a file; what they do not say is as the job's settings ask for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// Who speaks.
    pub speakers: Option<bool>,
    /// When it is said.
    pub timestamps: Option<bool>,
    /// When each word is said.
    pub words: Option<bool>,
    /// What subtitles keep to.
    pub subtitles: SubtitleWishes,
    /// How the text stands in it.
    pub layout: ExportLayout,
}

impl Wanted {
    /// What goes into the file of a job.
    #[must_use]
    pub fn of(self, plan: &JobPlan) -> Options {
        let asked = Options::asked(plan);
        Options {
            speakers: self.speakers.unwrap_or(asked.speakers),
            timestamps: self.timestamps.unwrap_or(asked.timestamps),
            words: self.words.unwrap_or(asked.words),
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
    make_with(format, options, job, transcript, Additions::default()).await
}

/// What only some files have.
#[derive(Debug, Default)]
pub struct Additions {
    /// A translation under the lines of subtitles.
    pub translation: Vec<TranslatedCue>,
    /// Who asks in questions and answers, by the speaker's id.
    pub asks: Option<String>,
    /// At the end of what is read.
    pub annotated: Annotated,
    /// The look of a DOCX.
    pub template: Option<TemplateFields>,
}

/// [`make`], with what only some files have.
///
/// # Errors
/// [`Failure`].
pub async fn make_with(
    format: Format,
    options: Options,
    job: &Job,
    transcript: EditedTranscript,
    additions: Additions,
) -> Result<Vec<u8>, Failure> {
    let permit = Arc::clone(&PERMITS).acquire_owned().await;
    let permit = permit.context("files are made no more")?;
    let title = title(job).to_owned();
    let date = from_ms(job.created_at).to_zoned(TimeZone::UTC).date();
    let work = move || {
        // Given back when the file is made, also when nobody waits for it any more.
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
        };
        let written = slovo_export::write_with(format, source, options, extras, &mut file);
        written.map(|()| file)
    };
    let made = tokio::task::spawn_blocking(work).await;
    Ok(made.context("a file cannot be made")??)
}

/// What a job's text is called: its title, or the name of its file without the extension.
#[must_use]
pub fn title(job: &Job) -> &str {
    let given = job.title.as_deref();
    given.unwrap_or_else(|| stem(&job.original_filename))
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
    fn the_extension_is_left_out_and_the_name_kept() {
        assert_eq!(stem("talk.mp3"), "talk");
        assert_eq!(stem("a.b.mp3"), "a.b");
        assert_eq!(stem("talk"), "talk");
        assert_eq!(stem(".mp3"), ".mp3");
        assert_eq!(stem("..mp3"), "..mp3");
    }
}
