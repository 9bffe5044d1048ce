//! Speakers by turn or by whole sentence, depending on the settings.

use std::sync::Arc;

use serde_json::{Value, json};
use slovo_engine::speakers::{Turn, Voice, VoicesRequest, assign};
use slovo_engine::{CancelToken, EngineError};
use slovo_rules::transcript::Transcript;
use slovo_test_media::prompts;
use slovo_work::analysis::engines::Engines;
use slovo_work::analysis::speakers::{Speakers, SpeakersInput};

use super::support::{events, make_job_with, path};
use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server_engines};

/// A scripted engine that changes the speaker at every word.
struct EveryWord;

impl Speakers for EveryWord {
    fn identify_speakers(
        &self,
        request: &SpeakersInput,
        transcript: Transcript,
        _cancel: &CancelToken,
        _percent: &mut (dyn FnMut(f64) + Send),
    ) -> Result<Transcript, EngineError> {
        let words = transcript
            .segments
            .iter()
            .flat_map(|segment| &segment.words);
        let turns = words.enumerate().map(|(at, word)| Turn {
            start: word.start,
            end: word.end,
            speaker: at % 2,
        });
        let turns: Vec<Turn> = turns.collect();
        Ok(assign(transcript, &turns, request.plan.whole_sentences))
    }

    fn describe_voices(
        &self,
        request: &VoicesRequest,
        _cancel: &CancelToken,
    ) -> Result<Vec<Option<Voice>>, EngineError> {
        Ok(vec![None; request.speakers.len()])
    }
}

/// Number of speaker changes in the text of a new job, and its export.
async fn recognise(server: &TestServer, me: &TestUser, by_sentence: bool) -> (usize, String) {
    let wav = std::fs::read(prompts::WELCOME.path()).unwrap();
    let settings = json!({
        "transcription_type": "lite", "language_code": "en",
        "diarization": true, "sentence_diarization": by_sentence,
    });
    let job = make_job_with(server, me, "a.wav", &wav, settings).await;
    let received = events(server, me, &job).await;
    assert_eq!(received.last().unwrap().1["job"]["status"], "completed");
    let job = path(&job);
    let transcript = server.get_as(me, &format!("{job}/transcript")).await.json();
    let segments = transcript["segments"].as_array().unwrap();
    let speakers: Vec<&Value> = segments.iter().map(|segment| &segment["speaker"]).collect();
    assert!(speakers.iter().all(|speaker| speaker.is_string()));
    let changes = speakers.windows(2).filter(|pair| pair[0] != pair[1]);
    let export = server.get_as(me, &format!("{job}/export?format=txt")).await;
    (changes.count(), export.text())
}

#[apply(each_database!)]
fn a_sentence_has_one_speaker_if_requested(backend: Backend) {
    let engines = Engines {
        speakers: Some(Arc::new(EveryWord)),
        ..Engines::default()
    };
    with_server_engines(backend, engines, async |server| {
        server.start_work().await;
        let me = server.signup("a@example.com").await;
        let (by_turn, turns_export) = recognise(&server, &me, false).await;
        let (by_sentence, sentences_export) = recognise(&server, &me, true).await;
        // The recording has two sentences with many words.
        assert!(by_turn > 2, "{by_turn}: {turns_export}");
        assert!(by_sentence <= 2, "{by_sentence}: {sentences_export}");
        assert_ne!(turns_export, sentences_export);
        server.state.shutdown.cancel();
        server.state.tasks.close();
        server.state.tasks.wait().await;
    });
}
