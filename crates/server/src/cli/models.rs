//! `slovo models`: lists, downloads, verifies, selects, measures and deletes models.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand, ValueEnum};
use slovo_engine::models::{
    self, AcquisitionMethod, Choice, DEFAULT_FULL, DEFAULT_LITE, MODELS, Model, Origin, SENTENCES,
    SPEAKER_EMBEDDING, SPEAKER_SEGMENTATION, State, StoreError, TRANSDUCERS, Transducer,
    VOICE_ACTIVITY,
};
use slovo_models::{Fetcher, Progress, PullOutcome, Source};
use slovo_rules::settings::TranscriptionType;

use crate::cli::failure::Failure;
use crate::cli::hints;
use crate::cli::model_measure;
use crate::cli::model_recommend;
use crate::cli::model_table;
use crate::cli::model_use::{Mode, check_serves, choose, find_model};
use crate::cli::pull_bar::PullBar;
use crate::cli::transducer_table;

/// Options of `slovo models`.
#[derive(Args)]
pub struct Options {
    /// Folder of the models [default: $XDG_DATA_HOME/slovo/models]
    #[arg(long, env = "SLOVO_MODELS", value_name = "DIR", global = true)]
    models: Option<PathBuf>,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// List models: size, whether installed, which mode uses it, whether it fits this machine
    List {
        /// Output format
        #[arg(long, value_enum, default_value_t = ListFormat::Table)]
        format: ListFormat,
        /// Only models in the models folder
        #[arg(long)]
        installed: bool,
    },
    /// Download models; without IDs, those the modes use
    Pull {
        /// IDs as shown by `slovo models list`
        ids: Vec<String>,
        /// Don’t download: only check that they are installed
        #[arg(long)]
        offline: bool,
        /// Use the model for this mode once downloaded
        #[arg(long = "use", value_name = "MODE", value_enum)]
        chosen_for: Option<Mode>,
    },
    /// Recompute checksums; without IDs, of all installed models
    Verify {
        /// Model IDs
        ids: Vec<String>,
    },
    /// Select the model for a mode
    Use {
        /// The mode
        #[arg(value_enum)]
        mode: Mode,
        /// ID of an installed model
        id: String,
    },
    /// Measure how well and how fast a model recognises recordings whose words are known
    Measure(model_measure::Options),
    /// Show the best model for a language on this machine, and why
    Recommend(model_recommend::Options),
    /// Remove models
    Remove {
        /// Model IDs
        #[arg(required = true)]
        ids: Vec<String>,
        /// Also remove models that a mode uses
        #[arg(long)]
        force: bool,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ListFormat {
    Table,
    Json,
}

/// Runs the subcommand.
pub fn run(options: Options) -> Result<ExitCode> {
    let dir = options
        .models
        .or_else(models::default_dir)
        .context("--models: there is no home folder, so it must be given")?;
    match options.verb {
        Verb::List { format, installed } => list(&dir, format, installed),
        Verb::Pull {
            ids,
            offline,
            chosen_for,
        } => {
            let source = if offline { Source::None } else { Source::Hub };
            match (chosen_for, ids.as_slice()) {
                (None, _) => pull(&dir, &ids, source),
                (Some(mode), [id]) => pull_and_choose(&dir, id, source, mode),
                (Some(_), _) => Err(Failure::usage("--use: name exactly one model").into()),
            }
        }
        Verb::Verify { ids } => verify(&dir, &ids),
        Verb::Use { mode, id } => choose(&dir, mode, &id),
        Verb::Measure(options) => model_measure::run(&dir, &options),
        Verb::Recommend(options) => model_recommend::run(&dir, &choice(&dir), &options),
        Verb::Remove { ids, force } => remove(&dir, &ids, force),
    }
}

/// The models in use: from environment variables, else the folder's file, else the defaults.
pub fn choice(dir: &Path) -> Choice {
    let variable = |name: &str| std::env::var(name).ok().filter(|id| !id.is_empty());
    Choice::load(dir).overridden_by(Choice {
        full: variable("SLOVO_FULL_MODEL"),
        lite: variable("SLOVO_LITE_MODEL"),
    })
}

/// Ids of the models in use: for both modes, voice activity, analyses and diarization.
fn in_use(dir: &Path) -> Vec<String> {
    let choice = choice(dir);
    let mut ids = vec![
        // A transducer is not downloaded, but its Whisper fallback is.
        models::whisper_of(choice.model(TranscriptionType::Full)).to_owned(),
        models::whisper_of(choice.model(TranscriptionType::Lite)).to_owned(),
        VOICE_ACTIVITY.to_owned(),
        SPEAKER_SEGMENTATION.to_owned(),
        SPEAKER_EMBEDDING.to_owned(),
        SENTENCES.to_owned(),
    ];
    ids.dedup();
    ids
}

fn find_models(ids: &[String]) -> Result<Vec<&'static Model>> {
    ids.iter()
        .collect::<BTreeSet<_>>()
        .into_iter()
        .map(|id| find_model(id))
        .collect()
}

fn list(dir: &Path, format: ListFormat, installed: bool) -> Result<ExitCode> {
    let choice = choice(dir);
    let rows = model_table::rows(dir, &choice, installed);
    let transducers = transducer_table::rows(dir, &choice, installed);
    let mut out = std::io::stdout().lock();
    match format {
        ListFormat::Table => {
            model_table::write_table(dir, &rows, &mut out)?;
            transducer_table::write_table(&transducers, &mut out)?;
        }
        ListFormat::Json => {
            let json = std::io::Error::from;
            let mut all: Vec<serde_json::Value> = Vec::new();
            for row in &rows {
                all.push(serde_json::to_value(row).map_err(json)?);
            }
            for row in &transducers {
                all.push(serde_json::to_value(row).map_err(json)?);
            }
            serde_json::to_writer_pretty(&mut out, &all).map_err(json)?;
            writeln!(out)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn pull(dir: &Path, ids: &[String], source: Source) -> Result<ExitCode> {
    let requested = if ids.is_empty() {
        in_use(dir)
    } else {
        ids.to_vec()
    };
    let requested = find_models(&requested)?;
    let fetcher = Fetcher::new(dir.to_owned(), source)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    let mut failed = Vec::new();
    let mut is_hub_at_fault = false;
    for model in requested {
        let bar = PullBar::new(model);
        let show = |progress: Progress<'_>| bar.show(progress);
        let outcome = runtime.block_on(async {
            tokio::select! {
                outcome = fetcher.pull(model, &show) => Some(outcome),
                _ = tokio::signal::ctrl_c() => None,
            }
        });
        match outcome {
            None => {
                bar.finish("stopped; run the command again to resume");
                return Ok(ExitCode::from(crate::cli::failure::INTERRUPTED));
            }
            Some(Ok(PullOutcome::Present(_))) => bar.finish("already installed, checksum correct"),
            Some(Ok(PullOutcome::Fetched(record))) => {
                bar.finish(&format!("installed ({})", origin_text(&record.origin)));
            }
            Some(Err(error)) => {
                bar.finish(&format!("could not be downloaded: {error}"));
                is_hub_at_fault |= error.is_hub_error();
                failed.push(model.id);
            }
        }
    }
    if failed.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let missing = failed.join(", ");
    if is_hub_at_fault {
        bail!(
            "some models are missing: {missing}\n{}",
            hints::without_hub(dir)
        );
    }
    bail!("some models are missing: {missing}")
}

/// The origin of a model, for messages.
fn origin_text(origin: &Origin) -> String {
    let from = origin.from.join(" and ");
    match origin.way {
        AcquisitionMethod::Downloaded => from,
        AcquisitionMethod::Unpacked => format!("unpacked from the Python package {from}"),
        AcquisitionMethod::Converted => format!("converted from the Python package {from}"),
        AcquisitionMethod::Found => "found in the models folder".to_owned(),
    }
}

/// Checks that the mode can use the model before downloading a gigabyte.
fn pull_and_choose(dir: &Path, id: &str, source: Source, mode: Mode) -> Result<ExitCode> {
    check_serves(find_model(id)?, mode)?;
    let pulled = pull(dir, &[id.to_owned()], source)?;
    if pulled != ExitCode::SUCCESS {
        return Ok(pulled);
    }
    choose(dir, mode, id)
}

/// The models and transducers with these ids; without ids, the installed ones.
fn find_to_verify(
    dir: &Path,
    ids: &[String],
) -> Result<(Vec<&'static Model>, Vec<&'static Transducer>)> {
    if ids.is_empty() {
        let installed = MODELS
            .iter()
            .filter(|model| models::state(dir, model) != State::Missing);
        let transducers = TRANSDUCERS
            .iter()
            .filter(|transducer| transducer.check(dir).is_ok());
        return Ok((installed.collect(), transducers.collect()));
    }
    let transducers = TRANSDUCERS
        .iter()
        .filter(|transducer| ids.iter().any(|id| id == transducer.id));
    let others: Vec<String> = ids
        .iter()
        .filter(|id| models::find_transducer(id).is_none())
        .cloned()
        .collect();
    Ok((find_models(&others)?, transducers.collect()))
}

fn verify(dir: &Path, ids: &[String]) -> Result<ExitCode> {
    let (requested, transducers) = find_to_verify(dir, ids)?;
    if requested.is_empty() && transducers.is_empty() {
        bail!(
            "no model is in {}; `{}` gets the default ones",
            dir.display(),
            hints::pull("", dir)
        );
    }
    let mut out = std::io::stdout().lock();
    let mut wrong = Vec::new();
    for model in requested {
        match models::verify(dir, model, |_| ()) {
            Ok(digests) => writeln!(out, "{}: correct (sha256 {})", model.id, digests.sha256)?,
            Err(error) => {
                let missing = models::state(dir, model) == State::Missing;
                let why = if missing {
                    "missing".to_owned()
                } else {
                    format!("WRONG: {error}")
                };
                writeln!(out, "{}: {why}", model.id)?;
                wrong.push(model.id);
            }
        }
    }
    let mut wrong_transducers = Vec::new();
    for transducer in transducers {
        let (is_correct, result) = verify_transducer(dir, transducer);
        writeln!(out, "{}: {result}", transducer.id)?;
        if !is_correct {
            wrong_transducers.push(transducer.id);
        }
    }
    let mut advice = Vec::new();
    if !wrong.is_empty() {
        let command = hints::pull(&wrong.join(" "), dir);
        advice.push(format!("run `{command}` to get what is missing or wrong"));
    }
    if !wrong_transducers.is_empty() {
        let ids = wrong_transducers.join(", ");
        advice.push(format!("install {ids}: see docs/transducers.md"));
    }
    if advice.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    bail!("{}", advice.join("; "))
}

/// Whether the files of a transducer are correct, and the result in words.
fn verify_transducer(dir: &Path, transducer: &Transducer) -> (bool, String) {
    match transducer.verify(dir) {
        Ok(()) if transducer.files.iter().all(|file| file.sha256.is_some()) => {
            (true, "correct (sha256 of every file)".to_owned())
        }
        Ok(()) => (true, "complete (it has no published checksums)".to_owned()),
        Err(_) if !dir.join(transducer.id).exists() => (false, "missing".to_owned()),
        Err(reason) => (false, format!("WRONG: {reason}")),
    }
}

fn remove(dir: &Path, ids: &[String], force: bool) -> Result<ExitCode> {
    let requested = find_models(ids)?;
    let used = in_use(dir);
    if let Some(model) = requested
        .iter()
        .find(|model| !force && used.iter().any(|id| id == model.id))
    {
        bail!(
            "{} is in use; select another with `slovo models use`, or add --force",
            model.id
        );
    }
    let mut out = std::io::stdout().lock();
    let mut missing = Vec::new();
    for model in requested {
        if slovo_models::remove(dir, model)
            .with_context(|| format!("{} was not removed", model.id))?
        {
            writeln!(out, "{}: removed", model.id)?;
            forget(dir, model.id)?;
        } else {
            missing.push(model.id);
        }
    }
    if missing.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    bail!("not in {}: {}", dir.display(), missing.join(", "))
}

/// Removes a deleted model from the stored choice, so that the default is used again.
fn forget(dir: &Path, id: &str) -> Result<(), StoreError> {
    let stored = Choice::load(dir);
    let mut choice = stored.clone();
    choice.full = choice
        .full
        .filter(|chosen| chosen != id || id == DEFAULT_FULL);
    choice.lite = choice
        .lite
        .filter(|chosen| chosen != id || id == DEFAULT_LITE);
    if choice == stored {
        Ok(())
    } else {
        choice.save(dir)
    }
}
