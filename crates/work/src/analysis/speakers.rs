//! The interface of the engine that identifies speakers in a recording.

use std::path::PathBuf;

use slovo_engine::speakers::{SpeakersEvent, SpeakersRequest, Voice, VoicesRequest, assign};
use slovo_engine::{CancelToken, Engine, EngineError};
use slovo_rules::job_plan::SpeakersPlan;
use slovo_rules::transcript::Transcript;

/// Input for identifying speakers.
#[derive(Debug, Clone)]
pub struct SpeakersInput {
    /// The recording.
    pub file: PathBuf,
    /// Index of the audio track; `None` is the default one.
    pub audio_track: Option<usize>,
    /// How to identify them.
    pub plan: SpeakersPlan,
}

/// Identifies speakers. Blocks.
pub trait Speakers: Send + Sync {
    /// Returns the transcript with speakers. `percent` is called with 0 to 100.
    ///
    /// # Errors
    /// As for recognition.
    fn identify_speakers(
        &self,
        request: &SpeakersInput,
        transcript: Transcript,
        cancel: &CancelToken,
        percent: &mut (dyn FnMut(f64) + Send),
    ) -> Result<Transcript, EngineError>;

    /// Describes the voices of speakers, as [`Engine::voices`] does.
    ///
    /// # Errors
    /// As for recognition.
    fn describe_voices(
        &self,
        request: &VoicesRequest,
        cancel: &CancelToken,
    ) -> Result<Vec<Option<Voice>>, EngineError>;
}

impl Speakers for Engine {
    fn identify_speakers(
        &self,
        settings: &SpeakersInput,
        transcript: Transcript,
        cancel: &CancelToken,
        percent: &mut (dyn FnMut(f64) + Send),
    ) -> Result<Transcript, EngineError> {
        let request = SpeakersRequest {
            input: settings.file.clone(),
            audio_track: settings.audio_track,
            count: settings.plan.count,
        };
        let turns = self.speakers(&request, cancel, &mut |event| {
            let SpeakersEvent::Progress { percent: done } = event;
            percent(f64::from(done));
        })?;
        Ok(assign(transcript, &turns, settings.plan.whole_sentences))
    }

    fn describe_voices(
        &self,
        request: &VoicesRequest,
        cancel: &CancelToken,
    ) -> Result<Vec<Option<Voice>>, EngineError> {
        self.voices(request, cancel)
    }
}
