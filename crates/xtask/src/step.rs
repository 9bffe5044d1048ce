//! Visible steps: each prints what it does and how long it took, and runs outside commands.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// Prints `title`, does the work, and prints how long it took. `advice` joins the error when it fails.
pub fn step<T>(title: &str, advice: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("\n── {title}");
    let started = Instant::now();
    let outcome = work().with_context(|| {
        if advice.is_empty() {
            format!("step failed: {title}")
        } else {
            format!("step failed: {title}\n  what to do: {advice}")
        }
    })?;
    println!("   {title}: {}", clock(started.elapsed()));
    Ok(outcome)
}

/// `1:05` for 65 s, `0.4 s` below ten seconds.
pub fn clock(elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    if seconds < 10.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{}:{:02}", elapsed.as_secs() / 60, elapsed.as_secs() % 60)
    }
}

/// A command in `dir`, free of what `cargo run` leaves in the environment of its children.
pub fn command(dir: &Path, program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(dir);
    for (name, _) in std::env::vars_os() {
        let cargo_own = name.to_str().is_some_and(|name| {
            name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
        });
        if cargo_own {
            command.env_remove(name);
        }
    }
    command
}

/// Runs a command to its end with its output shown; an exit code other than 0 is an error.
pub fn execute(command: &mut Command) -> Result<()> {
    let shown = describe(command);
    let status = command
        .status()
        .with_context(|| format!("cannot start {shown}"))?;
    if !status.success() {
        bail!("{shown}: {status}");
    }
    Ok(())
}

/// Runs a command with its standard output shown and collected; errors go straight through.
pub fn execute_and_collect(command: &mut Command) -> Result<(bool, Vec<String>)> {
    let shown = describe(command);
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {shown}"))?;
    let mut lines = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            let line = line?;
            println!("{line}");
            lines.push(line);
        }
    }
    Ok((child.wait()?.success(), lines))
}

fn describe(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(
        command
            .get_args()
            .map(|argument| argument.to_string_lossy().into_owned()),
    );
    words.join(" ")
}
