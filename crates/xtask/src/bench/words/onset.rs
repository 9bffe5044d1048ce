//! Finds the first sound of an utterance: its file begins with up to half a second of silence.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, bail};

use super::SpeechSpan;
use crate::step::command;

const RATE: f64 = 16_000.0;

/// Samples of a frame, 10 ms.
const FRAME: usize = 160;

/// Consecutive frames that count as sound: 30 ms.
const IN_A_ROW: usize = 3;

/// Length of the noise measurement before the utterance, in seconds.
const BEFORE: f64 = 0.2;

/// Latest start of the first word, in seconds.
const REACH: f64 = 1.5;

/// Sound is at least this many decibels louder than the noise before the utterance …
const OVER_NOISE: f64 = 8.0;

/// … at most this many quieter than its loud frames …
const UNDER_LOUD: f64 = 30.0;

/// … and this many louder than its quietest frames, since a file has its own noise. Without a pause
/// those are speech, so this value must be moderate.
const OVER_QUIET: f64 = 10.0;
const CLEARLY_LOUD: f64 = 12.0;

/// The stretches with their starts moved to their first sound.
pub fn at_first_sound(
    root: &Path,
    file: &Path,
    stretches: &[SpeechSpan],
) -> Result<Vec<SpeechSpan>> {
    let samples = decoded(root, file)?;
    let moved = stretches.iter().map(|stretch| SpeechSpan {
        start: stretch.start + silence(&samples, stretch),
        ..stretch.clone()
    });
    Ok(moved.collect())
}

fn decoded(root: &Path, file: &Path) -> Result<Vec<i16>> {
    let output = command(root, "ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(file)
        .args(["-ac", "1", "-ar", "16000", "-f", "s16le", "-"])
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start ffmpeg")?;
    if !output.status.success() {
        bail!("ffmpeg failed: {}", output.status);
    }
    let pairs = output.stdout.chunks_exact(2);
    Ok(pairs
        .map(|pair| i16::from_le_bytes([pair[0], pair[1]]))
        .collect())
}

/// Seconds of silence at the start of an utterance; 0 if none is found.
fn silence(samples: &[i16], stretch: &SpeechSpan) -> f64 {
    let place = |seconds: f64| ((seconds.max(0.0) * RATE) as usize).min(samples.len());
    let noise = loudness(&samples[place(stretch.start - BEFORE)..place(stretch.start)]);
    let speech = loudness(&samples[place(stretch.start)..place(stretch.end)]);
    let at = |sorted: &[f64], share: f64| {
        let place = (sorted.len() as f64 * share) as usize;
        sorted.get(place).copied().unwrap_or(0.0)
    };
    let speech_sorted = sorted(&speech);
    let (quiet, loud) = (at(&speech_sorted, 0.1), at(&speech_sorted, 0.95));
    let threshold = (at(&sorted(&noise), 0.5) + OVER_NOISE)
        .max(loud - UNDER_LOUD)
        .max((quiet + OVER_QUIET).min(loud - CLEARLY_LOUD));
    let near = &speech[..speech.len().min((REACH * RATE) as usize / FRAME)];
    let first = near
        .windows(IN_A_ROW)
        .position(|some| some.iter().all(|frame| *frame > threshold));
    first.map_or(0.0, |frame| (frame * FRAME) as f64 / RATE)
}

/// Level of each frame in decibels.
fn loudness(samples: &[i16]) -> Vec<f64> {
    let frames = samples.chunks_exact(FRAME);
    let frames = frames.map(|frame| {
        let power: f64 = frame.iter().map(|&sample| f64::from(sample).powi(2)).sum();
        10.0 * (power / FRAME as f64 + 1.0).log10()
    });
    frames.collect()
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_speech_is_found_after_noise_and_a_click() {
        let tone = |from: usize, to: usize, size: f64| {
            (from..to).map(move |at| (size * (at as f64 * 0.4).sin()) as i16)
        };
        // Half a second of faint noise, then the utterance: 0.3 s of the same with a click of one
        // frame in it, then a voice.
        let mut samples: Vec<i16> = tone(0, 12_800, 20.0).collect();
        samples[9_600..9_760].copy_from_slice(&tone(0, 160, 3000.0).collect::<Vec<_>>());
        samples.extend(tone(0, 16_000, 6000.0));
        let stretch = SpeechSpan {
            start: 0.5,
            end: 1.8,
            text: String::new(),
        };
        let silence = silence(&samples, &stretch);
        assert!((silence - 0.3).abs() < 0.02, "{silence}");
    }
}
