//! `slovo models` as it is called: lists, checks, choices, exit codes.

#![expect(clippy::unwrap_used, reason = "this is a test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use slovo_engine::models::{
    DEFAULT_FULL, DEFAULT_LITE, SENTENCES, VOICE_ACTIVITY, default_dir, file_name,
};
use slovo_test_media::prompts;

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
    assert_eq!(rows.len(), 40);
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

/// The files of Parakeet with the right lengths, without contents; returns their folder.
fn make_sparse_parakeet(dir: &Path) -> PathBuf {
    let folder = dir.join("parakeet-tdt-0.6b-v3");
    fs::create_dir(&folder).unwrap();
    for (name, bytes) in [
        ("encoder-model.int8.onnx", 652_183_999),
        ("decoder_joint-model.onnx", 72_520_893),
        ("vocab.txt", 93_939),
    ] {
        // Sparse: it takes no room.
        fs::File::create(folder.join(name))
            .unwrap()
            .set_len(bytes)
            .unwrap();
    }
    folder
}

#[test]
fn transducers_are_listed_with_licence_and_figure_and_can_be_selected() {
    let id = "parakeet-tdt-0.6b-v3";
    let dir = tempfile::tempdir().unwrap();
    let (_, table) = code_and_text(&models(dir.path(), &["list"]));
    for text in [
        id,
        "stt_ua_fastconformer_hybrid_large_pc (not installed; MIT)",
        "CC-BY-4.0",
        "7.2% of words wrong in Ukrainian (FLEURS): published figure, not measured by us",
        "7.1% of words wrong in Ukrainian (Common Voice 10): published figure, not measured by us",
        "docs/transducers.md",
    ] {
        assert!(table.contains(text), "{text} in {table}");
    }
    let listed = row(dir.path(), id);
    assert_eq!(
        (&listed["bytes"], &listed["state"], &listed["licence"]),
        (&724_798_831.into(), &"missing".into(), &"CC-BY-4.0".into())
    );
    assert!(row(dir.path(), "stt_ua_fastconformer_hybrid_large_pc")["bytes"].is_null());

    let select = || code_and_text(&models(dir.path(), &["use", "full", id]));
    let (code, text) = select();
    assert_eq!(code, Some(1));
    assert!(text.contains("encoder-model.int8.onnx"), "{text}");
    let (code, text) = code_and_text(&models(dir.path(), &["pull", id]));
    assert_eq!(code, Some(2));
    assert!(text.contains("by hand"), "{text}");
    let (code, _) = code_and_text(&models(dir.path(), &["use", "lite", id]));
    assert_eq!(code, Some(2));

    make_sparse_parakeet(dir.path());
    let (code, text) = select();
    assert_eq!(code, Some(1));
    assert!(text.contains("slovo models pull base-q8_0"), "{text}");
    let whisper = file_name(DEFAULT_FULL);
    fs::copy(models_folder().join(&whisper), dir.path().join(&whisper)).unwrap();
    let (code, text) = select();
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(row(dir.path(), id)["used_by"], serde_json::json!(["full"]));
    let (code, text) = code_and_text(&models(dir.path(), &["remove", DEFAULT_FULL]));
    assert_eq!(code, Some(1), "it stands beside: {text}");
}

#[test]
fn verify_reports_missing_and_wrong_files_of_transducers() {
    let id = "parakeet-tdt-0.6b-v3";
    let dir = tempfile::tempdir().unwrap();
    // Files of the right lengths are not verified: hashing them takes long in a debug build.
    let fails_with = |reason: &str| {
        let (code, text) = code_and_text(&models(dir.path(), &["verify", id]));
        assert_eq!(code, Some(1), "{text}");
        let line = format!("{id}: {reason}");
        assert!(text.contains(&line), "{line} in {text}");
        assert!(text.contains("docs/transducers.md"), "{text}");
        assert!(!text.contains("slovo models pull"), "{text}");
    };
    fails_with("missing");
    let vocabulary = make_sparse_parakeet(dir.path()).join("vocab.txt");
    fs::remove_file(&vocabulary).unwrap();
    fails_with("WRONG: vocab.txt: ");
    fs::write(&vocabulary, "cut").unwrap();
    fails_with("WRONG: vocab.txt has 3 bytes instead of 93939");
}

#[test]
fn verify_without_ids_includes_installed_transducers() {
    let id = "stt_ua_fastconformer_hybrid_large_pc";
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join(id);
    fs::create_dir(&folder).unwrap();
    for name in [
        "encoder-model.onnx",
        "decoder_joint-model.onnx",
        "vocab.txt",
    ] {
        fs::write(folder.join(name), "exported").unwrap();
    }
    let (code, text) = code_and_text(&models(dir.path(), &["verify"]));
    assert_eq!(code, Some(0), "{text}");
    let line = format!("{id}: complete (it has no published checksums)");
    assert!(text.contains(&line), "{text}");
    assert!(!text.contains("parakeet"), "{text}");
}

#[test]
fn verify_distinguishes_correct_wrong_and_missing_models() {
    let dir = with_voice_model();
    assert_eq!(row(dir.path(), VOICE_ACTIVITY)["state"], "unverified");
    let (code, text) = code_and_text(&models(dir.path(), &["verify"]));
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("silero-v6.2.0: correct (sha256 2aa269b785ee"),
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
        "small-q5_1: could not be downloaded: the model hub cannot be reached",
        "e5-small-q4: could not be downloaded: the model hub does not have this model",
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

/// A folder with links to the installed models, for what must not be written into theirs.
fn with_linked_models(ids: &[&str]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for id in ids {
        let name = file_name(id);
        std::os::unix::fs::symlink(models_folder().join(&name), dir.path().join(&name)).unwrap();
    }
    dir
}

#[test]
fn a_measured_model_is_listed_with_its_figures_and_compared() {
    let dir = with_linked_models(&[DEFAULT_FULL, VOICE_ACTIVITY]);
    let speech = tempfile::tempdir().unwrap();
    let recording = speech.path().join("welcome.wav");
    fs::copy(prompts::WELCOME.path(), &recording).unwrap();
    fs::copy(&recording, speech.path().join("without-text.wav")).unwrap();
    // Two words more than are spoken: two errors.
    let words = format!("{} and more", prompts::WELCOME.text);
    fs::write(recording.with_extension("txt"), words).unwrap();

    let folder = speech.path().to_str().unwrap();
    let measure = ["measure", DEFAULT_FULL, folder, "--language", "en"];
    let (code, text) = code_and_text(&models(dir.path(), &measure));
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("because they have no text: 1"), "{text}");

    let measured = &row(dir.path(), DEFAULT_FULL)["measured"][0];
    assert_eq!(
        (&measured["language"], &measured["recordings"]),
        (&"en".into(), &1.into())
    );
    let errors = measured["errors"].as_u64().unwrap();
    assert!((2..=4).contains(&errors), "{measured}");
    assert!(measured["speed"].as_f64().unwrap() > 0.0);
    assert!(measured["peak_memory"].as_u64() > Some(50_000_000));
    let (_, table) = code_and_text(&models(dir.path(), &["list"]));
    assert!(table.contains("measured here, en: "), "{table}");

    let recommend = ["recommend", "--language", "en"];
    let (code, text) = code_and_text(&models(dir.path(), &recommend));
    assert_eq!(code, Some(0), "{text}");
    let percent = measured["percent"].as_f64().unwrap();
    let figure =
        format!("{DEFAULT_FULL}: about {percent:.1}% of words wrong (measured on this machine");
    assert!(text.contains(&figure), "{figure} in {text}");
}

#[test]
fn what_cannot_be_measured_is_refused_with_the_reason() {
    let dir = with_linked_models(&[DEFAULT_LITE, VOICE_ACTIVITY]);
    let speech = tempfile::tempdir().unwrap();
    let folder = speech.path().to_str().unwrap();
    let nowhere = speech.path().join("nowhere");
    let nowhere = nowhere.to_str().unwrap();
    for (arguments, code, reason) in [
        (["no-such-model", folder, "en"], 2, "there is no model"),
        ([DEFAULT_FULL, folder, "en"], 1, "slovo models pull"),
        ([VOICE_ACTIVITY, folder, "en"], 2, "cannot serve this mode"),
        ([DEFAULT_LITE, folder, "uk"], 2, "recognises English only"),
        ([DEFAULT_LITE, folder, "tlh"], 2, "\"tlh\" is unknown"),
        ([DEFAULT_LITE, nowhere, "en"], 2, "not a folder"),
        ([DEFAULT_LITE, folder, "en"], 1, "no recording has a text"),
    ] {
        let [id, folder, language] = arguments;
        let line = ["measure", id, folder, "--language", language];
        let (found, text) = code_and_text(&models(dir.path(), &line));
        assert_eq!(found, Some(code), "{arguments:?}: {text}");
        assert!(text.contains(reason), "{reason} in {text}");
    }
    assert!(!dir.path().join("measurements.json").exists());

    // Neither a recording nor a text.
    fs::write(speech.path().join("noise.wav"), [0xff; 100]).unwrap();
    fs::write(speech.path().join("noise.txt"), [0xff, 0xfe]).unwrap();
    let line = ["measure", DEFAULT_LITE, folder, "--language", "en"];
    let (code, text) = code_and_text(&models(dir.path(), &line));
    assert_eq!(code, Some(1));
    assert!(text.contains("not readable as UTF-8"), "{text}");
    fs::write(speech.path().join("noise.txt"), "words").unwrap();
    let (code, text) = code_and_text(&models(dir.path(), &line));
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("noise.wav"), "{text}");
    assert!(
        text.contains("no recording with words could be recognised"),
        "{text}"
    );
}

#[test]
fn the_recommended_model_comes_with_reason_and_command() {
    let dir = tempfile::tempdir().unwrap();
    let recommend = ["recommend", "--language", "uk"];
    let (code, text) = code_and_text(&models(dir.path(), &recommend));
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with("Best for uk on this machine: "), "{text}");
    let base = format!("{DEFAULT_FULL}: about 45.0% of words wrong (measured by us");
    assert!(text.contains(&base), "{text}");
    let is_large = text.contains("large-v3-turbo-q5_0: about 6.4%");
    let expected = if is_large {
        "slovo models pull large-v3-turbo-q5_0"
    } else {
        "Full uses it already."
    };
    assert!(text.contains(expected), "{text}");
    // A measured model that keeps up with speech; the figures of the others are worse.
    let measurement = serde_json::json!({ "small-q8_0": [{
        "language": "uk", "recordings": 1, "seconds": 100.0, "words": 1000, "errors": 20,
        "processing_seconds": 50.0, "peak_memory": null, "threads": 2, "measured_at": 0,
    }] });
    fs::write(
        dir.path().join("measurements.json"),
        measurement.to_string(),
    )
    .unwrap();
    let brief = ["recommend", "--language", "uk", "--brief"];
    let (code, text) = code_and_text(&models(dir.path(), &brief));
    let expected = "Better for uk on this machine: small-q8_0: about 2.0% of words wrong";
    assert!(code == Some(0) && text.starts_with(expected), "{text}");
    assert!(text.contains("`slovo models pull small-q8_0"), "{text}");
    let (code, text) = code_and_text(&models(dir.path(), &["recommend", "--language", "klingon"]));
    assert_eq!(code, Some(2), "{text}");
}
