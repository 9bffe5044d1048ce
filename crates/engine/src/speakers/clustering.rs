//! Clusters the embedding vectors of pieces of speech into speakers.
//!
//! Average linkage: the two groups with the highest mean similarity of their members are merged
//! repeatedly. The cost is quadratic in the number of groups, so during a long recording groups are
//! merged down to a bounded number.

mod selection;
mod tree;

use super::SpeakerCount;
use selection::Selection;
use tree::{Group, Tree};

/// Groups that are kept; at twice this number the most similar ones are merged.
const MAX_GROUPS: usize = 512;
/// The least share of a speaker in all speech.
const MIN_SHARE: f32 = 0.01;
/// Collects pieces one by one and determines the speakers.
#[derive(Default)]
pub(super) struct Clustering {
    groups: Vec<Group>,
}

impl Clustering {
    /// Adds a unit vector and the seconds of speech that it was made from.
    pub(super) fn push(&mut self, vector: &[f32], seconds: f32) {
        self.groups.push(Group {
            sum: vector.iter().map(|value| value * seconds).collect(),
            weight: seconds,
        });
        if self.groups.len() >= 2 * MAX_GROUPS {
            let mut tree = Tree::new(std::mem::take(&mut self.groups));
            while tree.len() > MAX_GROUPS && tree.join().is_some() {}
            self.groups = tree.groups();
        }
    }

    /// The speakers as unit vectors, the one who speaks most first. Groups whose mean similarity is
    /// at least `threshold` are one speaker, unless another number is requested.
    pub(super) fn speakers(self, count: SpeakerCount, threshold: f32) -> Vec<Vec<f32>> {
        let total: f32 = self.groups.iter().map(|group| group.weight).sum();
        let mut selection = Selection::new(self.groups, MIN_SHARE * total, threshold);
        selection.choose(count);
        selection.vectors()
    }
}

/// Scales a vector to length one; the zero vector stays.
pub(super) fn normalised(mut vector: Vec<f32>) -> Vec<f32> {
    let length = dot(&vector, &vector).sqrt();
    if length > f32::EPSILON {
        vector.iter_mut().for_each(|value| *value /= length);
    }
    vector
}

/// Similarity of two unit vectors.
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A vector near a speaker's axis, different for each seed.
    fn near(axis: usize, seed: usize) -> Vec<f32> {
        let mut vector: Vec<f32> = (0..16)
            .map(|i| ((seed * 31 + i * 17) as f32).sin() * 0.15)
            .collect();
        vector[axis] += 1.0;
        normalised(vector)
    }

    fn clustering(pieces: &[(usize, usize)]) -> Clustering {
        let mut clustering = Clustering::default();
        for &(axis, count) in pieces {
            for seed in 0..count {
                clustering.push(&near(axis, seed * 7 + axis), 1.5);
            }
        }
        clustering
    }

    #[test]
    fn speakers_are_counted_and_sorted_by_speaking_time() {
        let speakers = clustering(&[(0, 4), (1, 9), (2, 6)]).speakers(SpeakerCount::Found, 0.5);
        let axes: Vec<usize> = speakers
            .iter()
            .map(|vector| {
                let best = vector.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
                best.map_or(0, |(axis, _)| axis)
            })
            .collect();
        assert_eq!(axes, [1, 2, 0]);
    }

    #[test]
    fn a_cough_is_no_speaker() {
        let mut clustering = clustering(&[(0, 9), (1, 9)]);
        clustering.push(&near(5, 1), 0.5);
        assert_eq!(clustering.speakers(SpeakerCount::Found, 0.5).len(), 2);
    }

    #[test]
    fn a_given_number_is_used_and_a_range_limits_the_count() {
        let count = |count| {
            clustering(&[(0, 5), (1, 5), (2, 5)])
                .speakers(count, 0.5)
                .len()
        };
        assert_eq!(count(SpeakerCount::Exactly(2)), 2);
        assert_eq!(count(SpeakerCount::Exactly(1)), 1);
        assert_eq!(
            count(SpeakerCount::Exactly(5)),
            3,
            "there are no more voices"
        );
        assert_eq!(count(SpeakerCount::Between(1, 2)), 2);
        assert_eq!(count(SpeakerCount::Between(2, 8)), 3);
        assert_eq!(count(SpeakerCount::Between(4, 8)), 3);
    }

    #[test]
    fn a_short_voice_is_a_speaker_if_it_resembles_no_other_or_the_number_is_given() {
        let with = |vector: &[f32], seconds: f32, count| {
            let mut clustering = clustering(&[(0, 9), (1, 9)]);
            clustering.push(vector, seconds);
            clustering.speakers(count, 0.5).len()
        };
        let distinct = near(5, 1);
        assert_eq!(with(&distinct, 1.0, SpeakerCount::Found), 3);
        assert_eq!(with(&distinct, 0.7, SpeakerCount::Found), 2);
        assert_eq!(with(&distinct, 0.7, SpeakerCount::Exactly(3)), 3);
        assert_eq!(with(&distinct, 0.4, SpeakerCount::Exactly(3)), 2);
        let mut resembling = near(0, 3);
        resembling[7] = 1.5;
        let resembling = normalised(resembling);
        assert_eq!(with(&resembling, 1.5, SpeakerCount::Found), 2);
        assert_eq!(with(&resembling, 1.5, SpeakerCount::Exactly(3)), 3);
    }

    #[test]
    fn similar_voices_are_split_only_if_more_were_asked_for() {
        /// Two voices with a cosine of about `similarity`, nine pieces each.
        fn pair(similarity: f32, count: SpeakerCount) -> usize {
            let mut clustering = Clustering::default();
            for seed in 0..9 {
                let mut second = near(1, seed);
                second[0] += similarity / (1.0 - similarity * similarity).sqrt();
                clustering.push(&near(0, seed), 1.5);
                clustering.push(&normalised(second), 1.5);
            }
            clustering.speakers(count, 0.2).len()
        }
        assert_eq!(pair(0.35, SpeakerCount::Found), 1);
        assert_eq!(pair(0.35, SpeakerCount::Exactly(2)), 2);
        assert_eq!(pair(0.35, SpeakerCount::Exactly(4)), 2);
        assert_eq!(pair(0.8, SpeakerCount::Exactly(2)), 2, "the user heard two");
    }

    #[test]
    fn no_or_too_few_pieces_do_not_panic() {
        let empty = Clustering::default();
        assert!(empty.speakers(SpeakerCount::Exactly(3), 0.5).is_empty());
        let single = clustering(&[(0, 1)]).speakers(SpeakerCount::Exactly(3), 0.5);
        assert_eq!(single.len(), 1);
    }

    #[test]
    fn a_long_recording_stays_bounded_and_keeps_speakers_apart() {
        let mut clustering = Clustering::default();
        for seed in 0..3000 {
            clustering.push(&near(seed % 4, seed), 1.5);
            assert!(clustering.groups.len() < 2 * MAX_GROUPS);
        }
        assert_eq!(clustering.speakers(SpeakerCount::Found, 0.5).len(), 4);
    }
}
