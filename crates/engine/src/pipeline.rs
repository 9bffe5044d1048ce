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

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, PoisonError};
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
use crate::recognition::Settings;
use crate::request::{LanguageChoice, Request};
use crate::shared::Shared;
use crate::stages::StageTimes;
use crate::style;
use crate::vad::Silero;
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
    // Reports a missing model before a long file is decoded.
    shared.pool.file(model)?;
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
    let mut assembly = Assembly::new(request, readers.len(), total, events);
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
    };
    let threads = request.threads.unwrap_or(shared.config.threads).max(1);
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
    assembly.finish(model.to_owned())
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

/// The settings of all windows; each window brings its own language.
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
    let styled = styled(shared, request, model);
    if !(request.vocabulary.is_empty() && styled.is_empty()) {
        let model = shared.pool.model(model)?;
        let prompts = Prompts::new(&request.vocabulary, styled, |text| model.tokenize(text));
        let (prompts, used) = prompts.map_err(EngineError::Recognition)?;
        if used < request.vocabulary.len() {
            assembly.warn(
                Warning::new("vocabulary_shortened")
                    .with("used", used)
                    .with("given", request.vocabulary.len()),
            );
        }
        settings.prompts = Arc::new(prompts);
    }
    Ok(settings)
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
