//! `slovo transcribe`: recognition without a server.

mod fetch;
pub mod inputs;
mod options;
mod output;
mod progress;
mod quality;
mod sentences;
mod system;
mod targets;
mod template;
mod work;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use clap::{Args, ValueEnum};
use fetch::Fetcher;
use inputs::{Input, InputSource};
use options::OutputOptions;
use quality::Quality;
use slovo_app::{config, state};
use slovo_engine::models::Measurements;
use slovo_engine::{CancelToken, Engine, Request};
use slovo_export::{Format, Template};
use slovo_fetch::Fetch;
use slovo_platform::clock::{Clock, SystemClock};
use slovo_platform::random::{Random, SystemRandom};
use slovo_rules::Valid;
use slovo_rules::job_plan::{self, JobPlan};
use slovo_rules::language::{self, Language};
use slovo_rules::settings::{self, Source, TranscriptionSettings, TranscriptionType};
use slovo_work::analysis::endpoint::ServerPace;
use slovo_work::analysis::engines::Engines;
use targets::Target;
use work::TranscriptionContext;

use crate::cli::failure::{INTERRUPTED, USAGE};

/// Transcribe recordings
#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 unreadable input, \
4 no speech found, 130 interrupted. Of several recordings the gravest counts: 130, 1, 2, 3, 4."
)]
pub struct Options {
    /// Recordings: files, folders (and everything in them), http and https URLs, or - for standard
    /// input. mp3, wav, m4a, flac, ogg, opus, webm, mp4, 3gp, avi, mov or mkv, detected by content;
    /// with ffmpeg also aac, wma, aiff and amr
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,
    /// Full supports 28 languages; Lite is fast and supports English only
    #[arg(long, value_enum, default_value_t = Mode::Full)]
    mode: Mode,
    /// Language of the speech, or auto [default: the system's (LC_ALL, LANG), else auto; en with Lite]
    #[arg(long, value_name = "CODE")]
    language: Option<String>,
    /// Languages that may be spoken, separated by commas, for --language auto [default: any]
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    languages: Vec<String>,
    /// Transcribe, or translate to English
    #[arg(long, value_enum, default_value_t = Task::Transcribe)]
    task: Task,
    /// Names and terms to help recognition, separated by commas
    #[arg(long, value_name = "TERMS", default_value = "")]
    vocabulary: String,
    /// Include a timestamp and confidence for every word (json)
    #[arg(long)]
    words: bool,
    /// Audio track to use, counted from 0 [default: the file's default track]
    #[arg(long, value_name = "N")]
    audio_track: Option<usize>,
    /// Output format
    #[arg(long, value_enum, default_value_t = WrittenFormat::Txt)]
    format: WrittenFormat,
    /// File to write, or folder for one file per recording; a file appears only once it is complete
    /// [default: standard output]
    #[arg(long, value_name = "FILE|DIR")]
    output: Option<PathBuf>,
    /// Word document (.docx) whose styles, pages, headers and footers to use; the text replaces
    /// {{transcript}} or, if it is missing, is appended. With --format docx
    #[arg(long, value_name = "FILE")]
    docx_template: Option<PathBuf>,
    /// File for summaries and other results, as JSON if its name ends in .json [default: in the
    /// transcript's JSON, else next to the transcript file, else after the transcript]
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Speakers, and what comes after recognition.
    #[command(flatten)]
    outputs: OutputOptions,
    /// Models and threads.
    #[command(flatten)]
    engine: config::Engine,
    /// The endpoint for analyses.
    #[command(flatten)]
    analysis: config::Analysis,
    /// Private places that URLs may lead to.
    #[command(flatten)]
    fetch: config::Fetch,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Mode {
    Full,
    Lite,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Task {
    Transcribe,
    Translate,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WrittenFormat {
    Txt,
    Srt,
    Vtt,
    Ttml,
    Stl,
    Json,
    Csv,
    Md,
    Docx,
    Pdf,
}

impl From<WrittenFormat> for Format {
    fn from(written: WrittenFormat) -> Self {
        match written {
            WrittenFormat::Txt => Self::Txt,
            WrittenFormat::Srt => Self::Srt,
            WrittenFormat::Vtt => Self::Vtt,
            WrittenFormat::Ttml => Self::Ttml,
            WrittenFormat::Stl => Self::Stl,
            WrittenFormat::Json => Self::Json,
            WrittenFormat::Csv => Self::Csv,
            WrittenFormat::Md => Self::Md,
            WrittenFormat::Docx => Self::Docx,
            WrittenFormat::Pdf => Self::Pdf,
        }
    }
}

/// The validated work.
struct Plan {
    request: Request,
    job: Valid<JobPlan>,
    recordings: Vec<(Input, Target)>,
    template: Option<Template>,
}

/// Transcribes the inputs; returns the exit code.
///
/// # Errors
/// Failures that neither the inputs nor the arguments cause: a missing model, a full disk.
pub fn run(options: &Options) -> Result<ExitCode> {
    // Connections to the endpoint and to URLs run on it.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    let engine_config = state::engine::engine_config(&options.engine)?;
    let models = engine_config.models_dir.clone();
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let random: Arc<dyn Random> = Arc::new(SystemRandom);
    let pace = ServerPace {
        clock: Arc::clone(&clock),
        random: Arc::clone(&random),
    };
    let endpoint = options.analysis.endpoint();
    let engines = endpoint.and_then(|endpoint| {
        let handle = runtime.handle().clone();
        Engines::new(endpoint, engine_config.clone(), pace, handle)
    });
    let engines = match engines {
        Ok(engines) => engines,
        Err(error) => return Ok(wrong_usage(&[format!("{error:#}")])),
    };
    let plan = match plan(options, &engines, &models) {
        Ok(plan) => plan,
        Err(sentences) => return Ok(wrong_usage(&sentences)),
    };
    slovo_work::quality::use_measurements(Measurements::load(&models));
    let quality = Quality::before(&plan.job, system_language(options), &engine_config);
    let engine = Engine::new(engine_config)?;
    let fetch = Fetch::new(
        &options.fetch.allow,
        options.fetch.downloader(),
        engine.clone(),
        &clock,
        &random,
    );
    quality.tell(&models);
    let cancel = CancelToken::new();
    cancel_at_interrupt(cancel.clone())?;
    let work = TranscriptionContext {
        options,
        models: &models,
        engine: &engine,
        engines: &engines,
        request: plan.request,
        job: plan.job,
        quality,
        cancel: &cancel,
        template: plan.template,
        fetcher: Fetcher {
            fetch: &fetch,
            runtime: runtime.handle(),
            cancel: &cancel,
        },
    };
    work.all(&plan.recordings)
}

fn wrong_usage(sentences: &[String]) -> ExitCode {
    for sentence in sentences {
        eprintln!("slovo: {sentence}");
    }
    ExitCode::from(USAGE)
}

/// Checks everything that can be checked before the work starts.
///
/// # Errors
/// A message for everything that cannot be done.
fn plan(options: &Options, engines: &Engines, models: &Path) -> Result<Plan, Vec<String>> {
    let (request, job) = request(options, engines, models)?;
    if options.engine.threads == Some(0) {
        return Err(vec!["--threads: at least 1".to_owned()]);
    }
    options
        .fetch
        .check()
        .map_err(|error| vec![format!("{error:#}")])?;
    let inputs = inputs::of(&options.inputs)?;
    let reads_stdin = inputs
        .all
        .iter()
        .any(|input| input.source == InputSource::Stdin);
    if reads_stdin && std::io::stdin().is_terminal() {
        return Err(vec![
            "-: standard input is the keyboard; give it a recording (`< FILE` or a pipe)"
                .to_owned(),
        ]);
    }
    let format = Format::from(options.format);
    let template = template::of(options.docx_template.as_deref(), format);
    let template = template.map_err(|sentence| vec![sentence])?;
    let requested = targets::TargetOptions {
        output: options.output.as_deref(),
        results: options.results.as_deref(),
        format,
        makes: options.outputs.makes(),
    };
    let targets = targets::of(&requested, &inputs).map_err(|sentence| vec![sentence])?;
    Ok(Plan {
        request,
        job,
        recordings: inputs.all.into_iter().zip(targets).collect(),
        template,
    })
}

/// The request to the engine for every file, or messages why it is impossible.
fn request(
    options: &Options,
    engines: &Engines,
    models: &Path,
) -> Result<(Request, Valid<JobPlan>), Vec<String>> {
    check_languages(options)?;
    let system = system::language(|name| std::env::var(name).ok());
    let is_open = options.mode == Mode::Full && options.language.is_none();
    let system = system.filter(|_| is_open && options.languages.is_empty());
    let job = match (&options.language, &system, options.mode) {
        (Some(language), ..) => validated_job(options, language),
        // The suggested language does not fit these options: treat it as not chosen.
        (None, Some((variable, language)), _) => match validated_job(options, language) {
            Ok(job) => {
                eprintln!(
                    "slovo: language: {language}, from {variable} (`--language auto` finds it)"
                );
                Ok(job)
            }
            Err(_) => validated_job(options, language::AUTO),
        },
        (None, None, Mode::Full) => validated_job(options, language::AUTO),
        (None, None, Mode::Lite) => validated_job(options, "en"),
    };
    let job = job?;
    options::check(&job, engines, models)?;
    let request = Request {
        mode: job.mode,
        language: job.language.into(),
        translate: job.translates_to_english,
        // Word times are needed to split subtitles, and because speakers change between words.
        words: options.words
            || options::changes_text(&job)
            || Format::from(options.format).is_subtitles(),
        languages: job.languages,
        vocabulary: job.vocabulary.clone(),
        audio_track: options.audio_track,
        multichannel: job.multichannel,
        ..Request::new(PathBuf::new())
    };
    Ok((request, job))
}

/// Several languages need detection, which the given options may exclude.
///
/// # Errors
/// A message that names the conflicting option.
fn check_languages(options: &Options) -> Result<(), Vec<String>> {
    if options.languages.is_empty() {
        return Ok(());
    }
    if options.mode == Mode::Lite {
        return Err(vec!["--languages: Lite recognises English only".to_owned()]);
    }
    match options.language.as_deref() {
        None | Some(language::AUTO) => Ok(()),
        Some(_) => Err(vec![
            "--languages: only with --language auto, which detects one of them".to_owned(),
        ]),
    }
}

/// The language of the system, where Lite sets English and no language was named.
fn system_language(options: &Options) -> Option<Language> {
    let is_replaced = options.mode == Mode::Lite && options.language.is_none();
    let system = system::language(|name| std::env::var(name).ok());
    let (_, code) = system.filter(|_| is_replaced)?;
    Language::parse(&code)
}

/// The job for the arguments with this language, or messages about violated rules.
fn validated_job(options: &Options, language: &str) -> Result<Valid<JobPlan>, Vec<String>> {
    let mode = match options.mode {
        Mode::Full => TranscriptionType::Full,
        Mode::Lite => TranscriptionType::Lite,
    };
    let translate = options.task == Task::Translate;
    let settings = TranscriptionSettings {
        transcription_type: mode,
        language_code: language.to_owned(),
        word_level_timestamps: options.words,
        translate: if translate {
            settings::TRANSLATE_TO_ENGLISH.to_owned()
        } else {
            String::new()
        },
        custom_vocabulary: options.vocabulary.clone(),
        languages: options
            .languages
            .iter()
            .map(|code| code.trim().to_owned())
            .collect(),
        ..TranscriptionSettings::default()
    };
    let settings = options.outputs.settings(settings);
    job_plan::validate(&settings, Source::File).map_err(|violations| sentences::of(&violations))
}

/// Ctrl-C stops the run; a second one ends the program at once.
fn cancel_at_interrupt(cancel: CancelToken) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    std::thread::Builder::new()
        .name("interrupt".into())
        .spawn(move || {
            runtime.block_on(async {
                if tokio::signal::ctrl_c().await.is_err() {
                    return;
                }
                cancel.cancel();
                if tokio::signal::ctrl_c().await.is_ok() {
                    std::process::exit(i32::from(INTERRUPTED));
                }
            });
        })?;
    Ok(())
}
