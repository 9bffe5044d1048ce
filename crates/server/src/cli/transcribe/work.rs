//! Processes recordings one after another: recognition, speakers, output.

use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use slovo_engine::media::MediaError;
use slovo_engine::{CancelToken, Engine, EngineError, Request};
use slovo_export::{Extras, Format, Template};
use slovo_rules::Valid;
use slovo_rules::edit::EditedTranscript;
use slovo_rules::job_plan::JobPlan;
use slovo_work::analysis::engines::Engines;

use super::fetch::{Fetcher, InputError};
use super::inputs::{Input, InputSource};
use super::options::{self, AnalysisResult};
use super::progress::Progress;
use super::quality::Quality;
use super::targets::Target;
use super::{Options, WrittenFormat, output};
use crate::cli::failure::{INTERRUPTED, USAGE};
use crate::cli::hints;

/// The file cannot be read as a recording.
const EXIT_UNREADABLE: u8 = 3;
/// The file is readable but contains no speech.
const EXIT_NO_SPEECH: u8 = 4;

/// Shared by all recordings.
pub struct TranscriptionContext<'a> {
    /// The arguments.
    pub options: &'a Options,
    /// Where the models are.
    pub models: &'a Path,
    /// Recognises speech.
    pub engine: &'a Engine,
    /// Speakers and analyses.
    pub engines: &'a Engines,
    /// The request to the engine, the same for every file.
    pub request: Request,
    /// The settings of the job.
    pub job: Valid<JobPlan>,
    /// Warnings about the quality of the texts.
    pub quality: Quality,
    /// Checked frequently.
    pub cancel: &'a CancelToken,
    /// The template of DOCX files.
    pub template: Option<Template>,
    /// Makes recordings available as files.
    pub fetcher: Fetcher<'a>,
}

impl TranscriptionContext<'_> {
    /// Processes all recordings. A failure does not stop the others; the exit code is that of the
    /// most serious failure.
    ///
    /// # Errors
    /// Failures that would affect the others too: a missing model, a full disk.
    pub fn all(&self, recordings: &[(Input, Target)]) -> Result<ExitCode> {
        let several = recordings.len() > 1;
        let mut most_serious = 0;
        for (index, (input, target)) in recordings.iter().enumerate() {
            let is_shown =
                several && target.text.is_none() && self.options.format != WrittenFormat::Json;
            let heading = is_shown.then(|| {
                let gap = if index == 0 { "" } else { "\n" };
                format!("{gap}==> {} <==\n", input.display_name)
            });
            let code = self.process(input, target, &heading.unwrap_or_default())?;
            if severity(code) > severity(most_serious) {
                most_serious = code;
            }
            if code == INTERRUPTED {
                break;
            }
        }
        Ok(ExitCode::from(most_serious))
    }

    fn process(&self, input: &Input, target: &Target, heading: &str) -> Result<u8> {
        if matches!(input.source, InputSource::Address(..)) && std::io::stderr().is_terminal() {
            eprintln!("slovo: fetching {}", input.display_name);
        }
        let file = match self.fetcher.fetch(&input.source) {
            Ok(file) => file,
            Err(InputError::Cancelled) => return Ok(INTERRUPTED),
            Err(InputError::Unreadable(why)) => {
                eprintln!("slovo: {}: {why}", input.display_name);
                return Ok(EXIT_UNREADABLE);
            }
            Err(InputError::Ours(error)) => {
                return Err(error).context("there is no place for the recording");
            }
        };
        let options = self.options;
        let live = target.text.is_none()
            && options.format == WrittenFormat::Txt
            && !options::changes_text(&self.job);
        let mut progress = Progress::new(live, heading);
        let request = Request {
            input: file.path.clone(),
            ..self.request.clone()
        };
        let outcome = self
            .engine
            .transcribe(&request, self.cancel, &mut |event| progress.take(event));
        progress.finish();
        let file = (file.path.as_path(), options.audio_track);
        let finish = |transcript| {
            options::finish_transcript(&self.job, file, transcript, self.engines, self.cancel)
        };
        let mut transcript = match outcome.and_then(finish) {
            Ok(transcript) if !transcript.segments.is_empty() => transcript,
            Ok(_) => return self.refuse(input, EngineError::NoSpeech),
            Err(error) => return self.refuse(input, error),
        };
        self.quality.add(&self.job, &mut transcript, self.models);
        let transcript = slovo_export::unedited(transcript);
        let results = options::make(&self.job, &transcript, self.engines, self.cancel);
        let is_displayed = progress.has_shown_text();
        let parts = (&transcript, results.as_slice());
        self.deliver(input, target, parts, (is_displayed, heading))?;
        Ok(u8::from(results.iter().any(AnalysisResult::failed)))
    }

    fn deliver(
        &self,
        input: &Input,
        target: &Target,
        (transcript, results): (&EditedTranscript, &[AnalysisResult]),
        (is_displayed, heading): (bool, &str),
    ) -> Result<()> {
        let format = Format::from(self.options.format);
        let title = title(input);
        let source = slovo_export::Source {
            title: &title,
            date: None,
            transcript,
        };
        let contents = slovo_export::Options {
            words: self.options.words,
            ..format.defaults()
        };
        let summary = options::summary(results);
        let extras = Extras {
            template: self.template.as_ref(),
            summary: &summary,
            ..Extras::default()
        };
        let is_within = format == Format::Json && target.results.is_none() && !results.is_empty();
        let embedded = is_within.then(|| options::as_json(results));
        match &target.text {
            Some(path) => output::to_file(path, format, contents, (source, extras), embedded)
                .with_context(|| format!("cannot write {}", path.display()))?,
            // On a terminal the text has already been shown while it grew.
            None if is_displayed => {}
            None => {
                output::append_to_stdout(heading).context("cannot write the text")?;
                output::to_stdout(format, contents, (source, extras), embedded)
                    .context("cannot write the text")?;
            }
        }
        match &target.results {
            Some(path) => output::results_to_file(path, &formatted(path, results))
                .with_context(|| format!("cannot write {}", path.display()))?,
            None if format == Format::Json => {}
            None => {
                output::append_to_stdout(&options::as_text(results))
                    .context("cannot write the results")?;
            }
        }
        Ok(())
    }

    fn refuse(&self, input: &Input, error: EngineError) -> Result<u8> {
        let code = match &error {
            // The file is fine: the track number is the usage error.
            EngineError::Media(MediaError::NoSuchTrack { .. }) => USAGE,
            EngineError::Media(_) => EXIT_UNREADABLE,
            EngineError::NoSpeech => EXIT_NO_SPEECH,
            EngineError::Cancelled => INTERRUPTED,
            EngineError::UnsupportedLanguage { .. } | EngineError::Unavailable { .. } => USAGE,
            EngineError::Recognition(_)
            | EngineError::Remote { .. }
            | EngineError::Crashed { .. } => 1,
            EngineError::ModelMissing { id, path } => anyhow::bail!(
                "the model {id} is missing: {} does not exist (run `{}`)",
                path.display(),
                hints::pull(id, self.models)
            ),
            EngineError::ModelUnusable { .. } | EngineError::Io(_) => return Err(error.into()),
        };
        eprintln!("slovo: {}: {error}", input.display_name);
        Ok(code)
    }
}

/// The title of formats with a heading.
fn title(input: &Input) -> String {
    let stem = match &input.source {
        InputSource::Stdin => None,
        _ => input.name.file_stem(),
    };
    stem.unwrap_or_default().to_string_lossy().into_owned()
}

/// The results in the format of the file's extension.
fn formatted(path: &Path, results: &[AnalysisResult]) -> String {
    let is_json = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    if is_json {
        return format!("{:#}\n", options::as_json(results));
    }
    options::as_text(results).trim_start().to_owned()
}

/// The severity of an exit code.
const fn severity(code: u8) -> u8 {
    match code {
        0 => 0,
        EXIT_NO_SPEECH => 1,
        EXIT_UNREADABLE => 2,
        USAGE => 3,
        INTERRUPTED => 5,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_serious_code_is_reported() {
        let most_serious = |codes: &[u8]| codes.iter().copied().max_by_key(|code| severity(*code));
        assert_eq!(most_serious(&[0, EXIT_NO_SPEECH]), Some(EXIT_NO_SPEECH));
        assert_eq!(
            most_serious(&[EXIT_UNREADABLE, EXIT_NO_SPEECH, 0]),
            Some(EXIT_UNREADABLE)
        );
        assert_eq!(most_serious(&[EXIT_UNREADABLE, 1]), Some(1));
        assert_eq!(most_serious(&[INTERRUPTED, 1]), Some(INTERRUPTED));
    }
}
