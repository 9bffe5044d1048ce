//! Clusters the embedding vectors of pieces of speech into speakers.
//!
//! Average linkage: the two groups with the highest mean similarity of their members are merged
//! repeatedly. The cost is quadratic in the number of groups, so during a long recording groups are
//! merged down to a bounded number.

use super::SpeakerCount;

/// Groups that are kept; at twice this number the most similar ones are merged.
const MAX_GROUPS: usize = 512;
/// The least seconds of speech of a speaker if the number of speakers is detected.
const MIN_FOUND: f32 = 2.0;
/// The same if the number is given: then people who say little count as well.
const MIN_GIVEN: f32 = 1.2;
/// The least share of a speaker in all speech.
const MIN_SHARE: f32 = 0.01;
/// The most speakers of a recording.
const MAX_SPEAKERS: usize = 64;

/// Pieces that are assumed to be of one speaker.
#[derive(Clone)]
struct Group {
    /// Sum of the pieces' vectors, each scaled to its weight.
    sum: Vec<f32>,
    /// Seconds of speech.
    weight: f32,
}

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

    /// The speakers as unit vectors, the one who speaks most first.
    pub(super) fn speakers(self, count: SpeakerCount, threshold: f32) -> Vec<Vec<f32>> {
        let total: f32 = self.groups.iter().map(|group| group.weight).sum();
        let least = |seconds: f32| seconds.max(MIN_SHARE * total);
        let found = self.joined(least(MIN_FOUND), |similarity| similarity >= threshold);
        let requested = match count {
            SpeakerCount::Found => found.len().min(MAX_SPEAKERS),
            SpeakerCount::Exactly(requested) => requested,
            SpeakerCount::Between(least, most) => found.len().clamp(least.min(most), most),
        };
        let mut speakers = if found.len() == requested {
            found
        } else {
            self.merge_to_count(requested.max(1), least(MIN_GIVEN))
        };
        speakers.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        speakers
            .into_iter()
            .map(|group| normalised(group.sum))
            .collect()
    }

    /// Merges while `continues` accepts the similarity of the next pair.
    fn joined(&self, least: f32, continues: impl Fn(f32) -> bool) -> Vec<Group> {
        let mut tree = Tree::new(self.groups.clone());
        while tree
            .next()
            .is_some_and(|(_, _, similarity)| continues(similarity))
        {
            tree.join();
        }
        substantial(&tree.groups(), least)
    }

    /// Merges until the wanted number is left, counting only groups with enough speech.
    fn merge_to_count(&self, requested: usize, least: f32) -> Vec<Group> {
        let mut tree = Tree::new(self.groups.clone());
        let (mut most, mut joins, mut best_joins) = (0, 0, 0);
        loop {
            let now = tree.substantial(least);
            // The last state with enough groups is the best: its groups are the largest.
            if now >= requested || now >= most && most < requested {
                (most, best_joins) = (now, joins);
            }
            if tree.join().is_none() {
                break;
            }
            joins += 1;
        }
        let mut tree = Tree::new(self.groups.clone());
        for _ in 0..best_joins {
            tree.join();
        }
        let mut best = substantial(&tree.groups(), least);
        if best.len() > requested {
            // One merge removed two groups at once: drop the ones with the least speech.
            best.sort_by(|a, b| b.weight.total_cmp(&a.weight));
            best.truncate(requested);
        }
        best
    }
}

/// The groups with enough speech; the largest group if none has.
fn substantial(groups: &[Group], least: f32) -> Vec<Group> {
    let enough: Vec<Group> = groups
        .iter()
        .filter(|group| group.weight >= least)
        .cloned()
        .collect();
    if enough.is_empty() {
        let largest = groups.iter().max_by(|a, b| a.weight.total_cmp(&b.weight));
        return largest.cloned().into_iter().collect();
    }
    enough
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

/// Groups being merged, with the similarities of all pairs.
struct Tree {
    groups: Vec<Option<Group>>,
    alike: Vec<f32>,
    /// The most similar other group of each group.
    closest: Vec<Option<usize>>,
    remaining: usize,
}

impl Tree {
    fn new(groups: Vec<Group>) -> Self {
        let count = groups.len();
        let mut tree = Self {
            groups: groups.into_iter().map(Some).collect(),
            alike: vec![f32::NEG_INFINITY; count * count],
            closest: vec![None; count],
            remaining: count,
        };
        for place in 0..count {
            for other in 0..place {
                tree.compare(place, other);
            }
        }
        for place in 0..count {
            tree.closest[place] = tree.find_closest(place);
        }
        tree
    }

    fn len(&self) -> usize {
        self.remaining
    }

    fn groups(self) -> Vec<Group> {
        self.groups.into_iter().flatten().collect()
    }

    fn substantial(&self, least: f32) -> usize {
        let groups = self.groups.iter().flatten();
        groups.filter(|group| group.weight >= least).count()
    }

    /// The pair to be merged next, and its similarity.
    fn next(&self) -> Option<(usize, usize, f32)> {
        self.closest
            .iter()
            .enumerate()
            .filter_map(|(place, closest)| {
                closest.map(|other| (place, other, self.similarity(place, other)))
            })
            .max_by(|a, b| a.2.total_cmp(&b.2))
    }

    /// Merges the most similar pair.
    fn join(&mut self) -> Option<()> {
        let (kept, merged, _) = self.next()?;
        let other = self.groups[merged].take()?;
        self.closest[merged] = None;
        self.remaining -= 1;
        if let Some(group) = &mut self.groups[kept] {
            for (sum, value) in group.sum.iter_mut().zip(&other.sum) {
                *sum += value;
            }
            group.weight += other.weight;
        }
        for place in 0..self.groups.len() {
            if place != kept && self.groups[place].is_some() {
                self.compare(kept, place);
            }
        }
        for place in 0..self.groups.len() {
            if self.groups[place].is_none() {
                continue;
            }
            let closest = self.closest[place];
            if place == kept || closest == Some(merged) || closest == Some(kept) {
                self.closest[place] = self.find_closest(place);
            } else if closest
                .is_some_and(|now| self.similarity(place, kept) > self.similarity(place, now))
            {
                self.closest[place] = Some(kept);
            }
        }
        Some(())
    }

    fn similarity(&self, a: usize, b: usize) -> f32 {
        self.alike[a * self.groups.len() + b]
    }

    /// The mean cosine over all pairs of members.
    fn compare(&mut self, a: usize, b: usize) {
        let (Some(first), Some(second)) = (&self.groups[a], &self.groups[b]) else {
            return;
        };
        let similarity =
            dot(&first.sum, &second.sum) / (first.weight * second.weight).max(f32::EPSILON);
        let count = self.groups.len();
        self.alike[a * count + b] = similarity;
        self.alike[b * count + a] = similarity;
    }

    fn find_closest(&self, place: usize) -> Option<usize> {
        (0..self.groups.len())
            .filter(|other| *other != place && self.groups[*other].is_some())
            .max_by(|a, b| {
                self.similarity(place, *a)
                    .total_cmp(&self.similarity(place, *b))
            })
    }
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
        assert_eq!(count(SpeakerCount::Exactly(5)), 5);
        assert_eq!(count(SpeakerCount::Between(1, 2)), 2);
        assert_eq!(count(SpeakerCount::Between(2, 8)), 3);
        assert_eq!(count(SpeakerCount::Between(4, 8)), 4);
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
