//! Diarization of conversations made of prompts by voices of several languages.

use std::path::{Path, PathBuf};

use slovo_engine::speakers::{
    MIN_VOICE_SECONDS, SpeakerCount, SpeakersEvent, SpeakersRequest, Turn, Voice, VoicesRequest,
    similarity,
};
use slovo_engine::{CancelToken, Engine, EngineConfig, EngineError};
use slovo_test_media::speech::{RATE, noise, pause, prompt, wav};

/// Start, end and speaker of each line.
type ReferenceTurns = Vec<(f64, f64, usize)>;

fn engine() -> Engine {
    let folder = std::env::var_os("SLOVO_MODELS").map_or_else(
        || slovo_engine::models::default_dir().expect("HOME is set"),
        PathBuf::from,
    );
    for id in ["segmentation-3.0", "campplus-zh-en"] {
        let file = folder.join(format!("{id}.onnx"));
        assert!(
            file.is_file(),
            "{} is missing: run `cargo xtask models {id}`",
            file.display()
        );
    }
    Engine::new(EngineConfig::new(folder)).expect("the settings are sound")
}

fn request(input: PathBuf, count: SpeakerCount) -> SpeakersRequest {
    SpeakersRequest {
        input,
        audio_track: None,
        count,
    }
}

fn turns(input: &Path, count: SpeakerCount) -> Vec<Turn> {
    let request = request(input.to_owned(), count);
    engine()
        .speakers(&request, &CancelToken::new(), &mut |_| {})
        .unwrap_or_else(|error| panic!("{}: {error}", input.display()))
}

/// An American and an Italian take turns.
fn conversation(folder: &Path) -> (PathBuf, ReferenceTurns) {
    let lines = [
        (0, "en_US_f_Allison/vm-newuser"),
        (1, "it_IT_m_Carlo/tt-allbusy"),
        (0, "en_US_f_Allison/tt-allbusy"),
        (1, "it_IT_m_Carlo/vm-newuser"),
        (0, "en_US_f_Allison/vm-mismatch"),
        (1, "it_IT_m_Carlo/queue-youarenext"),
    ];
    let mut samples = pause(0.5);
    let mut truth = ReferenceTurns::new();
    for (speaker, name) in lines {
        let line = prompt(name);
        let start = samples.len() as f64 / RATE as f64;
        samples.extend(&line);
        truth.push((start, samples.len() as f64 / RATE as f64, speaker));
        samples.extend(pause(0.4));
    }
    let hiss = noise(samples.len() as f64 / RATE as f64, 0.0005);
    for (sample, hiss) in samples.iter_mut().zip(hiss) {
        *sample = sample.saturating_add(hiss);
    }
    (wav(folder, "conversation.wav", &samples), truth)
}

/// The share of the true lines, without pauses and the ends of lines, in which exactly the right
/// speaker was found.
fn accuracy(truth: &ReferenceTurns, turns: &[Turn]) -> f64 {
    let (mut right, mut all) = (0_u32, 0_u32);
    for &(start, end, speaker) in truth {
        let mut time = start + 0.25;
        while time < end - 0.25 {
            let mut active = turns
                .iter()
                .filter(|turn| turn.start <= time && time < turn.end);
            let first = active.next().map(|turn| turn.speaker);
            right += u32::from(first == Some(speaker) && active.next().is_none());
            all += 1;
            time += 0.02;
        }
    }
    f64::from(right) / f64::from(all)
}

#[test]
fn two_voices_are_distinguished_and_numbered_by_first_appearance() {
    let folder = tempfile::tempdir().unwrap();
    let (file, truth) = conversation(folder.path());
    let mut percents = Vec::new();
    let found = engine()
        .speakers(
            &request(file, SpeakerCount::Found),
            &CancelToken::new(),
            &mut |SpeakersEvent::Progress { percent }| percents.push(percent),
        )
        .unwrap();
    let speakers = found.iter().map(|turn| turn.speaker).max();
    assert_eq!(speakers, Some(1), "{found:?}");
    assert!(found.windows(2).all(|pair| pair[0].start <= pair[1].start));
    let accuracy = accuracy(&truth, &found);
    assert!(accuracy > 0.93, "{accuracy}: {found:?}");
    assert!(percents.windows(2).all(|pair| pair[0] <= pair[1]));
    assert_eq!(percents.last(), Some(&100.0));
}

#[test]
fn a_given_number_of_speakers_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let (file, _) = conversation(folder.path());
    let single = turns(&file, SpeakerCount::Exactly(1));
    assert!(single.iter().all(|turn| turn.speaker == 0) && !single.is_empty());
    let last = |count| turns(&file, count).iter().map(|turn| turn.speaker).max();
    assert_eq!(last(SpeakerCount::Between(2, 5)), Some(1));
    // A voice is not divided to reach the number.
    assert_eq!(last(SpeakerCount::Between(3, 5)), Some(1));
}

#[test]
fn without_speech_there_are_no_turns() {
    let folder = tempfile::tempdir().unwrap();
    let silence = wav(folder.path(), "silence.wav", &pause(3.0));
    assert!(turns(&silence, SpeakerCount::Found).is_empty());
    let hiss = wav(folder.path(), "hiss.wav", &noise(12.0, 0.05));
    assert!(turns(&hiss, SpeakerCount::Exactly(2)).is_empty());
}

#[test]
fn cancellation_and_a_missing_model_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = wav(folder.path(), "silence.wav", &pause(1.0));
    let token = CancelToken::new();
    token.cancel();
    let request = request(file, SpeakerCount::Found);
    let cancelled = engine().speakers(&request, &token, &mut |_| {});
    assert!(matches!(cancelled, Err(EngineError::Cancelled)));
    let empty = Engine::new(EngineConfig::new(folder.path().to_owned())).unwrap();
    let missing = empty.speakers(&request, &CancelToken::new(), &mut |_| {});
    let Err(EngineError::ModelMissing { id, .. }) = missing else {
        panic!("{missing:?}");
    };
    assert_eq!(id, "segmentation-3.0");
}

#[test]
fn another_embedding_needs_a_valid_description() {
    let folder = tempfile::tempdir().unwrap();
    let file = wav(folder.path(), "silence.wav", &pause(1.0));
    let path = folder.path().join("other.onnx");
    let mut config = engine().config().clone();
    config.speaker_embedding = Some(path.clone());
    let run = || {
        Engine::new(config.clone()).unwrap().speakers(
            &request(file.clone(), SpeakerCount::Found),
            &CancelToken::new(),
            &mut |_| {},
        )
    };
    assert!(matches!(run(), Err(EngineError::ModelUnusable { .. })));
    let original = config.models_dir.join("campplus-zh-en.onnx");
    std::fs::copy(original, &path).unwrap();
    std::fs::write(path.with_extension("json"), "{\"bands\": \"many\"}").unwrap();
    assert!(matches!(run(), Err(EngineError::ModelUnusable { .. })));
    std::fs::write(path.with_extension("json"), "{\"input\": \"features\"}").unwrap();
    assert_eq!(run().unwrap(), []);
}

/// A recording of these prompts, with when they are spoken.
fn reading(folder: &Path, name: &str, prompts: &[&str]) -> (PathBuf, Vec<(f64, f64)>) {
    let (mut samples, mut spoken) = (pause(0.5), Vec::new());
    for name in prompts {
        let start = samples.len() as f64 / RATE as f64;
        samples.extend(prompt(name));
        spoken.push((start, samples.len() as f64 / RATE as f64));
        samples.extend(pause(0.6));
    }
    (wav(folder, name, &samples), spoken)
}

fn voices(input: PathBuf, speakers: Vec<Vec<(f64, f64)>>) -> Vec<Option<Voice>> {
    let request = VoicesRequest {
        input,
        audio_track: None,
        speakers,
        least_seconds: MIN_VOICE_SECONDS,
    };
    let found = engine().voices(&request, &CancelToken::new());
    found.expect("the recording is sound")
}

#[test]
fn a_voice_is_known_again_in_another_recording() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (file, truth) = conversation(folder);
    let mut spoken = vec![Vec::new(), Vec::new(), vec![(0.0, 0.4)]];
    for (start, end, speaker) in truth {
        spoken[speaker].push((start, end));
    }
    let known = voices(file, spoken);
    let [Some(allison), Some(carlo), None] = known.as_slice() else {
        panic!("{known:?}");
    };
    assert!(allison.seconds >= MIN_VOICE_SECONDS, "{}", allison.seconds);
    assert_eq!(allison.embedding, "campplus-zh-en");
    let later = [
        ("allison.wav", "en_US_f_Allison", allison, carlo),
        ("carlo.wav", "it_IT_m_Carlo", carlo, allison),
    ];
    for (name, voice, own, other) in later {
        let prompts = ["vm-options", "demo-abouttotry"];
        let prompts = prompts.map(|prompt| format!("{voice}/{prompt}"));
        let prompts: Vec<&str> = prompts.iter().map(String::as_str).collect();
        let (file, spoken) = reading(folder, name, &prompts);
        let found = voices(file, vec![spoken]);
        let Some(found) = &found[0] else {
            panic!("{name}: too little speech");
        };
        let (own, other) = (
            similarity(&own.vector, &found.vector),
            similarity(&other.vector, &found.vector),
        );
        assert!(own > 0.6 && other < 0.4, "{name}: {own} and {other}");
    }
}

#[test]
fn a_short_sample_is_enough_where_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let prompts = ["en_US_f_Allison/vm-options"];
    let (file, _) = reading(folder.path(), "sample.wav", &prompts);
    let request = |least_seconds| VoicesRequest {
        input: file.clone(),
        audio_track: None,
        // Longer than the recording.
        speakers: vec![vec![(0.0, 15.0)]],
        least_seconds,
    };
    let voices = |least| engine().voices(&request(least), &CancelToken::new());
    let found = voices(1.0).unwrap();
    assert!(found[0].as_ref().is_some_and(|voice| voice.seconds > 1.0));
    assert_eq!(voices(60.0).unwrap(), [None]);
}

#[test]
fn a_voice_needs_a_recording_and_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let file = wav(folder.path(), "silence.wav", &pause(9.0));
    assert_eq!(voices(file.clone(), vec![vec![(20.0, 30.0)]]), [None]);
    assert_eq!(voices(file.clone(), Vec::new()), []);
    let request = VoicesRequest {
        input: file,
        audio_track: None,
        speakers: vec![vec![(0.0, 9.0)]],
        least_seconds: MIN_VOICE_SECONDS,
    };
    let token = CancelToken::new();
    token.cancel();
    let cancelled = engine().voices(&request, &token);
    assert!(matches!(cancelled, Err(EngineError::Cancelled)));
    let empty = Engine::new(EngineConfig::new(folder.path().to_owned())).unwrap();
    let missing = empty.voices(&request, &CancelToken::new());
    assert!(matches!(missing, Err(EngineError::ModelMissing { .. })));
    let nothing = VoicesRequest {
        input: folder.path().join("missing.wav"),
        ..request
    };
    let unreadable = engine().voices(&nothing, &CancelToken::new());
    assert!(matches!(unreadable, Err(EngineError::Media(_))));
}
