//! The life cycle of a job: events, resume, cancellation, parallel jobs.

mod recognition_support;

use std::path::{Path, PathBuf};

use recognition_support::{engine, models, run, transcript};
use slovo_engine::{
    CancelToken, ChunkResult, Decoding, DetectedLanguage, Engine, EngineConfig, EngineError, Event,
    LanguageChoice, Request, Resume, StageTimes,
};
use slovo_rules::transcript::{Segment, Transcript};
use slovo_test_media::speech::{pause, prompt, wav};

/// Windows in the recording.
const WINDOWS: usize = 5;

/// Prompts separated by pauses so that each is a window of its own.
fn recording(folder: &Path) -> PathBuf {
    let mut samples = pause(0.5);
    let short = slovo_test_media::prompts::ALL
        .iter()
        .filter(|prompt| prompt.seconds < 6.0);
    for prompt in short
        .chain([&slovo_test_media::prompts::WELCOME])
        .take(WINDOWS)
    {
        samples.extend(self::prompt(&format!("en_US_f_Allison/{}", prompt.name)));
        samples.extend(pause(2.6));
    }
    wav(folder, "windows.wav", &samples)
}

fn request(folder: &Path) -> Request {
    let english = LanguageChoice::Code("en".to_owned());
    Request {
        words: true,
        language: english,
        ..Request::new(recording(folder))
    }
}

fn chunks(events: &[Event]) -> Vec<ChunkResult> {
    let chunk = |event: &Event| match event {
        Event::Chunk(chunk) => Some(chunk.clone()),
        _ => None,
    };
    events.iter().filter_map(chunk).collect()
}

fn language(events: &[Event]) -> Option<DetectedLanguage> {
    events.iter().find_map(|event| match event {
        Event::Language { code, probability } => Some(DetectedLanguage {
            code: code.clone(),
            probability: *probability,
        }),
        _ => None,
    })
}

/// Serialised to JSON and back, as in a checkpoint.
fn stored(chunks: &[ChunkResult]) -> Vec<ChunkResult> {
    let text = serde_json::to_string(chunks).expect("chunks are JSON");
    serde_json::from_str(&text).expect("and come back")
}

#[test]
fn events_report_progress_and_segments_in_order() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (outcome, events) = run(&request(folder.path()));
    let transcript = outcome.expect("a text");

    assert!(
        matches!(&events[0], Event::Opened { container, duration: Some(_), .. } if container == "wav"),
        "{:?}",
        events[0]
    );
    let place = |is_wanted: fn(&Event) -> bool| events.iter().position(is_wanted).expect("told");
    assert!(
        place(|e| matches!(e, Event::Language { .. })) < place(|e| matches!(e, Event::Chunk(_)))
    );

    let mut reported: Vec<Segment> = Vec::new();
    let mut percents = Vec::new();
    for event in &events {
        match event {
            Event::Segments(segments) => reported.extend(segments.iter().cloned()),
            Event::Progress {
                percent,
                done_seconds,
                total_seconds,
                ..
            } => {
                percents.push(*percent);
                assert!(*done_seconds <= total_seconds.expect("a WAV states its length") + 1e-6);
            }
            _ => {}
        }
    }
    assert_eq!(
        reported, transcript.segments,
        "the partial segments are the final ones"
    );
    assert!(
        percents.windows(2).all(|pair| pair[0] <= pair[1]),
        "{percents:?}"
    );
    assert_eq!(percents.last(), Some(&100.0));
    assert_eq!(
        percents.iter().filter(|percent| **percent >= 100.0).count(),
        1
    );

    let mut indices: Vec<usize> = chunks(&events).iter().map(|chunk| chunk.index).collect();
    indices.sort_unstable();
    assert_eq!(indices, (0..WINDOWS).collect::<Vec<_>>());
}

#[test]
fn a_resumed_job_gives_the_same_text_without_repeating_work() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // A resumed job is also given the detected language.
    let full_request = Request {
        language: LanguageChoice::Auto,
        ..request(folder.path())
    };
    let (outcome, events) = run(&full_request);
    let expected = outcome.expect("a text");
    let all = stored(&chunks(&events));
    // Not the first ones, and out of order, as an interrupted run may leave them.
    let some = vec![all[3].clone(), all[0].clone()];
    for available in [some, all] {
        let before = engine().stage_times();
        let resume = Resume {
            language: language(&events),
            chunks: available.clone(),
        };
        let (outcome, resumed_events) = run(&Request {
            resume,
            ..full_request.clone()
        });
        assert_eq!(outcome.expect("a text"), expected);
        let mut repeated = chunks(&resumed_events);
        repeated.sort_by_key(|chunk| chunk.index);
        assert_eq!(repeated.len(), WINDOWS);
        if available.len() == WINDOWS && has_own_process() {
            let after = engine().stage_times();
            assert_eq!(
                StageTimes {
                    media: after.media,
                    vad: after.vad,
                    ..before
                },
                after,
                "something was recognised again"
            );
        }
    }
}

/// Whether this is the only test of this file that uses the engine right now (nextest runs every
/// test in its own process; plain `cargo test` does not).
fn has_own_process() -> bool {
    std::env::var_os("NEXTEST").is_some()
}

#[test]
fn a_chunk_of_another_recording_is_not_reused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let full_request = request(folder.path());
    let (outcome, events) = run(&full_request);
    let expected = outcome.expect("a text");
    let mut wrong = chunks(&events);
    for chunk in &mut wrong {
        chunk.end_sample += 512;
        chunk.words.clear();
    }
    let resume = Resume {
        language: language(&events),
        chunks: wrong,
    };
    assert_eq!(
        transcript(&Request {
            resume,
            ..full_request
        }),
        expected
    );
}

#[test]
fn a_cancelled_job_can_be_resumed_from_its_finished_chunks() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let full_request = request(folder.path());
    let cancel = CancelToken::new();
    let mut events = Vec::new();
    let outcome = engine().transcribe(&full_request, &cancel, &mut |event| {
        if matches!(event, Event::Chunk(_)) {
            cancel.cancel();
        }
        events.push(event);
    });
    assert!(
        matches!(outcome, Err(EngineError::Cancelled)),
        "{outcome:?}"
    );
    let finished = chunks(&events);
    assert!(finished.len() < WINDOWS, "it went on to the end");

    let resume = Resume {
        language: language(&events),
        chunks: stored(&finished),
    };
    let resumed = transcript(&Request {
        resume,
        ..full_request.clone()
    });
    assert_eq!(resumed, transcript(&full_request));
}

#[test]
fn a_job_cancelled_before_it_begins_recognises_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cancel = CancelToken::new();
    cancel.cancel();
    let mut events = Vec::new();
    let outcome = engine().transcribe(&request(folder.path()), &cancel, &mut |event| {
        events.push(event);
    });
    assert!(
        matches!(outcome, Err(EngineError::Cancelled)),
        "{outcome:?}"
    );
    assert_eq!(chunks(&events), []);
}

#[test]
fn parallel_jobs_do_not_affect_each_other() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let spanish = Request {
        words: true,
        language: LanguageChoice::Code("es".to_owned()),
        ..Request::new(wav(
            folder.path(),
            "es.wav",
            &prompt("es_MX_f_Allison/demo-enterkeywords"),
        ))
    };
    let requests = [
        request(folder.path()),
        spanish.clone(),
        request(folder.path()),
        spanish,
    ];
    let alone: Vec<Transcript> = requests[..2]
        .iter()
        .map(|request| run(request).0.expect("a text"))
        .collect();
    let together: Vec<Transcript> = std::thread::scope(|scope| {
        let jobs: Vec<_> = requests
            .iter()
            .map(|request| scope.spawn(|| run(request).0.expect("a text")))
            .collect();
        jobs.into_iter()
            .map(|job| job.join().expect("no panic"))
            .collect()
    });
    for (place, transcript) in together.iter().enumerate() {
        assert_eq!(*transcript, alone[place % 2]);
    }
}

/// Beam search samples its candidates at random.
#[test]
fn a_beam_search_gives_the_same_text_when_repeated() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut config = EngineConfig::new(models());
    config.threads = 1;
    config.decoding = Decoding::Beam(3);
    let engine = Engine::new(config).expect("the settings are sound");
    let request = request(folder.path());
    let run = || engine.transcribe(&request, &CancelToken::new(), &mut |_| {});
    let first = run().expect("a text");
    assert_eq!(run().expect("a text"), first);
}
