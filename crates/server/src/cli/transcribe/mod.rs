//! `slovo transcribe FILE`: the engine without the server.

mod output;
mod progress;
mod sentences;
mod wanted;

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use slovo_engine::media::MediaError;
use slovo_engine::{CancelToken, Engine, EngineError, LanguageChoice, Request};
use slovo_export::Format;
use slovo_rules::edit::EditedTranscript;
use slovo_rules::language;
use slovo_rules::settings::{self, Source, TranscriptionSettings, TranscriptionType};

use crate::analysis::endpoint::ServerPace;
use crate::analysis::engines::Engines;
use crate::cli::failure::{INTERRUPTED, USAGE};
use crate::clock::SystemClock;
use crate::config;
use crate::random::SystemRandom;
use progress::Progress;
use wanted::{Made, Wanted};

/// The file cannot be read as a recording.
const EXIT_UNREADABLE: u8 = 3;
/// The file is readable and nobody speaks in it.
const EXIT_NO_SPEECH: u8 = 4;

/// Turn a recording into text
#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 unreadable input, \
4 no speech found, 130 interrupted."
)]
pub struct Options {
    /// Recording: mp3, wav, m4a, flac, ogg, webm, mp4, avi, mov or mkv, known by content
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// Full knows 28 languages; Lite is fast and knows English only
    #[arg(long, value_enum, default_value_t = Mode::Full)]
    mode: Mode,
    /// Language of the speech, or auto [default: auto; en with Lite]
    #[arg(long, value_name = "CODE")]
    language: Option<String>,
    /// Write what was said, or its translation into English
    #[arg(long, value_enum, default_value_t = Task::Transcribe)]
    task: Task,
    /// Names and terms to prefer, separated by commas
    #[arg(long, value_name = "TERMS", default_value = "")]
    vocabulary: String,
    /// Give each word its time and confidence (json)
    #[arg(long)]
    words: bool,
    /// Audio track to take, from 0 [default: the file's own default]
    #[arg(long, value_name = "N")]
    audio_track: Option<usize>,
    /// Format of the text
    #[arg(long, value_enum, default_value_t = Written::Txt)]
    format: Written,
    /// File to write; it appears only when it is complete [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Speakers, and what comes after recognition.
    #[command(flatten)]
    wanted: Wanted,
    /// Models and threads.
    #[command(flatten)]
    engine: config::Engine,
    /// What is done by an endpoint.
    #[command(flatten)]
    analysis: config::Analysis,
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
enum Written {
    Txt,
    Srt,
    Vtt,
    Json,
    Csv,
    Md,
    Docx,
    Pdf,
}

impl From<Written> for Format {
    fn from(written: Written) -> Self {
        match written {
            Written::Txt => Self::Txt,
            Written::Srt => Self::Srt,
            Written::Vtt => Self::Vtt,
            Written::Json => Self::Json,
            Written::Csv => Self::Csv,
            Written::Md => Self::Md,
            Written::Docx => Self::Docx,
            Written::Pdf => Self::Pdf,
        }
    }
}

/// Transcribes and says how it went by the exit code.
///
/// # Errors
/// What is neither the input's nor the arguments' fault: a missing model, a full disk.
pub fn run(options: &Options) -> Result<ExitCode> {
    // Connections to the endpoint are made on it.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    let engine_config = options.engine.to_engine()?;
    let pace = ServerPace {
        clock: Arc::new(SystemClock),
        random: Arc::new(SystemRandom),
    };
    let engines = Engines::of_config(
        &options.analysis,
        engine_config.clone(),
        pace,
        runtime.handle().clone(),
    );
    let engines = match engines {
        Ok(engines) => engines,
        Err(error) => {
            eprintln!("slovo: {error:#}");
            return Ok(ExitCode::from(USAGE));
        }
    };
    let (request, settings) = match request(options, &engines) {
        Ok(request) => request,
        Err(sentences) => {
            for sentence in sentences {
                eprintln!("slovo: {sentence}");
            }
            return Ok(ExitCode::from(USAGE));
        }
    };
    if options.engine.threads == Some(0) {
        eprintln!("slovo: --threads: at least 1");
        return Ok(ExitCode::from(USAGE));
    }
    if let Some(path) = &options.output
        && let Err(refusal) = output::check(path, &options.input)
    {
        eprintln!("slovo: --output: {}: {refusal}", path.display());
        return Ok(ExitCode::from(USAGE));
    }
    let engine = Engine::new(engine_config)?;
    let cancel = CancelToken::new();
    cancel_at_interrupt(cancel.clone())?;
    let live = options.output.is_none()
        && options.format == Written::Txt
        && !options.wanted.changes_text();
    let mut progress = Progress::new(live);
    let outcome = engine.transcribe(&request, &cancel, &mut |event| progress.take(event));
    progress.finish();
    let file = (options.input.as_path(), options.audio_track);
    let told = |transcript| wanted::speakers(&options.wanted, file, transcript, &engines, &cancel);
    let transcript = match outcome.and_then(told) {
        Ok(transcript) if !transcript.segments.is_empty() => transcript,
        Ok(_) => return refuse(options, EngineError::NoSpeech),
        Err(error) => return refuse(options, error),
    };
    let transcript = slovo_export::unedited(transcript);
    let made = wanted::make(&settings, &transcript, &engines, &cancel);
    deliver(options, &transcript, &made, progress.has_shown_text())
}

/// What the engine is asked, or the sentences that say why it cannot be.
fn request(
    options: &Options,
    engines: &Engines,
) -> Result<(Request, TranscriptionSettings), Vec<String>> {
    let mode = match options.mode {
        Mode::Full => TranscriptionType::Full,
        Mode::Lite => TranscriptionType::Lite,
    };
    let language = options
        .language
        .clone()
        .unwrap_or_else(|| match options.mode {
            Mode::Full => language::AUTO.to_owned(),
            Mode::Lite => "en".to_owned(),
        });
    let translate = options.task == Task::Translate;
    let settings = TranscriptionSettings {
        transcription_type: mode,
        language_code: language,
        word_level_timestamps: options.words,
        translate: if translate {
            settings::TRANSLATE_TO_ENGLISH.to_owned()
        } else {
            String::new()
        },
        custom_vocabulary: options.vocabulary.clone(),
        ..TranscriptionSettings::default()
    };
    let settings = options.wanted.settings(settings);
    let settings = settings::validate(&settings, Source::File)
        .map_err(|violations| sentences::of(&violations))?;
    let settings = settings.into_inner();
    wanted::check(&settings, engines)?;
    let translate = settings.translates();
    let request = Request {
        mode,
        language: if settings.language_code == language::AUTO {
            LanguageChoice::Auto
        } else {
            LanguageChoice::Code(settings.language_code.clone())
        },
        translate,
        // Subtitles are split at words where the segments carry them.
        // Speakers change between words.
        words: options.words
            || options.wanted.changes_text()
            || matches!(options.format, Written::Srt | Written::Vtt),
        vocabulary: settings.vocabulary_terms(),
        audio_track: options.audio_track,
        multichannel: settings.multichannel,
        ..Request::new(options.input.clone())
    };
    Ok((request, settings))
}

fn deliver(
    options: &Options,
    transcript: &EditedTranscript,
    made: &[Made],
    shown: bool,
) -> Result<ExitCode> {
    let format = Format::from(options.format);
    let title = options.input.file_stem().map(OsStr::to_string_lossy);
    let source = slovo_export::Source {
        title: &title.unwrap_or_default(),
        date: None,
        transcript,
    };
    // In JSON it stands beside the text, otherwise after it on standard output.
    let contents = slovo_export::Options {
        words: options.words,
        ..format.defaults()
    };
    let within = (format == Format::Json && !made.is_empty()).then(|| wanted::as_json(made));
    match &options.output {
        Some(path) => output::to_file(path, format, contents, source, within)
            .with_context(|| format!("cannot write {}", path.display()))?,
        // On a terminal the text has grown before the reader's eyes already.
        None if shown => {}
        None => {
            output::to_stdout(format, contents, source, within).context("cannot write the text")?;
        }
    }
    if format != Format::Json {
        output::more_to_stdout(&wanted::shown(made)).context("cannot write the results")?;
    }
    let failed = made.iter().any(Made::failed);
    Ok(ExitCode::from(u8::from(failed)))
}

fn refuse(options: &Options, error: EngineError) -> Result<ExitCode> {
    let code = match &error {
        // The file is as good as it was: another number would do.
        EngineError::Media(MediaError::NoSuchTrack { .. }) => USAGE,
        EngineError::Media(_) => EXIT_UNREADABLE,
        EngineError::NoSpeech => EXIT_NO_SPEECH,
        EngineError::Cancelled => INTERRUPTED,
        EngineError::UnsupportedLanguage { .. } | EngineError::Unavailable { .. } => USAGE,
        EngineError::ModelMissing { .. }
        | EngineError::ModelUnusable { .. }
        | EngineError::Recognition(_)
        | EngineError::Io(_) => return Err(error.into()),
    };
    eprintln!("slovo: {}: {error}", options.input.display());
    Ok(ExitCode::from(code))
}

/// Ctrl-C asks the run to stop; a second one ends the program at once.
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
