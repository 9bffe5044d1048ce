//! The engine's process: it does what the engine does in this process, and when it ends before its
//! time, only its jobs notice.

use std::collections::HashSet;
use std::path::PathBuf;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use slovo_engine::models;
use slovo_engine::speakers::{MIN_VOICE_SECONDS, SpeakerCount, SpeakersRequest, VoicesRequest};
use slovo_engine::{CancelToken, Engine, EngineConfig, EngineError, Event, Isolation, Request};
use slovo_test_media::prompts;

use super::channels::recording;
use super::program::Program;
use super::user::User;

/// Far too little for a model.
const LITTLE_MEMORY: u64 = 64 << 20;

fn engine(isolation: Option<Isolation>) -> Engine {
    let models = std::env::var_os("SLOVO_MODELS").map(PathBuf::from);
    let models = models.or_else(models::default_dir).unwrap();
    let mut config = EngineConfig::new(models);
    config.isolation = isolation;
    Engine::new(config).unwrap()
}

fn isolated(max_memory: Option<u64>) -> Engine {
    engine(Some(Isolation {
        program: env!("CARGO_BIN_EXE_slovo").into(),
        arguments: vec!["engine".into()],
        max_memory,
        max_silence: Isolation::MAX_SILENCE,
    }))
}

/// The text and the events besides the progress, which depends on the time; as they are stored.
fn events_of(engine: &Engine, request: &Request) -> (Result<Value, EngineError>, Vec<Value>) {
    let mut events = Vec::new();
    let transcript = engine.transcribe(request, &CancelToken::new(), &mut |event| {
        if !matches!(event, Event::Progress { .. }) {
            events.push(serde_json::to_value(event).unwrap());
        }
    });
    let transcript = transcript.map(|text| serde_json::to_value(text).unwrap());
    (transcript, events)
}

fn kill(process: u32) {
    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    kill_process(process.unwrap(), Signal::KILL).unwrap();
}

#[test]
fn the_engines_process_recognises_what_this_process_recognises() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("recording.wav");
    std::fs::write(&file, recording(folder.path(), 1)).unwrap();
    let (here, there) = (engine(None), isolated(None));
    let mut request = Request::new(file.clone());
    request.words = true;
    request.multichannel = true;
    // Otherwise the order of the windows' ends is left to chance.
    request.threads = Some(1);
    let (text, events) = events_of(&here, &request);
    let (isolated_text, isolated_events) = events_of(&there, &request);
    assert_eq!(text.unwrap(), isolated_text.unwrap());
    assert_eq!(events, isolated_events);
    let process = there.process_id().unwrap();

    let cancel = CancelToken::new();
    let speakers = SpeakersRequest {
        input: file.clone(),
        audio_track: None,
        count: SpeakerCount::Exactly(1),
    };
    let turns = |engine: &Engine| engine.speakers(&speakers, &cancel, &mut |_| {}).unwrap();
    let found = turns(&here);
    assert_eq!(found, turns(&there));
    let voices = VoicesRequest {
        input: file,
        audio_track: None,
        speakers: vec![found.iter().map(|turn| (turn.start, turn.end)).collect()],
        least_seconds: MIN_VOICE_SECONDS,
    };
    let voice = |engine: &Engine| engine.voices(&voices, &cancel).unwrap();
    assert_eq!(voice(&here), voice(&there));

    // A cancelled run does not end the process.
    let cancelled = there.transcribe(&request, &cancel, &mut |event| {
        if matches!(event, Event::Chunk(_)) {
            cancel.cancel();
        }
    });
    assert!(
        matches!(cancelled, Err(EngineError::Cancelled)),
        "{cancelled:?}"
    );
    assert_eq!(there.process_id(), Some(process));

    // Nothing is left of it when it is idle.
    let unloaded = there.unload_idle(std::time::Duration::ZERO);
    assert!(!unloaded.is_empty());
    assert_eq!(there.process_id(), None);
}

#[test]
fn a_run_whose_process_ends_is_an_error_and_the_next_one_works() {
    let there = isolated(None);
    let request = Request::new(prompts::WELCOME.path());
    let crashed = there.transcribe(&request, &CancelToken::new(), &mut |event| {
        if matches!(event, Event::Opened { .. }) {
            kill(there.process_id().unwrap());
        }
    });
    let Err(EngineError::Crashed { how }) = crashed else {
        panic!("{crashed:?}");
    };
    assert!(how.contains("signal: 9"), "{how}");
    let mut alone = request.clone();
    alone.alone = true;
    there
        .transcribe(&alone, &CancelToken::new(), &mut |_| {})
        .unwrap();
    assert_eq!(
        there.process_id(),
        None,
        "the process of that run has ended with it"
    );
    there
        .transcribe(&request, &CancelToken::new(), &mut |_| {})
        .unwrap();

    let poor = isolated(Some(LITTLE_MEMORY));
    let refused = poor.transcribe(&request, &CancelToken::new(), &mut |_| {});
    assert!(
        matches!(refused, Err(EngineError::Crashed { .. })),
        "{refused:?}"
    );
}

#[test]
fn unusable_recordings_have_the_same_errors() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.wav");
    std::fs::write(&empty, "").unwrap();
    let text = folder.path().join("text.mp3");
    std::fs::write(&text, "no sound at all ".repeat(100)).unwrap();
    let (here, there) = (engine(None), isolated(None));
    for path in [
        folder.path().to_owned(),
        "/dev/zero".into(),
        "/no/such/file".into(),
        empty,
        text,
    ] {
        let error = |engine: &Engine| {
            let (transcript, _) = events_of(engine, &Request::new(path.clone()));
            transcript.unwrap_err().to_string()
        };
        assert_eq!(error(&here), error(&there), "{path:?}");
    }
}

/// Process ids of the engines of a program, the first one first.
fn engines(log: &str) -> Vec<u32> {
    log.lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|entry| {
            entry["message"]
                .as_str()
                .is_some_and(|text| text.starts_with("the engine's process is"))
        })
        .filter_map(|entry| entry["pid"].as_u64()?.try_into().ok())
        .collect()
}

#[test]
fn a_killed_engine_ends_neither_the_server_nor_its_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let recording = recording(folder.path(), 1);
    let settings = json!({
        "transcription_type": "full",
        "language_code": "en",
        "multichannel": true,
    });
    let mut program = Program::start(folder.path(), None, "only");
    let user = User::sign_up(&program);
    let jobs = [(); 2].map(|()| user.job_with(&program, &recording, &settings));
    program.wait_for_windows(2);
    let engine = engines(&program.log())[0];
    let confined = std::fs::read_to_string(format!("/proc/{engine}/status")).unwrap();
    assert!(confined.contains("Seccomp:\t2"), "{confined}");
    let environment = std::fs::read(format!("/proc/{engine}/environ")).unwrap();
    let environment = String::from_utf8_lossy(&environment).into_owned();
    assert!(!environment.contains("SLOVO_"), "{environment}");
    kill(engine);

    let texts = jobs.each_ref().map(|job| user.transcript(&program, job));
    assert_eq!(texts[0], texts[1]);
    let log = program.log();
    assert!(log.contains("the engine's process ended"), "{log}");
    assert!(engines(&log).len() >= 2, "{log}");
    let windows = log
        .lines()
        .filter(|line| line.contains("window recognised"));
    let windows = windows.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let windows: Vec<_> = windows
        .map(|entry| (entry["job"].to_string(), entry["chunk"].to_string()))
        .collect();
    let different: HashSet<_> = windows.iter().collect();
    let repeated = windows.len() - different.len();
    println!("{} windows, {repeated} repeated", windows.len());
    // Each job had up to two in the works.
    assert!(repeated <= 4, "{repeated} windows were recognised twice");
    program.terminate();
}
