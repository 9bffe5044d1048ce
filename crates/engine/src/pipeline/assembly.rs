//! Puts results that arrive in any order into events and a transcript in order.

use std::collections::BTreeMap;
use std::time::Duration;

use slovo_rules::removed::Removed;
use slovo_rules::transcript::{Segment, Transcript, Warning};

use super::Message;
use super::lane::Lanes;
use crate::error::EngineError;
use crate::event::{ChunkResult, Event};
use crate::language::DetectedLanguage;
use crate::progress::Progress;
use crate::repairs::Repairs;
use crate::request::Request;
use crate::vad::seconds;
use crate::windows::Window;

/// A detected language with a lower probability is reported as uncertain.
const DOUBTFUL_LANGUAGE: f32 = 0.5;

pub(super) struct Assembly<'a> {
    events: &'a mut dyn FnMut(Event),
    progress: Progress,
    lanes: Lanes,
    /// Finished windows that wait for an earlier window, with their streams.
    early: BTreeMap<usize, (ChunkResult, Window, usize)>,
    next: usize,
    request: &'a Request,
    /// Id of the recognition model.
    model: &'a str,
    /// Whether the model recognises what the engine elsewhere did not.
    has_fallen_back: bool,
    /// Whether a window is from the engine elsewhere.
    has_remote: bool,
    language: Option<DetectedLanguage>,
    segments: Vec<Segment>,
    warnings: Vec<Warning>,
    removed: Vec<Removed>,
    seconds: f64,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(
        request: &'a Request,
        model: &'a str,
        streams: usize,
        total: Option<f64>,
        events: &'a mut dyn FnMut(Event),
    ) -> Self {
        Self {
            events,
            progress: Progress::new(total),
            lanes: Lanes::new(
                streams,
                request.words,
                Repairs::new(request.translate, request.stretch.is_some()),
            ),
            early: BTreeMap::new(),
            next: 0,
            request,
            model,
            has_fallen_back: false,
            has_remote: false,
            language: None,
            segments: Vec::new(),
            warnings: Vec::new(),
            removed: Vec::new(),
            seconds: 0.0,
        }
    }

    /// Processes a message; returns whether progress should be reported now.
    pub(super) fn take(&mut self, message: Message) -> bool {
        match message {
            Message::Language(language) => self.set_language(language),
            Message::Decoded { seconds, cut_until } => {
                self.progress.decoded(seconds);
                self.lanes.cut_until(&cut_until);
                self.emit_segments();
            }
            Message::Opened {
                lane,
                window,
                start,
            } => {
                self.progress.opened(window, start);
                self.lanes.opened(lane, start);
            }
            Message::Finished {
                lane,
                chunk,
                window,
                given,
            } => {
                self.note_recogniser(&chunk);
                let seconds = seconds(window.end - window.start);
                self.progress
                    .finished(window.index, if given { seconds } else { 0.0 });
                (self.events)(Event::Chunk(chunk.clone()));
                self.early.insert(window.index, (chunk, window, lane));
                self.emit_finished_windows();
                return true;
            }
            Message::Produced {
                seconds,
                peaks,
                warnings,
            } => {
                self.seconds = seconds;
                (self.events)(Event::Peaks { seconds, peaks });
                self.progress.decoded_all(seconds);
                warnings.into_iter().for_each(|warning| self.warn(warning));
            }
            Message::Times(_) | Message::Failed(_) => {}
        }
        false
    }

    /// Warns once if the model has recognised a window because the engine elsewhere had failed, perhaps
    /// in an interrupted run.
    fn note_recogniser(&mut self, chunk: &ChunkResult) {
        if self.request.remote.is_none() {
            return;
        }
        if !chunk.fell_back {
            self.has_remote = true;
        } else if !self.has_fallen_back {
            self.has_fallen_back = true;
            self.warn(Warning::new("endpoint_fell_back").with("model", self.model));
        }
    }

    pub(super) fn warn(&mut self, warning: Warning) {
        (self.events)(Event::Warning(warning.clone()));
        self.warnings.push(warning);
    }

    pub(super) fn report_progress(&mut self, elapsed: Duration) {
        let event = self.progress.event(elapsed);
        (self.events)(event);
    }

    /// The transcript, once all windows are finished.
    pub(super) fn finish(mut self) -> Result<Transcript, EngineError> {
        self.lanes.finish();
        self.emit_segments();
        if self.segments.is_empty() {
            return Err(EngineError::NoSpeech);
        }
        // Each stream reported its removals in order; together they have to be sorted.
        self.removed.sort_by(|a, b| a.start.total_cmp(&b.start));
        self.settle_language();
        let event = self.progress.complete(self.seconds);
        (self.events)(event);
        let remote = self.request.remote.as_ref();
        let remote = remote.filter(|_| self.has_remote);
        let model = remote.map_or(self.model, |remote| &remote.name).to_owned();
        Ok(Transcript {
            language: self
                .language
                .map_or_else(String::new, |detected| detected.code),
            duration: self.seconds,
            mode: self.request.mode,
            model,
            segments: self.segments,
            warnings: self.warnings,
            removed: self.removed,
        })
    }

    fn set_language(&mut self, language: DetectedLanguage) {
        (self.events)(Event::Language {
            code: language.code.clone(),
            probability: language.probability,
        });
        self.lanes.set_language(&language.code);
        self.language = Some(language);
    }

    /// Reports the language of most of the text, if it is not the one that was expected, and warns
    /// of an uncertain one.
    fn settle_language(&mut self) {
        let expected = self.language.clone();
        let mut seconds: BTreeMap<&str, f64> = BTreeMap::new();
        for segment in &self.segments {
            let language = segment.language.as_deref();
            if let Some(language) = language.or(expected.as_ref().map(|known| &*known.code)) {
                *seconds.entry(language).or_default() += segment.end - segment.start;
            }
        }
        let languages = seconds.len();
        let most = seconds.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((code, _)) = most else {
            return;
        };
        match expected {
            Some(expected) if code == expected.code => {
                if languages == 1 && expected.probability < DOUBTFUL_LANGUAGE {
                    self.warn(
                        Warning::new("language_uncertain")
                            .with("language", expected.code)
                            .with("percent", (f64::from(expected.probability) * 100.0).round()),
                    );
                }
            }
            // What was found in the beginning does not say how probable this one is.
            _ => {
                let settled = DetectedLanguage::given(code);
                self.set_language(settled);
            }
        }
    }

    /// Emits all windows that are complete, in order, up to the first unfinished one.
    fn emit_finished_windows(&mut self) {
        while let Some((chunk, window, lane)) = self.early.remove(&self.next) {
            self.next += 1;
            let ChunkResult {
                mut words,
                mut removed,
                ..
            } = chunk;
            if let Some(stretch_audio) = self.request.stretch_audio() {
                words.retain(|word| stretch_audio.keeps(word.start, word.end));
                removed.retain(|passage| stretch_audio.keeps(passage.start, passage.end));
            }
            self.report_removed(removed);
            self.lanes.push(lane, &window, words);
            self.emit_segments();
        }
    }

    fn report_removed(&mut self, removed: Vec<Removed>) {
        if !removed.is_empty() {
            (self.events)(Event::Removed(removed.clone()));
            self.removed.extend(removed);
        }
    }

    fn emit_segments(&mut self) {
        let segments = self.lanes.due();
        if segments.is_empty() {
            return;
        }
        (self.events)(Event::Segments(segments.clone()));
        self.segments.extend(segments);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_warnings_are_reported_even_without_speech() {
        let request = Request::new("nobody.mp4".into());
        let mut reported = Vec::new();
        let mut events = |event| reported.push(event);
        let mut assembly = Assembly::new(&request, "base-q8_0", 1, None, &mut events);
        let warning = Warning::new("damaged_tail").with("at_seconds", 3.5);
        assembly.take(Message::Produced {
            seconds: 3.5,
            warnings: vec![warning.clone()],
            peaks: Vec::new(),
        });
        let outcome = assembly.finish();
        assert!(matches!(outcome, Err(EngineError::NoSpeech)));
        assert!(reported.contains(&Event::Warning(warning)));
    }
}
