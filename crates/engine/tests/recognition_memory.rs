//! Memory does not grow with the length of the recording. In a file of its own, because the figure
//! covers the whole process.

mod recognition_support;

use std::path::PathBuf;
use std::time::Duration;

use recognition_support::{engine, transcript};
use slovo_engine::{CancelToken, Event, Request};
use slovo_rules::settings::TranscriptionType;
use slovo_test_media::speech::{RATE, pause, prompt, wav};

/// A figure of this process's memory in MB: `VmHWM` is the peak so far, `VmRSS` what is resident now.
fn megabytes(figure: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(figure)?.strip_prefix(':'))
        .expect("the figure");
    line.trim()
        .trim_end_matches(" kB")
        .parse::<u64>()
        .expect("a number")
        / 1024
}

/// A recording of this many minutes with a prompt every four, and faint noise throughout.
fn minutes(count: usize) -> Vec<i16> {
    let speech = prompt("en_US_f_Allison/queue-youarenext");
    let mut samples = Vec::with_capacity(count * 60 * RATE);
    for _ in 0..count / 4 {
        samples.extend(&speech);
        samples.extend(pause(240.0 - speech.len() as f64 / RATE as f64));
    }
    for (place, sample) in samples.iter_mut().enumerate() {
        *sample = sample.saturating_add(((place * 7919) % 13) as i16 - 6);
    }
    samples
}

#[test]
fn an_hour_takes_no_more_memory_than_twelve_minutes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Both files are made first, so that the test's own memory is in both figures.
    let twelve = wav(folder.path(), "twelve.wav", &minutes(12));
    let sixty = wav(folder.path(), "sixty.wav", &minutes(60));
    let run = |input: PathBuf| {
        // One thread: whether a second one gets any work depends on chance, and its state would
        // count as growth.
        let transcript = transcript(&Request {
            mode: TranscriptionType::Lite,
            threads: Some(1),
            ..Request::new(input)
        });
        (transcript.segments.len(), megabytes("VmHWM"))
    };
    let (few, before) = run(twelve);
    let (many, after) = run(sixty);
    println!("{before} MB after 12 minutes, {after} MB after 60");
    assert!(few >= 3 && many >= 15, "{few} and {many} segments");
    // The additional 48 minutes would be 180 MB of 16 kHz samples.
    assert!(after < before + 120, "{before} MB -> {after} MB");
}

#[test]
fn an_idle_model_gives_its_memory_back_and_is_loaded_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = wav(
        folder.path(),
        "speech.wav",
        &prompt("en_US_f_Allison/queue-youarenext"),
    );
    let engine = engine();
    let request = Request {
        mode: TranscriptionType::Lite,
        ..Request::new(input)
    };
    let run = || {
        let transcript = engine.transcribe(&request, &CancelToken::new(), &mut |_| {});
        transcript.expect("a transcript").segments
    };
    assert!(engine.unload_idle(Duration::ZERO).is_empty());
    let first = run();
    let loaded = megabytes("VmRSS");
    assert!(engine.unload_idle(Duration::from_hours(1)).is_empty());
    assert_eq!(
        engine.unload_idle(Duration::ZERO),
        [engine.config().lite_model.clone()]
    );
    let unloaded = megabytes("VmRSS");
    println!("{loaded} MB with the model, {unloaded} MB without it");
    assert!(unloaded + 60 < loaded, "{loaded} MB -> {unloaded} MB");
    assert!(engine.unload_idle(Duration::ZERO).is_empty());
    assert_eq!(run(), first);

    // A running job keeps its model.
    let mut during = Vec::new();
    let outcome = engine.transcribe(&request, &CancelToken::new(), &mut |event| {
        if matches!(event, Event::Segments(_)) {
            during.push(engine.unload_idle(Duration::ZERO));
        }
    });
    assert_eq!(outcome.expect("a transcript").segments, first);
    assert!(!during.is_empty());
}
