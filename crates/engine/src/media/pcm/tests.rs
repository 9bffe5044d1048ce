//! Packets with valid and damaged times.

use std::collections::VecDeque;

use super::super::info::Track;
use super::super::mix::Mix;
use super::*;

/// Delivers packets of one second at these times.
struct Packets(VecDeque<f64>);

impl Decoder for Packets {
    fn step(&mut self, frames: &mut Frames) -> Result<Step, MediaError> {
        let Some(time) = self.0.pop_front() else {
            return Ok(Step::End);
        };
        frames.samples = vec![0.5; BLOCK];
        frames.rate = SAMPLE_RATE;
        frames.mix = Mix::even(1);
        frames.time = Some(time);
        Ok(Step::Frames)
    }
}

/// Seconds of audio read from packets at these times, in a file that states a length.
fn seconds(stated: Option<f64>, times: &[f64]) -> f64 {
    let info = MediaInfo {
        container: "mkv".to_owned(),
        codec: "opus".to_owned(),
        duration: stated,
        tracks: vec![Track {
            index: 0,
            codec: "opus".to_owned(),
            channels: 1,
            rate: SAMPLE_RATE,
            language: None,
            title: None,
            default: true,
        }],
        track: 0,
        has_video: false,
    };
    let packets = Box::new(Packets(times.iter().copied().collect()));
    let mut pcm = Pcm::new(
        info,
        packets,
        EndOfAudio::default(),
        ChannelSelection::Mix,
        &Limits::default(),
    )
    .unwrap();
    let mut samples = 0;
    while let Some(block) = pcm.next_block().unwrap() {
        samples += block.samples.len();
    }
    samples as f64 / f64::from(SAMPLE_RATE)
}

#[test]
fn a_damaged_time_far_beyond_the_end_adds_no_silence() {
    let times = [0.0, 1.0, 7200.0, 3.0, 4.0];
    assert!((seconds(Some(5.0), &times) - 5.0).abs() < 0.2);
    let rest_is_late = [0.0, 1.0, 7200.0, 7201.0, 7202.0];
    assert!((seconds(Some(5.0), &rest_is_late) - 5.0).abs() < 0.2);
}

#[test]
fn a_gap_that_the_length_allows_is_silence() {
    let times = [0.0, 1.0, 60.0, 61.0];
    assert!((seconds(Some(62.0), &times) - 62.0).abs() < 0.2);
    assert!((seconds(None, &times) - 62.0).abs() < 0.2);
    // Stated lengths are not exact.
    assert!((seconds(Some(55.0), &times) - 62.0).abs() < 0.2);
}
