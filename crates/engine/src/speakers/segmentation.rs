//! Speaker activity in ten seconds of audio: up to three voices, at most two at a time.

use super::network::Network;
use crate::vad::SAMPLE_RATE;

/// Samples of one window: ten seconds.
pub(super) const WINDOW: usize = 10 * SAMPLE_RATE;
/// Samples per output frame of the network.
pub(super) const FRAME: usize = 270;
/// Samples at both ends of a window that are evaluated in its neighbours instead: whole frames, 0.8 s.
pub(super) const MARGIN: usize = SAMPLE_RATE * 4 / 5 / FRAME * FRAME;
/// Voices that the network distinguishes in a window.
pub(super) const VOICES: usize = 3;
/// The network's classes, as the sets of voices that speak.
const CLASSES: [[bool; VOICES]; 7] = [
    [false, false, false],
    [true, false, false],
    [false, true, false],
    [false, false, true],
    [true, true, false],
    [true, false, true],
    [false, true, true],
];
/// Frames of silence that do not end a stretch of one voice: 0.15 s.
const BREATH: usize = 9;

/// A stretch of one voice within a window, in frames of the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub voice: usize,
    pub start: usize,
    pub end: usize,
}

/// Which voices speak in each frame of a window.
pub(super) struct Activity(Vec<[bool; VOICES]>);

impl Activity {
    /// Processes windows as one batch; each may be shorter than [`WINDOW`].
    pub(super) fn run(network: &Network, windows: &[Vec<f32>]) -> Result<Vec<Self>, String> {
        let mut samples = Vec::with_capacity(windows.len() * WINDOW);
        for (number, window) in windows.iter().enumerate() {
            samples.extend_from_slice(window);
            samples.resize((number + 1) * WINDOW, 0.0);
        }
        let scores = network.run([windows.len(), 1, WINDOW], samples)?;
        let (frames, _) = scores.as_chunks::<{ CLASSES.len() }>();
        let each = frames.len() / windows.len().max(1);
        if each == 0 {
            return Err("the segmentation model gives no classes".to_owned());
        }
        let windows = frames.chunks_exact(each);
        Ok(windows
            .map(|frames| Self(frames.iter().map(likeliest).collect()))
            .collect())
    }

    /// Whether only this voice speaks in a frame.
    pub(super) fn is_alone(&self, frame: usize, voice: usize) -> bool {
        self.0.get(frame).is_some_and(|active| {
            active[voice] && active.iter().filter(|speaks| **speaks).count() == 1
        })
    }

    /// The stretches of all voices between two frames; short pauses do not end them.
    pub(super) fn runs(&self, from: usize, to: usize) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for voice in 0..VOICES {
            let first = runs.len();
            for frame in from..to.min(self.0.len()) {
                if !self.0[frame][voice] {
                    continue;
                }
                match runs[first..].last_mut() {
                    Some(run) if frame - run.end < BREATH => run.end = frame + 1,
                    _ => runs.push(Run {
                        voice,
                        start: frame,
                        end: frame + 1,
                    }),
                }
            }
        }
        runs
    }
}

fn likeliest(scores: &[f32; CLASSES.len()]) -> [bool; VOICES] {
    let best = (0..CLASSES.len()).max_by(|a, b| scores[*a].total_cmp(&scores[*b]));
    CLASSES[best.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_span_short_pauses_and_may_overlap() {
        let mut frames = vec![[false; VOICES]; 100];
        for frame in (10..30).chain(34..50) {
            frames[frame][0] = true;
        }
        for frame in &mut frames[45..60] {
            frame[2] = true;
        }
        let activity = Activity(frames);
        let run = |voice, start, end| Run { voice, start, end };
        assert_eq!(activity.runs(0, 200), [run(0, 10, 50), run(2, 45, 60)]);
        assert_eq!(activity.runs(20, 40), [run(0, 20, 40)]);
        assert!(activity.is_alone(44, 0));
        assert!(!activity.is_alone(45, 0));
        assert!(!activity.is_alone(31, 0));
        assert!(!activity.is_alone(1000, 0));
    }

    #[test]
    fn the_likeliest_class_is_chosen_even_with_invalid_scores() {
        assert_eq!(
            likeliest(&[-9.0, -9.0, -9.0, -9.0, -9.0, -1.0, -9.0]),
            [true, false, true]
        );
        likeliest(&[f32::NAN; 7]);
    }
}
