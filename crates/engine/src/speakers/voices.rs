//! What the voices of known speakers are like: one vector for each, from the parts of a recording in
//! which only this speaker speaks. Vectors of one voice are similar across recordings.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::clustering::{dot, normalised};
use super::embedding::{Embedding, MIN_FRAMES};
use super::front_end::FrontEnd;
use super::pieces::amplify_if_quiet;
use super::{embedding, embedding_name, open};
use crate::cancel::{CancelToken, Stop};
use crate::error::EngineError;
use crate::shared::Shared;
use crate::vad::SAMPLE_RATE;

/// The least speech that a remembered voice is made from, in seconds.
pub const MIN_VOICE_SECONDS: f64 = 5.0;
/// Speech of a voice after which the rest is not read, in seconds: more changes its vector little.
const MAX_VOICE_SECONDS: f64 = 60.0;
/// Shorter parts are mostly interjections, in seconds.
const MIN_PART: f64 = 0.8;
/// The length of the pieces that one vector is made from, in seconds, as in diarization.
const PIECE: f64 = 2.1;

/// Which voices of a recording are described.
#[derive(Clone, Debug)]
pub struct VoicesRequest {
    /// The media file.
    pub input: PathBuf,
    /// The audio track, from 0; `None` for the file's default track.
    pub audio_track: Option<usize>,
    /// For each speaker, when he or she speaks: start and end in seconds, in any order.
    pub speakers: Vec<Vec<(f64, f64)>>,
    /// The least speech that a voice is made from, in seconds: [`MIN_VOICE_SECONDS`], or less where a
    /// wrong match does little harm.
    pub least_seconds: f64,
}

/// What a voice is like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Voice {
    /// Unit vector.
    pub vector: Vec<f32>,
    /// Seconds of speech that it was made from.
    pub seconds: f64,
    /// Name of the speaker embedding. Vectors of different embeddings cannot be compared.
    pub embedding: String,
}

/// The cosine of two vectors of one embedding, 0 to 1; 0 if their lengths differ.
#[must_use]
pub fn similarity(a: &[f32], b: &[f32]) -> f64 {
    if a.len() != b.len() {
        return 0.0;
    }
    f64::from(dot(a, b)).clamp(0.0, 1.0)
}

/// The unit vector of the sum of vectors, each weighted with its seconds of speech.
#[must_use]
pub fn mean<'a>(vectors: impl IntoIterator<Item = (&'a [f32], f64)>) -> Vec<f32> {
    let mut sum = Vec::new();
    for (vector, seconds) in vectors {
        add_weighted(&mut sum, vector, seconds);
    }
    normalised(sum)
}

fn add_weighted(sum: &mut Vec<f32>, vector: &[f32], seconds: f64) {
    sum.resize(vector.len(), 0.0);
    for (sum, value) in sum.iter_mut().zip(vector) {
        *sum += value * seconds as f32;
    }
}

/// A part of the recording that only one speaker speaks in: samples, the end exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    speaker: usize,
    from: u64,
    to: u64,
}

/// The sum of a voice's vectors, each weighted with its seconds.
#[derive(Clone, Default)]
struct Sum {
    vector: Vec<f32>,
    seconds: f64,
}

impl Sum {
    /// Adds the pieces of a sound.
    fn add(&mut self, embedding: &Embedding, sound: &mut [f32]) -> Result<(), String> {
        amplify_if_quiet(sound);
        let &FrontEnd { bands, hop, .. } = embedding.description();
        let frames = embedding.frames(sound);
        let count = frames.len() / bands;
        let pieces = (sound.len() as f64 / SAMPLE_RATE as f64 / PIECE).ceil() as usize;
        for number in 0..pieces {
            let (from, to) = (count * number / pieces, count * (number + 1) / pieces);
            if to - from < MIN_FRAMES {
                continue;
            }
            let vector = embedding.vector(frames[from * bands..to * bands].to_vec())?;
            let seconds = (to - from) as f64 * hop as f64 / SAMPLE_RATE as f64;
            add_weighted(&mut self.vector, &vector, seconds);
            self.seconds += seconds;
        }
        Ok(())
    }
}

/// The voice of each speaker, in the order of the request; `None` for speakers of whom there is less
/// than [`VoicesRequest::least_seconds`] of speech.
pub(crate) fn run(
    shared: &Shared,
    request: &VoicesRequest,
    cancel: &CancelToken,
) -> Result<Vec<Option<Voice>>, EngineError> {
    let stop = Stop::new(cancel);
    if stop.is_set() {
        return Err(EngineError::Cancelled);
    }
    let parts = parts(&request.speakers);
    let mut sums = vec![Sum::default(); request.speakers.len()];
    let embedding = embedding(shared)?;
    let mut pcm = open(shared, &request.input, request.audio_track, &stop)?;
    let (mut next, mut sound) = (0, Vec::new());
    while next < parts.len() {
        let block = pcm.next_block();
        if stop.is_set() {
            return Err(EngineError::Cancelled);
        }
        let Some(block) = block? else { break };
        let start = (block.start_seconds * SAMPLE_RATE as f64).round() as u64;
        let end = start + block.samples.len() as u64;
        while let Some(part) = parts.get(next).filter(|part| part.from < end) {
            let place = |sample: u64| (sample.clamp(start, end) - start) as usize;
            sound.extend_from_slice(&block.samples[place(part.from)..place(part.to)]);
            if part.to > end {
                break;
            }
            sums[part.speaker]
                .add(&embedding, &mut sound)
                .map_err(EngineError::Recognition)?;
            sound.clear();
            next += 1;
        }
    }
    // The last part may end after the recording.
    if let Some(part) = parts.get(next)
        && !sound.is_empty()
    {
        sums[part.speaker]
            .add(&embedding, &mut sound)
            .map_err(EngineError::Recognition)?;
    }
    let name = embedding_name(shared);
    let voice = |sum: Sum| Voice {
        vector: normalised(sum.vector),
        seconds: sum.seconds,
        embedding: name.clone(),
    };
    let sums = sums.into_iter();
    Ok(sums
        .map(|sum| (sum.seconds > 0.0 && sum.seconds >= request.least_seconds).then(|| voice(sum)))
        .collect())
}

/// The parts that are read, in order of time: those in which one speaker speaks alone, at most
/// [`MAX_VOICE_SECONDS`] of each.
fn parts(speakers: &[Vec<(f64, f64)>]) -> Vec<Part> {
    let rate = SAMPLE_RATE as f64;
    // A start or an end, how it changes who speaks.
    let mut changes: Vec<(u64, usize, bool)> = Vec::new();
    for (speaker, spans) in speakers.iter().enumerate() {
        for &(start, end) in spans {
            if start.is_finite() && end.is_finite() && start < end {
                changes.push(((start * rate) as u64, speaker, true));
                changes.push(((end * rate) as u64, speaker, false));
            }
        }
    }
    // At the same time, ends come first.
    changes.sort_unstable_by_key(|&(time, _, begins)| (time, begins));
    let mut speaking = vec![0_u32; speakers.len()];
    let mut taken = vec![0_u64; speakers.len()];
    let (mut parts, mut before) = (Vec::new(), 0);
    for (time, speaker, begins) in changes {
        let mut now = speaking.iter().enumerate().filter(|(_, count)| **count > 0);
        if let (Some((alone, _)), None) = (now.next(), now.next()) {
            let left = (MAX_VOICE_SECONDS * rate) as u64 - taken[alone];
            let to = time.min(before + left);
            if (to - before) as f64 >= MIN_PART * rate {
                taken[alone] += to - before;
                parts.push(Part {
                    speaker: alone,
                    from: before,
                    to,
                });
            }
        }
        before = time;
        if begins {
            speaking[speaker] += 1;
        } else {
            speaking[speaker] = speaking[speaker].saturating_sub(1);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Speaker, start and end in seconds.
    fn seconds(speakers: &[Vec<(f64, f64)>]) -> Vec<(usize, f64, f64)> {
        let rate = SAMPLE_RATE as f64;
        let parts = parts(speakers).into_iter();
        parts
            .map(|part| (part.speaker, part.from as f64 / rate, part.to as f64 / rate))
            .collect()
    }

    #[test]
    fn only_parts_of_one_speaker_are_read_in_order_of_time() {
        let speakers = [vec![(10.0, 14.0), (0.0, 3.0)], vec![(2.0, 5.0)]];
        let expected = [(0, 0.0, 2.0), (1, 3.0, 5.0), (0, 10.0, 14.0)];
        assert_eq!(seconds(&speakers), expected);
    }

    #[test]
    fn neighbouring_segments_are_parts_of_their_own_and_interjections_are_left_out() {
        let speakers = [vec![(0.0, 2.0), (2.0, 4.0), (6.0, 6.5)]];
        assert_eq!(seconds(&speakers), [(0, 0.0, 2.0), (0, 2.0, 4.0)]);
    }

    #[test]
    fn a_minute_of_a_voice_is_enough() {
        let speakers = [vec![(0.0, 50.0), (100.0, 130.0), (200.0, 230.0)]];
        assert_eq!(seconds(&speakers), [(0, 0.0, 50.0), (0, 100.0, 110.0)]);
    }

    #[test]
    fn impossible_times_are_ignored() {
        let speakers = [vec![
            (f64::NAN, 1.0),
            (3.0, 2.0),
            (0.0, f64::INFINITY),
            (-2.0, 1.0),
        ]];
        assert_eq!(seconds(&speakers), [(0, 0.0, 1.0)]);
        assert_eq!(seconds(&[]), []);
    }

    #[test]
    fn vectors_of_different_length_are_not_similar() {
        assert_eq!(similarity(&[1.0, 0.0], &[1.0]), 0.0);
        assert_eq!(similarity(&[1.0, 0.0], &[1.0, 0.0]), 1.0);
        assert_eq!(similarity(&[1.0, 0.0], &[-1.0, 0.0]), 0.0);
    }
}
