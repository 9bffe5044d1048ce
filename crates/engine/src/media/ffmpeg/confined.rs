//! A confined subprocess: it can read one file and write to one pipe, and little else.

use std::fs::File;
use std::io::Read;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getpid, getppid, set_parent_process_death_signal, setrlimit,
};
use rustix::thread::UnshareFlags;

use super::super::MediaError;
use super::super::limits::Limits;
use crate::cancel::Stop;

/// CPU seconds: twelve hours of the slowest codec take about 200.
const MAX_CPU_SECONDS: u64 = 900;
/// Open files: the program, the libraries that it loads in turn, and its pipes.
const MAX_FILES: u64 = 64;
/// How often cancellation is checked.
const TICK: Duration = Duration::from_millis(100);
/// How long a program may take to exit after it has closed its output.
const END_WITHIN: Duration = Duration::from_secs(5);
/// The most bytes kept of its error output, for the log.
const MAX_COMPLAINTS: usize = 4 << 10;

/// A running program and the pipes to it. Dropping it kills the program.
pub(super) struct ConfinedProcess {
    child: Child,
    output: ChildStdout,
    errors: Option<ChildStderr>,
    complaints: Vec<u8>,
    has_ended: Option<bool>,
    stop: Stop,
}

/// The result of waiting for output.
pub(super) enum Output {
    /// Some bytes.
    Bytes(Vec<u8>),
    /// No output in the time allowed, or until the job was cancelled.
    Silence,
    /// The program has closed its output.
    End,
}

impl ConfinedProcess {
    /// Starts a program from the search path with `input` as its standard input. It is killed when
    /// this thread ends, so it does not outlive this process even if that is killed.
    pub(super) fn start(
        program: &str,
        arguments: &[&str],
        input: File,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Self, MediaError> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .env("LC_ALL", "C")
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .current_dir("/")
            // Ctrl-C is handled by this process; the program must not see it, or its exit would
            // look like damage.
            .process_group(0)
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let memory = limits.max_decoder_memory;
        let parent = getpid();
        #[expect(
            unsafe_code,
            reason = "limits must hold before the program's first instruction"
        )]
        // SAFETY: between fork and exec only system calls are made: no allocation, no lock.
        unsafe {
            command.pre_exec(move || confine(memory, parent));
        }
        let mut child = command.spawn().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => MediaError::DecoderMissing {
                program: program.to_owned(),
            },
            _ => MediaError::io(&error),
        })?;
        let output = child.stdout.take();
        let errors = child.stderr.take();
        let Some(output) = output else {
            return Err(MediaError::Io {
                what: "the decoder has no output".to_owned(),
            });
        };
        Ok(Self {
            child,
            output,
            errors,
            complaints: Vec::new(),
            has_ended: None,
            stop: stop.clone(),
        })
    }

    /// Reads up to `count` bytes of output; waits at most `within`, and stops waiting when the job
    /// is cancelled.
    pub(super) fn read(&mut self, count: usize, within: Duration) -> Result<Output, MediaError> {
        let deadline = Instant::now() + within;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || self.stop.is_set() {
                self.kill();
                return Ok(Output::Silence);
            }
            let (has_output, has_errors) = self.wait_for_bytes(left.min(TICK))?;
            if has_errors {
                self.read_error_output();
            }
            if has_output {
                let mut bytes = vec![0; count];
                let read = self
                    .output
                    .read(&mut bytes)
                    .map_err(|error| MediaError::io(&error))?;
                bytes.truncate(read);
                return Ok(if read == 0 {
                    Output::End
                } else {
                    Output::Bytes(bytes)
                });
            }
        }
    }

    fn wait_for_bytes(&self, within: Duration) -> Result<(bool, bool), MediaError> {
        let mut pipes = vec![PollFd::new(&self.output, PollFlags::IN)];
        if let Some(errors) = &self.errors {
            pipes.push(PollFd::from_borrowed_fd(errors.as_fd(), PollFlags::IN));
        }
        let limit = Timespec {
            tv_sec: i64::try_from(within.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(within.subsec_nanos()),
        };
        match poll(&mut pipes, Some(&limit)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(MediaError::io(&error.into())),
        }
        let ready = |pipe: &PollFd<'_>| !pipe.revents().is_empty();
        Ok((ready(&pipes[0]), pipes.get(1).is_some_and(ready)))
    }

    /// Drains the error pipe so that the program never blocks on it.
    fn read_error_output(&mut self) {
        let mut bytes = [0; 1024];
        let read = self
            .errors
            .as_mut()
            .map_or(0, |errors| errors.read(&mut bytes).unwrap_or(0));
        if read == 0 {
            self.errors = None;
        }
        let room = MAX_COMPLAINTS.saturating_sub(self.complaints.len());
        self.complaints.extend_from_slice(&bytes[..read.min(room)]);
    }

    /// Waits for the program, which has closed its output; returns whether it succeeded.
    pub(super) fn wait(&mut self) -> bool {
        if let Some(ended_well) = self.has_ended {
            return ended_well;
        }
        while self.errors.is_some() {
            // At most a line of error output is left; a program that does not exit is killed.
            match self.wait_for_errors() {
                true => self.read_error_output(),
                false => break,
            }
        }
        let deadline = Instant::now() + END_WITHIN;
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if Instant::now() < deadline && !self.stop.is_set() => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                _ => break None,
            }
        };
        if status.is_none() {
            self.kill();
        }
        let ended_well = status.is_some_and(|status| status.success());
        if !self.complaints.is_empty() {
            let message = String::from_utf8_lossy(&self.complaints);
            tracing::debug!(said = %message.trim(), ended_well, "the external decoder");
        }
        self.has_ended = Some(ended_well);
        ended_well
    }

    fn wait_for_errors(&self) -> bool {
        let Some(errors) = &self.errors else {
            return false;
        };
        let deadline = Instant::now() + END_WITHIN;
        let tick = Timespec {
            tv_sec: 0,
            tv_nsec: i64::from(TICK.subsec_nanos()),
        };
        while Instant::now() < deadline && !self.stop.is_set() {
            let mut pipes = [PollFd::new(errors, PollFlags::IN)];
            match poll(&mut pipes, Some(&tick)) {
                Ok(0) => {}
                outcome => return outcome.is_ok(),
            }
        }
        false
    }

    fn kill(&mut self) {
        // It may have exited already: then the kill has no effect and the wait returns at once.
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.has_ended.get_or_insert(false);
    }
}

impl Drop for ConfinedProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Runs in the child between fork and exec: system calls only.
fn confine(memory: u64, parent: Pid) -> std::io::Result<()> {
    let limit = |resource, value| {
        setrlimit(
            resource,
            Rlimit {
                current: Some(value),
                maximum: Some(value),
            },
        )
    };
    limit(Resource::As, memory)?;
    limit(Resource::Cpu, MAX_CPU_SECONDS)?;
    limit(Resource::Fsize, 0)?;
    limit(Resource::Nofile, MAX_FILES)?;
    limit(Resource::Core, 0)?;
    // No network if the system allows that; the list of protocols forbids it in any case.
    #[expect(unsafe_code, reason = "the safe wrapper is deprecated")]
    // SAFETY: the file table is not unshared, and the child has this one thread.
    let unshare = |flags| unsafe { rustix::thread::unshare_unsafe(flags) };
    if unshare(UnshareFlags::NEWNET).is_err() {
        let _ = unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWNET);
    }
    // Must come last: a change of credentials clears the signal.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid() != Some(parent) {
        // The parent ended before the signal was requested.
        return Err(rustix::io::Errno::SRCH.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sleeping(stop: &Stop) -> ConfinedProcess {
        let input = File::open("/dev/null").expect("there is one");
        ConfinedProcess::start("sleep", &["100"], input, &Limits::default(), stop)
            .expect("it starts")
    }

    #[test]
    fn waiting_ends_when_the_job_is_stopped() {
        let stop = Stop::default();
        let mut program = sleeping(&stop);
        let started = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                stop.set();
            });
            let output = program.read(1, Duration::from_secs(60));
            assert!(matches!(output, Ok(Output::Silence)));
        });
        assert!(started.elapsed() < Duration::from_secs(10));
        assert!(!program.wait());
    }

    #[test]
    fn a_program_runs_in_its_own_process_group() {
        let program = sleeping(&Stop::default());
        let id = i32::try_from(program.child.id())
            .ok()
            .and_then(Pid::from_raw);
        assert_eq!(rustix::process::getpgid(id).ok(), id);
    }

    #[test]
    fn a_program_ends_with_the_thread_that_started_it() {
        let program = std::thread::spawn(|| sleeping(&Stop::default())).join();
        let mut program = program.expect("no panic");
        let output = program.read(1, Duration::from_secs(20));
        assert!(matches!(output, Ok(Output::End)));
        assert!(!program.wait());
    }
}
