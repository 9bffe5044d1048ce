//! Assembles speech for recognition tests from prompts, pauses and noise, and computes the word
//! error rate.
//!
//! The prompts are from Debian's `asterisk-core-sounds-*` 1.6.1, 8 kHz: English and
//! Spanish by Allison Smith, French by June Wallack, Russian by IVRvoice (CC-BY-SA-3.0),
//! Italian by Carlo Flora (CC-BY-3.0). Their texts are quoted by the tests.

use std::path::{Path, PathBuf};

pub use slovo_model_catalogue::{plain, word_errors};

use crate::wave::Header;

/// Sample rate of the prompts.
pub const RATE: usize = 8_000;

/// Samples of a prompt, for example `en_US_f_Allison/vm-newuser`.
///
/// # Panics
/// The package is not installed.
#[must_use]
pub fn prompt(name: &str) -> Vec<i16> {
    let path = Path::new("/usr/share/asterisk/sounds").join(format!("{name}.wav"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| {
        panic!(
            "{}: {error}; install asterisk-core-sounds-*-wav",
            path.display()
        )
    });
    bytes[44..]
        .chunks_exact(2)
        .map(|two| i16::from_le_bytes([two[0], two[1]]))
        .collect()
}

/// This many seconds of silence.
#[must_use]
pub fn pause(seconds: f64) -> Vec<i16> {
    vec![0; (seconds * RATE as f64).round() as usize]
}

/// Writes samples as a WAV file.
///
/// # Panics
/// The folder cannot be written to.
#[must_use]
pub fn wav(folder: &Path, name: &str, samples: &[i16]) -> PathBuf {
    let data: Vec<u8> = samples
        .iter()
        .flat_map(|sample| sample.to_le_bytes())
        .collect();
    let path = folder.join(name);
    let header = Header {
        rate: RATE as u32,
        ..Header::default()
    };
    std::fs::write(&path, header.with(&data)).expect("the temporary folder is writable");
    path
}

/// Writes channels of equal length as a WAV file.
///
/// # Panics
/// The folder cannot be written to.
#[must_use]
pub fn wav_of_channels(folder: &Path, name: &str, channels: &[Vec<i16>]) -> PathBuf {
    let frames = channels.first().map_or(0, Vec::len);
    let data: Vec<u8> = (0..frames)
        .flat_map(|frame| channels.iter().map(move |channel| channel[frame]))
        .flat_map(i16::to_le_bytes)
        .collect();
    let path = folder.join(name);
    let header = Header {
        rate: RATE as u32,
        channels: u16::try_from(channels.len()).expect("few channels"),
        ..Header::default()
    };
    std::fs::write(&path, header.with(&data)).expect("the temporary folder is writable");
    path
}

/// Deterministic white noise of this amplitude.
#[must_use]
pub fn noise(seconds: f64, amplitude: f64) -> Vec<i16> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    (0..(seconds * RATE as f64) as usize)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let unit = (state >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0;
            (unit * amplitude * 32767.0) as i16
        })
        .collect()
}

/// Word error rate in percent.
#[must_use]
pub fn error_rate(reference: &str, recognised: &str) -> f64 {
    let (errors, words) = word_errors(reference, recognised);
    100.0 * errors as f64 / words as f64
}
