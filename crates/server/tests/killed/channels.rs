//! A job whose channels are recognised on their own, killed in the middle: each channel goes on
//! where it was, and the conversation is the same in the end.

use std::collections::BTreeSet;
use std::fs;

use serde_json::json;
use slovo_test_media::prompts;
use slovo_test_media::speech::{pause, prompt, wav_of_channels};

use super::program::Program;
use super::user::User;
use super::{recognised, repeated};

/// Rounds of the conversation.
const ROUNDS: usize = 3;

/// Two people who take turns, each on a channel. About 27 s for each round.
pub fn recording(folder: &std::path::Path, rounds: usize) -> Vec<u8> {
    let mut sides = [Vec::new(), Vec::new()];
    for round in 0..rounds {
        for (number, line) in prompts::ALL.iter().take(4).enumerate() {
            let samples = prompt(&format!("en_US_f_Allison/{}", line.name));
            let silent = (number + round) % 2;
            sides[silent].extend(vec![0; samples.len()]);
            sides[1 - silent].extend(samples);
            sides.iter_mut().for_each(|side| side.extend(pause(0.4)));
        }
    }
    fs::read(wav_of_channels(folder, "line.wav", &sides)).unwrap()
}

#[test]
fn a_job_with_two_channels_is_resumed_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let recording = recording(folder.path(), ROUNDS);
    let settings = json!({
        "transcription_type": "full",
        "language_code": "en",
        "multichannel": true,
        "diarization": true,
    });
    let mut program = Program::start(folder.path(), None, "first");
    let user = User::sign_up(&program);
    let job = user.job_with(&program, &recording, &settings);
    program.wait_for_windows(3);
    program.kill();

    let program = Program::start(folder.path(), None, "second");
    let interrupted = user.transcript(&program, &job);
    let logs = ["first", "second"].map(|run| {
        let log = folder.path().join(format!("{run}.log"));
        fs::read_to_string(log).unwrap()
    });
    let windows: Vec<_> = logs.iter().flat_map(|log| recognised(log)).collect();
    let (all, repeats) = (windows.len(), repeated(windows));
    println!("{all} windows, {repeats} repeated");
    assert!(
        repeats <= 2,
        "{repeats} of {all} windows were recognised twice"
    );
    assert!(logs[1].contains("going on where it stopped"), "{}", logs[1]);

    let segments = interrupted["segments"].as_array().unwrap();
    let speakers: BTreeSet<_> = segments
        .iter()
        .map(|segment| segment["speaker"].as_str())
        .collect();
    // By channel: the voice is the same on both.
    assert_eq!(
        speakers,
        BTreeSet::from([Some("SPEAKER_0"), Some("SPEAKER_1")])
    );
    let other = user.job_with(&program, &recording, &settings);
    assert_eq!(interrupted, user.transcript(&program, &other));
    program.terminate();
}
