//! Hostile files: each is refused with a clear error or read as far as possible, in bounded time,
//! without leftover processes and without network access.
#![expect(clippy::unwrap_used, reason = "this is a test")]

mod media_support;

use std::net::TcpListener;
use std::path::{Path, PathBuf};

use media_support::{read_all, within};
use slovo_engine::media::{self, Limits, MediaError};
use slovo_test_media::hostile::{self, Expectation, HostileFile};

/// An error message if a hostile file was not handled as expected.
fn mismatch(hostile: &HostileFile, path: &Path) -> Option<String> {
    let outcome = read_all(path, None);
    let line = match &outcome {
        Ok((samples, info, warnings)) => {
            format!(
                "{}: {} {} {:.3} s {warnings:?}",
                hostile.name,
                info.container,
                info.codec,
                samples.len() as f64 / 16_000.0
            )
        }
        Err(error) => format!("{}: {}: {error}", hostile.name, error.code()),
    };
    println!("{line}");
    let is_right = match (&outcome, hostile.expect) {
        (Err(error), Expectation::Refused(codes)) => codes.contains(&error.code()),
        (Err(_), Expectation::Either(..)) => true,
        (Ok((samples, ..)), Expectation::Reads(least, most) | Expectation::Either(least, most)) => {
            let seconds = samples.len() as f64 / 16_000.0;
            (least - 1e-9..=most + 1e-9).contains(&seconds)
        }
        _ => false,
    };
    let found = match (&outcome, hostile.found) {
        (Err(MediaError::UnsupportedFormat { found }), Some(expected)) => found == expected,
        (_, expected) => expected.is_none(),
    };
    (!is_right || !found).then_some(line)
}

fn check(files: &[HostileFile], folder: &Path) {
    assert!(!files.is_empty());
    let mut wrong = Vec::new();
    for hostile in files {
        let path = folder.join(hostile.name);
        std::fs::write(&path, &hostile.bytes).unwrap();
        wrong.extend(mismatch(hostile, &path));
        std::fs::remove_file(&path).unwrap();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The processes that have this file as their standard input, as external decoders do.
fn decoders_of(path: &Path) -> Vec<PathBuf> {
    let path = path.canonicalize().unwrap();
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    processes
        .map(|process| process.path())
        .filter(|process| std::fs::read_link(process.join("fd/0")).is_ok_and(|read| read == path))
        .collect()
}

#[test]
fn files_that_are_not_media_are_refused_by_their_format() {
    within(120, || {
        check(&hostile::not_media(), tempfile::tempdir().unwrap().path());
    });
}

#[test]
fn references_to_other_files_or_hosts_are_not_followed() {
    within(120, || {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        check(
            &hostile::leading_elsewhere(port),
            tempfile::tempdir().unwrap().path(),
        );
        let connection = listener.accept();
        assert!(
            connection.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock),
            "somebody called"
        );
    });
}

#[test]
fn wrong_wav_headers_are_not_trusted() {
    within(120, || {
        check(
            &hostile::false_header_wav(),
            tempfile::tempdir().unwrap().path(),
        );
    });
}

#[test]
fn short_and_silent_files_are_handled() {
    within(300, || {
        check(
            &hostile::short_and_silent(),
            tempfile::tempdir().unwrap().path(),
        );
    });
}

#[test]
fn ten_hours_of_silence_are_read() {
    within(300, || {
        check(
            &[hostile::hours_of_silence(10)],
            tempfile::tempdir().unwrap().path(),
        );
    });
}

#[test]
fn malformed_boxes_are_refused() {
    within(120, || {
        check(&hostile::boxes(), tempfile::tempdir().unwrap().path());
    });
}

#[test]
fn broken_files_are_read_as_far_as_possible() {
    within(300, || {
        let folder = tempfile::tempdir().unwrap();
        check(&hostile::broken(folder.path()), folder.path());
    });
}

#[test]
fn a_damaged_tail_is_reported() {
    within(120, || {
        let folder = tempfile::tempdir().unwrap();
        let files = hostile::broken(folder.path());
        for name in [
            "truncated.ogg",
            "truncated.flac",
            "truncated_fast.m4a",
            "truncated.mkv",
            "truncated.avi",
            "truncated_half.mp3",
        ] {
            let hostile = files.iter().find(|hostile| hostile.name == name).unwrap();
            let path = folder.path().join(name);
            std::fs::write(&path, &hostile.bytes).unwrap();
            let mut pcm = media::open(&path, None, &Limits::default()).unwrap();
            let mut samples = 0;
            while let Some(block) = pcm.next_block().unwrap() {
                samples += block.samples.len();
            }
            let warnings = pcm.warnings();
            let tail = warnings
                .iter()
                .find(|warning| warning.code == "damaged_tail");
            let at = tail
                .unwrap_or_else(|| panic!("{name}: {warnings:?}"))
                .params["at_seconds"]
                .as_f64()
                .unwrap();
            assert!(
                (at - samples as f64 / 16_000.0).abs() < 0.01,
                "{name}: {at}"
            );
        }
    });
}

#[test]
fn the_length_limit_applies_to_decoded_sound() {
    within(120, || {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long.flac");
        std::fs::write(&path, slovo_test_media::flac::silence(3_600)).unwrap();
        let limits = Limits {
            max_seconds: 600.0,
            ..Limits::default()
        };
        let mut pcm = media::open(&path, None, &limits).unwrap();
        let mut seconds = 0.0;
        let error = loop {
            match pcm.next_block() {
                Ok(Some(block)) => seconds += block.samples.len() as f64 / 16_000.0,
                Ok(None) => panic!("read to the end"),
                Err(error) => break error,
            }
        };
        assert_eq!(
            error,
            MediaError::TooLong {
                limit_seconds: 600.0
            }
        );
        assert!((590.0..=600.0).contains(&seconds), "{seconds}");
    });
}

#[test]
fn folders_devices_and_missing_files_are_unreadable() {
    for path in ["/", "/dev/zero", "/dev/stdin", "/nonexistent/file.mp3"] {
        let error = media::probe(Path::new(path), &Limits::default()).unwrap_err();
        assert_eq!(error.code(), "unreadable", "{path}: {error}");
    }
}

#[test]
fn the_external_decoder_ends_with_its_reader() {
    within(120, || {
        let folder = tempfile::tempdir().unwrap();
        let path = slovo_test_media::containers::convert(
            folder.path(),
            "long.avi",
            "-stream_loop 60 -i /usr/share/asterisk/sounds/en_US_f_Allison/demo-echotest.wav -map 4 -c:a pcm_s16le -ar 48000",
        );
        let mut pcm = media::open(&path, None, &Limits::default()).unwrap();
        pcm.next_block().unwrap().unwrap();
        let decoders = decoders_of(&path);
        assert_eq!(decoders.len(), 1, "it runs while it is read");
        let limits = std::fs::read_to_string(decoders[0].join("limits")).unwrap();
        let file_size_limit = limits
            .lines()
            .find(|line| line.starts_with("Max file size"));
        let file_size_limit: Vec<_> = file_size_limit.unwrap().split_whitespace().collect();
        assert_eq!(
            file_size_limit[3..5],
            ["0", "0"],
            "it can leave no file behind"
        );
        drop(pcm);
        assert_eq!(decoders_of(&path), [] as [PathBuf; 0]);
    });
}

#[test]
fn the_shared_hostile_files_are_read_or_refused() {
    let Some(shared) = slovo_test_media::shared() else {
        println!("the shared recordings are not here: this wider run is left out");
        return;
    };
    within(300, move || {
        let folder = shared.join("audio/hostile");
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        files.sort();
        let mut wrong = Vec::new();
        for path in files {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let line = match read_all(&path, None) {
                Ok((samples, info, warnings)) => {
                    format!(
                        "ok {} {} {:.3} s {warnings:?}",
                        info.container,
                        info.codec,
                        samples.len() as f64 / 16_000.0
                    )
                }
                Err(error) => format!("{}: {error}", error.code()),
            };
            println!("{name}: {line}");
            let may_be_read = [
                "bitflips",
                "truncated",
                "short",
                "silence",
                "noise",
                "tone",
                "wav_10h",
                "wav_claims",
                "wav_odd",
                "wav_size_zero",
                "mp3_xing",
                "id3_size",
                "CON.mp3",
                "no_extension",
                "..mp3",
            ];
            let is_read = line.starts_with("ok ");
            let must_fail =
                ["truncated_moov_missing.mp4", "truncated.m4a"].contains(&name.as_str());
            if is_read && (must_fail || !may_be_read.iter().any(|part| name.contains(part))) {
                wrong.push(format!("{name}: {line}"));
            }
            let must_read = [
                "short",
                "silence",
                "noise",
                "tone",
                "wav_claims",
                "wav_size_zero",
                "mp3_xing",
                "id3_size",
            ];
            if !is_read && must_read.iter().any(|part| name.contains(part)) {
                wrong.push(format!("{name}: {line}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}
