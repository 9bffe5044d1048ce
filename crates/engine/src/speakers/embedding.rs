//! The vector of a voice, from the audio of one speaker.

use super::clustering::normalised;
use super::front_end::{FilterBank, FrontEnd};
use super::network::Network;

/// The fewest frames that a vector is made from.
pub(super) const MIN_FRAMES: usize = 40;

/// A speaker embedding with the front end that its network expects.
pub(super) struct Embedding {
    network: Network,
    bank: FilterBank,
    description: FrontEnd,
}

impl Embedding {
    pub(super) fn new(network: Network, description: FrontEnd) -> Self {
        let bank = FilterBank::new(description);
        Self {
            network,
            description: bank.description().clone(),
            bank,
        }
    }

    /// What the network expects.
    pub(super) fn description(&self) -> &FrontEnd {
        &self.description
    }

    /// The frames of a sound, one after the other.
    pub(super) fn frames(&self, sound: &[f32]) -> Vec<f32> {
        self.bank.frames(sound)
    }

    /// The unit vector of the voice that is heard in these frames.
    pub(super) fn vector(&self, mut frames: Vec<f32>) -> Result<Vec<f32>, String> {
        let FrontEnd {
            bands,
            least_frames,
            most_frames,
            ..
        } = self.description;
        // Short audio is repeated: silence would count as part of the voice.
        let mut copied = 0;
        while frames.len() < least_frames * bands {
            frames.push(frames[copied]);
            copied += 1;
        }
        // The middle is the safest part: the ends of a piece may contain another voice.
        let surplus = (frames.len() / bands).saturating_sub(most_frames);
        frames.drain(..surplus / 2 * bands);
        frames.truncate(most_frames * bands);
        if self.description.remove_mean {
            remove_mean(&mut frames, bands);
        }
        let count = frames.len() / bands;
        let vector = if self.description.transposed {
            let transposed = (0..bands)
                .flat_map(|band| frames.iter().skip(band).step_by(bands).copied())
                .collect();
            self.network.run([1, bands, count], transposed)?
        } else {
            self.network.run([1, count, bands], frames)?
        };
        if vector.iter().all(|value| value.is_finite()) {
            Ok(normalised(vector))
        } else {
            Err("the embedding gives numbers that are none".to_owned())
        }
    }
}

fn remove_mean(frames: &mut [f32], bands: usize) {
    let count = (frames.len() / bands).max(1) as f32;
    for band in 0..bands {
        let mean = frames.iter().skip(band).step_by(bands).sum::<f32>() / count;
        for value in frames.iter_mut().skip(band).step_by(bands) {
            *value -= mean;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_each_band_is_removed() {
        let mut frames = vec![1.0, 10.0, 3.0, 30.0];
        remove_mean(&mut frames, 2);
        assert_eq!(frames, [-1.0, -10.0, 1.0, 10.0]);
    }
}
