//! Commands that may take only so long: one that hangs is ended, and its processes are listed, so that
//! the report names what hung. Away from a terminal its children are ended with it.

use std::io::IsTerminal;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process_group};

use super::{describe, print_line};

/// How often a child is asked whether it has ended.
const INTERVAL: Duration = Duration::from_millis(20);

/// Starts a command for [`wait`].
pub fn spawn(command: &mut Command) -> Result<Child> {
    if has_own_group() {
        command.process_group(0);
    }
    let started = command.spawn();
    started.with_context(|| format!("cannot start {}", describe(command)))
}

/// Waits for a child of [`spawn`].
///
/// # Errors
/// If it still runs at the limit; then it is ended.
pub fn wait(mut child: Child, description: &str, limit: Duration) -> Result<ExitStatus> {
    let started = Instant::now();
    while started.elapsed() < limit {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        thread::sleep(INTERVAL);
    }
    print_line(format!(
        "   {description} still runs; its processes (seconds, command):\n{}",
        processes(child.id())
    ));
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    match group.filter(|_| has_own_group()) {
        Some(group) => kill_process_group(group, Signal::KILL)?,
        None => child.kill()?,
    }
    child.wait()?;
    bail!("{description} was ended after {} s", limit.as_secs());
}

/// Whether children get a process group, by which they are ended with their own children. Not at a
/// terminal: its Ctrl-C reaches only the group of this program.
fn has_own_group() -> bool {
    !std::io::stdin().is_terminal()
}

/// The processes of a group, as `ps` shows them.
fn processes(group: u32) -> String {
    let listed = Command::new("ps")
        .args(["-eo", "pgid=,etimes=,args="])
        .output();
    let listed = listed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let own = |line: &&str| line.split_whitespace().next() == Some(&group.to_string());
    let listed = listed.unwrap_or_default();
    listed.lines().filter(own).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use super::{spawn, wait};

    #[test]
    fn a_command_that_ends_in_time_keeps_its_status() -> anyhow::Result<()> {
        for (script, succeeded) in [("true", true), ("exit 3", false)] {
            let child = spawn(Command::new("sh").args(["-c", script]))?;
            let status = wait(child, script, Duration::from_secs(600))?;
            assert_eq!(status.success(), succeeded, "{script}");
        }
        Ok(())
    }

    #[test]
    fn one_that_hangs_is_ended_and_named() -> anyhow::Result<()> {
        let child = spawn(Command::new("sleep").arg("3600"))?;
        let error = wait(child, "sleep", Duration::from_millis(200));
        let error = error.err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("sleep was ended after 0 s"));
        Ok(())
    }
}
