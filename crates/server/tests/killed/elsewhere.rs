//! A server without models whose recordings another server recognises over its OpenAI endpoint. The
//! first is killed in the middle: what it has received stays, and the text is as if it had not been.

use std::fs;

use serde_json::{Value, json};
use slovo_test_media::speech::error_rate;

use super::program::Program;
use super::user::{PASSWORD, User};
use super::{recognised, recording_of, repeated};

/// The text of a transcript.
fn text(transcript: &Value) -> String {
    let segments = transcript["segments"].as_array().unwrap().iter();
    let texts: Vec<_> = segments
        .map(|segment| segment["text"].as_str().unwrap())
        .collect();
    texts.join(" ")
}

#[test]
fn another_server_recognises_the_parts_of_a_recording_through_a_kill() {
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let [here, elsewhere, models] = &folders;
    let recording = recording_of(here.path(), 50.0);
    let settings = json!({"transcription_type": "full", "language_code": "en"});

    let strong = Program::start(elsewhere.path(), None, "strong");
    let owner = User::sign_up(&strong);
    let form = json!({"name": "Slovo", "scopes": ["read", "transcribe"], "password": PASSWORD});
    let key = owner.post(&strong, "/api/v1/me/api-keys", &form).json();

    // Its folder has what finds the pauses, and no model that recognises.
    let silero = "ggml-silero-v6.2.0.bin";
    let from = super::models_folder().join(silero);
    fs::copy(from, models.path().join(silero)).unwrap();
    let options = ["--models", models.path().to_str().unwrap()];
    let mut weak = Program::start_with(here.path(), None, "first", &options);
    let user = User::sign_up(&weak);
    let form = json!({
        "url": format!("http://{}/v1", strong.address), "model": "whisper-1",
        "key": key["secret"], "parallel": 2,
    });
    let set = user.put(&weak, "/api/v1/admin/speech-endpoint", &form);
    assert_eq!((set.status, &set.json()["key"]), (200, &json!("own")));
    let path = "/api/v1/admin/speech-endpoint/test";
    let tested = user.post(&weak, path, &json!({})).json();
    assert_eq!(tested["outcome"], "works", "{tested}");

    let job = user.job_with(&weak, &recording, &settings);
    weak.wait_for_windows(2);
    weak.kill();
    let weak = Program::start_with(here.path(), None, "second", &options);
    let through = user.transcript(&weak, &job);
    assert_eq!(through["model"], "endpoint:whisper-1");
    assert_eq!(through["language"], "en");
    assert_eq!(through["warnings"], json!([]));
    let windows = ["first", "second"].map(|run| {
        let log = here.path().join(format!("{run}.log"));
        recognised(&fs::read_to_string(log).unwrap())
    });
    let windows = windows.concat();
    let (all, repeats) = (windows.len(), repeated(windows));
    println!("{all} windows, {repeats} repeated");
    assert!(repeats <= 2, "{repeats} of {all} windows were sent twice");

    let job = owner.job_with(&strong, &recording, &settings);
    let direct = owner.transcript(&strong, &job);
    let rate = error_rate(&text(&direct), &text(&through));
    println!("{rate:.1} % of the words differ");
    assert!(rate <= 3.0, "{}\n\n{}", text(&direct), text(&through));
    // Words are where they were spoken: the same ones begin at the same time.
    let starts = |transcript: &Value| -> Vec<(String, f64)> {
        let segments = transcript["segments"].as_array().unwrap().iter();
        let words = segments.flat_map(|segment| segment["words"].as_array().unwrap());
        words
            .map(|word| {
                let text = word["text"].as_str().unwrap().to_lowercase();
                (text, word["start"].as_f64().unwrap())
            })
            .collect()
    };
    let expected = starts(&direct);
    let found = starts(&through);
    let near = found.iter().filter(|(word, start)| {
        expected
            .iter()
            .any(|(known, at)| known == word && (at - start).abs() <= 0.3)
    });
    let share = near.count() as f64 / found.len() as f64;
    println!("{:.1} % of the words are in their places", share * 100.0);
    assert!(share >= 0.9, "{share}");
    // A part is a recording in the other server's library, as any call of its endpoint.
    assert!(strong.log().contains("window recognised"));
}
