//! `slovo transcribe FILE`: the engine without the server.

mod output;
mod progress;
mod sentences;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use slovo_engine::export::Format;
use slovo_engine::media::MediaError;
use slovo_engine::{CancelToken, Engine, EngineError, LanguageChoice, Request};
use slovo_rules::language;
use slovo_rules::settings::{self, Source, TranscriptionSettings, TranscriptionType};
use slovo_rules::transcript::Transcript;

use crate::cli::failure::{INTERRUPTED, USAGE};
use crate::config;
use progress::Progress;

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
    /// Models and threads.
    #[command(flatten)]
    engine: config::Engine,
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
}

impl From<Written> for Format {
    fn from(written: Written) -> Self {
        match written {
            Written::Txt => Self::Txt,
            Written::Srt => Self::Srt,
            Written::Vtt => Self::Vtt,
            Written::Json => Self::Json,
        }
    }
}

/// Transcribes and says how it went by the exit code.
///
/// # Errors
/// What is neither the input's nor the arguments' fault: a missing model, a full disk.
pub fn run(options: &Options) -> Result<ExitCode> {
    let request = match request(options) {
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
    let engine = Engine::new(options.engine.to_engine()?)?;
    let cancel = CancelToken::new();
    cancel_at_interrupt(cancel.clone())?;
    let live = options.output.is_none() && options.format == Written::Txt;
    let mut progress = Progress::new(live);
    let outcome = engine.transcribe(&request, &cancel, &mut |event| progress.take(event));
    progress.finish();
    match outcome {
        Ok(transcript) => deliver(options, &transcript, progress.has_shown_text()),
        Err(error) => refuse(options, error),
    }
}

/// What the engine is asked, or the sentences that say why it cannot be.
fn request(options: &Options) -> Result<Request, Vec<String>> {
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
    let settings = settings::validate(&settings, Source::File)
        .map_err(|violations| sentences::of(&violations))?;
    let settings = settings.into_inner();
    let translate = settings.translates();
    Ok(Request {
        mode,
        language: if settings.language_code == language::AUTO {
            LanguageChoice::Auto
        } else {
            LanguageChoice::Code(settings.language_code.clone())
        },
        translate,
        // Subtitles are split at words where the segments carry them.
        words: options.words || matches!(options.format, Written::Srt | Written::Vtt),
        vocabulary: settings.vocabulary_terms(),
        audio_track: options.audio_track,
        ..Request::new(options.input.clone())
    })
}

fn deliver(options: &Options, transcript: &Transcript, shown: bool) -> Result<ExitCode> {
    if transcript.segments.is_empty() {
        return refuse(options, EngineError::NoSpeech);
    }
    let format = Format::from(options.format);
    match &options.output {
        Some(path) => output::to_file(path, format, transcript)
            .with_context(|| format!("cannot write {}", path.display()))?,
        // On a terminal the text has grown before the reader's eyes already.
        None if shown => {}
        None => output::to_stdout(format, transcript).context("cannot write the text")?,
    }
    Ok(ExitCode::SUCCESS)
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
