//! Visible steps: each prints its title and duration, and may run external commands.
//!
//! Steps of the main thread are printed immediately. A parallel thread buffers its output
//! ([`with_buffered_output`]) and prints it as a block after each step, so that lines never mix.

mod limit;

use std::cell::{Cell, RefCell};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Seek};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// The longest that a command may run, if it is limited.
static LIMIT: OnceLock<Duration> = OnceLock::new();
/// The longest that fetching packages may take: ten times as long as it usually does.
const FETCH_LIMIT: Duration = Duration::from_secs(6 * 60);

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

/// Ends commands of this run that take longer, so that the run reports what hangs instead of hanging
/// itself. Builds are not ended: their compiler does not hang.
pub fn limit_commands(limit: Duration) {
    LIMIT.get_or_init(|| limit);
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
    if depth == 0 && UNSEEN.with_borrow(Option::is_some) {
        // Its block comes at the end; without this line nobody could see what a run waits for.
        println!("   beside: {title} …");
    }
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

/// Runs a command that fetches packages. One that fails, or does not end in six minutes because a
/// server stopped answering, is run a second time.
pub fn fetch(command: &mut Command) -> Result<()> {
    match run_within(command, FETCH_LIMIT) {
        Ok(true) => return Ok(()),
        Ok(false) => print_line(format!("   {} failed; once more", describe(command))),
        Err(error) => print_line(format!("   {error:#}; once more")),
    }
    if !run_within(command, FETCH_LIMIT)? {
        bail!("{} failed", describe(command));
    }
    Ok(())
}

/// Runs a command and shows its output; returns whether it exited with 0.
pub fn succeeds(command: &mut Command) -> Result<bool> {
    let limit = LIMIT.get().copied().unwrap_or(Duration::MAX);
    let is_beside = UNSEEN.with_borrow(Option::is_some);
    // Short work is done beside the compiler, and everything waits for it in the end.
    run_within(command, if is_beside { limit / 2 } else { limit })
}

fn run_within(command: &mut Command, limit: Duration) -> Result<bool> {
    if UNSEEN.with_borrow(Option::is_none) {
        let child = limit::spawn(command)?;
        return Ok(limit::wait(child, &describe(command), limit)?.success());
    }
    // A file rather than pipes, which a grandchild could keep open for ever.
    let mut output = tempfile::tempfile().context("cannot make a temporary file")?;
    command
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(output.try_clone()?);
    let child = limit::spawn(command)?;
    let status = limit::wait(child, &describe(command), limit);
    let mut bytes = Vec::new();
    output.rewind()?;
    output.read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    if !text.trim().is_empty() {
        print_line(text.trim_end());
    }
    Ok(status?.success())
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
