//! Memory does not grow with the length of the recording. In a file of its own, because the figure
//! covers the whole process.

mod recognition_support;

use std::path::PathBuf;

use recognition_support::transcript;
use slovo_engine::Request;
use slovo_rules::settings::TranscriptionType;
use slovo_test_media::speech::{RATE, pause, prompt, wav};

/// Peak resident memory so far, in MB.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .expect("VmHWM");
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
        (transcript.segments.len(), peak_megabytes())
    };
    let (few, before) = run(twelve);
    let (many, after) = run(sixty);
    println!("{before} MB after 12 minutes, {after} MB after 60");
    assert!(few >= 3 && many >= 15, "{few} and {many} segments");
    // The additional 48 minutes would be 180 MB of 16 kHz samples.
    assert!(after < before + 120, "{before} MB -> {after} MB");
}
