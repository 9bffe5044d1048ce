//! A thread that recognises windows.

mod by_passage;
mod remote;
mod window_recognizer;

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;

use slovo_rules::language::Language;

use super::{CloseOnPanic, Job, Message, WindowTask, detects_passages};
use crate::error::EngineError;
use crate::event::ChunkResult;
use crate::guards::CleanedWords;
use crate::language::LanguageVote;
use crate::queue::Queue;
use crate::recognition::{RecognitionError, Recognizer, Settings};
use window_recognizer::{WindowRecognizer, fill_gaps};

pub(super) fn run(job: &Job<'_>, queue: &Queue<WindowTask>, messages: &Sender<Message>) {
    let _guard = CloseOnPanic(queue);
    while let Some(work) = queue.pop() {
        let stored = stored_result(job, &work);
        let given = stored.is_some();
        let result = stored.map_or_else(|| recognise(job, &work, messages), Ok);
        let message = match result {
            Ok(chunk) => Message::Finished {
                lane: work.lane,
                chunk,
                window: work.window,
                given,
            },
            Err(error) => Message::Failed(error),
        };
        if messages.send(message).is_err() {
            return;
        }
    }
}

/// The stored result of an earlier run, if it belongs to exactly this window.
fn stored_result(job: &Job<'_>, work: &WindowTask) -> Option<ChunkResult> {
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
    work: &WindowTask,
    messages: &Sender<Message>,
) -> Result<ChunkResult, EngineError> {
    if let Some(remote) = job.remote() {
        match remote::recognise(job, remote, work) {
            Ok(cleaned) => return Ok(finished(work, cleaned)),
            Err(error) if job.can_fall_back_from(remote, &error) => {
                tracing::warn!(?error, "the embedded engine recognises the rest");
                job.give_up_remote();
            }
            Err(error) => return Err(error.into()),
        }
    }
    let mut state = job.shared.pool.lease(job.model, job.stop.flag())?;
    let by_passage = detects_passages(job.request).then_some(job.languages.as_slice());
    let settings = job.model_settings()?;
    let cleaned = recognise_all(&mut *state, work, &settings, by_passage, job.stop.flag());
    let _ = messages.send(Message::Times(state.take_times()));
    if matches!(cleaned, Err(RecognitionError::Failed(_))) {
        state.discard();
    }
    Ok(ChunkResult {
        fell_back: job.request.remote.is_some(),
        ..finished(work, cleaned?)
    })
}

fn finished(work: &WindowTask, cleaned: CleanedWords) -> ChunkResult {
    ChunkResult {
        index: work.window.index,
        start_sample: work.window.start,
        end_sample: work.window.end,
        words: cleaned.words,
        removed: cleaned.removed,
        fell_back: false,
    }
}

/// A window's words and removed text, including passages that the model skipped in the first pass.
/// `by_passage`: passages may be in any of these languages, else in the recording's only.
fn recognise_all(
    state: &mut impl Recognizer,
    work: &WindowTask,
    settings: &Settings,
    by_passage: Option<&[Language]>,
    stop: &AtomicBool,
) -> Result<CleanedWords, RecognitionError> {
    let window = &work.window;
    let mut recognizer = WindowRecognizer {
        recognizer: state,
        settings,
        languages: by_passage.unwrap_or_default(),
        stop,
        window,
        samples: &work.samples,
    };
    // The language is not known if the engine elsewhere was to detect it and has failed.
    let unknown = || LanguageVote::new(by_passage.unwrap_or_default()).best();
    let language = work.language.clone().unwrap_or_else(unknown);
    if by_passage.is_some() {
        return by_passage::recognise(&mut recognizer, &language);
    }
    let mut cleaned = recognizer.recognise(window, &language.code)?;
    fill_gaps(settings.translate, window, &mut cleaned, |stretch| {
        recognizer.recognise(stretch, &language.code)
    })?;
    Ok(cleaned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::RecognisedWord;
    use crate::language::DetectedLanguage;
    use crate::recognition::Token;
    use crate::vad::SAMPLE_RATE;
    use crate::windows::Window;

    /// Writes one word a second, but for audio of over 10 s only the first and the last.
    struct SparseRecognizer;

    impl Recognizer for SparseRecognizer {
        fn recognize(
            &mut self,
            samples: &[f32],
            _: &Settings,
            _: &AtomicBool,
        ) -> Result<Vec<Token>, RecognitionError> {
            let seconds = samples.len() / SAMPLE_RATE;
            let skips_middle = seconds > 10;
            Ok((1..=seconds)
                .filter(|second| !skips_middle || *second == 1 || *second == seconds)
                .map(|second| Token {
                    bytes: format!(" {}", ["one", "two", "three"][second % 3]).into_bytes(),
                    end: second as f64,
                    probability: 0.9,
                })
                .collect())
        }

        fn languages_of_last(&mut self, codes: &[&str]) -> Result<Vec<f32>, RecognitionError> {
            Ok(vec![0.0; codes.len()])
        }

        fn detect_language(
            &mut self,
            _: &[f32],
            codes: &[&str],
        ) -> Result<Vec<f32>, RecognitionError> {
            self.languages_of_last(codes)
        }

        fn text_likelihood(&mut self, _: &str) -> Result<f64, RecognitionError> {
            Ok(0.0)
        }
    }

    fn recognised_words(translate: bool) -> Vec<RecognisedWord> {
        let at = |second: usize| (second * SAMPLE_RATE) as u64;
        let work = WindowTask {
            lane: 0,
            window: Window {
                index: 0,
                start: at(100),
                end: at(112),
                voiced: vec![(at(100), at(101)), (at(103), at(109)), (at(111), at(112))],
                forced_start: None,
                forced_end: false,
            },
            samples: vec![0.0; 12 * SAMPLE_RATE],
            language: Some(DetectedLanguage::given("en")),
        };
        let settings = Settings {
            translate,
            ..Settings::default()
        };
        let words = recognise_all(
            &mut SparseRecognizer,
            &work,
            &settings,
            None,
            &AtomicBool::new(false),
        );
        words.expect("the fake does not fail").words
    }

    #[test]
    fn a_skipped_passage_is_recognised_again_in_its_place() {
        let words = recognised_words(false);
        assert_eq!(words.len(), 8, "{words:?}");
        assert!(words.windows(2).all(|pair| pair[0].end <= pair[1].start));
        let inserted = &words[1..7];
        assert!(
            inserted
                .iter()
                .all(|word| word.start >= 102.5 && word.end <= 109.5),
            "{inserted:?}"
        );
    }

    #[test]
    fn a_translation_is_recognised_only_once() {
        assert_eq!(recognised_words(true).len(), 2);
    }
}
