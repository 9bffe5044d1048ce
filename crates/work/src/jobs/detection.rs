//! Finds the language of a recording without making a text of it.

use std::sync::Arc;

use slovo_engine::{CancelToken, DetectedLanguage, EngineError, Event, Request, Stretch};
use slovo_rules::language_set::LanguageSet;
use slovo_rules::mode::TranscriptionType;
use uuid::Uuid;

use super::background::EndWithCaller;
use super::{Jobs, background};

/// The part of a recording in which speech is looked for, in seconds from its start.
const SEARCHED: f64 = 600.0;

impl Jobs {
    /// The language, among these, of the first clear speech in the first ten minutes of a file. One
    /// file at a time: each takes the engine from the jobs for some seconds. Ends when the caller
    /// stops waiting, or the server stops.
    ///
    /// # Errors
    /// The file cannot be read, nobody speaks in it, or the engine cannot be started.
    pub async fn detect_language(
        &self,
        media_id: Uuid,
        languages: LanguageSet,
    ) -> Result<DetectedLanguage, EngineError> {
        let stopped = || EngineError::Cancelled;
        let turn = Arc::clone(&self.0.detections).acquire_owned().await;
        let turn = turn.map_err(|_| stopped())?;
        let cancel = CancelToken::new();
        let _end = EndWithCaller(cancel.clone());
        let engine = self.0.engine.clone();
        let file = self.0.storage.open_local(media_id).await?;
        let mut request = Request::new(file.path().to_owned());
        let serving = self.0.serving.now();
        request.model = Some(serving.model(TranscriptionType::Full).to_owned());
        request.languages = languages;
        request.stretch = Some(Stretch {
            start: 0.0,
            end: SEARCHED,
        });
        let detect = move || {
            let mut found = None;
            let result = engine.transcribe(&request, &cancel, &mut |event| {
                if let Event::Language { code, probability } = event {
                    found.get_or_insert(DetectedLanguage { code, probability });
                    cancel.cancel();
                }
            });
            // Only now: the thread runs on for a moment after its caller has gone.
            drop((turn, file));
            match (found, result) {
                (Some(found), _) => Ok(found),
                (None, Err(error)) => Err(error),
                (None, Ok(_)) => Err(EngineError::NoSpeech),
            }
        };
        tokio::select! {
            outcome = background::spawn("language", self.0.nice, detect) => {
                outcome.unwrap_or_else(|_| Err(stopped()))
            }
            () = self.0.shutdown.cancelled() => Err(stopped()),
        }
    }
}
