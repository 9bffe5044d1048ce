//! Nothing is invented, and every removal is reported with its evidence: generated noise and music,
//! short words that models invent over noise but people also say, and chunks stored by releases
//! that did not report removals.

mod recognition_support;

use recognition_support::{run, transcript};
use slovo_engine::{ChunkResult, EngineError, Event, LanguageChoice, Request};
use slovo_rules::removed::{Removed, RemovedReason};
use slovo_test_media::speech::{RATE, noise, pause, plain, prompt, wav};

fn english(input: std::path::PathBuf) -> Request {
    Request {
        language: LanguageChoice::Code("en".to_owned()),
        words: true,
        ..Request::new(input)
    }
}

/// Changing chords, one per beat, each fading out.
fn music(seconds: f64) -> Vec<i16> {
    const NOTES: [[f64; 3]; 4] = [
        [220.0, 277.2, 329.6],
        [174.6, 220.0, 261.6],
        [196.0, 246.9, 293.7],
        [164.8, 207.7, 246.9],
    ];
    let sample = |at: usize| {
        let time = at as f64 / RATE as f64;
        let chord = NOTES[(time / 1.2) as usize % NOTES.len()];
        let struck = (-2.0 * (time % 1.2)).exp();
        let tones: f64 = chord
            .iter()
            .map(|note| (note * time * std::f64::consts::TAU).sin())
            .sum();
        let beat = (-25.0 * (time % 0.6)).exp() * (60.0 * time * std::f64::consts::TAU).sin();
        (6000.0 * (struck * tones + beat)) as i16
    };
    (0..(seconds * RATE as f64) as usize).map(sample).collect()
}

/// The removals that the events reported.
fn reported_removals(events: &[Event]) -> Vec<Removed> {
    let removed = events.iter().filter_map(|event| match event {
        Event::Removed(removed) => Some(removed.clone()),
        _ => None,
    });
    removed.flatten().collect()
}

fn assert_evidence(removed: &[Removed]) {
    for passage in removed {
        assert!(passage.start <= passage.end, "{passage:?}");
        if passage.text.is_empty() {
            // A sound that the voice detector takes for a voice, for which nothing was written.
            assert_eq!(passage.reason, RemovedReason::Unrecognised);
            assert!(passage.voiced > 0.0, "{passage:?}");
            continue;
        }
        assert!((0.0..=1.0).contains(&passage.voiced), "{passage:?}");
        assert!((0.0..=1.0).contains(&passage.confidence), "{passage:?}");
        assert!(passage.compression > 0.0, "{passage:?}");
    }
}

#[test]
fn silence_noise_and_music_give_no_text() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut bursts = Vec::new();
    for _ in 0..8 {
        bursts.extend(noise(0.4, 0.5));
        bursts.extend(pause(0.7));
    }
    for (name, samples) in [
        ("silence.wav", pause(20.0)),
        ("faint.wav", noise(20.0, 0.01)),
        ("loud.wav", noise(20.0, 0.6)),
        ("bursts.wav", bursts),
        ("music.wav", music(25.0)),
    ] {
        let (outcome, events) = run(&english(wav(folder.path(), name, &samples)));
        assert!(
            matches!(outcome, Err(EngineError::NoSpeech)),
            "{name}: {outcome:?}"
        );
        // If all words were removed there is no transcript, and only the events report it.
        assert_evidence(&reported_removals(&events));
    }
}

#[test]
fn only_the_speech_between_noise_and_music_is_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut samples = music(12.0);
    samples.extend(pause(3.0));
    let start = samples.len() as f64 / RATE as f64;
    samples.extend(prompt("en_US_f_Allison/queue-youarenext"));
    let end = samples.len() as f64 / RATE as f64;
    samples.extend(pause(3.0));
    samples.extend(noise(12.0, 0.3));
    let (outcome, events) = run(&english(wav(folder.path(), "between.wav", &samples)));
    let transcript = outcome.expect("a text");
    for segment in &transcript.segments {
        assert!(
            segment.start > start - 0.5 && segment.end < end + 0.5,
            "{segment:?}"
        );
    }
    assert_eq!(transcript.removed, reported_removals(&events));
    assert_evidence(&transcript.removed);
}

#[test]
fn short_phrases_that_are_really_spoken_are_kept() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, phrase) in [
        ("auth-thankyou", "thank you"),
        ("vm-goodbye", "goodbye"),
        ("im-sorry", "sorry"),
    ] {
        let mut samples = pause(2.5);
        samples.extend(prompt(&format!("en_US_f_Allison/{name}")));
        samples.extend(pause(2.5));
        let transcript = transcript(&english(wav(folder.path(), "said.wav", &samples)));
        let words: Vec<String> = transcript
            .segments
            .iter()
            .flat_map(|segment| plain(&segment.text))
            .collect();
        assert!(
            words.join(" ").contains(phrase),
            "{name}: {words:?}, removed {:?}",
            transcript.removed
        );
        assert_eq!(transcript.removed, [], "{name}");
    }
}

#[test]
fn a_chunk_stored_before_removals_were_reported_can_still_be_read() {
    let old = r#"{"index":0,"start_sample":0,"end_sample":16000,"words":[]}"#;
    let chunk: ChunkResult = serde_json::from_str(old).expect("it reads");
    assert_eq!(chunk.removed, []);
}
