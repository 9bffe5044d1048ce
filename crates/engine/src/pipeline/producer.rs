//! The thread that decodes, detects speech and the language, and cuts windows: of the mix, or of
//! each channel in step, so that windows come in order of time.

use std::sync::mpsc::Sender;
use std::time::Instant;

use super::{CloseOnPanic, Job, Message, WindowTask, known_language};
use crate::error::EngineError;
use crate::language::{DetectedLanguage, LanguageVote, codes};
use crate::level;
use crate::media::{Block, Pcm};
use crate::peaks::Peaks;
use crate::queue::Queue;
use crate::recognition::Recognizer;
use crate::stages::StageTimes;
use crate::stretch_audio::StretchAudio;
use crate::vad::{SAMPLE_RATE, Silero, SpeechRater, seconds};
use crate::windows::{Window, WindowCutter};

/// Seconds of audio between two reports of the decoder's position.
const REPORT_INTERVAL: f64 = 5.0;

pub(super) struct Producer<'a> {
    job: &'a Job<'a>,
    streams: Vec<Stream>,
    queue: &'a Queue<WindowTask>,
    messages: Sender<Message>,
    /// Number of windows sent so far, and the next window's index.
    windows: usize,
    language: Option<DetectedLanguage>,
    vote: LanguageVote,
    /// Windows that wait until the language is known.
    waiting: Vec<WindowTask>,
    reported_at: f64,
    times: StageTimes,
}

/// The mix or a channel, with its position in the recording.
struct Stream {
    pcm: Pcm,
    /// The part of the recording that is processed; `None` for all of it.
    stretch_audio: Option<StretchAudio>,
    has_ended: bool,
    rater: SpeechRater<Silero>,
    cutter: WindowCutter,
    /// Audio from sample `sound_from` on that a window may still need.
    sound: Vec<f32>,
    sound_from: u64,
    peaks: Peaks,
}

impl<'a> Producer<'a> {
    pub(super) fn new(
        job: &'a Job<'a>,
        streams: impl Iterator<Item = (Pcm, Silero)>,
        queue: &'a Queue<WindowTask>,
        messages: Sender<Message>,
    ) -> Self {
        Self {
            job,
            streams: streams
                .map(|stream| Stream::new(stream, job.request.stretch_audio()))
                .collect(),
            queue,
            messages,
            windows: 0,
            language: None,
            vote: LanguageVote::new(&job.languages),
            waiting: Vec::new(),
            reported_at: 0.0,
            times: StageTimes::default(),
        }
    }

    pub(super) fn run(mut self) {
        let _guard = CloseOnPanic(self.queue);
        if let Err(error) = self.produce() {
            self.send_message(Message::Failed(error));
        }
        self.send_message(Message::Times(self.times));
        self.queue.finish();
    }

    fn produce(&mut self) -> Result<(), EngineError> {
        if let Some(language) = known_language(self.job.request) {
            self.set_language(language);
        }
        while let Some(lane) = self.next_stream() {
            if self.job.stop.is_set() {
                return Err(EngineError::Cancelled);
            }
            self.step(lane)?;
        }
        self.release_waiting()?;
        let seconds = self.streams.iter().map(Stream::end).fold(0.0, f64::max);
        let warnings = self.streams.first().map(|stream| stream.pcm.warnings());
        let peaks = self
            .streams
            .iter_mut()
            .map(|stream| std::mem::take(&mut stream.peaks))
            .reduce(Peaks::pointwise_max);
        self.send_message(Message::Produced {
            seconds,
            peaks: peaks.map_or_else(Vec::new, Peaks::finish),
            warnings: warnings.unwrap_or_default(),
        });
        Ok(())
    }

    /// The stream that is furthest behind. The first one wins a tie, so that a second run cuts and
    /// numbers the same windows.
    fn next_stream(&self) -> Option<usize> {
        let active = self.streams.iter().enumerate();
        let active = active.filter(|(_, stream)| !stream.has_ended);
        let earliest = active.min_by(|(_, a), (_, b)| a.end().total_cmp(&b.end()));
        earliest.map(|(lane, _)| lane)
    }

    /// Reads the next second of a stream, or its end.
    fn step(&mut self, lane: usize) -> Result<(), EngineError> {
        let stream = &mut self.streams[lane];
        let started = Instant::now();
        let block = stream.pcm.next_block();
        if self.job.stop.is_set() {
            // A cancelled read looks like a damaged file.
            return Err(EngineError::Cancelled);
        }
        let block = match &stream.stretch_audio {
            Some(stretch_audio) => block?.and_then(|block| stretch_audio.part_of(block)),
            None => block?,
        };
        self.times.media += started.elapsed();
        let started = Instant::now();
        let rated = stream.rate(block.as_ref());
        self.times.vad += started.elapsed();
        for probability in rated.map_err(EngineError::Recognition)? {
            if let Some(window) = self.streams[lane].cutter.push(probability) {
                self.send(lane, window)?;
            }
        }
        let stream = &mut self.streams[lane];
        if stream.has_ended {
            if let Some(window) = stream.cutter.finish(stream.total()) {
                self.send(lane, window)?;
            }
        } else {
            stream.forget_sound();
        }
        self.report_position();
        Ok(())
    }

    fn send(&mut self, lane: usize, window: Window) -> Result<(), EngineError> {
        let samples = self.streams[lane].sound_of(&window);
        let window = Window {
            index: self.windows,
            ..window
        };
        self.windows += 1;
        self.send_message(Message::Opened {
            lane,
            window: window.index,
            start: seconds(window.start),
        });
        if self.awaits_language() {
            self.listen(&window, &samples)?;
        }
        self.waiting.push(WindowTask {
            lane,
            window,
            samples,
            language: None,
        });
        if !self.awaits_language() || self.vote.is_decided() {
            self.release_waiting()?;
        }
        Ok(())
    }

    /// Whether windows wait until the language is known. An engine elsewhere detects it itself.
    fn awaits_language(&self) -> bool {
        self.language.is_none() && self.job.request.remote.is_none()
    }

    /// Detects the language of a window.
    fn listen(&mut self, window: &Window, samples: &[f32]) -> Result<(), EngineError> {
        let job = self.job;
        let mut state = job.shared.pool.lease(job.model, job.stop.flag())?;
        let probabilities = state.detect_language(samples, &codes(&job.languages));
        self.times += state.take_times();
        self.vote.add(&probabilities?, window.voiced_seconds());
        Ok(())
    }

    fn release_waiting(&mut self) -> Result<(), EngineError> {
        if self.awaits_language() && !self.waiting.is_empty() {
            self.set_language(self.vote.best());
        }
        for mut work in std::mem::take(&mut self.waiting) {
            work.language.clone_from(&self.language);
            if !self.queue.push(work) {
                return Err(EngineError::Cancelled);
            }
        }
        Ok(())
    }

    fn set_language(&mut self, language: DetectedLanguage) {
        self.send_message(Message::Language(language.clone()));
        self.language = Some(language);
    }

    fn report_position(&mut self) {
        let active = self.streams.iter().filter(|stream| !stream.has_ended);
        let seconds = active.map(Stream::end).fold(f64::INFINITY, f64::min);
        if seconds.is_finite() && seconds - self.reported_at >= REPORT_INTERVAL {
            self.reported_at = seconds;
            let cut_until = self.streams.iter().map(Stream::cut_until).collect();
            self.send_message(Message::Decoded { seconds, cut_until });
        }
    }

    fn send_message(&self, message: Message) {
        // If the job has ended, nobody receives the message, and nothing is lost.
        let _ = self.messages.send(message);
    }
}

impl Stream {
    fn new((pcm, silero): (Pcm, Silero), stretch_audio: Option<StretchAudio>) -> Self {
        Self {
            pcm,
            stretch_audio,
            has_ended: false,
            rater: SpeechRater::new(silero),
            cutter: WindowCutter::default(),
            sound: Vec::new(),
            sound_from: 0,
            peaks: Peaks::default(),
        }
    }

    /// Processes a block, or the end, and returns the speech probability of each frame that it
    /// completes.
    fn rate(&mut self, block: Option<&Block>) -> Result<Vec<f32>, String> {
        let Some(block) = block else {
            self.has_ended = true;
            return self.rater.finish();
        };
        self.sound.extend_from_slice(&block.samples);
        self.peaks.push(&block.samples);
        self.rater.push(&block.samples)
    }

    /// Samples processed so far.
    fn total(&self) -> u64 {
        self.sound_from + self.sound.len() as u64
    }

    /// Seconds processed so far.
    fn end(&self) -> f64 {
        seconds(self.total())
    }

    /// Further windows begin here at the earliest, in seconds.
    fn cut_until(&self) -> f64 {
        if self.has_ended {
            f64::INFINITY
        } else {
            seconds(self.cutter.needed_from())
        }
    }

    /// A window's audio, amplified for recognition if it is quiet.
    fn sound_of(&self, window: &Window) -> Vec<f32> {
        let place = |sample: u64| {
            usize::try_from(sample.saturating_sub(self.sound_from)).unwrap_or(usize::MAX)
        };
        let end = place(window.end).min(self.sound.len());
        let mut samples = self.sound[place(window.start).min(end)..end].to_vec();
        let gain = level::gain_for_recognition(&samples);
        if gain > 1.0 {
            samples.iter_mut().for_each(|sample| *sample *= gain);
        }
        samples
    }

    fn forget_sound(&mut self) {
        let needed = self.cutter.needed_from();
        let unneeded =
            usize::try_from(needed.saturating_sub(self.sound_from)).unwrap_or(usize::MAX);
        let unneeded = unneeded.min(self.sound.len());
        // Moving the rest for every block would cost more than the memory is worth.
        if unneeded >= 4 * SAMPLE_RATE {
            self.sound.drain(..unneeded);
            self.sound_from += unneeded as u64;
        }
    }
}
