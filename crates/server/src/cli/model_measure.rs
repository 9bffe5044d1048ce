//! `slovo models measure`: how well, how fast and with how much memory a model recognises
//! recordings whose words are known.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use slovo_engine::models::{self, Measurement, Measurements, word_errors};
use slovo_engine::{
    CancelToken, Engine, EngineConfig, EngineError, Event, LanguageChoice, Request,
};
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
    let threads = config.threads;
    // Found out before an hour of work, not after it.
    Measurements::check(dir)?;
    let measuring = Measuring {
        engine: Engine::new(config)?,
        model: options.id.clone(),
        mode,
        language,
    };
    let measurement = measuring.all(&samples, threads)?;
    let summary = summary(&options.id, &measurement);
    Measurements::store(dir, &options.id, measurement)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{summary}")?;
    writeln!(
        out,
        "Stored. `slovo models list` and `slovo models recommend` use it now; a running server uses \
         it after a restart."
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
        let recording = match input.source {
            InputSource::File(recording) => recording,
            InputSource::Nowhere(reason) => {
                eprintln!("slovo: {}: {reason}", input.display_name);
                continue;
            }
            _ => continue,
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
        eprintln!("slovo: recordings left out because they have no text: {without_text}");
    }
    let spoken: usize = samples
        .iter()
        .map(|sample| word_errors(&sample.words, "").1)
        .sum();
    if spoken == 0 {
        bail!(
            "{}: no recording has a text with words; speech.wav needs speech.txt next to it",
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
    /// Recognises all recordings and compares the texts. As many recordings as there are threads are
    /// recognised at the same time, because one of less than 30 s keeps only one thread busy.
    fn all(&self, samples: &[Sample], threads: usize) -> Result<Measurement> {
        // Loads the model and creates the state of each thread, which is not counted.
        let first: Vec<_> = samples.iter().take(1).cycle().take(threads).collect();
        self.at_once(&first, threads)?;
        let started = Instant::now();
        let recognised = self.at_once(&samples.iter().collect::<Vec<_>>(), threads)?;
        let mut measurement = Measurement {
            language: self.language,
            recordings: 0,
            seconds: 0.0,
            words: 0,
            errors: 0,
            processing_seconds: started.elapsed().as_secs_f64(),
            peak_memory: peak_memory(),
            threads: u32::try_from(threads).unwrap_or(u32::MAX),
            measured_at: SystemClock.now_ms(),
        };
        for (sample, recognised) in samples.iter().zip(recognised) {
            let Some((text, seconds)) = recognised else {
                continue;
            };
            let (errors, words) = word_errors(&sample.words, &text);
            measurement.recordings += 1;
            measurement.seconds += seconds;
            measurement.errors += errors as u64;
            measurement.words += words as u64;
            let name = sample.recording.file_name().unwrap_or_default();
            let name = name.to_string_lossy();
            eprintln!("{name}: {errors} errors in {words} words");
        }
        ensure!(
            measurement.words > 0,
            "no recording with words could be recognised"
        );
        Ok(measurement)
    }

    /// Texts and lengths in seconds of the recordings, in their order; `None` for one that cannot be
    /// read.
    fn at_once(&self, samples: &[&Sample], threads: usize) -> Result<Vec<Option<(String, f64)>>> {
        let next = AtomicUsize::new(0);
        let work = || -> Result<Vec<_>> {
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(sample) = samples.get(index) else {
                    return Ok(done);
                };
                done.push((index, self.recognise(&sample.recording)?));
            }
        };
        let mut all = Vec::new();
        std::thread::scope(|scope| -> Result<()> {
            let workers: Vec<_> = (0..threads.min(samples.len()))
                .map(|_| scope.spawn(work))
                .collect();
            for worker in workers {
                let done = worker.join().map_err(|_| anyhow!("a thread panicked"))?;
                all.extend(done?);
            }
            Ok(())
        })?;
        all.sort_by_key(|(index, _)| *index);
        Ok(all.into_iter().map(|(_, recognised)| recognised).collect())
    }

    /// The text of a recording and its length in seconds; `None`, with a message, if it cannot be
    /// read. A recording in which no speech is found has no text.
    fn recognise(&self, recording: &Path) -> Result<Option<(String, f64)>> {
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
                if let Event::Peaks { seconds, .. } = event {
                    length = seconds;
                }
            });
        match outcome {
            Ok(transcript) => {
                let texts = transcript.segments.iter().map(|one| one.text.as_str());
                let text = texts.collect::<Vec<_>>().join(" ");
                Ok(Some((text, transcript.duration)))
            }
            Err(EngineError::NoSpeech) => Ok(Some((String::new(), length))),
            Err(EngineError::Media(error)) => {
                eprintln!("slovo: {}: {error}; left out", recording.display());
                Ok(None)
            }
            Err(error) => Err(error).with_context(|| recording.display().to_string()),
        }
    }
}

/// Peak resident memory of this process in bytes; `None` if the system does not report it.
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
