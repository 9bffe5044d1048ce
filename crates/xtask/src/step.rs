//! Visible steps: each prints its title and duration, and may run external commands.
//!
//! Steps of the main thread are printed immediately. A parallel thread buffers its output
//! ([`with_buffered_output`]) and prints it as a block after each step, so that lines never mix.

use std::cell::{Cell, RefCell};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// The duration of a step.
#[derive(Clone, Debug)]
pub struct StepTime {
    pub title: String,
    pub time: Duration,
    /// Nesting depth: 0 for a top-level step.
    pub depth: usize,
}

/// All finished steps, in order of completion.
static TAKEN: Mutex<Vec<StepTime>> = Mutex::new(Vec::new());

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// Buffered output of a parallel thread.
    static UNSEEN: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// The steps finished so far.
pub fn finished_steps() -> Vec<StepTime> {
    TAKEN.lock().map(|taken| taken.clone()).unwrap_or_default()
}

/// Runs work of a parallel thread; its output is printed in whole blocks.
pub fn with_buffered_output<T>(work: impl FnOnce() -> T) -> T {
    UNSEEN.set(Some(String::new()));
    let outcome = work();
    print_buffered();
    UNSEEN.set(None);
    outcome
}

/// Prints a line, immediately or with its block.
pub fn print_line(line: impl AsRef<str>) {
    let line = line.as_ref();
    let is_kept = UNSEEN.with_borrow_mut(|unseen| {
        unseen
            .as_mut()
            .is_some_and(|unseen| writeln!(unseen, "{line}").is_ok())
    });
    if !is_kept {
        println!("{line}");
    }
}

/// Prints the buffered output.
fn print_buffered() {
    UNSEEN.with_borrow_mut(|unseen| {
        if let Some(text) = unseen.as_mut().filter(|text| !text.is_empty()) {
            print!("{text}");
            text.clear();
        }
    });
}

/// Prints `title`, does the work, and prints how long it took. `advice` is added to the error if it
/// fails.
pub fn step<T>(title: &str, advice: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    print_line(format!("\n── {title}"));
    let depth = DEPTH.get();
    DEPTH.set(depth + 1);
    let started = Instant::now();
    let outcome = work();
    DEPTH.set(depth);
    let time = started.elapsed();
    if let Ok(mut taken) = TAKEN.lock() {
        taken.push(StepTime {
            title: title.to_owned(),
            time,
            depth,
        });
    }
    let outcome = outcome.with_context(|| {
        if advice.is_empty() {
            format!("step failed: {title}")
        } else {
            format!("step failed: {title}\n  what to do: {advice}")
        }
    });
    match &outcome {
        Ok(_) => print_line(format!("   {title}: {}", clock(time))),
        Err(_) => print_line(format!("   {title}: FAILED after {}", clock(time))),
    }
    if depth == 0 {
        print_buffered();
    }
    outcome
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

/// A command in `dir`, without the variables that `cargo run` sets for its children.
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

/// Runs a command and shows its output; an exit code other than 0 is an error.
pub fn execute(command: &mut Command) -> Result<()> {
    let description = describe(command);
    if !succeeds(command)? {
        bail!("{description} failed");
    }
    Ok(())
}

/// Runs a command and shows its output; returns whether it exited with 0.
pub fn succeeds(command: &mut Command) -> Result<bool> {
    let description = describe(command);
    let context = || format!("cannot start {description}");
    if UNSEEN.with_borrow(Option::is_none) {
        return Ok(command.status().with_context(context)?.success());
    }
    let output = command.stdin(Stdio::null()).output();
    let output = output.with_context(context)?;
    for bytes in [&output.stdout, &output.stderr] {
        let text = String::from_utf8_lossy(bytes);
        if !text.trim().is_empty() {
            print_line(text.trim_end());
        }
    }
    Ok(output.status.success())
}

/// Runs a command and passes each line of its standard output to `take`; standard error is shown.
/// Returns whether it exited with 0.
pub fn passes_with_lines(command: &mut Command, mut take: impl FnMut(&str)) -> Result<bool> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", describe(command)))?;
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            take(&line?);
        }
    }
    Ok(child.wait()?.success())
}

/// The command as typed in a shell.
pub fn describe(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(
        command
            .get_args()
            .map(|argument| argument.to_string_lossy().into_owned()),
    );
    words.join(" ")
}
