//! What tells speakers apart in a recording.

use std::path::PathBuf;

use slovo_engine::speakers::{SpeakerCount, SpeakersEvent, SpeakersRequest, assign};
use slovo_engine::{CancelToken, Engine, EngineError};
use slovo_rules::settings;
use slovo_rules::transcript::Segment;

/// In what speakers are to be told apart.
#[derive(Debug, Clone)]
pub struct SpeakersAsked {
    /// The recording.
    pub file: PathBuf,
    /// Which of its audio tracks; `None` is the default one.
    pub audio_track: Option<usize>,
    /// Whether every sentence has one speaker, who says most of it; otherwise it is split where
    /// the speaker changes.
    pub whole_sentences: bool,
    /// How many speakers there are.
    pub count: SpeakerCount,
}

/// What the settings say of the count. They were checked; what is no count is to be found.
#[must_use]
pub fn count_of(speakers: &str) -> SpeakerCount {
    match settings::speaker_count(speakers) {
        Ok(Some(count)) if count.min == count.max => SpeakerCount::Exactly(count.min as usize),
        Ok(Some(count)) => SpeakerCount::Between(count.min as usize, count.max as usize),
        Ok(None) | Err(_) => SpeakerCount::Found,
    }
}

/// Tells speakers apart. Blocks.
pub trait Speakers: Send + Sync {
    /// The segments with their speakers. `percent` is told 0 to 100.
    ///
    /// # Errors
    /// As recognition.
    fn tell_apart(
        &self,
        asked: &SpeakersAsked,
        segments: Vec<Segment>,
        cancel: &CancelToken,
        percent: &mut (dyn FnMut(f64) + Send),
    ) -> Result<Vec<Segment>, EngineError>;
}

impl Speakers for Engine {
    fn tell_apart(
        &self,
        asked: &SpeakersAsked,
        segments: Vec<Segment>,
        cancel: &CancelToken,
        percent: &mut (dyn FnMut(f64) + Send),
    ) -> Result<Vec<Segment>, EngineError> {
        let request = SpeakersRequest {
            input: asked.file.clone(),
            audio_track: asked.audio_track,
            count: asked.count,
        };
        let turns = self.speakers(&request, cancel, &mut |event| {
            let SpeakersEvent::Progress { percent: done } = event;
            percent(f64::from(done));
        })?;
        Ok(assign(segments, &turns, asked.whole_sentences))
    }
}
