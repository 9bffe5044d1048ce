//! `slovo models measure`: how well, how fast and with how much memory a model recognises
//! recordings whose words are known.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;
use slovo_engine::models::{self, Measurement, Measurements, word_errors};
use slovo_engine::{CancelToken, Engine, EngineConfig, EngineError, LanguageChoice, Request};
use slovo_platform::clock::{Clock, SystemClock};
use slovo_rules::language::{self, Language};
use slovo_rules::settings::TranscriptionType;

use crate::cli::failure::Failure;
use crate::cli::model_use::{Mode, check_usable};
use crate::cli::transcribe::inputs::{self, InputSource};

/// The texts of recordings have this extension.
const TEXT: &str = "txt";

/// Options of `slovo models measure`.
#[derive(Args)]
pub struct Options {
    /// ID of an installed model
    id: String,
    /// Folder with recordings. Next to each, in a text file of the same name ending in .txt, are
    /// the words that are spoken in it
    folder: PathBuf,
    /// Language of the recordings
    #[arg(long, value_name = "CODE")]
    language: String,
    /// Threads for recognition [default: the machine's cores]
    #[arg(long, env = "SLOVO_THREADS", value_name = "N")]
    threads: Option<usize>,
}

/// A recording whose words are known.
struct Sample {
    recording: PathBuf,
    words: String,
}

/// Measures a model and stores the result in the models folder.
pub fn run(dir: &Path, options: &Options) -> Result<ExitCode> {
    let language = Language::parse(&options.language);
    let language = language
        .ok_or_else(|| Failure::usage(format!("--language: {:?} is unknown", options.language)))?;
    let mode = mode_of(dir, &options.id)?;
    if !language::offered(mode).contains(&language.as_str()) {
        let message = format!("{} recognises English only: --language en", options.id);
        return Err(Failure::usage(message).into());
    }
    if options.threads == Some(0) {
        return Err(Failure::usage("--threads: at least 1").into());
    }
    let samples = samples(&options.folder)?;
    let mut config = EngineConfig::new(dir.to_owned());
    config.threads = options.threads.unwrap_or(config.threads);
    let threads = u32::try_from(config.threads).unwrap_or(u32::MAX);
    let measuring = Measuring {
        engine: Engine::new(config)?,
        model: options.id.clone(),
        mode,
        language,
    };
    let measurement = Measurement {
        threads,
        ..measuring.all(&samples)?
    };
    let summary = summary(&options.id, &measurement);
    let mut all = Measurements::load(dir);
    all.set(&options.id, measurement);
    all.save(dir)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{summary}")?;
    writeln!(
        out,
        "Stored. `slovo models list` and `slovo models recommend` use it at once, a running server \
         after a restart."
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The mode that the model serves.
///
/// # Errors
/// The model is unknown, does not recognise speech, or is not in the folder.
fn mode_of(dir: &Path, id: &str) -> Result<TranscriptionType> {
    let is_english = models::find(id).is_some_and(|model| !model.serves(TranscriptionType::Full));
    let mode = if is_english { Mode::Lite } else { Mode::Full };
    check_usable(dir, mode, id)?;
    Ok(mode.into())
}

/// The recordings of a folder that have a text, by name.
fn samples(folder: &Path) -> Result<Vec<Sample>> {
    if !folder.is_dir() {
        let message = format!("{}: not a folder", folder.display());
        return Err(Failure::usage(message).into());
    }
    let inputs = inputs::of(&[folder.to_owned()]).map_err(|all| Failure::usage(all.join("\n")))?;
    let (mut samples, mut without_text) = (Vec::new(), 0);
    for input in inputs.all {
        let InputSource::File(recording) = input.source else {
            continue;
        };
        let path = recording.with_extension(TEXT);
        if !path.is_file() {
            without_text += 1;
            continue;
        }
        let words = std::fs::read_to_string(&path)
            .with_context(|| format!("{}: not readable as UTF-8 text", path.display()))?;
        samples.push(Sample { recording, words });
    }
    if without_text > 0 {
        eprintln!("slovo: {without_text} recordings have no text and are left out");
    }
    let spoken: usize = samples
        .iter()
        .map(|sample| word_errors(&sample.words, "").1)
        .sum();
    if spoken == 0 {
        bail!(
            "{}: no recording has a text beside it (speech.wav needs speech.txt)",
            folder.display()
        );
    }
    Ok(samples)
}

struct Measuring {
    engine: Engine,
    model: String,
    mode: TranscriptionType,
    language: Language,
}

impl Measuring {
    /// Recognises all recordings and compares the texts.
    fn all(&self, samples: &[Sample]) -> Result<Measurement> {
        if let Some(first) = samples.first() {
            // Loads the model, which is not to be counted.
            self.recognise(&first.recording)?;
        }
        let mut measurement = Measurement {
            language: self.language,
            recordings: 0,
            seconds: 0.0,
            words: 0,
            errors: 0,
            processing_seconds: 0.0,
            peak_memory: None,
            threads: 0,
            measured_at: SystemClock.now_ms(),
        };
        for (index, sample) in samples.iter().enumerate() {
            let started = Instant::now();
            let (text, seconds) = self.recognise(&sample.recording)?;
            measurement.processing_seconds += started.elapsed().as_secs_f64();
            let (errors, words) = word_errors(&sample.words, &text);
            measurement.recordings += 1;
            measurement.seconds += seconds;
            measurement.errors += errors as u64;
            measurement.words += words as u64;
            let name = sample.recording.file_name().unwrap_or_default();
            let (number, of) = (index + 1, samples.len());
            let name = name.to_string_lossy();
            eprintln!("{number} of {of}: {name}: {errors} errors in {words} words");
        }
        measurement.peak_memory = peak_memory();
        Ok(measurement)
    }

    /// The text of a recording and its length in seconds. A recording in which no speech is found
    /// has no text.
    fn recognise(&self, recording: &Path) -> Result<(String, f64)> {
        let request = Request {
            mode: self.mode,
            model: Some(self.model.clone()),
            language: LanguageChoice::Code(self.language.as_str().to_owned()),
            ..Request::new(recording.to_owned())
        };
        let mut length = 0.0;
        let outcome = self
            .engine
            .transcribe(&request, &CancelToken::new(), &mut |event| {
                if let slovo_engine::Event::Peaks { seconds, .. } = event {
                    length = seconds;
                }
            });
        match outcome {
            Ok(transcript) => {
                let texts = transcript.segments.iter().map(|one| one.text.as_str());
                Ok((texts.collect::<Vec<_>>().join(" "), transcript.duration))
            }
            Err(EngineError::NoSpeech) => Ok((String::new(), length)),
            Err(error) => Err(error).with_context(|| recording.display().to_string()),
        }
    }
}

/// Maximum resident memory of this process in bytes, where the system tells it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let row = status.lines().find_map(|row| row.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = row.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The result in a sentence.
fn summary(id: &str, measured: &Measurement) -> String {
    let memory = measured.peak_memory.map_or_else(String::new, |bytes| {
        format!(", {} MB of memory", bytes.div_ceil(1_000_000))
    });
    format!(
        "{id}, {}: {:.1}% of {} words wrong in {} recordings ({:.0} s); {:.1} times as fast as \
         speech with {} threads{memory}",
        measured.language.as_str(),
        measured.percent(),
        measured.words,
        measured.recordings,
        measured.seconds,
        measured.speed(),
        measured.threads,
    )
}
