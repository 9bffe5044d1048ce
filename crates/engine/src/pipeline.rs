//! One job from file to transcript.
//!
//! A producer thread decodes, detects speech and cuts windows; workers recognise windows in
//! parallel; the calling thread puts the results in order and reports the events. All queues
//! between them are bounded, so memory does not grow with the recording.

mod assembly;
mod channels;
mod lane;
mod producer;
mod worker;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use slovo_rules::language::Language;
use slovo_rules::settings::TranscriptionType;
use slovo_rules::transcript::{Transcript, Warning};

use crate::cancel::{CancelToken, Stop};
use crate::config::Decoding;
use crate::error::EngineError;
use crate::event::{ChunkResult, Event};
use crate::language::DetectedLanguage;
use crate::models::VOICE_ACTIVITY;
use crate::prompts::Prompts;
use crate::queue::Queue;
use crate::recognition::{RecognitionError, Settings};
use crate::remote::Remote;
use crate::request::{LanguageChoice, Request};
use crate::shared::Shared;
use crate::stages::StageTimes;
use crate::style;
use crate::vad::Silero;
use crate::vocabulary;
use crate::windows::Window;

use assembly::Assembly;
use producer::Producer;

/// How often the calling thread checks for cancellation and reports progress.
const TICK: Duration = Duration::from_millis(100);

/// While something moves, progress is reported at least this often.
const PROGRESS_EVERY: Duration = Duration::from_millis(500);

/// A window of one of the streams with its audio and the language of the recording, which is known
/// before the window is recognised.
struct WindowTask {
    lane: usize,
    window: Window,
    samples: Vec<f32>,
    language: Option<DetectedLanguage>,
}

/// Messages from the threads of a job to the calling thread.
enum Message {
    Language(DetectedLanguage),
    /// All streams are decoded up to `seconds`; windows that are still to be cut begin at
    /// `cut_until`, by stream, at the earliest.
    Decoded {
        seconds: f64,
        cut_until: Vec<f64>,
    },
    Opened {
        lane: usize,
        window: usize,
        start: f64,
    },
    Finished {
        lane: usize,
        chunk: ChunkResult,
        window: Window,
        given: bool,
    },
    Produced {
        seconds: f64,
        peaks: Vec<u8>,
        warnings: Vec<Warning>,
    },
    Times(StageTimes),
    Failed(EngineError),
}

/// The data that all threads of a job share.
struct Job<'a> {
    shared: &'a Shared,
    request: &'a Request,
    /// Id of the recognition model.
    model: &'a str,
    settings: Settings,
    /// The languages that may be spoken where they are detected.
    languages: Vec<Language>,
    /// Set on cancellation and on the first failure.
    stop: Stop,
    /// Whether the engine elsewhere has failed, so that the model recognises the rest.
    gave_up_remote: AtomicBool,
    /// See [`Job::model_settings`].
    late_prompts: Mutex<Option<Arc<Prompts>>>,
}

impl Job<'_> {
    /// The engine elsewhere that recognises the next window.
    fn remote(&self) -> Option<&Remote> {
        let remote = self.request.remote.as_ref();
        remote.filter(|_| !self.gave_up_remote.load(Ordering::Acquire))
    }

    fn give_up_remote(&self) {
        self.gave_up_remote.store(true, Ordering::Release);
    }

    /// The settings for the model. After an engine elsewhere has failed, its prompts are made here, so
    /// that the model is loaded only then.
    fn model_settings(&self) -> Result<Settings, EngineError> {
        let mut settings = self.settings.clone();
        if self.request.remote.is_some() {
            let made = self.late_prompts.lock();
            let mut made = made.unwrap_or_else(PoisonError::into_inner);
            if made.is_none() {
                let (prompts, _) = prompts(self.shared, self.request, self.model)?;
                *made = Some(Arc::new(prompts));
            }
            settings.prompts = made.clone().unwrap_or_default();
        }
        Ok(settings)
    }

    /// Whether the model can recognise what the engine elsewhere did not.
    fn can_fall_back_from(&self, remote: &Remote, error: &RecognitionError) -> bool {
        matches!(error, RecognitionError::Remote { .. })
            && remote.falls_back
            && self.shared.pool.file(self.model).is_ok()
    }
}

/// Closes the queue if a thread panics, so that no other thread waits for it forever.
struct CloseOnPanic<'a>(&'a Queue<WindowTask>);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}

/// Runs a job; events are reported on the calling thread. Times of a stretch count from where the
/// listening begins.
pub(crate) fn run(
    shared: &Shared,
    request: &Request,
    cancel: &CancelToken,
    events: &mut dyn FnMut(Event),
) -> Result<Transcript, EngineError> {
    let default_model = shared.config.model_for(request.mode);
    let model = request.model.as_deref().unwrap_or(default_model);
    if request.remote.is_none() {
        // Reports a missing model before a long file is decoded.
        shared.pool.file(model)?;
    }
    let vad_file = shared.pool.file(VOICE_ACTIVITY)?;
    let stop = Stop::new(cancel);
    let streams = channels::open(shared, request, &stop)?;
    let readers = streams.readers;
    let info = readers.first().ok_or(EngineError::NoSpeech)?.info();
    let total = match request.stretch_audio() {
        Some(stretch_audio) => Some(stretch_audio.seconds()),
        None => info.duration,
    };
    events(Event::Opened {
        container: info.container.clone(),
        codec: info.codec.clone(),
        duration: total,
    });
    let detectors: Result<Vec<_>, _> = readers.iter().map(|_| Silero::load(&vad_file)).collect();
    let detectors = detectors.map_err(|reason| EngineError::ModelUnusable {
        path: vad_file,
        reason,
    })?;
    let mut assembly = Assembly::new(request, model, readers.len(), total, events);
    if let Some(warning) = streams.warning {
        assembly.warn(warning);
    }
    let settings = settings(shared, request, model, &mut assembly)?;
    let job = Job {
        shared,
        request,
        model,
        settings,
        languages: request.languages.languages().collect(),
        stop,
        gave_up_remote: AtomicBool::new(false),
        late_prompts: Mutex::default(),
    };
    let threads = match &request.remote {
        Some(remote) => remote.parallel,
        None => request.threads.unwrap_or(shared.config.threads),
    };
    let threads = threads.max(1);
    let queue: Queue<WindowTask> = Queue::new(threads);
    let outcome = std::thread::scope(|scope| {
        // The caller's event handler may panic, too.
        let _guard = CloseOnPanic(&queue);
        let (sender, messages) = channel();
        let streams = readers.into_iter().zip(detectors);
        let producer = Producer::new(&job, streams, &queue, sender.clone());
        scope.spawn(|| producer.run());
        for _ in 0..threads {
            let sender = sender.clone();
            let (job, queue) = (&job, &queue);
            scope.spawn(move || worker::run(job, queue, &sender));
        }
        drop(sender);
        let outcome = collect(&messages, &job, cancel, &mut assembly);
        job.stop.set();
        queue.close();
        outcome
    });
    let times = outcome?;
    *shared.times.lock().unwrap_or_else(PoisonError::into_inner) += times;
    assembly.finish()
}

/// Processes the threads' messages until all have ended, or the job is cancelled or failed.
fn collect(
    messages: &Receiver<Message>,
    job: &Job<'_>,
    cancel: &CancelToken,
    assembly: &mut Assembly<'_>,
) -> Result<StageTimes, EngineError> {
    let started = Instant::now();
    let mut last_report = started;
    let mut times = StageTimes::default();
    loop {
        if cancel.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        let moved = match messages.recv_timeout(TICK) {
            // A failure caused by the cancellation is reported as cancelled.
            Ok(Message::Failed(_)) if cancel.is_cancelled() => return Err(EngineError::Cancelled),
            Ok(Message::Failed(error)) => return Err(error),
            Ok(Message::Times(more)) => {
                times += more;
                false
            }
            Ok(message) => assembly.take(message),
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) if job.stop.is_set() => {
                return Err(EngineError::Cancelled);
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(times),
        };
        if moved || last_report.elapsed() >= PROGRESS_EVERY {
            last_report = Instant::now();
            assembly.report_progress(started.elapsed());
        }
    }
}

/// The settings of all windows; each window brings its own language. With an engine elsewhere they
/// have no prompts for the model, see [`Job::model_settings`].
fn settings(
    shared: &Shared,
    request: &Request,
    model: &str,
    assembly: &mut Assembly<'_>,
) -> Result<Settings, EngineError> {
    let mut settings = Settings {
        translate: request.translate,
        beam: match shared.config.decoding {
            Decoding::Greedy => 1,
            Decoding::Beam(size) => usize::from(size.clamp(2, 8)),
        },
        ..Settings::default()
    };
    let used = if request.remote.is_some() {
        let (prompt, used) = vocabulary::text(&request.vocabulary);
        settings.remote_prompt = prompt;
        used
    } else {
        let (prompts, used) = prompts(shared, request, model)?;
        settings.prompts = Arc::new(prompts);
        used
    };
    if used < request.vocabulary.len() {
        assembly.warn(
            Warning::new("vocabulary_shortened")
                .with("used", used)
                .with("given", request.vocabulary.len()),
        );
    }
    Ok(settings)
}

/// The prompts of a job, and how many terms of the vocabulary are in them. Loads the model if there
/// is anything to tell it.
fn prompts(
    shared: &Shared,
    request: &Request,
    model: &str,
) -> Result<(Prompts, usize), EngineError> {
    let styled = styled(shared, request, model);
    if request.vocabulary.is_empty() && styled.is_empty() {
        return Ok((Prompts::default(), 0));
    }
    let model = shared.pool.model(model)?;
    Prompts::new(&request.vocabulary, styled, |text| model.tokenize(text))
        .map_err(EngineError::Recognition)
}

/// The languages of the job whose style is in the prompt. A translation is in another language than
/// the speech, so it has none.
fn styled(shared: &Shared, request: &Request, model: &str) -> Vec<&'static str> {
    if !shared.config.style_prompts || request.translate {
        return Vec::new();
    }
    let is_possible = |language: &&str| match known_language(request) {
        Some(known) if !detects_passages(request) => known.code == *language,
        _ => request
            .languages
            .languages()
            .any(|possible| possible.as_str() == *language),
    };
    style::languages(model).filter(is_possible).collect()
}

/// Whether each passage may be in another language than the recording.
fn detects_passages(request: &Request) -> bool {
    request.language == LanguageChoice::Auto && request.mode == TranscriptionType::Full
}

/// The language, if it does not have to be detected.
fn known_language(request: &Request) -> Option<DetectedLanguage> {
    match (&request.language, request.mode) {
        (LanguageChoice::Code(code), _) => Some(DetectedLanguage::given(code)),
        (LanguageChoice::Auto, TranscriptionType::Lite) => Some(DetectedLanguage::given("en")),
        (LanguageChoice::Auto, TranscriptionType::Full) => request.resume.language.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panicking_thread_closes_the_queue_for_the_others() {
        let queue: Queue<WindowTask> = Queue::new(1);
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| queue.pop().is_none());
            let panicking = scope.spawn(|| {
                let _guard = CloseOnPanic(&queue);
                panic!("as a defect would");
            });
            assert!(panicking.join().is_err());
            assert!(reader.join().expect("no panic"));
        });
    }

    #[test]
    fn an_early_cancellation_is_reported_even_if_the_file_is_missing() {
        let folder = tempfile::tempdir().expect("a folder");
        for id in ["base-q8_0", VOICE_ACTIVITY] {
            std::fs::write(folder.path().join(format!("ggml-{id}.bin")), b"").expect("written");
        }
        let engine = crate::Engine::new(crate::EngineConfig::new(folder.path().to_owned()));
        let token = CancelToken::new();
        let request = Request::new(folder.path().join("missing.mp3"));
        let engine = engine.expect("an engine");
        let run = || engine.transcribe(&request, &token, &mut |_| {});
        assert!(matches!(run(), Err(EngineError::Media(_))));
        token.cancel();
        assert!(matches!(run(), Err(EngineError::Cancelled)));
    }
}
