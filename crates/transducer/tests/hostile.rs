//! Files that are missing, damaged or of another model, and audio that is too long or too short.

#![expect(clippy::unwrap_used, reason = "this is a test")]

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use slovo_transducer::{Files, LoadError, MAX_SAMPLES, RecognitionError, Transducer};

fn reference() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference")
}

/// A copy of a model whose files can be changed.
fn copy(folder: &Path) -> Files {
    for file in [
        "encoder-model.onnx",
        "decoder_joint-model.onnx",
        "vocab.txt",
    ] {
        fs::copy(reference().join("tdt").join(file), folder.join(file)).unwrap();
    }
    Files {
        encoder: folder.join("encoder-model.onnx"),
        decoder: folder.join("decoder_joint-model.onnx"),
        vocabulary: folder.join("vocab.txt"),
    }
}

fn error(files: &Files) -> LoadError {
    match Transducer::load(files) {
        Ok(_) => panic!("the model was loaded"),
        Err(error) => error,
    }
}

#[test]
fn a_missing_file_is_named() {
    for file in [
        "encoder-model.onnx",
        "decoder_joint-model.onnx",
        "vocab.txt",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let files = copy(folder.path());
        fs::remove_file(folder.path().join(file)).unwrap();
        let error = error(&files);
        assert!(matches!(error, LoadError::Unreadable { .. }), "{error}");
        assert!(error.to_string().contains(file), "{error}");
    }
}

#[test]
fn damaged_networks_are_refused() {
    for name in ["encoder-model.onnx", "decoder_joint-model.onnx"] {
        let whole = fs::read(reference().join("tdt").join(name)).unwrap();
        let half = whole[..whole.len() / 2].to_vec();
        for content in [Vec::new(), b"<html>Not found</html>".to_vec(), half] {
            let folder = tempfile::tempdir().unwrap();
            let files = copy(folder.path());
            fs::write(folder.path().join(name), content).unwrap();
            let error = error(&files);
            assert!(matches!(error, LoadError::Unusable { .. }), "{error}");
            assert!(error.to_string().contains(name), "{error}");
        }
    }
}

#[test]
fn files_of_different_models_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let files = copy(folder.path());
    let other = reference().join("rnnt");
    let swapped = Files {
        decoder: files.encoder.clone(),
        encoder: files.decoder.clone(),
        ..files.clone()
    };
    assert!(error(&swapped).to_string().contains("no input or output"));
    let short = fs::read_to_string(&files.vocabulary).unwrap();
    let without_one: Vec<&str> = short.lines().collect();
    let last = without_one.len() - 1;
    let shorter = format!(
        "{}\n<blk> {}\n",
        without_one[..last - 1].join("\n"),
        last - 1
    );
    fs::write(&files.vocabulary, shorter).unwrap();
    let rnnt = Files {
        decoder: other.join("decoder_joint-model.onnx"),
        encoder: other.join("encoder-model.onnx"),
        ..files.clone()
    };
    // One token fewer than the decoder has: neither a transducer nor durations.
    assert!(
        error(&rnnt)
            .to_string()
            .contains("does not fit a vocabulary")
    );
}

#[test]
fn audio_that_is_too_long_is_refused_and_none_gives_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let model = Transducer::load(&copy(folder.path())).unwrap();
    let running = AtomicBool::new(false);
    let outcome = model.recognize(&vec![0.0; MAX_SAMPLES + 1], &running);
    assert!(matches!(outcome, Err(RecognitionError::TooLong { .. })));
    for length in [0, 1, 319] {
        let pieces = model.recognize(&vec![0.1; length], &running).unwrap();
        assert!(pieces.is_empty());
    }
    for length in [320, 1279, 1280, 1281, 16_000] {
        model.recognize(&vec![0.0; length], &running).unwrap();
    }
    let outcome = model.recognize(&[0.0; 16_000], &AtomicBool::new(true));
    assert!(matches!(outcome, Err(RecognitionError::Cancelled)));
}

#[test]
fn samples_that_are_no_numbers_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let model = Transducer::load(&copy(folder.path())).unwrap();
    let outcome = model.recognize(&[f32::NAN; 16_000], &AtomicBool::new(false));
    assert!(matches!(outcome, Err(RecognitionError::Network(_))));
}

/// Every one of these files has one changed byte or is cut off. Some changes do no harm; none may
/// panic, or take long.
#[test]
fn changed_bytes_are_an_error_or_do_no_harm() {
    let running = AtomicBool::new(false);
    let samples = [0.1; 4_800];
    for name in ["encoder-model.onnx", "decoder_joint-model.onnx"] {
        let whole = fs::read(reference().join("tdt").join(name)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let files = copy(folder.path());
        let mut refused = 0;
        for round in 0..240_usize {
            let mut content = whole.clone();
            let place = round.wrapping_mul(2_654_435_761) % content.len();
            match round % 4 {
                0 => content.truncate(place),
                1 => content[place] = 0xff,
                2 => content[place] ^= 1 << (round % 8),
                _ => content[place] = 0,
            }
            fs::write(folder.path().join(name), content).unwrap();
            let outcome = Transducer::load(&files).map(|model| model.recognize(&samples, &running));
            if let Err(error) = &outcome {
                assert!(error.to_string().contains(name), "{error}");
                refused += 1;
            }
        }
        assert!(refused > 60, "{refused} of {name} were refused");
    }
}

#[test]
fn a_vocabulary_that_is_huge_or_no_text_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let files = copy(folder.path());
    let many: String = (0..70_000).map(|id| format!("a {id}\n")).collect();
    for (content, reason) in [
        (many.into_bytes(), "more than"),
        (vec![b'\n'; 5 << 20], "4 MiB"),
        (b"\xff\xfe 0\n<blk> 1\n".to_vec(), "not UTF-8"),
        (b"a 0\n<blk> 1\n".to_vec(), "does not fit a vocabulary"),
    ] {
        fs::write(&files.vocabulary, content).unwrap();
        let error = error(&files).to_string();
        assert!(error.contains(reason), "{error}");
    }
}
