//! The tree of merges: groups of pieces, and the similarities of all pairs.

use super::dot;

/// Pieces that are assumed to be of one speaker.
#[derive(Clone)]
pub(super) struct Group {
    /// Sum of the pieces' vectors, each scaled to its weight.
    pub(super) sum: Vec<f32>,
    /// Seconds of speech.
    pub(super) weight: f32,
}

impl Group {
    pub(super) fn similarity(&self, other: &Self) -> f32 {
        let lengths = dot(&self.sum, &self.sum) * dot(&other.sum, &other.sum);
        dot(&self.sum, &other.sum) / lengths.sqrt().max(f32::EPSILON)
    }
}

/// Two groups that were merged.
pub(super) struct Join {
    /// The place of the merged group.
    pub(super) kept: usize,
    /// The place that is empty since.
    pub(super) merged: usize,
    /// The groups before.
    pub(super) parts: [Group; 2],
    pub(super) similarity: f32,
}

/// Groups being merged, with the similarities of all pairs.
pub(super) struct Tree {
    pub(super) groups: Vec<Option<Group>>,
    alike: Vec<f32>,
    /// The most similar other group of each group.
    closest: Vec<Option<usize>>,
    remaining: usize,
}

impl Tree {
    pub(super) fn new(groups: Vec<Group>) -> Self {
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

    pub(super) fn len(&self) -> usize {
        self.remaining
    }

    pub(super) fn groups(self) -> Vec<Group> {
        self.groups.into_iter().flatten().collect()
    }

    /// The places of all groups.
    pub(super) fn places(&self) -> Vec<usize> {
        let places = 0..self.groups.len();
        places
            .filter(|place| self.groups[*place].is_some())
            .collect()
    }

    /// Restores the groups of the last merge; similarities and closest groups stay as they are, so
    /// that the tree must not be merged further.
    pub(super) fn undo(&mut self, join: Join) {
        let [kept, merged] = join.parts;
        self.groups[join.kept] = Some(kept);
        self.groups[join.merged] = Some(merged);
        self.remaining += 1;
    }

    /// The pair to be merged next, and its similarity.
    pub(super) fn next(&self) -> Option<(usize, usize, f32)> {
        self.closest
            .iter()
            .enumerate()
            .filter_map(|(place, closest)| {
                closest.map(|other| (place, other, self.similarity(place, other)))
            })
            .max_by(|a, b| a.2.total_cmp(&b.2))
    }

    /// Merges the most similar pair.
    pub(super) fn join(&mut self) -> Option<Join> {
        let (kept, merged, similarity) = self.next()?;
        let other = self.groups[merged].take()?;
        self.closest[merged] = None;
        self.remaining -= 1;
        let group = self.groups[kept].as_mut()?;
        let parts = [group.clone(), other];
        for (sum, value) in group.sum.iter_mut().zip(&parts[1].sum) {
            *sum += value;
        }
        group.weight += parts[1].weight;
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
        Some(Join {
            kept,
            merged,
            parts,
            similarity,
        })
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
