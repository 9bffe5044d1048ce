//! The engine's process, see [`crate::isolation`]: takes requests from its standard input, a Unix socket,
//! and runs them.

mod sandbox;

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustix::process::Signal;

use crate::cancel::CancelToken;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::event::Event;
use crate::inputs;
use crate::isolation::messages::{
    CallId, FromHost, Made, RemoteFailure, RunError, RunId, ToHost, Work,
};
use crate::isolation::{locked, wire};
use crate::remote::{Remote, RemoteAudio, RemoteEngine, RemoteError, RemoteText};
use crate::request::Request;
use crate::speakers::{SpeakersEvent, SpeakersRequest, VoicesRequest};

/// How often a run that waits for another machine looks whether it should stop.
const STOP_CHECK: Duration = Duration::from_millis(100);

/// Runs the requests of the parent process, which come on standard input (a Unix socket), until it is
/// closed. Confines this process first, so it must be called before any thread is started.
///
/// # Errors
/// If the parent does not speak the protocol.
pub fn serve() -> io::Result<()> {
    let socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let Some((ToHost::Settings { config, max_memory }, _)) = wire::receive(&socket)? else {
        return Err(ErrorKind::InvalidData.into());
    };
    let unconfined = sandbox::confine(&config, max_memory);
    let host = Arc::new(Host {
        socket,
        writing: Mutex::default(),
        runs: Mutex::default(),
        calls: Mutex::default(),
        next_call: AtomicU64::new(0),
    });
    let opener = Arc::clone(&host);
    inputs::open_by(Box::new(move |path| opener.ask_for_input(path)));
    host.send(&FromHost::Ready { unconfined })?;
    let engine = Engine::new(*config).map_err(io::Error::other)?;
    while let Some((message, file)) = wire::receive(&host.socket)? {
        host.handle(&engine, message, file);
    }
    // The parent is gone, and so is everybody who could want the running runs. A regular exit would
    // free what their threads still use.
    let _ = rustix::process::kill_process(rustix::process::getpid(), Signal::KILL);
    Ok(())
}

/// What the parent answers to a question.
enum Answer {
    Input(io::Result<File>),
    Remote(Result<RemoteText, RemoteFailure>),
}

/// A run in this process.
struct Running {
    cancel: CancelToken,
    /// Told that the last event was processed.
    noted: Sender<()>,
}

struct Host {
    socket: UnixStream,
    writing: Mutex<()>,
    runs: Mutex<HashMap<RunId, Running>>,
    calls: Mutex<HashMap<CallId, Sender<Answer>>>,
    next_call: AtomicU64,
}

impl Host {
    fn send(&self, message: &FromHost) -> io::Result<()> {
        let _turn = locked(&self.writing);
        wire::send(&self.socket, message, None)
    }

    fn handle(self: &Arc<Self>, engine: &Engine, message: ToHost, file: Option<OwnedFd>) {
        match message {
            ToHost::Run { run, work, nice } => self.begin(engine.clone(), run, *work, nice),
            ToHost::Noted { run } => {
                if let Some(running) = locked(&self.runs).get(&run) {
                    let _ = running.noted.send(());
                }
            }
            ToHost::Cancel { run } => {
                if let Some(running) = locked(&self.runs).get(&run) {
                    running.cancel.cancel();
                }
            }
            ToHost::Input { call, error } => {
                let opened = match (file, error) {
                    (Some(file), _) => Ok(File::from(file)),
                    (None, error) => Err(io::Error::other(error.unwrap_or_default())),
                };
                self.answer(call, Answer::Input(opened));
            }
            ToHost::Remote { call, answer } => self.answer(call, Answer::Remote(answer)),
            ToHost::KeepOnly { models } => {
                let models: Vec<_> = models.iter().map(String::as_str).collect();
                engine.keep_only(&models);
            }
            ToHost::Settings { .. } => tracing::error!("the engine has its settings already"),
        }
    }

    fn begin(self: &Arc<Self>, engine: Engine, run: RunId, work: Work, nice: i32) {
        let cancel = CancelToken::new();
        let (noted, acknowledged) = mpsc::channel();
        let running = Running {
            cancel: cancel.clone(),
            noted,
        };
        locked(&self.runs).insert(run, running);
        let host = Arc::clone(self);
        let body = move || {
            take_priority(nice);
            let worked = catch_unwind(AssertUnwindSafe(|| {
                host.work(&engine, run, work, &cancel, &acknowledged)
            }));
            let result = worked.unwrap_or_else(|_| {
                Err(EngineError::Recognition("the engine panicked".to_owned()))
            });
            host.end(run, result.map_err(RunError::from));
        };
        let thread = std::thread::Builder::new().name(format!("run {run}"));
        if let Err(error) = thread.spawn(body) {
            self.end(run, Err(EngineError::Io(error).into()));
        }
    }

    fn end(&self, run: RunId, result: Result<Made, RunError>) {
        locked(&self.runs).remove(&run);
        if let Err(error) = self.send(&FromHost::Ended { run, result }) {
            tracing::error!(%error, "the end of a run could not be reported");
        }
    }

    fn work(
        self: &Arc<Self>,
        engine: &Engine,
        run: RunId,
        work: Work,
        cancel: &CancelToken,
        acknowledged: &Receiver<()>,
    ) -> Result<Made, EngineError> {
        match work {
            Work::Transcribe(mut work) => {
                let remote = work.remote.take().map(|remote| Remote {
                    engine: Arc::new(ParentsRemote {
                        host: Arc::clone(self),
                        run,
                    }),
                    name: remote.name,
                    parallel: remote.parallel,
                    falls_back: remote.falls_back,
                });
                let mut request = Request::from(*work);
                request.remote = remote;
                let mut report = |event| self.report(run, event, cancel, acknowledged);
                let transcript = engine.transcribe(&request, cancel, &mut report)?;
                Ok(Made::Transcript(Box::new(transcript)))
            }
            Work::Speakers {
                input,
                audio_track,
                count,
            } => {
                let request = SpeakersRequest {
                    input,
                    audio_track,
                    count: count.into(),
                };
                let mut report = |SpeakersEvent::Progress { percent }| {
                    if self.send(&FromHost::Percent { run, percent }).is_err() {
                        cancel.cancel();
                    }
                };
                engine
                    .speakers(&request, cancel, &mut report)
                    .map(Made::Turns)
            }
            Work::Voices {
                input,
                audio_track,
                speakers,
                least_seconds,
            } => {
                let request = VoicesRequest {
                    input,
                    audio_track,
                    speakers,
                    least_seconds,
                };
                engine.voices(&request, cancel).map(Made::Voices)
            }
            Work::Probe { input } => engine.probe(&input).map(Made::Info),
            Work::Waveform { input, audio_track } => engine
                .waveform(&input, audio_track, cancel)
                .map(Made::Waveform),
        }
    }

    /// Sends an event and waits until it is stored, so that no window is recognised in vain.
    fn report(&self, run: RunId, event: Event, cancel: &CancelToken, acknowledged: &Receiver<()>) {
        let event = Box::new(event);
        let sent = self.send(&FromHost::Event { run, event });
        if sent.is_err() || acknowledged.recv().is_err() {
            cancel.cancel();
        }
    }

    fn answer(&self, call: CallId, answer: Answer) {
        // Nobody waits any more if the run was cancelled.
        if let Some(caller) = locked(&self.calls).remove(&call) {
            let _ = caller.send(answer);
        }
    }

    /// Registers a question to the parent.
    fn call(&self) -> (CallId, Receiver<Answer>) {
        let call = self.next_call.fetch_add(1, Ordering::Relaxed);
        let (caller, answer) = mpsc::channel();
        locked(&self.calls).insert(call, caller);
        (call, answer)
    }

    fn ask_for_input(&self, path: &Path) -> io::Result<File> {
        let (call, answer) = self.call();
        let path = path.to_owned();
        self.send(&FromHost::Input { call, path })?;
        match answer.recv() {
            Ok(Answer::Input(opened)) => opened,
            _ => Err(ErrorKind::BrokenPipe.into()),
        }
    }
}

/// Raises the nice value of this thread to `nice`; threads that it starts inherit it.
fn take_priority(nice: i32) {
    let raised = rustix::process::nice(0).and_then(|own| match nice - own {
        more @ 1.. => rustix::process::nice(more),
        _ => Ok(own),
    });
    if let Err(error) = raised {
        tracing::debug!(%error, "the priority cannot be lowered");
    }
}

/// The engine on another machine, which the parent asks.
struct ParentsRemote {
    host: Arc<Host>,
    run: RunId,
}

impl RemoteEngine for ParentsRemote {
    fn recognise(
        &self,
        audio: &RemoteAudio<'_>,
        stop: &AtomicBool,
    ) -> Result<RemoteText, RemoteError> {
        let (call, answer) = self.host.call();
        let question = FromHost::Remote {
            run: self.run,
            call,
            question: audio.into(),
        };
        if self.host.send(&question).is_err() {
            return Err(RemoteError::Cancelled);
        }
        loop {
            match answer.recv_timeout(STOP_CHECK) {
                Ok(Answer::Remote(answer)) => return answer.map_err(RemoteError::from),
                Err(RecvTimeoutError::Timeout) if !stop.load(Ordering::Acquire) => {}
                _ => {
                    locked(&self.host.calls).remove(&call);
                    return Err(RemoteError::Cancelled);
                }
            }
        }
    }
}
