//! `slovo models recommend`: which model is best for a language on this machine, and why.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use slovo_engine::models::{
    self, Basis, Candidate, Choice, MachineResources, Measurements, State, rate_of,
};
use slovo_rules::language::Language;
use slovo_rules::settings::TranscriptionType;

use crate::cli::failure::Failure;
use crate::cli::hints;
use crate::cli::model_table::{minutes, size};

/// Options of `slovo models recommend`.
#[derive(Args)]
pub struct Options {
    /// Language of the speech
    #[arg(long, value_name = "CODE")]
    language: String,
    /// Print one line if a model makes clearly fewer errors than the one in use and recognises
    /// speech at least as fast as it is spoken here, otherwise nothing
    #[arg(long)]
    brief: bool,
}

/// Prints the recommended model, the reasons, and the command that uses it.
pub fn run(dir: &Path, choice: &Choice, options: &Options) -> Result<ExitCode> {
    let code = &options.language;
    let language = Language::parse(code)
        .ok_or_else(|| Failure::usage(format!("--language: {code:?} is unknown")))?;
    let measurements = Measurements::load(dir);
    let machine = MachineResources::this();
    let used = choice.model(TranscriptionType::Full);
    if options.brief {
        let better = models::improvement(language, used, machine.as_ref(), dir, &measurements);
        if let Some(better) = better {
            let (model, get) = (&better.model, command(dir, better.model.id));
            println!(
                "Better for {code} on this machine: {}. `{get}`",
                describe(model)
            );
        }
        return Ok(ExitCode::SUCCESS);
    }
    let all = models::recommend(language, machine.as_ref(), dir, &measurements);
    let mut out = std::io::stdout().lock();
    let Some((best, others)) = all.split_first() else {
        writeln!(out, "No known model fits into this machine's memory.")?;
        return Ok(ExitCode::FAILURE);
    };
    let heading = match best.percent {
        Some(_) => "Best",
        None => "No error rate is known; largest model that fits",
    };
    writeln!(
        out,
        "{heading} for {code} on this machine: {}",
        describe(best)
    )?;
    for other in others {
        writeln!(out, "Considered: {}", describe(other))?;
    }
    if is_mixed(&all) {
        writeln!(
            out,
            "These rates come from different recordings, so compare them only roughly. To compare \
             exactly, measure each model with the same recordings: `slovo models measure`."
        )?;
    }
    if used == best.id {
        writeln!(out, "Full uses it already.")?;
        return Ok(ExitCode::SUCCESS);
    }
    if !all.iter().any(|one| one.id == used) {
        let rate = rate_of(used, language, &measurements);
        writeln!(out, "Used by Full: {used}, {}", rate_text(rate))?;
    }
    writeln!(out, "To use it: `{}`", command(dir, best.id))?;
    Ok(ExitCode::SUCCESS)
}

/// Whether some rates were measured on this machine and others were not.
fn is_mixed(all: &[Candidate]) -> bool {
    let known = all.iter().filter(|one| one.percent.is_some());
    let (here, elsewhere): (Vec<_>, Vec<_>) =
        known.partition(|one| matches!(one.basis, Basis::MeasuredHere { .. }));
    !here.is_empty() && !elsewhere.is_empty()
}

/// The commands that make Full use a model.
fn command(dir: &Path, id: &str) -> String {
    let needed = models::whisper_of(id);
    let is_missing =
        models::find(needed).is_some_and(|it| models::state(dir, it) == State::Missing);
    match (is_missing, needed == id) {
        (false, _) => hints::use_for_full(id, dir),
        (true, true) => format!("{} --use full", hints::pull(id, dir)),
        (true, false) => format!(
            "{} && {}",
            hints::pull(needed, dir),
            hints::use_for_full(id, dir)
        ),
    }
}

fn describe(candidate: &Candidate) -> String {
    let rate = candidate.percent.map(|percent| (percent, candidate.basis));
    let mut parts = vec![rate_text(rate)];
    if let Some(seconds) = candidate.seconds_per_hour {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an estimate, positive and small"
        )]
        let seconds = seconds.round() as u64;
        let slow = if seconds > 3_600 {
            ", longer than the speech"
        } else {
            ""
        };
        parts.push(format!(
            "an hour of speech takes {}{slow}",
            minutes(seconds)
        ));
    }
    parts.push(format!("{} of memory", size(candidate.memory)));
    format!("{}: {}", candidate.id, parts.join("; "))
}

fn rate_text(rate: Option<(f64, Basis)>) -> String {
    let Some((percent, basis)) = rate else {
        return "no known word error rate".to_owned();
    };
    let basis = match basis {
        Basis::MeasuredHere { words } => format!("measured on this machine with {words} words"),
        Basis::Measured => "measured by us, see docs/ACCURACY.md".to_owned(),
        Basis::Published => "published figure, not measured by us".to_owned(),
        Basis::AsAccurateAs(other) => {
            format!("published for {other}, and it is about as accurate; not measured by us")
        }
    };
    format!("about {percent:.1}% of words wrong ({basis})")
}
