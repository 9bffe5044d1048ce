//! Finds the language of a recording without making a text of it.

use std::path::PathBuf;

use slovo_engine::{CancelToken, DetectedLanguage, EngineError, Event, Request};
use slovo_rules::mode::TranscriptionType;

use super::{Jobs, background};

/// Ends the run when nobody waits for it any more.
struct EndWithCaller(CancelToken);

impl Drop for EndWithCaller {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Jobs {
    /// The language of the first clear speech in a file. One file at a time: each takes the engine
    /// from the jobs for some seconds. Ends when the caller stops waiting.
    ///
    /// # Errors
    /// The file cannot be read, nobody speaks in it, or the engine cannot be started.
    pub async fn detect_language(&self, file: PathBuf) -> Result<DetectedLanguage, EngineError> {
        let stopped = || EngineError::Cancelled;
        let _turn = self.0.detections.acquire().await.map_err(|_| stopped())?;
        let cancel = CancelToken::new();
        let _end = EndWithCaller(cancel.clone());
        let engine = self.0.engine.clone();
        let mut request = Request::new(file);
        request.model = Some(
            self.0
                .serving
                .now()
                .model(TranscriptionType::Full)
                .to_owned(),
        );
        let detect = move || {
            let mut found = None;
            let result = engine.transcribe(&request, &cancel, &mut |event| {
                if let Event::Language { code, probability } = event {
                    found.get_or_insert(DetectedLanguage { code, probability });
                    cancel.cancel();
                }
            });
            match (found, result) {
                (Some(found), _) => Ok(found),
                (None, Err(error)) => Err(error),
                (None, Ok(_)) => Err(EngineError::NoSpeech),
            }
        };
        let outcome = background::spawn("language", self.0.nice, detect).await;
        outcome.unwrap_or_else(|_| Err(stopped()))
    }
}
