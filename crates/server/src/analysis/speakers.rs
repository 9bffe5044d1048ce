//! What tells speakers apart in a recording.

use std::path::PathBuf;

use slovo_engine::speakers::{SpeakersEvent, SpeakersRequest, assign};
use slovo_engine::{CancelToken, Engine, EngineError};
use slovo_rules::job_plan::SpeakersPlan;
use slovo_rules::transcript::Segment;

/// In what speakers are to be told apart.
#[derive(Debug, Clone)]
pub struct SpeakersAsked {
    /// The recording.
    pub file: PathBuf,
    /// Which of its audio tracks; `None` is the default one.
    pub audio_track: Option<usize>,
    /// How.
    pub plan: SpeakersPlan,
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
            count: asked.plan.count,
        };
        let turns = self.speakers(&request, cancel, &mut |event| {
            let SpeakersEvent::Progress { percent: done } = event;
            percent(f64::from(done));
        })?;
        Ok(assign(segments, &turns, asked.plan.whole_sentences))
    }
}
