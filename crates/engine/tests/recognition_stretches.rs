//! Recognition of a part of a recording: only its words, at their times in the recording.

mod recognition_support;

use recognition_support::{run, transcript};
use slovo_engine::{EngineError, Event, LanguageChoice, Request, Stretch};
use slovo_test_media::prompts;
use slovo_test_media::speech::{RATE, error_rate, pause, prompt, wav};

fn seconds(samples: &[i16]) -> f64 {
    samples.len() as f64 / RATE as f64
}

fn english(input: std::path::PathBuf, start: f64, end: f64) -> Request {
    Request {
        language: LanguageChoice::Code("en".to_owned()),
        words: true,
        stretch: Some(Stretch { start, end }),
        ..Request::new(input)
    }
}

#[test]
fn only_the_stretch_is_recognised_at_its_times() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (mut samples, mut truth) = (pause(1.5), Vec::new());
    for spoken in prompts::ALL.iter().take(3) {
        let start = seconds(&samples);
        samples.extend(prompt(&format!("en_US_f_Allison/{}", spoken.name)));
        truth.push((start, seconds(&samples), spoken.text));
        samples.extend(pause(1.0));
    }
    let input = wav(folder.path(), "three.wav", &samples);
    let (start, end, text) = truth[1];
    let (outcome, events) = run(&english(input.clone(), start, end));
    let part = outcome.expect("a text");
    let said: Vec<&str> = part
        .segments
        .iter()
        .map(|segment| segment.text.as_str())
        .collect();
    let rate = error_rate(text, &said.join(" "));
    assert!(rate <= 15.0, "{rate:.1}%: {said:?}");
    assert!(
        (part.duration - (end - start)).abs() < 0.7,
        "{}",
        part.duration
    );
    for segment in &part.segments {
        assert!(
            segment.start >= start - 0.3 && segment.end <= end + 0.4,
            "{segment:?}"
        );
        for word in &segment.words {
            let middle = f64::midpoint(word.start, word.end);
            assert!((start..=end).contains(&middle), "{word:?}");
        }
    }
    let streamed: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::Segments(segments) => Some(segments.clone()),
            _ => None,
        })
        .flatten()
        .collect();
    assert_eq!(streamed, part.segments, "events have the same times");
    let whole = transcript(&Request {
        stretch: None,
        ..english(input, 0.0, 1.0)
    });
    assert!(whole.segments.len() > part.segments.len());
}

#[test]
fn a_stretch_of_silence_or_behind_the_end_has_no_speech() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut samples = prompt(&format!("en_US_f_Allison/{}", prompts::WELCOME.name));
    let spoken = seconds(&samples);
    samples.extend(pause(10.0));
    let input = wav(folder.path(), "quiet.wav", &samples);
    for (start, end) in [(spoken + 2.0, spoken + 8.0), (spoken + 60.0, spoken + 70.0)] {
        let (outcome, _) = run(&english(input.clone(), start, end));
        assert!(matches!(outcome, Err(EngineError::NoSpeech)), "{outcome:?}");
    }
}
