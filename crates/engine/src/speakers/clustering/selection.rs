//! Which groups of pieces are speakers.

use super::super::SpeakerCount;
use super::normalised;
use super::tree::{Group, Join, Tree};

/// The least seconds of speech of a speaker if the number of speakers is detected.
const MIN_FOUND: f32 = 2.0;
/// The same for a voice that resembles no other.
const MIN_DISTINCT: f32 = 0.9;
/// The cosine to all other speakers below which a voice resembles none of them.
const DISTINCT: f32 = 0.15;
/// The least seconds of a speaker if the number is given: then people who say little count as well.
const MIN_GIVEN: f32 = 0.6;
/// The least share of each part when a speaker is split because more were asked for: otherwise a
/// single unusual utterance would become a speaker.
const MIN_SPLIT_SHARE: f32 = 0.15;
/// The cosine of two groups from which they are one voice beyond doubt, also if more speakers were
/// asked for.
const SAME_VOICE: f32 = 0.45;
/// The most speakers of a recording.
const MAX_SPEAKERS: usize = 64;

/// The groups that are taken for speakers, while the tree of merges is followed in both directions.
pub(super) struct Selection {
    tree: Tree,
    joins: Vec<Join>,
    /// Places of the speakers in the tree.
    chosen: Vec<usize>,
    /// The least seconds of a speaker by the share in all speech.
    least: f32,
}

impl Selection {
    /// Merges all pairs whose similarity is at least `threshold`.
    pub(super) fn new(groups: Vec<Group>, least: f32, threshold: f32) -> Self {
        let mut tree = Tree::new(groups);
        let mut joins = Vec::new();
        while tree.next().is_some_and(|next| next.2 >= threshold) {
            joins.extend(tree.join());
        }
        let mut selection = Self {
            tree,
            joins,
            chosen: Vec::new(),
            least,
        };
        selection.chosen = selection.substantial();
        selection
    }

    /// Finds the speakers, or fits them to the requested number.
    pub(super) fn choose(&mut self, count: SpeakerCount) {
        match count {
            SpeakerCount::Found => {
                self.add_distinct();
                self.reduce_to(MAX_SPEAKERS);
            }
            SpeakerCount::Exactly(requested) => self.fit(requested.max(1)),
            SpeakerCount::Between(least, most) => {
                self.add_distinct();
                let found = self.chosen.len();
                self.fit(found.clamp(least.min(most), most).max(1));
            }
        }
    }

    /// The groups with enough speech; the largest group if none has.
    fn substantial(&self) -> Vec<usize> {
        let least = MIN_FOUND.max(self.least);
        let mut places = self.tree.places();
        places.sort_by(|a, b| self.weight(*b).total_cmp(&self.weight(*a)));
        let enough = places.iter().filter(|place| self.weight(**place) >= least);
        let count = enough.count().max(1);
        places.truncate(count);
        places
    }

    fn weight(&self, place: usize) -> f32 {
        self.tree.groups[place]
            .as_ref()
            .map_or(0.0, |group| group.weight)
    }

    /// Changes the number of speakers to the requested one, as far as there are that many voices.
    fn fit(&mut self, requested: usize) {
        self.reduce_to(requested);
        self.add(MIN_GIVEN, f32::INFINITY, requested);
        self.split(requested);
    }

    /// Merges on until at most this many groups have enough speech.
    fn reduce_to(&mut self, requested: usize) {
        while self.substantial().len() > requested {
            let Some(join) = self.tree.join() else { break };
            self.joins.push(join);
            self.chosen = self.substantial();
        }
        self.chosen.truncate(requested);
    }

    /// Adds short voices that resemble no other.
    fn add_distinct(&mut self) {
        self.add(MIN_DISTINCT, DISTINCT, MAX_SPEAKERS);
    }

    /// Adds groups of at least `seconds` that are less similar to every speaker than `most`, the
    /// least similar first, until there are `requested` speakers.
    fn add(&mut self, seconds: f32, most: f32, requested: usize) {
        let least = seconds.max(self.least);
        while self.chosen.len() < requested {
            let places = self.tree.places().into_iter();
            let candidate = places
                .filter(|place| !self.chosen.contains(place) && self.weight(*place) >= least)
                .map(|place| (place, self.similarity_to_chosen(place)))
                .min_by(|a, b| a.1.total_cmp(&b.1));
            match candidate {
                Some((place, similarity)) if similarity < most => self.chosen.push(place),
                _ => return,
            }
        }
    }

    /// The similarity to the most similar speaker.
    fn similarity_to_chosen(&self, place: usize) -> f32 {
        let Some(group) = &self.tree.groups[place] else {
            return f32::INFINITY;
        };
        let chosen = self.chosen.iter();
        chosen
            .filter_map(|other| self.tree.groups[*other].as_ref())
            .map(|other| group.similarity(other))
            .fold(f32::NEG_INFINITY, f32::max)
    }

    /// Undoes merges, the last first, until there are `requested` speakers. Merges of one voice
    /// are kept, except for a second speaker, whom the user must have heard.
    fn split(&mut self, requested: usize) {
        while self.chosen.len() < requested {
            let Some(join) = self.joins.pop() else { return };
            let is_only = self.chosen.len() == 1;
            if join.similarity >= SAME_VOICE && !is_only {
                return;
            }
            let share = if is_only { 0.0 } else { MIN_SPLIT_SHARE };
            let [kept, merged] = &join.parts;
            let least = MIN_GIVEN.max(share * (kept.weight + merged.weight));
            let (is_kept_enough, is_merged_enough) = (kept.weight >= least, merged.weight >= least);
            let is_merged_larger = merged.weight > kept.weight;
            let (first, second) = (join.kept, join.merged);
            self.tree.undo(join);
            let Some(speaker) = self.chosen.iter_mut().find(|place| **place == first) else {
                continue;
            };
            if is_kept_enough && is_merged_enough {
                self.chosen.push(second);
            } else if is_merged_larger {
                *speaker = second;
            }
        }
    }

    /// The speakers as unit vectors, the one who speaks most first.
    pub(super) fn vectors(mut self) -> Vec<Vec<f32>> {
        let mut chosen: Vec<Group> = self
            .chosen
            .iter()
            .filter_map(|place| self.tree.groups[*place].take())
            .collect();
        chosen.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        chosen
            .into_iter()
            .map(|group| normalised(group.sum))
            .collect()
    }
}
