//! The engine's process as its parent sees it.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, ErrorKind};
use std::net::Shutdown;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use super::messages::{
    CallId, FromHost, Made, RemoteFailure, RemoteQuestion, RunError, RunId, ToHost, Work,
};
use super::{locked, wire};
use crate::cancel::CancelToken;
use crate::config::{EngineConfig, Isolation};
use crate::error::EngineError;
use crate::event::Event;
use crate::inputs::open_regular_file;
use crate::remote::Remote;

/// How often a run looks whether it was cancelled.
const CANCEL_CHECK: Duration = Duration::from_millis(50);

/// How long the process may take to start.
const START_WITHIN: Duration = Duration::from_secs(60);

/// How long a cancelled run may take to end; then nobody waits for it any more.
const END_WITHIN: Duration = Duration::from_secs(5);

/// Variables of the environment that the process gets: where programs and libraries are, and what the
/// drivers of GPUs read. The server's own contain secrets.
const ENVIRONMENT: [&str; 11] = [
    "PATH",
    "LD_LIBRARY_PATH",
    "RUST_LOG",
    "RUST_BACKTRACE",
    "CUDA_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES",
    "ROCR_VISIBLE_DEVICES",
    "GGML_VK_VISIBLE_DEVICES",
    "VK_ICD_FILENAMES",
    "VK_DRIVER_FILES",
    "LLVM_PROFILE_FILE",
];

/// What a run in the process reports.
pub(super) enum Report {
    Event(Event),
    Percent(f32),
}

/// A message for a run.
enum ForRun {
    Report(Report),
    /// It asked for something: it is alive.
    Alive,
    Ended(Result<Made, RunError>),
}

/// A run that somebody waits for.
struct Waiting {
    input: PathBuf,
    remote: Option<Remote>,
    /// Set when nobody waits any more, for the remote engine.
    stop: Arc<AtomicBool>,
    messages: Sender<ForRun>,
}

/// A process that runs the engine.
pub(super) struct Process {
    socket: UnixStream,
    writing: Mutex<()>,
    id: u32,
    runs: Mutex<HashMap<RunId, Waiting>>,
    next_run: AtomicU64,
    /// Models that runs have named, and when the last run ended.
    used: Mutex<(BTreeSet<String>, Instant)>,
    /// How it ended.
    ended: OnceLock<String>,
    max_silence: Duration,
}

impl Process {
    /// Starts the process and waits until it is confined.
    pub(super) fn start(isolation: &Isolation, config: &EngineConfig) -> io::Result<Arc<Self>> {
        let (socket, theirs) = UnixStream::pair()?;
        let mut command = Command::new(&isolation.program);
        command
            .arg0("slovo")
            .args(&isolation.arguments)
            .env_clear()
            .envs(
                ENVIRONMENT
                    .iter()
                    .filter_map(|name| std::env::var_os(name).map(|value| (*name, value))),
            )
            // Ctrl-C is handled by this process, which then closes the socket.
            .process_group(0)
            .stdin(OwnedFd::from(theirs))
            // Libraries in C print to it.
            .stdout(io::stderr().as_fd().try_clone_to_owned()?)
            .stderr(Stdio::inherit());
        let child = command.spawn()?;
        // It holds the other end of the socket, whose closing shows that the process has ended.
        drop(command);
        let process = Arc::new(Self {
            socket,
            writing: Mutex::default(),
            id: child.id(),
            runs: Mutex::default(),
            next_run: AtomicU64::new(0),
            used: Mutex::new((BTreeSet::new(), Instant::now())),
            ended: OnceLock::new(),
            max_silence: isolation.max_silence,
        });
        let (ready, is_ready) = mpsc::channel();
        let reader = Arc::clone(&process);
        let thread = std::thread::Builder::new().name("engine process".to_owned());
        let reading = thread.spawn(move || reader.read(child, &ready));
        if let Err(error) = reading {
            let _ = process.socket.shutdown(Shutdown::Both);
            return Err(error);
        }
        process.send(
            &ToHost::Settings {
                config: Box::new(config.clone()),
                max_memory: isolation.max_memory,
            },
            None,
        )?;
        let Ok(unconfined) = is_ready.recv_timeout(START_WITHIN) else {
            process.close();
            return Err(io::Error::other(process.how_it_ended()));
        };
        if unconfined.is_empty() {
            tracing::info!(pid = process.id, "the engine's process is confined");
        } else {
            let missing = unconfined.join("; ");
            tracing::warn!(pid = process.id, %missing, "the engine's process is not fully confined");
        }
        Ok(process)
    }

    /// Its process id.
    pub(super) const fn id(&self) -> u32 {
        self.id
    }

    /// Whether it can take another run.
    pub(super) fn is_alive(&self) -> bool {
        self.ended.get().is_none()
    }

    /// Models that its runs have named, if the last of them ended this long ago.
    pub(super) fn idle_models(&self, after: Duration) -> Option<Vec<String>> {
        let (models, last_used) = &*locked(&self.used);
        let is_idle = locked(&self.runs).is_empty() && last_used.elapsed() >= after;
        is_idle.then(|| models.iter().cloned().collect())
    }

    /// Tells it which models are still needed.
    pub(super) fn keep_only(&self, ids: &[&str]) {
        let models = ids.iter().map(|&id| id.to_owned()).collect();
        if let Err(error) = self.send(&ToHost::KeepOnly { models }, None) {
            tracing::debug!(%error, "the engine's process has ended");
        }
        locked(&self.used)
            .0
            .retain(|model| ids.contains(&model.as_str()));
    }

    /// Asks it to end, whatever it does.
    pub(super) fn close(&self) {
        // It ends when the socket is closed, and the reader then waits for it.
        let _ = self.socket.shutdown(Shutdown::Both);
    }

    /// Runs `work` in it; blocks until it is done. `reports` is called on this thread.
    pub(super) fn run(
        &self,
        work: Work,
        model: Option<String>,
        remote: Option<&Remote>,
        cancel: &CancelToken,
        reports: &mut dyn FnMut(Report),
    ) -> Result<Made, EngineError> {
        let run = self.next_run.fetch_add(1, Ordering::Relaxed);
        let (sender, messages) = mpsc::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let waiting = Waiting {
            input: work.input().clone(),
            remote: remote.cloned(),
            stop: Arc::clone(&stop),
            messages: sender,
        };
        locked(&self.used).0.extend(model);
        locked(&self.runs).insert(run, waiting);
        let begin = ToHost::Run {
            run,
            work: Box::new(work),
            nice: rustix::process::nice(0).unwrap_or(0),
        };
        // If it has ended, the reader has dropped the sender, or it never reads: then this fails.
        let result = match self.send(&begin, None) {
            Ok(()) if self.is_alive() => self.wait_for(run, &messages, cancel, reports),
            _ => Err(self.crashed()),
        };
        stop.store(true, Ordering::Release);
        locked(&self.runs).remove(&run);
        locked(&self.used).1 = Instant::now();
        result
    }

    fn wait_for(
        &self,
        run: RunId,
        messages: &Receiver<ForRun>,
        cancel: &CancelToken,
        reports: &mut dyn FnMut(Report),
    ) -> Result<Made, EngineError> {
        let mut heard = Instant::now();
        let mut cancelled = None;
        loop {
            match messages.recv_timeout(CANCEL_CHECK) {
                Ok(ForRun::Ended(result)) => return result.map_err(EngineError::from),
                Ok(ForRun::Report(report)) => {
                    let is_event = matches!(report, Report::Event(_));
                    reports(report);
                    if is_event {
                        self.tell(&ToHost::Noted { run });
                    }
                    heard = Instant::now();
                }
                Ok(ForRun::Alive) => heard = Instant::now(),
                Err(RecvTimeoutError::Disconnected) => return Err(self.crashed()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if cancel.is_cancelled() && cancelled.is_none() {
                cancelled = Some(Instant::now());
                if let Some(waiting) = locked(&self.runs).get(&run) {
                    waiting.stop.store(true, Ordering::Release);
                }
                self.tell(&ToHost::Cancel { run });
            }
            if cancelled.is_some_and(|since| since.elapsed() > END_WITHIN) {
                return Err(EngineError::Cancelled);
            }
            if heard.elapsed() > self.max_silence {
                tracing::error!(
                    pid = self.id,
                    run,
                    "a run shows no progress; its process is ended"
                );
                self.close();
                heard = Instant::now();
            }
        }
    }

    /// Why a run has no result: the process has ended.
    fn crashed(&self) -> EngineError {
        EngineError::Crashed {
            how: self.how_it_ended(),
        }
    }

    fn how_it_ended(&self) -> String {
        let how = self.ended.get().cloned();
        how.unwrap_or_else(|| "it does not answer".to_owned())
    }

    fn send(&self, message: &ToHost, file: Option<&OwnedFd>) -> io::Result<()> {
        let _turn = locked(&self.writing);
        wire::send(&self.socket, message, file.map(AsFd::as_fd))
    }

    /// Sends; if the process has ended, the reader notices it.
    fn tell(&self, message: &ToHost) {
        if let Err(error) = self.send(message, None) {
            tracing::debug!(%error, "the engine's process has ended");
        }
    }

    /// Reads what the process says until it ends.
    fn read(self: &Arc<Self>, mut child: Child, ready: &Sender<Vec<String>>) {
        loop {
            match wire::receive(&self.socket) {
                Ok(Some((FromHost::Ready { unconfined }, _))) => {
                    let _ = ready.send(unconfined);
                }
                Ok(Some((message, _))) => self.handle(message),
                Ok(None) => break,
                Err(error) => {
                    tracing::error!(pid = self.id, %error, "the engine's process cannot be understood");
                    break;
                }
            }
        }
        // Whatever it still does is for nobody. It has ended already if the socket is closed.
        let _ = child.kill();
        let how = match child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        let _ = self.ended.set(how);
        // Its runs learn it from their closed channels.
        locked(&self.runs).clear();
    }

    fn handle(self: &Arc<Self>, message: FromHost) {
        match message {
            FromHost::Event { run, event } => {
                self.pass_on(run, ForRun::Report(Report::Event(*event)));
            }
            FromHost::Percent { run, percent } => {
                self.pass_on(run, ForRun::Report(Report::Percent(percent)));
            }
            FromHost::Ended { run, result } => self.pass_on(run, ForRun::Ended(result)),
            FromHost::Input { call, path } => self.give_input(call, &path),
            FromHost::Remote {
                run,
                call,
                question,
            } => {
                self.pass_on(run, ForRun::Alive);
                self.ask_remote(run, call, question);
            }
            FromHost::Ready { .. } => {}
        }
    }

    fn pass_on(&self, run: RunId, message: ForRun) {
        // A cancelled run may still report.
        if let Some(waiting) = locked(&self.runs).get(&run) {
            let _ = waiting.messages.send(message);
        }
    }

    /// Opens a recording for the process, if one of its runs is about it.
    fn give_input(&self, call: CallId, path: &Path) {
        let is_input = locked(&self.runs)
            .values()
            .any(|waiting| waiting.input == path);
        let opened = match is_input {
            true => open_regular_file(path),
            false => Err(ErrorKind::PermissionDenied.into()),
        };
        let (file, error) = match opened {
            Ok(file) => (Some(OwnedFd::from(file)), None),
            Err(error) => (None, Some(error.to_string())),
        };
        if let Err(error) = self.send(&ToHost::Input { call, error }, file.as_ref()) {
            tracing::debug!(%error, "the engine's process has ended");
        }
    }

    /// Asks the remote engine of a run on a thread of its own.
    fn ask_remote(self: &Arc<Self>, run: RunId, call: CallId, question: RemoteQuestion) {
        let known = locked(&self.runs)
            .get(&run)
            .and_then(|waiting| Some((waiting.remote.clone()?, Arc::clone(&waiting.stop))));
        let Some((remote, stop)) = known else { return };
        let process = Arc::clone(self);
        let ask = move || {
            let answer = remote.engine.recognise(&question.audio(), &stop);
            let answer = answer.map_err(Into::into);
            process.tell(&ToHost::Remote { call, answer });
        };
        let thread = std::thread::Builder::new().name("remote engine".to_owned());
        if let Err(error) = thread.spawn(ask) {
            tracing::error!(%error, "no thread to ask the remote engine");
            let answer = Err(RemoteFailure::Cancelled);
            self.tell(&ToHost::Remote { call, answer });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(program: &str, arguments: &[&str]) -> io::Error {
        let isolation = Isolation {
            program: program.into(),
            arguments: arguments.iter().map(Into::into).collect(),
            max_memory: None,
            max_silence: Isolation::MAX_SILENCE,
        };
        let config = EngineConfig::new("/no/models".into());
        let started = Process::start(&isolation, &config);
        started.map(|process| process.id()).unwrap_err()
    }

    #[test]
    fn a_program_that_is_not_the_engine_is_an_error_and_not_a_wait() {
        assert_eq!(started("/no/such/program", &[]).kind(), ErrorKind::NotFound);
        started("true", &[]);
        // What it says is no message.
        started("sh", &["-c", "echo hello >&0; exec sleep 100"]);
        // A message, but of a type that does not exist.
        started(
            "sh",
            &["-c", r"printf '\001\000\000\000\300' >&0; exec sleep 100"],
        );
    }
}
