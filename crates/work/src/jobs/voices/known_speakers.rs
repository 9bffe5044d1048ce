//! Finds speakers of a text by samples of their voices that a client has sent along. Nothing of the
//! voices is stored.

use std::sync::Arc;

use slovo_db::jobs::Job;
use slovo_engine::speakers::{Voice, VoicesRequest, similarity};
use slovo_engine::{CancelToken, EngineError};
use slovo_rules::edit::EditedTranscript;
use slovo_storage::LocalFile;
use uuid::Uuid;

use super::{request, unnamed};
use crate::jobs::background::EndWithCaller;
use crate::jobs::{Jobs, background};

/// The least speech that a voice is compared by, in seconds: samples have at least two.
const LEAST_SECONDS: f64 = 1.0;
/// Longest part of a sample that is read, in seconds.
const LONGEST_SAMPLE: f64 = 15.0;
/// The least similarity, as of proposed names: `docs/ACCURACY.md`, “Remembered voices”.
const MIN_SIMILARITY: f64 = 0.55;

impl Jobs {
    /// The voice of a sample (an upload) in which one person speaks; `None` if there is too little speech.
    ///
    /// # Errors
    /// The file cannot be read, or the models for speakers are not installed.
    pub async fn describe_sample(&self, media_id: Uuid) -> Result<Option<Voice>, EngineError> {
        let file = self.0.storage.open_local(media_id).await?;
        let request = VoicesRequest {
            input: file.path().to_owned(),
            audio_track: None,
            speakers: vec![vec![(0.0, LONGEST_SAMPLE)]],
            least_seconds: LEAST_SECONDS,
        };
        let voices = self.describe_voices(request, file).await?;
        Ok(voices.into_iter().next().flatten())
    }

    /// The speakers of a job's text with these voices, as (speaker, name). Each name is given once, to
    /// the most similar speaker. Speakers with a name keep it, and nobody else gets it.
    ///
    /// # Errors
    /// The recording cannot be read, or the models for speakers are not installed.
    pub async fn recognise_speakers(
        &self,
        job: &Job,
        text: &EditedTranscript,
        known: &[(String, Voice)],
    ) -> Result<Vec<(String, String)>, EngineError> {
        let given = |name: &String| {
            let mut speakers = text.speakers.iter();
            speakers.any(|speaker| speaker.name.as_ref() == Some(name))
        };
        let known: Vec<_> = known.iter().filter(|(name, _)| !given(name)).collect();
        let speakers = unnamed(text);
        if speakers.is_empty() || known.is_empty() {
            return Ok(Vec::new());
        }
        let file = self.0.storage.open_local(job.media_id).await?;
        let track = job.audio_track.map(|track| track as usize);
        let request = VoicesRequest {
            least_seconds: LEAST_SECONDS,
            ..request(&file, track, text, &speakers)
        };
        let voices = self.describe_voices(request, file).await?;
        let voices: Vec<_> = speakers.into_iter().zip(voices).collect();
        Ok(names(&voices, &known))
    }

    /// Describes voices for a client that waits. One recording at a time; ends when the caller stops
    /// waiting, or the server stops.
    async fn describe_voices(
        &self,
        request: VoicesRequest,
        file: LocalFile,
    ) -> Result<Vec<Option<Voice>>, EngineError> {
        let stopped = || EngineError::Cancelled;
        let speakers = self.0.analyses.engines().speakers.clone();
        let speakers = speakers.ok_or(EngineError::Unavailable {
            feature: "diarization",
        })?;
        let turn = Arc::clone(&self.0.detections).acquire_owned().await;
        let turn = turn.map_err(|_| stopped())?;
        let cancel = CancelToken::new();
        let _end = EndWithCaller(cancel.clone());
        let describe = move || {
            let voices = speakers.describe_voices(&request, &cancel);
            // Only now: the thread runs on for a moment after its caller has gone.
            drop((turn, file));
            match voices {
                Err(EngineError::NoSpeech) => Ok(vec![None; request.speakers.len()]),
                voices => voices,
            }
        };
        tokio::select! {
            outcome = background::spawn("voices", self.0.nice, describe) => {
                outcome.unwrap_or_else(|_| Err(stopped()))
            }
            () = self.0.shutdown.cancelled() => Err(stopped()),
        }
    }
}

/// The most similar pairs first.
fn names(
    speakers: &[(String, Option<Voice>)],
    known: &[&(String, Voice)],
) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for (speaker, voice) in speakers {
        let Some(voice) = voice else { continue };
        for (name, sample) in known {
            let score = similarity(&voice.vector, &sample.vector);
            tracing::debug!(speaker, score, "a known speaker is compared");
            pairs.push((score, speaker, name));
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut found: Vec<(String, String)> = Vec::new();
    for (score, speaker, name) in pairs {
        let is_taken = |(who, called): &(String, String)| who == speaker || called == name;
        if score >= MIN_SIMILARITY && !found.iter().any(is_taken) {
            found.push((speaker.clone(), name.clone()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn voice(vector: [f32; 2]) -> Voice {
        Voice {
            vector: vector.to_vec(),
            seconds: 3.0,
            embedding: "e".to_owned(),
        }
    }

    #[test]
    fn each_name_goes_to_the_most_similar_speaker() {
        let speaker = |id: &str, vector| (id.to_owned(), Some(voice(vector)));
        let speakers = [
            speaker("SPEAKER_0", [0.8, 0.6]),
            speaker("SPEAKER_1", [1.0, 0.0]),
            speaker("SPEAKER_2", [0.0, -1.0]),
            ("SPEAKER_3".to_owned(), None),
        ];
        let ada = ("Ada".to_owned(), voice([1.0, 0.0]));
        let ben = ("Ben".to_owned(), voice([0.6, 0.8]));
        let found = names(&speakers, &[&ada, &ben]);
        let pair = |speaker: &str, name: &str| (speaker.to_owned(), name.to_owned());
        assert_eq!(found, [pair("SPEAKER_1", "Ada"), pair("SPEAKER_0", "Ben")]);
        assert_eq!(names(&speakers, &[]), []);
        assert_eq!(names(&[], &[&ada]), []);
    }
}
