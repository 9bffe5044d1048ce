//! What `slovo transcribe` makes besides the text: with the embedded model, with an endpoint, and
//! what it says where neither is there. On real speech.
#![expect(clippy::unwrap_used, reason = "this is a test")]

mod endpoint;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use slovo_test_media::prompts;
use slovo_test_media::speech::{pause, prompt, wav_of_channels};

use endpoint::{Endpoint, EndpointBehaviour};

fn run(options: &[&str]) -> Output {
    run_on(&prompts::WELCOME.path(), options)
}

fn run_on(file: &Path, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_slovo"))
        .arg("transcribe")
        .arg(file)
        .args(["--language", "en"])
        .args(options)
        .env_remove("ANALYSIS_URL")
        .env_remove("ANALYSIS_API_KEY")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn json(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", errors(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn analyses_of_the_embedded_model_are_in_the_json() {
    let options = "--summarize 12 --sentiment --classify cooking,mailbox --format json";
    let json = json(&run(&options.split(' ').collect::<Vec<_>>()));
    let segments = json["segments"].as_array().unwrap();
    let transcript: String = segments
        .iter()
        .map(|segment| segment["text"].as_str().unwrap())
        .collect();
    let parts = json["analyses"].as_array().unwrap();
    let names: Vec<&str> = parts
        .iter()
        .map(|part| part["part"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["summary", "sentiment", "classification"]);
    for part in parts {
        assert_eq!(part["error"], Value::Null, "{part}");
        assert_eq!(part["outcome"]["part"], part["part"]);
    }
    assert_eq!(parts[0]["outcome"]["extractive"], true);
    let sentences = parts[0]["outcome"]["sentences"].as_array().unwrap();
    assert!(!sentences.is_empty());
    for sentence in sentences {
        let text = sentence["text"].as_str().unwrap();
        assert!(
            transcript.contains(text),
            "{text} was not said: {transcript}"
        );
    }
    let score = parts[1]["outcome"]["score"].as_f64().unwrap();
    assert!((-1.0..=1.0).contains(&score));
    assert_eq!(parts[2]["outcome"]["labels"][0]["label"], "mailbox");
}

#[test]
fn in_plain_text_the_analyses_follow_the_transcript() {
    let output = run(&["--sentiment", "--classify", "mailbox"]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let stdout = out(&output);
    let text = stdout.to_lowercase().find("welcome").unwrap();
    let sentiment = stdout.find("# sentiment").unwrap();
    let classes = stdout.find("# classification").unwrap();
    assert!(text < sentiment && sentiment < classes, "{stdout}");
}

#[test]
fn with_subtitles_the_analyses_get_their_own_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("talk.srt");
    let text = text.to_str().unwrap();
    let output = run(&["--sentiment", "--format", "srt", "--output", text]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    assert!(output.stdout.is_empty());
    let subtitles = std::fs::read_to_string(text).unwrap();
    assert!(!subtitles.contains("sentiment"), "{subtitles}");
    let results = std::fs::read_to_string(folder.path().join("talk.results.md")).unwrap();
    assert!(results.starts_with("# sentiment"), "{results}");

    let results_path = folder.path().join("named.json");
    let results_path = results_path.to_str().unwrap();
    let output = run(&["--sentiment", "--format", "srt", "--results", results_path]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    assert!(!out(&output).contains("sentiment"), "{}", out(&output));
    let results: Value = serde_json::from_slice(&std::fs::read(results_path).unwrap()).unwrap();
    assert_eq!(results[0]["part"], "sentiment");

    let output = run(&["--sentiment", "--format", "docx"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("--results"), "{}", errors(&output));
}

#[test]
fn each_channel_becomes_a_speaker() {
    let folder = tempfile::tempdir().unwrap();
    let mut sides = [pause(0.3), pause(7.0)];
    sides[0].extend(prompt("en_US_f_Allison/vm-newuser"));
    sides[1].extend(prompt("en_US_f_Allison/vm-mismatch"));
    let length = sides[0].len().max(sides[1].len());
    sides.iter_mut().for_each(|side| side.resize(length, 0));
    let file = wav_of_channels(folder.path(), "line.wav", &sides);
    let options = ["--multichannel", "--diarize", "--format"];
    let json = json(&run_on(&file, &[&options[..], &["json"]].concat()));
    let segments = json["segments"].as_array().unwrap();
    let turns: Vec<_> = segments
        .iter()
        .map(|segment| {
            (
                segment["speaker"].as_str().unwrap(),
                segment["text"].as_str().unwrap(),
            )
        })
        .collect();
    assert!(
        turns[0].0 == "SPEAKER_0" && turns[0].1.contains("Welcome"),
        "{turns:?}"
    );
    let last = turns.last().unwrap();
    assert!(
        last.0 == "SPEAKER_1" && last.1.contains("try again"),
        "{turns:?}"
    );

    let output = run(&["--multichannel"]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    assert!(
        errors(&output).contains("only one channel"),
        "{}",
        errors(&output)
    );
    assert!(out(&output).contains("Welcome"));
}

#[test]
fn an_endpoint_translates_every_segment() {
    let endpoint = Endpoint::start(EndpointBehaviour::default());
    let json = json(&run(&[
        "--translate-to",
        "spanish,german",
        "--format",
        "json",
        "--analysis-url",
        &endpoint.url,
        "--analysis-model",
        "test",
    ]));
    let original = json["segments"].as_array().unwrap();
    let parts = json["analyses"].as_array().unwrap();
    assert_eq!(parts.len(), 2);
    for (part, target) in parts.iter().zip(["spanish", "german"]) {
        assert_eq!(part["target"], target);
        let segments = part["outcome"]["segments"].as_array().unwrap();
        assert_eq!(segments.len(), original.len());
        for (translated, original) in segments.iter().zip(original) {
            let text = original["text"].as_str().unwrap().to_uppercase();
            assert_eq!(translated["text"], text.trim());
            assert_eq!(translated["moment"]["start"], original["start"]);
        }
    }
}

#[test]
fn an_endpoint_that_refuses_leaves_the_transcript() {
    let endpoint = Endpoint::start(EndpointBehaviour {
        refuses: true,
        ..EndpointBehaviour::default()
    });
    let url = ["--analysis-url", &endpoint.url, "--analysis-model", "test"];
    let options = [&["--translate-to", "thai", "--sentiment"][..], &url].concat();
    let output = run(&options);
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    let stdout = out(&output);
    assert!(stdout.to_lowercase().contains("welcome"), "{stdout}");
    assert!(stdout.contains("# translation thai (test)\n"), "{stdout}");
    assert_eq!(stdout.matches("(analysis_refused)").count(), 2, "{stdout}");
    let output = run(&[&options[..], &["--format", "json"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["analyses"][0]["error"], "analysis_refused");
    assert_eq!(
        endpoint.times("translate it into Thai"),
        2,
        "no further try"
    );
}

#[test]
fn unavailable_analyses_are_refused_before_the_work_with_a_hint() {
    let empty = tempfile::tempdir().unwrap();
    let models = empty.path().to_str().unwrap();
    for (options, expected) in [
        (
            vec!["--translate-to", "spanish"],
            ["--translate-to", "--analysis-url", "not_configured"],
        ),
        (
            vec!["--summarize", "20", "--models", models],
            ["--summarize", "slovo models pull", "model_missing"],
        ),
        (
            vec!["--sentiment", "--classify", "a,b", "--models", models],
            ["--sentiment", "--classify", "model_missing"],
        ),
    ] {
        // Said before the recording is even opened: there is none.
        let output = run_on(Path::new("/nowhere/at-all.wav"), &options);
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        let message = errors(&output);
        for expected in expected.into_iter().chain(["feature_unavailable"]) {
            assert!(message.contains(expected), "{options:?}: {message}");
        }
    }
}

#[test]
fn an_invalid_endpoint_url_is_wrong_usage() {
    for url in ["ftp://example.org/v1", "example", "http://user:pw@host/v1"] {
        let output = run(&[
            "--sentiment",
            "--analysis-url",
            url,
            "--analysis-model",
            "m",
        ]);
        assert_eq!(output.status.code(), Some(2), "{url}: {}", errors(&output));
        assert!(!errors(&output).contains("pw@"), "{}", errors(&output));
    }
}
