//! Which model a mode uses: `slovo models use`.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::ValueEnum;
use slovo_engine::models::{self, Choice, Model, State};
use slovo_rules::settings::TranscriptionType;

use crate::cli::failure::Failure;
use crate::cli::hints;

/// A mode on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// Multilingual
    Full,
    /// English, small and fast
    Lite,
}

impl From<Mode> for TranscriptionType {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Full => Self::Full,
            Mode::Lite => Self::Lite,
        }
    }
}

/// The model with this id.
pub fn find_model(id: &str) -> Result<&'static Model> {
    if models::find_transducer(id).is_some() {
        return Err(Failure::usage(format!(
            "{id} cannot be downloaded or removed by this command; its files are installed by \
             hand, see docs/transducers.md. `slovo models use full {id}` selects it"
        ))
        .into());
    }
    let model = models::find(id);
    model.ok_or_else(|| {
        Failure::usage(format!(
            "there is no model {id:?}; `slovo models list` shows them all"
        ))
        .into()
    })
}

/// Stores which model a mode uses.
pub fn choose(dir: &Path, mode: Mode, id: &str) -> Result<ExitCode> {
    check_usable(dir, mode, id)?;
    let mut choice = Choice::load(dir);
    choice.set(TranscriptionType::from(mode), id);
    choice.save(dir)?;
    let variable = match mode {
        Mode::Full => "SLOVO_FULL_MODEL",
        Mode::Lite => "SLOVO_LITE_MODEL",
    };
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{} now uses {id}. A running server uses it after a restart.",
        name(mode)
    )?;
    if std::env::var_os(variable).is_some_and(|value| !value.is_empty()) {
        writeln!(
            out,
            "Note: the variable {variable} is set and overrides this choice."
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Fails if the model does not support the mode or is not in the folder.
pub fn check_usable(dir: &Path, mode: Mode, id: &str) -> Result<()> {
    let needed = match models::find_transducer(id) {
        Some(_) if mode == Mode::Lite => {
            return Err(Failure::usage(format!("{id} serves only Full")).into());
        }
        Some(transducer) => {
            if let Err(reason) = transducer.check(dir) {
                bail!(
                    "{id} is not in {}: {reason}; see docs/transducers.md",
                    dir.display()
                );
            }
            models::whisper_of(id)
        }
        None => {
            check_serves(find_model(id)?, mode)?;
            id
        }
    };
    if models::state(dir, find_model(needed)?) == State::Missing {
        bail!(
            "{needed} is not in {}: first run `{}`",
            dir.display(),
            hints::pull(needed, dir)
        );
    }
    Ok(())
}

/// Fails if the model does not support the mode.
pub fn check_serves(model: &Model, mode: Mode) -> Result<()> {
    if model.serves(TranscriptionType::from(mode)) {
        return Ok(());
    }
    let why = match mode {
        Mode::Full => "Full needs a multilingual model that recognises speech",
        Mode::Lite => "Lite needs a model that recognises speech",
    };
    Err(Failure::usage(format!("{} cannot serve this mode: {why}", model.id)).into())
}

const fn name(mode: Mode) -> &'static str {
    match mode {
        Mode::Full => "Full",
        Mode::Lite => "Lite",
    }
}
