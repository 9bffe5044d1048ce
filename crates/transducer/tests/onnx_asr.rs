//! Every stage beside onnx-asr, number by number, on small models with made weights.
//!
//! `reference/make.py` makes the models and writes down what onnx-asr gives.

#![expect(clippy::unwrap_used, reason = "this is a test")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::Deserialize;
use slovo_transducer::{FRAME_SECONDS, Files, Kind, Transducer};

/// Features are written down with four digits, and are differences of logarithms in float32.
const FEATURE_TOLERANCE: f32 = 5e-3;

/// Of the encoder's results and of logarithms of probabilities.
const TOLERANCE: f32 = 2e-3;

#[derive(Deserialize)]
struct Case {
    samples: usize,
    feature_shape: [usize; 2],
    feature_length: usize,
    feature_frames: Vec<usize>,
    features: Vec<f32>,
    encoded: Vec<f32>,
    encoded_length: usize,
    tokens: Vec<String>,
    timestamps: Vec<f64>,
    logprobs: Vec<f32>,
}

fn reference() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference")
}

fn cases(name: &str) -> Vec<Case> {
    let text = std::fs::read_to_string(reference().join("expected.json")).unwrap();
    let mut all: HashMap<String, serde_json::Value> = serde_json::from_str(&text).unwrap();
    serde_json::from_value(all.remove(name).unwrap()).unwrap()
}

fn files(folder: &str, encoder: &str) -> Files {
    let folder = reference().join(folder);
    Files {
        encoder: folder.join(encoder),
        decoder: folder.join("decoder_joint-model.onnx"),
        vocabulary: folder.join("vocab.txt"),
    }
}

/// Tokens by number, as onnx-asr shows them.
fn tokens(folder: &str) -> Vec<String> {
    let text = std::fs::read_to_string(reference().join(folder).join("vocab.txt")).unwrap();
    let lines = text.lines().map(|line| line.rsplit_once(' ').unwrap().0);
    lines.map(|token| token.replace('▁', " ")).collect()
}

/// Sawtooth tones with noise and pauses, as in `make.py`.
fn audio(count: usize) -> Vec<f32> {
    let (mut state, mut tone, mut loud) = (1_i64, 0, 0);
    (0..count as i64)
        .map(|place| {
            state = (state * 1_103_515_245 + 12_345) % (1 << 31);
            if place % 1600 == 0 {
                (tone, loud) = ((state >> 16) % 3000 + 300, (state >> 8) % 4);
            }
            let saw = (place * tone) % 65_536 - 32_768;
            let noise = (state >> 16) % 2048 - 1024;
            // Python rounds down, also below zero.
            let value = (saw * loud).div_euclid(8) + noise.div_euclid(4 - loud);
            value as f32 / 32_768.0
        })
        .collect()
}

fn assert_close(found: &[f32], expected: &[f32], tolerance: f32, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    assert!(found.iter().all(|value| value.is_finite()), "{what}");
    let differences = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
    let most = differences.fold(0.0, f32::max);
    assert!(most <= tolerance, "{what} differ by up to {most}");
    println!("{what}: {most}");
}

fn compare(model: &Transducer, case: &Case, folder: &str) {
    let samples = audio(case.samples);
    let features = model.features(&samples).unwrap();
    let [bands, frames] = case.feature_shape;
    assert_eq!(features.frames, frames);
    assert_eq!(features.valid, case.feature_length);
    assert_eq!(features.values.len(), bands * frames);
    let rows = case.feature_frames.iter();
    let kept = rows.flat_map(|frame| (0..bands).map(move |band| band * frames + frame));
    let kept: Vec<f32> = kept.map(|place| features.values[place]).collect();
    assert_close(&kept, &case.features, FEATURE_TOLERANCE, "features");

    let encoded = model.encode(&features).unwrap();
    assert_eq!(encoded.frames, case.encoded_length);
    assert_close(&encoded.values, &case.encoded, TOLERANCE, "encoder");

    let pieces = model.recognize(&samples, &AtomicBool::new(false)).unwrap();
    let known = tokens(folder);
    let found: Vec<&str> = pieces
        .iter()
        .map(|p| known[p.token as usize].as_str())
        .collect();
    assert_eq!(found, case.tokens);
    for (piece, expected) in pieces.iter().zip(&case.timestamps) {
        assert!((f64::from(piece.frame) * FRAME_SECONDS - expected).abs() < 1e-6);
    }
    let found: Vec<f32> = pieces.iter().map(|piece| piece.log_probability).collect();
    assert_close(&found, &case.logprobs, TOLERANCE, "probabilities");
}

fn compare_all(folder: &str, encoder: &str, name: &str, kind: Kind) {
    let model = Transducer::load(&files(folder, encoder)).unwrap();
    assert_eq!(model.kind(), kind);
    for case in cases(name) {
        assert!(!case.tokens.is_empty());
        compare(&model, &case, folder);
    }
}

#[test]
fn a_tdt_with_128_bands_gives_the_same() {
    compare_all("tdt", "encoder-model.onnx", "tdt", Kind::Tdt);
}

#[test]
fn a_transducer_with_80_bands_gives_the_same() {
    compare_all("rnnt", "encoder-model.onnx", "rnnt", Kind::RnnT);
}

#[test]
fn an_int8_encoder_gives_the_same() {
    compare_all("tdt", "encoder-model.int8.onnx", "int8", Kind::Tdt);
}

#[test]
fn tokens_have_text_and_times_in_order() {
    let model = Transducer::load(&files("tdt", "encoder-model.onnx")).unwrap();
    let pieces = model
        .recognize(&audio(48_000), &AtomicBool::new(false))
        .unwrap();
    let text: String = pieces
        .iter()
        .map(|piece| model.vocabulary().text(piece.token))
        .collect();
    // onnx-asr's text without its mark `<|nospeech|>`.
    assert_eq!(text.trim(), ", сло сло привіт при,s приsь");
    assert!(pieces.windows(2).all(|pair| pair[0].frame <= pair[1].frame));
}
