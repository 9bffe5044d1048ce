//! `slovo models` as it is called: lists, checks, choices, exit codes.

#![expect(clippy::unwrap_used, reason = "this is a test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use slovo_engine::models::{
    DEFAULT_FULL, DEFAULT_LITE, SENTENCES, VOICE_ACTIVITY, default_dir, file_name,
};

/// A call that sees only this models folder, and a hub that is not there.
fn command(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slovo"));
    command
        .arg("models")
        .args(arguments)
        .env("SLOVO_MODELS", dir)
        .env("HF_ENDPOINT", "http://127.0.0.1:1")
        .env_remove("SLOVO_FULL_MODEL")
        .env_remove("SLOVO_LITE_MODEL")
        .stdin(Stdio::null());
    command
}

fn models(dir: &Path, arguments: &[&str]) -> Output {
    command(dir, arguments).output().unwrap()
}

fn code_and_text(output: &Output) -> (Option<i32>, String) {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8(text).unwrap();
    assert!(!text.contains("panicked"), "{text}");
    (output.status.code(), text)
}

/// The folder that was filled before the tests.
fn models_folder() -> PathBuf {
    std::env::var_os("SLOVO_MODELS")
        .map(PathBuf::from)
        .or_else(default_dir)
        .unwrap()
}

/// A folder with the voice model, put there by hand.
fn with_voice_model() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let name = file_name(VOICE_ACTIVITY);
    fs::copy(models_folder().join(&name), dir.path().join(&name))
        .expect("the default models are missing: run `cargo xtask models`");
    dir
}

fn row(dir: &Path, id: &str) -> Value {
    let output = models(dir, &["list", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let rows: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(rows.len(), 38);
    rows.into_iter().find(|row| row["id"] == id).unwrap()
}

#[test]
fn the_list_shows_used_fitting_and_recommended_models() {
    let dir = tempfile::tempdir().unwrap();
    let (code, table) = code_and_text(&models(dir.path(), &["list"]));
    assert_eq!(code, Some(0));
    for text in ["tiny.en-q5_1", "poor in Ukrainian (45%)"] {
        assert!(table.contains(text), "{text} in {table}");
    }
    let folder = dir.path().display();
    let command = format!("`slovo models pull large-v3-turbo-q5_0 --models {folder} --use full`");
    assert!(table.contains(&command), "{command} in {table}");
    assert_eq!(
        row(dir.path(), DEFAULT_FULL)["used_by"],
        serde_json::json!(["full"])
    );
    assert_eq!(
        row(dir.path(), DEFAULT_LITE)["used_by"],
        serde_json::json!(["lite"])
    );
    let turbo = row(dir.path(), "large-v3-turbo-q5_0");
    assert_eq!(
        (&turbo["bytes"], &turbo["state"]),
        (&574_041_195.into(), &"missing".into())
    );
    assert!(turbo["fit"].is_string() && turbo["memory_bytes"].as_u64() > turbo["bytes"].as_u64());
}

#[test]
fn verify_distinguishes_correct_wrong_and_missing_models() {
    let dir = with_voice_model();
    assert_eq!(row(dir.path(), VOICE_ACTIVITY)["state"], "unverified");
    let (code, text) = code_and_text(&models(dir.path(), &["verify"]));
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("silero-v6.2.0: right (sha256 2aa269b785ee"),
        "{text}"
    );

    let (code, text) = code_and_text(&models(dir.path(), &["pull", "--offline", VOICE_ACTIVITY]));
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(row(dir.path(), VOICE_ACTIVITY)["state"], "installed");

    let file = dir.path().join(file_name(VOICE_ACTIVITY));
    let mut bytes = fs::read(&file).unwrap();
    bytes[400_000] ^= 1;
    fs::write(&file, bytes).unwrap();
    let (code, text) = code_and_text(&models(dir.path(), &["verify"]));
    assert_eq!(code, Some(1));
    assert!(
        text.contains("WRONG") && text.contains("slovo models pull silero-v6.2.0"),
        "{text}"
    );
    let (code, text) = code_and_text(&models(dir.path(), &["verify", "small"]));
    assert_eq!(code, Some(1));
    assert!(text.contains("small: missing"), "{text}");
}

#[test]
fn verify_of_an_empty_folder_names_the_pull_command() {
    let dir = tempfile::tempdir().unwrap();
    let (code, text) = code_and_text(&models(dir.path(), &["verify"]));
    assert_eq!(code, Some(1));
    let command = format!("`slovo models pull --models {}`", dir.path().display());
    assert!(text.contains(&command), "{text}");
}

#[test]
fn pull_reports_models_it_could_not_get_and_why() {
    let dir = tempfile::tempdir().unwrap();
    let (code, text) = code_and_text(&models(dir.path(), &["pull", "small-q5_1", SENTENCES]));
    assert_eq!(code, Some(1));
    let folder = dir.path().display().to_string();
    for part in [
        "small-q5_1: could not be had: the model hub cannot be reached",
        "e5-small-q4: could not be had: the model hub does not have this model",
        "HF_ENDPOINT",
        "cargo xtask models",
        &folder,
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!dir.path().join("ggml-small-q5_1.bin").exists());
    let (code, text) = code_and_text(&models(dir.path(), &["pull", "--offline"]));
    assert_eq!(code, Some(1));
    for id in [DEFAULT_FULL, DEFAULT_LITE, VOICE_ACTIVITY, SENTENCES] {
        assert!(text.contains(id), "{id} in {text}");
    }
    let bad = command(dir.path(), &["pull", "tiny"])
        .env("HF_ENDPOINT", "not an address")
        .output()
        .unwrap();
    let (code, text) = code_and_text(&bad);
    assert_eq!(code, Some(1));
    assert!(text.contains("HF_ENDPOINT"), "{text}");
}

#[test]
fn the_choice_per_mode_is_stored_and_a_variable_overrides_it() {
    let dir = with_voice_model();
    let (code, text) = code_and_text(&models(dir.path(), &["use", "full", "tiny.en-q8_0"]));
    assert_eq!(code, Some(2));
    assert!(text.contains("multilingual"), "{text}");
    let (code, _) = code_and_text(&models(dir.path(), &["use", "lite", VOICE_ACTIVITY]));
    assert_eq!(code, Some(2));
    let (code, text) = code_and_text(&models(dir.path(), &["use", "full", "small"]));
    assert_eq!(code, Some(1));
    let hint = format!(
        "`slovo models pull small --models {}`",
        dir.path().display()
    );
    assert!(text.contains(&hint), "{text}");

    fs::write(
        dir.path().join("ggml-small.bin"),
        "only the name counts here",
    )
    .unwrap();
    let (code, text) = code_and_text(&models(dir.path(), &["use", "full", "small"]));
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(
        row(dir.path(), "small")["used_by"],
        serde_json::json!(["full"])
    );
    let by_variable = command(dir.path(), &["list", "--format", "json"])
        .env("SLOVO_FULL_MODEL", "medium")
        .output()
        .unwrap();
    let rows: Vec<Value> = serde_json::from_slice(&by_variable.stdout).unwrap();
    let users = |id: &str| rows.iter().find(|row| row["id"] == id).unwrap()["used_by"].clone();
    assert_eq!(
        (users("medium"), users("small")),
        (serde_json::json!(["full"]), serde_json::json!([]))
    );
}

#[test]
fn a_pull_can_select_the_model_for_a_mode() {
    let dir = tempfile::tempdir().unwrap();
    for (arguments, expected) in [
        (&["pull", "tiny.en", "--use", "full"][..], "multilingual"),
        (&["pull", "tiny", "base", "--use", "full"], "exactly one"),
        (&["pull", "--use", "full"], "exactly one"),
    ] {
        let (code, text) = code_and_text(&models(dir.path(), arguments));
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains(expected), "{expected} in {text}");
    }
    let (code, _) = code_and_text(&models(
        dir.path(),
        &["pull", "--offline", "tiny", "--use", "full"],
    ));
    assert_eq!(code, Some(1));
    assert_eq!(row(dir.path(), "tiny")["used_by"], serde_json::json!([]));
    let name = file_name(DEFAULT_LITE);
    fs::copy(models_folder().join(&name), dir.path().join(&name))
        .expect("the default models are missing: run `cargo xtask models`");
    fs::write(dir.path().join("choice.json"), r#"{"lite": "tiny"}"#).unwrap();
    let chosen = models(
        dir.path(),
        &["pull", "--offline", DEFAULT_LITE, "--use", "lite"],
    );
    let (code, text) = code_and_text(&chosen);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(
        row(dir.path(), DEFAULT_LITE)["used_by"],
        serde_json::json!(["lite"])
    );
}

#[test]
fn remove_refuses_models_in_use() {
    let dir = with_voice_model();
    let (code, text) = code_and_text(&models(dir.path(), &["remove", VOICE_ACTIVITY]));
    assert_eq!(code, Some(1));
    assert!(
        text.contains("in use") && text.contains("--force"),
        "{text}"
    );
    assert!(dir.path().join(file_name(VOICE_ACTIVITY)).exists());
    let (code, _) = code_and_text(&models(dir.path(), &["remove", "--force", VOICE_ACTIVITY]));
    assert_eq!(code, Some(0));
    assert!(!dir.path().join(file_name(VOICE_ACTIVITY)).exists());
    let (code, text) = code_and_text(&models(dir.path(), &["remove", "medium"]));
    assert_eq!(code, Some(1));
    assert!(text.contains("not in"), "{text}");
}

#[test]
fn wrong_usage_exits_with_code_2() {
    let dir = tempfile::tempdir().unwrap();
    for arguments in [
        &["pull", "huge-v9"][..],
        &["verify", "../../etc/passwd"],
        &["remove"],
        &["use", "medium", "small"],
        &["list", "--format", "xml"],
        &["pull", "--source", "packages"],
        &["dance"],
        &[],
    ] {
        let (code, text) = code_and_text(&models(dir.path(), arguments));
        assert_eq!(code, Some(2), "{arguments:?}: {text}");
    }
    let (code, text) = code_and_text(&models(dir.path(), &["--help"]));
    assert_eq!(code, Some(0));
    for verb in ["list", "pull", "verify", "use", "remove"] {
        assert!(text.contains(verb), "{verb} in {text}");
    }
}

#[test]
fn a_closed_output_pipe_causes_no_panic() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = command(dir.path(), &["list"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(1));
}
