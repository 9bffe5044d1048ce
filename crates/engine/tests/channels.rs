//! Separate channels: two people on a telephone line, copied channels, silence, and resuming.

mod recognition_support;

use std::path::{Path, PathBuf};
use std::process::Command;

use recognition_support::{run, transcript};
use slovo_engine::{ChunkResult, Event, LanguageChoice, Request, Resume};
use slovo_rules::transcript::{Segment, Transcript};
use slovo_test_media::prompts::{ALL, Prompt};
use slovo_test_media::speech::{RATE, error_rate, pause, prompt, wav, wav_of_channels};

/// Length of the conversation in seconds.
const SECONDS: f64 = 30.0;

/// Who says which prompt when. The last two overlap.
const LINES: [(usize, &str, f64); 4] = [
    (0, "vm-mismatch", 0.5),
    (1, "queue-youarenext", 7.0),
    (0, "tt-allbusy", 15.0),
    (1, "vm-newuser", 17.0),
];

fn text_of(name: &str) -> &'static str {
    let is_named = |prompt: &&Prompt| prompt.name == name;
    ALL.iter().find(is_named).expect("a prompt").text
}

fn channel(lines: impl IntoIterator<Item = (&'static str, f64)>) -> Vec<i16> {
    let mut samples = pause(SECONDS);
    for (name, at) in lines {
        let from = (at * RATE as f64) as usize;
        let line = prompt(&format!("en_US_f_Allison/{name}"));
        samples[from..from + line.len()].copy_from_slice(&line);
    }
    samples
}

fn side(side: usize) -> Vec<i16> {
    let lines = LINES.into_iter().filter(|line| line.0 == side);
    channel(lines.map(|(_, name, at)| (name, at)))
}

fn conversation(folder: &Path) -> PathBuf {
    wav_of_channels(folder, "line.wav", &[side(0), side(1)])
}

fn request(input: PathBuf) -> Request {
    Request {
        words: true,
        language: LanguageChoice::Code("en".to_owned()),
        multichannel: true,
        ..Request::new(input)
    }
}

fn text_of_speaker(transcript: &Transcript, speaker: &str) -> String {
    let is_by_speaker = |segment: &&Segment| segment.speaker.as_deref() == Some(speaker);
    let texts: Vec<_> = transcript
        .segments
        .iter()
        .filter(is_by_speaker)
        .map(|segment| segment.text.as_str())
        .collect();
    texts.join(" ")
}

fn has_warning(transcript: &Transcript, code: &str) -> bool {
    transcript
        .warnings
        .iter()
        .any(|warning| warning.code == code)
}

fn chunks(events: &[Event]) -> Vec<ChunkResult> {
    let chunk = |event: &Event| match event {
        Event::Chunk(chunk) => Some(chunk.clone()),
        _ => None,
    };
    events.iter().filter_map(chunk).collect()
}

/// Whether a speaker says the lines of one side, with at most one word in seven wrong.
fn says_its_lines(transcript: &Transcript, speaker: &str, side: usize) -> bool {
    let texts = LINES.iter().filter(|line| line.0 == side);
    let truth: Vec<_> = texts.map(|(_, name, _)| text_of(name)).collect();
    error_rate(&truth.join(" "), &text_of_speaker(transcript, speaker)) <= 15.0
}

fn assert_conversation(transcript: &Transcript) {
    for side in [0, 1] {
        let speaker = format!("SPEAKER_{side}");
        assert!(
            says_its_lines(transcript, &speaker, side),
            "{side}: {:?}",
            transcript.segments
        );
    }
    let starts: Vec<_> = transcript
        .segments
        .iter()
        .map(|segment| segment.start)
        .collect();
    assert!(starts.is_sorted(), "{starts:?}");
    let numbers = transcript.segments.iter().map(|segment| segment.index);
    assert!(numbers.eq(0..transcript.segments.len() as u32));
    assert!(transcript.warnings.is_empty(), "{:?}", transcript.warnings);
}

#[test]
fn two_channels_are_two_speakers_even_when_they_overlap() {
    let folder = tempfile::tempdir().expect("a folder");
    let (outcome, events) = run(&request(conversation(folder.path())));
    let transcript = outcome.expect("a text");
    assert_conversation(&transcript);
    // The events report the same text as the transcript.
    let reported = events.iter().filter_map(|event| match event {
        Event::Segments(segments) => Some(segments.clone()),
        _ => None,
    });
    assert_eq!(reported.flatten().collect::<Vec<_>>(), transcript.segments);
    let peaks = events.iter().find_map(|event| match event {
        Event::Peaks { seconds, peaks } => Some((*seconds, peaks.clone())),
        _ => None,
    });
    let (seconds, peaks) = peaks.expect("the shape is told");
    assert!((seconds - SECONDS).abs() < 0.1, "{seconds}");
    for (_, name, at) in LINES {
        let place = ((at + 0.2) / seconds * peaks.len() as f64) as usize;
        let around = &peaks[place..place + peaks.len() / 30];
        assert!(
            around.iter().any(|peak| *peak > 20),
            "{name} is not in the shape"
        );
    }
}

#[test]
fn an_interrupted_run_continues_with_the_same_windows() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut request = request(conversation(folder.path()));
    let (outcome, events) = run(&request);
    let complete = outcome.expect("a text");
    let mut known = chunks(&events);
    assert!(known.len() >= 3, "{}", known.len());
    // A changed word shows that the stored result is used.
    known.truncate(2);
    for chunk in &mut known {
        for word in &mut chunk.words {
            word.text.make_ascii_uppercase();
        }
    }
    request.resume = Resume {
        language: None,
        chunks: known,
    };
    let resumed = transcript(&request);
    assert_ne!(resumed.segments, complete.segments);
    let texts = |transcript: &Transcript| -> Vec<String> {
        let texts = transcript.segments.iter();
        texts.map(|segment| segment.text.to_lowercase()).collect()
    };
    assert_eq!(texts(&resumed), texts(&complete));
}

#[test]
fn copied_channels_are_recognised_once_even_after_a_lossy_codec() {
    let folder = tempfile::tempdir().expect("a folder");
    let channel = side(0);
    let alone = wav(folder.path(), "mono.wav", &channel);
    let quieter = channel.iter().map(|sample| sample / 2).collect();
    let double = wav_of_channels(folder.path(), "double.wav", &[channel, quieter]);
    let (outcome, events) = run(&request(alone));
    let mono = outcome.expect("a text");
    assert!(has_warning(&mono, "one_channel"));
    let windows = chunks(&events).len();
    for name in ["double.wav", "double.mp3", "double.opus"] {
        let file = converted(&double, name);
        let (outcome, events) = run(&request(file));
        let transcript = outcome.expect("a text");
        assert!(has_warning(&transcript, "channels_equal"), "{name}");
        assert!(
            transcript
                .segments
                .iter()
                .all(|segment| segment.speaker.is_none())
        );
        assert_eq!(chunks(&events).len(), windows, "{name}");
    }
}

#[test]
fn channels_stay_separate_in_every_kind_of_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let wave = conversation(folder.path());
    // The last one is read by the external decoder.
    for name in ["line.flac", "line.m4a", "line.avi"] {
        let transcript = transcript(&request(converted(&wave, name)));
        assert_conversation(&transcript);
    }
}

#[test]
fn a_silent_channel_gets_no_text_and_does_not_affect_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let channels = [pause(SECONDS), side(1), side(0)];
    let file = wav_of_channels(folder.path(), "three.wav", &channels);
    let transcript = transcript(&request(file.clone()));
    assert!(text_of_speaker(&transcript, "SPEAKER_0").is_empty());
    for (speaker, side) in [("SPEAKER_1", 1), ("SPEAKER_2", 0)] {
        assert!(
            says_its_lines(&transcript, speaker, side),
            "{side}: {:?}",
            transcript.segments
        );
    }
    // Silence on all channels is an ordinary `NoSpeech`.
    let silent = wav_of_channels(folder.path(), "none.wav", &[pause(3.0), pause(3.0)]);
    let (outcome, _) = run(&request(silent));
    assert_eq!(outcome.expect_err("nobody speaks").code(), "no_speech");
}

#[test]
fn too_many_channels_are_mixed_with_a_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut channels = vec![side(0)];
    for at in 1..9 {
        channels.push(channel([("vm-mismatch", at as f64)]));
    }
    let file = wav_of_channels(folder.path(), "nine.wav", &channels);
    let transcript = transcript(&request(file));
    assert!(
        has_warning(&transcript, "too_many_channels"),
        "{:?}",
        transcript.warnings
    );
}

/// The recording in another format; the file itself if it already has that name.
fn converted(wave: &Path, name: &str) -> PathBuf {
    let file = wave.with_file_name(name);
    if file != wave {
        let status = Command::new("ffmpeg")
            .args(["-v", "error", "-y", "-i"])
            .args([wave, &file])
            .status()
            .expect("ffmpeg is there");
        assert!(status.success(), "{name}");
    }
    file
}

#[test]
fn the_shared_conversation_of_two_channels_has_its_speakers_and_words() {
    let Some(shared) = slovo_test_media::shared() else {
        println!("the shared recordings are not here: this wider run is left out");
        return;
    };
    let folder = shared.join("audio/multi");
    let truth = std::fs::read(folder.join("conv2_stereo.json")).expect("its truth is beside it");
    let truth: serde_json::Value = serde_json::from_slice(&truth).expect("JSON");
    let turns = truth["turns"].as_array().expect("turns");
    let first = &turns[0]["speaker"];
    let separate = request(folder.join("conv2_stereo.opus"));
    let mixed = Request {
        multichannel: false,
        ..separate.clone()
    };
    let transcript = transcript(&separate);
    for (speaker, is_first) in [("SPEAKER_0", true), ("SPEAKER_1", false)] {
        let own_turns = turns
            .iter()
            .filter(|turn| (turn["speaker"] == *first) == is_first);
        let texts: Vec<_> = own_turns.filter_map(|turn| turn["text"].as_str()).collect();
        let errors = error_rate(&texts.join(" "), &text_of_speaker(&transcript, speaker));
        println!(
            "{speaker}: {errors:.1}% of {} turns' words wrong",
            texts.len()
        );
        assert!(errors <= 20.0, "{speaker}: {:?}", transcript.segments);
    }
    let order: Vec<_> = transcript
        .segments
        .iter()
        .map(|segment| segment.text.as_str())
        .collect();
    let truth: Vec<_> = turns
        .iter()
        .filter_map(|turn| turn["text"].as_str())
        .collect();
    let mixed = recognition_support::transcript(&mixed);
    let mixed: Vec<_> = mixed
        .segments
        .iter()
        .map(|segment| segment.text.as_str())
        .collect();
    println!(
        "all: {:.1}% wrong by channel, {:.1}% in the mix",
        error_rate(&truth.join(" "), &order.join(" ")),
        error_rate(&truth.join(" "), &mixed.join(" "))
    );
}
