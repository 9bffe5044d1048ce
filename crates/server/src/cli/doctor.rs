//! `slovo doctor`: what is wrong with a server, and what mends it.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use slovo_app::config::Config;
use slovo_app::doctor::{Finding, State, examine};

/// Options of `slovo doctor`: those of `slovo serve`, so that it sees the same.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    config: Config,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints every finding; the exit code is 1 if there is a fault.
pub fn run(options: &Options) -> Result<ExitCode> {
    let mut worst = State::Ok;
    super::in_runtime(async {
        let findings = examine(&options.config).await;
        worst = findings
            .iter()
            .map(|finding| finding.state)
            .max()
            .unwrap_or(State::Ok);
        if options.json {
            println!("{}", serde_json::to_string_pretty(&findings)?);
        } else {
            findings.iter().for_each(print);
        }
        Ok(())
    })?;
    Ok(match worst {
        State::Fault => ExitCode::FAILURE,
        State::Ok | State::Warning => ExitCode::SUCCESS,
    })
}

fn print(finding: &Finding) {
    let mark = match finding.state {
        State::Ok => "ok     ",
        State::Warning => "warning",
        State::Fault => "FAULT  ",
    };
    let check = finding.check.replace('_', " ");
    println!("{mark}  {check}: {}", finding.message);
    if let Some(remedy) = &finding.remedy {
        println!("         -> {remedy}");
    }
}
