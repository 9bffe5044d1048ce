//! The thread that decodes, finds speech, finds the language and cuts windows.

use std::sync::mpsc::Sender;
use std::time::Instant;

use slovo_rules::language::LANGUAGES;

use super::{CloseOnPanic, Job, Message, Work, known_language};
use crate::error::EngineError;
use crate::language::{Detected, LanguageVote};
use crate::level;
use crate::media::Pcm;
use crate::peaks::Peaks;
use crate::queue::Queue;
use crate::recognition::Recognizer;
use crate::stages::StageTimes;
use crate::vad::{SAMPLE_RATE, Silero, SpeechRater};
use crate::windows::{Window, WindowCutter};

/// The decoder's place is told every so many seconds of sound.
const TELL_EVERY: f64 = 5.0;

pub(super) struct Producer<'a> {
    job: &'a Job<'a>,
    pcm: Pcm,
    rater: SpeechRater<Silero>,
    cutter: WindowCutter,
    queue: &'a Queue<Work>,
    messages: Sender<Message>,
    /// Sound from sample `sound_from` on that a window may still ask for.
    sound: Vec<f32>,
    sound_from: u64,
    language: Option<Detected>,
    vote: LanguageVote,
    /// Windows that wait for the language.
    waiting: Vec<(Window, Vec<f32>)>,
    told: f64,
    peaks: Peaks,
    times: StageTimes,
}

impl<'a> Producer<'a> {
    pub(super) fn new(
        job: &'a Job<'a>,
        pcm: Pcm,
        rater: SpeechRater<Silero>,
        queue: &'a Queue<Work>,
        messages: Sender<Message>,
    ) -> Self {
        Self {
            job,
            pcm,
            rater,
            cutter: WindowCutter::default(),
            queue,
            messages,
            sound: Vec::new(),
            sound_from: 0,
            language: None,
            vote: LanguageVote::default(),
            waiting: Vec::new(),
            told: 0.0,
            peaks: Peaks::default(),
            times: StageTimes::default(),
        }
    }

    pub(super) fn run(mut self) {
        let _guard = CloseOnPanic(self.queue);
        if let Err(error) = self.produce() {
            self.tell(Message::Failed(error));
        }
        self.tell(Message::Times(self.times));
        self.queue.finish();
    }

    fn produce(&mut self) -> Result<(), EngineError> {
        if let Some(language) = known_language(self.job.request) {
            self.settle(language);
        }
        loop {
            if self.job.stop.is_set() {
                return Err(EngineError::Cancelled);
            }
            let begun = Instant::now();
            let block = self.pcm.next_block();
            if self.job.stop.is_set() {
                // What was broken off looks like a damaged file.
                return Err(EngineError::Cancelled);
            }
            let block = block?;
            self.times.media += begun.elapsed();
            let Some(block) = block else { break };
            self.sound.extend_from_slice(&block.samples);
            self.peaks.push(&block.samples);
            let begun = Instant::now();
            let rated = self
                .rater
                .push(&block.samples)
                .map_err(EngineError::Recognition)?;
            self.times.vad += begun.elapsed();
            self.cut(&rated)?;
            self.forget_sound();
            self.tell_place();
        }
        let rated = self.rater.finish().map_err(EngineError::Recognition)?;
        self.cut(&rated)?;
        let total = self.sound_from + self.sound.len() as u64;
        if let Some(window) = self.cutter.finish(total) {
            self.send(window)?;
        }
        self.release_waiting()?;
        let peaks = std::mem::take(&mut self.peaks);
        self.tell(Message::Produced {
            seconds: total as f64 / SAMPLE_RATE as f64,
            peaks: peaks.finish(),
            warnings: self.pcm.warnings(),
        });
        Ok(())
    }

    fn cut(&mut self, rated: &[f32]) -> Result<(), EngineError> {
        for &probability in rated {
            if let Some(window) = self.cutter.push(probability) {
                self.send(window)?;
            }
        }
        Ok(())
    }

    fn send(&mut self, window: Window) -> Result<(), EngineError> {
        let place = |sample: u64| {
            usize::try_from(sample.saturating_sub(self.sound_from)).unwrap_or(usize::MAX)
        };
        let end = place(window.end).min(self.sound.len());
        let mut samples = self.sound[place(window.start).min(end)..end].to_vec();
        let gain = level::gain_for_recognition(&samples);
        if gain > 1.0 {
            samples.iter_mut().for_each(|sample| *sample *= gain);
        }
        self.tell(Message::Opened {
            window: window.index,
            start: window.start as f64 / SAMPLE_RATE as f64,
        });
        if self.language.is_some() {
            return self.enqueue(window, samples);
        }
        self.listen(&window, &samples)?;
        self.waiting.push((window, samples));
        if self.vote.is_decided() {
            self.release_waiting()?;
        }
        Ok(())
    }

    /// Asks the model which language a window is in.
    fn listen(&mut self, window: &Window, samples: &[f32]) -> Result<(), EngineError> {
        let job = self.job;
        // A state that has recognised before would listen with the context length of
        // its last window.
        let mut state = job.shared.pool.lease(job.model, true, job.stop.flag())?;
        let begun = Instant::now();
        let heard = state.detect_language(samples, &LANGUAGES);
        self.times.encoder += begun.elapsed();
        self.vote.add(&heard?, window.voiced_seconds());
        Ok(())
    }

    fn release_waiting(&mut self) -> Result<(), EngineError> {
        if self.language.is_none() && !self.waiting.is_empty() {
            self.settle(self.vote.best());
        }
        for (window, samples) in std::mem::take(&mut self.waiting) {
            self.enqueue(window, samples)?;
        }
        Ok(())
    }

    fn settle(&mut self, language: Detected) {
        self.tell(Message::Language(language.clone()));
        self.language = Some(language);
    }

    fn enqueue(&self, window: Window, samples: Vec<f32>) -> Result<(), EngineError> {
        let language = self
            .language
            .as_ref()
            .map_or_else(String::new, |found| found.code.clone());
        if self.queue.push(Work {
            window,
            samples,
            language,
        }) {
            Ok(())
        } else {
            Err(EngineError::Cancelled)
        }
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

    fn tell_place(&mut self) {
        let seconds = (self.sound_from + self.sound.len() as u64) as f64 / SAMPLE_RATE as f64;
        if seconds - self.told >= TELL_EVERY {
            self.told = seconds;
            self.tell(Message::Decoded { seconds });
        }
    }

    fn tell(&self, message: Message) {
        // Nobody listens once the job has ended otherwise; then nothing is lost.
        let _ = self.messages.send(message);
    }
}
