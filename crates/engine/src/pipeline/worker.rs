//! A thread that recognises windows.

use std::sync::mpsc::Sender;

use super::{Job, Message, Work};
use crate::error::EngineError;
use crate::event::{ChunkResult, RecognisedWord};
use crate::guards;
use crate::queue::Queue;
use crate::recognition::{RecognitionError, Recognizer, Settings};
use crate::vad::SAMPLE_RATE;
use crate::words;

/// whisper.cpp's alignment needs some frames to smooth over: shorter windows are padded
/// with silence to one second.
const SHORTEST: usize = SAMPLE_RATE;

/// Lets nobody wait for a worker that has panicked.
struct CloseOnPanic<'a>(&'a Queue<Work>);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}

pub(super) fn run(job: &Job<'_>, queue: &Queue<Work>, messages: &Sender<Message>) {
    let _guard = CloseOnPanic(queue);
    while let Some(work) = queue.pop() {
        let message = match given(job, &work) {
            Some(chunk) => Message::Finished {
                chunk,
                window: work.window,
                given: true,
            },
            None => match recognise(job, &work, messages) {
                Ok(chunk) => Message::Finished {
                    chunk,
                    window: work.window,
                    given: false,
                },
                Err(error) => Message::Failed(error),
            },
        };
        if messages.send(message).is_err() {
            return;
        }
    }
}

/// The result of an earlier run, if it is of this very window.
fn given(job: &Job<'_>, work: &Work) -> Option<ChunkResult> {
    let window = &work.window;
    job.request
        .resume
        .chunks
        .iter()
        .find(|chunk| {
            chunk.index == window.index
                && chunk.start_sample == window.start
                && chunk.end_sample == window.end
        })
        .cloned()
}

fn recognise(
    job: &Job<'_>,
    work: &Work,
    messages: &Sender<Message>,
) -> Result<ChunkResult, EngineError> {
    let window = &work.window;
    let settings = Settings {
        language: work.language.clone(),
        ..job.settings.clone()
    };
    let mut samples = std::borrow::Cow::Borrowed(&work.samples);
    if samples.len() < SHORTEST {
        samples.to_mut().resize(SHORTEST, 0.0);
    }
    let mut state = job.shared.pool.lease(job.model, false, &job.stop)?;
    let tokens = state.recognize(&samples, &settings, &job.stop);
    let times = state.take_times();
    if matches!(tokens, Err(RecognitionError::Failed(_))) {
        state.discard();
    }
    let _ = messages.send(Message::Times(times));
    let written_in = if settings.translate {
        "en"
    } else {
        &settings.language
    };
    let recognised: Vec<RecognisedWord> = words::from_tokens(&tokens?, window, written_in);
    Ok(ChunkResult {
        index: window.index,
        start_sample: window.start,
        end_sample: window.end,
        words: guards::clean(recognised, window.voiced_seconds()),
    })
}
