//! Fake engines with scripted behaviour.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use slovo_analysis::{AnalysisError, Analyst, Passage, Progress, Stop, Task, Text};
use slovo_db::texts::assistant::Message;
use slovo_engine::speakers::{Voice, VoicesRequest};
use slovo_engine::{CancelToken, EngineError};
use slovo_rules::analysis::{
    Chapters, Classification, EngineKind, EngineName, Keywords, Moment, Mood, Outcome, Part,
    PromptAnswer, Sentiment, SubtitleTranslation, Summary, TranslatedCue, TranslatedSegment,
    Translation,
};
use slovo_rules::transcript::{Segment, Transcript};
use slovo_work::analysis::assistant::{Answer, Answers, Passages};
use slovo_work::analysis::engines::Engines;
use slovo_work::analysis::speakers::{Speakers, SpeakersInput};

/// An engine for all parts except the excluded ones; in every language but German.
#[derive(Default)]
pub struct Scripted {
    /// Parts it does not support.
    pub leaves: Vec<Part>,
    /// Errors for its next calls; without any, it succeeds.
    pub failures: Mutex<VecDeque<AnalysisError>>,
    /// Whether it runs until it is cancelled.
    pub is_slow: AtomicBool,
    /// Whether it panics.
    pub is_broken: AtomicBool,
    /// The requests it received.
    pub seen: Mutex<Vec<(Text, Task)>>,
    /// Number of current runs.
    pub running: AtomicUsize,
    /// Highest number of concurrent runs.
    pub most_running: AtomicUsize,
}

impl Scripted {
    /// Engines with this one as the configured endpoint.
    pub fn engines(self: &Arc<Self>) -> Engines {
        let engine: Arc<dyn Analyst> = Arc::clone(self) as _;
        Engines {
            endpoint: Some(engine),
            text_goes_to: Some("10.0.0.7:8080".to_owned()),
            ..Engines::default()
        }
    }

    /// The requested parts, in order.
    pub fn parts(&self) -> Vec<Part> {
        let requests = self.seen.lock().unwrap();
        requests.iter().map(|(_, task)| task.part()).collect()
    }

    fn work(&self, stop: &dyn Stop, progress: Progress<'_>) -> Result<(), AnalysisError> {
        progress(0.5);
        assert!(!self.is_broken.load(Ordering::SeqCst), "told to break");
        while self.is_slow.load(Ordering::SeqCst) {
            if stop.is_set() {
                return Err(AnalysisError::Stopped);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        match self.failures.lock().unwrap().pop_front() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

impl Analyst for Scripted {
    fn name(&self) -> EngineName {
        EngineName {
            kind: EngineKind::Endpoint,
            model: "scripted".to_owned(),
        }
    }

    fn supports(&self, part: Part, language: &str) -> bool {
        !self.leaves.contains(&part) && language != "de"
    }

    fn run(
        &self,
        text: &Text,
        task: &Task,
        stop: &dyn Stop,
        progress: Progress<'_>,
    ) -> Result<Outcome, AnalysisError> {
        self.seen.lock().unwrap().push((text.clone(), task.clone()));
        let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_running.fetch_max(running, Ordering::SeqCst);
        let worked = self.work(stop, progress);
        self.running.fetch_sub(1, Ordering::SeqCst);
        worked.map(|()| outcome(text, task))
    }
}

/// A result of the right type.
fn outcome(text: &Text, task: &Task) -> Outcome {
    match task {
        Task::Summary { words } => Outcome::Summary(Summary {
            sentences: Vec::new(),
            words: *words,
            extractive: false,
        }),
        Task::Sentiment => Outcome::Sentiment(Sentiment {
            mood: Mood::Neutral,
            score: 0.0,
            reason: None,
            points: Vec::new(),
        }),
        Task::Classification { .. } => {
            Outcome::Classification(Classification { labels: Vec::new() })
        }
        Task::Keywords => Outcome::Keywords(Keywords {
            keywords: Vec::new(),
        }),
        Task::Chapters => Outcome::Chapters(Chapters {
            chapters: Vec::new(),
        }),
        Task::Prompt { prompt } => Outcome::Prompt(PromptAnswer {
            markdown: prompt.to_uppercase(),
        }),
        Task::Translation { .. } => Outcome::Translation(Translation {
            segments: text
                .passages
                .iter()
                .map(|passage| TranslatedSegment {
                    moment: passage.moment(),
                    speaker: passage.speaker.clone(),
                    text: passage.text.to_uppercase(),
                })
                .collect(),
        }),
        Task::SubtitleTranslation { cues, .. } => {
            Outcome::SubtitleTranslation(SubtitleTranslation {
                cues: cues
                    .iter()
                    .map(|cue| TranslatedCue {
                        start: cue.start,
                        end: cue.end,
                        lines: vec![cue.text.to_uppercase()],
                    })
                    .collect(),
            })
        }
    }
}

impl Answers for Scripted {
    fn name(&self) -> EngineName {
        Analyst::name(self)
    }

    fn answer(
        &self,
        text: &Text,
        before: &[Message],
        question: &str,
        stop: &dyn Stop,
        piece: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Answer, AnalysisError> {
        let first = &text.passages[0];
        let answer = format!("{} після {} [00:00]", question, before.len());
        piece("Почато. ");
        self.work(stop, &mut |_| {})?;
        piece(&answer);
        Ok(Answer {
            text: format!("Почато. {answer}"),
            moments: vec![first.moment()],
        })
    }
}

impl Passages for Scripted {
    fn name(&self) -> EngineName {
        Analyst::name(self)
    }

    fn closest(
        &self,
        text: &Text,
        _question: &str,
        stop: &dyn Stop,
    ) -> Result<Vec<Moment>, AnalysisError> {
        self.work(stop, &mut |_| {})?;
        Ok(text.passages.iter().take(2).map(Passage::moment).collect())
    }
}

/// Assigns speakers in turns: every segment is split into its words.
#[derive(Default)]
pub struct ScriptedSpeakers {
    /// Whether it fails.
    pub fails: bool,
}

impl Speakers for ScriptedSpeakers {
    fn identify_speakers(
        &self,
        request: &SpeakersInput,
        transcript: Transcript,
        _cancel: &CancelToken,
        percent: &mut (dyn FnMut(f64) + Send),
    ) -> Result<Transcript, EngineError> {
        assert!(request.file.is_file(), "{}", request.file.display());
        if self.fails {
            return Err(EngineError::NoSpeech);
        }
        percent(50.0);
        let segments = transcript.segments.into_iter();
        let words = segments.flat_map(|segment| segment.words);
        let parts = (0..).zip(words).map(|(index, word)| Segment {
            index,
            start: word.start,
            end: word.end,
            speaker: Some(format!("SPEAKER_{}", index % 2)),
            language: None,
            text: word.text.trim().to_owned(),
            words: vec![word],
        });
        Ok(Transcript {
            segments: parts.collect(),
            ..transcript
        })
    }

    /// The first speaker of a request has the first voice, and so on.
    fn describe_voices(
        &self,
        request: &VoicesRequest,
        _cancel: &CancelToken,
    ) -> Result<Vec<Option<Voice>>, EngineError> {
        assert!(request.input.is_file(), "{}", request.input.display());
        if self.fails {
            return Err(EngineError::NoSpeech);
        }
        let count = request.speakers.len();
        let voice = |number| Voice {
            vector: (0..8).map(|i| f32::from(i == number % 8)).collect(),
            seconds: 12.5,
            embedding: "scripted".to_owned(),
        };
        Ok((0..count).map(|number| Some(voice(number))).collect())
    }
}
