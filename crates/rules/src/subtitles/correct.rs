//! Fixes subtitles that exceed the limits, where this needs no change of the text.
//!
//! Fixed subtitles become hand-made, and the others are laid out around them. This repeats while it
//! helps, because one subtitle may need what another one gave up.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::cues::{SpeechContext, SpokenSegment, group_starts};
use super::items::{Item, corrected};
use super::over::{OverLimit, OverLimitKind, ShownCue, over_limits};
use super::{SegmentCue, SubtitleLimits, of_segments_within};
use crate::edit::{
    EditedSegment, HandCue, MAX_CUES, MIN_CUE_SECONDS, NewCues, SegmentRef, Speaker, cues_fit,
};
use crate::seconds::rounded;

/// Maximum number of rounds; almost every text needs at most three.
const MAX_ROUNDS: usize = 64;

/// Minimum decrease of [`Layout::penalty`] by a round: 40 ms of an overlap, one frame of a film.
/// Without it two subtitles that cannot be separated would move together by a millisecond in every
/// round.
const MIN_GAIN: f64 = 0.005;

/// The result of fixing subtitles.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
pub struct Corrections {
    /// The new subtitles of the changed segments, for an edit `correct_cues`.
    pub edits: Vec<NewCues>,
    /// Number of subtitles that exceeded a limit before.
    pub before: u32,
    /// Number of subtitles that still do.
    pub after: u32,
    /// The changes, by segment.
    pub changes: Vec<Correction>,
}

/// The fixed subtitles of a segment.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
pub struct Correction {
    /// The segment's id.
    pub segment: String,
    /// Its subtitles before.
    pub before: Vec<ShownCue>,
    /// Its subtitles after.
    pub after: Vec<ShownCue>,
}

/// Fixes what can be fixed without changing the text: subtitles that are too fast or too short are
/// extended into silence after and before them, too wide or too long ones are split, overlapping or
/// too close ones are moved. The others are left unchanged and counted.
#[must_use]
pub fn correct_cues(
    segments: &[EditedSegment],
    speakers: &[Speaker],
    limits: &SubtitleLimits,
    around: &SpeechContext,
) -> Corrections {
    correct_cues_after(segments, speakers, limits, around, None)
}

/// [`correct_cues`] for a part of a text that begins with a group timed together
/// ([`super::group_starts`]). `ends` is the end of the last subtitle before it, in seconds.
#[must_use]
pub fn correct_cues_after(
    segments: &[EditedSegment],
    speakers: &[Speaker],
    limits: &SubtitleLimits,
    around: &SpeechContext,
    ends: Option<f64>,
) -> Corrections {
    let mut now = segments.to_vec();
    let first = Layout::of(&now, speakers, limits, around);
    let before = first.count();
    let mut layout = first.clone();
    for _ in 0..MAX_ROUNDS {
        let items = corrected(Item::all(&now, &layout.cues), limits, around, ends);
        let Some(next) = with_cues(&now, &items, around) else {
            break;
        };
        let after = Layout::of(&next, speakers, limits, around);
        let better = after.penalty() < layout.penalty() - MIN_GAIN
            && after.count() <= layout.count()
            && after.overlaps() <= layout.overlaps();
        if !better {
            break;
        }
        (now, layout) = (next, after);
    }
    let changed = segments.iter().zip(&now).enumerate();
    let changed = changed.filter(|(_, (old, new))| old.cues != new.cues);
    let changed: Vec<usize> = changed.map(|(at, _)| at).collect();
    let (old, new) = (first.by_segment(), layout.by_segment());
    let cues_of =
        |all: &BTreeMap<usize, Vec<ShownCue>>, at| all.get(&at).cloned().unwrap_or_default();
    Corrections {
        before,
        after: layout.count(),
        changes: changed
            .iter()
            .map(|&at| Correction {
                segment: segments[at].id.clone(),
                before: cues_of(&old, at),
                after: cues_of(&new, at),
            })
            .collect(),
        edits: changed
            .iter()
            .map(|&at| NewCues {
                segment: SegmentRef {
                    id: segments[at].id.clone(),
                    revision: segments[at].revision,
                },
                cues: now[at].cues.clone(),
            })
            .collect(),
    }
}

/// The subtitles of all segments, and their problems.
#[derive(Clone)]
struct Layout {
    cues: Vec<SegmentCue>,
    over: Vec<OverLimit>,
}

impl Layout {
    fn of(
        segments: &[EditedSegment],
        speakers: &[Speaker],
        limits: &SubtitleLimits,
        around: &SpeechContext,
    ) -> Self {
        let speech: Vec<SpokenSegment<'_>> = segments.iter().map(SpokenSegment::from).collect();
        let spans: Vec<(f64, f64)> = speech.iter().map(SpokenSegment::span).collect();
        let group_starts = group_starts(&spans);
        let mut cues = Vec::new();
        let mut speaker = around.speaker.clone();
        for (at, &first) in group_starts.iter().enumerate() {
            let end = group_starts.get(at + 1).copied().unwrap_or(segments.len());
            let block_around = SpeechContext {
                first: around.first && first == 0,
                speaker: speaker.clone(),
                next: speech
                    .get(end)
                    .map_or(around.next, SpokenSegment::earliest_start),
                duration: around.duration,
            };
            let own = of_segments_within(&segments[first..end], speakers, &block_around, limits);
            cues.extend(own.into_iter().map(|cue| SegmentCue {
                segment: cue.segment + first,
                ..cue
            }));
            let last = (first..end).rev().find(|&at| speech[at].has_text());
            if let Some(at) = last {
                speaker.clone_from(&segments[at].speaker);
            }
        }
        let displayed: Vec<ShownCue> = cues.iter().map(SegmentCue::shown).collect();
        Self {
            over: over_limits(&displayed, limits),
            cues,
        }
    }

    /// Number of subtitles that exceed a limit.
    fn count(&self) -> u32 {
        let cues: BTreeSet<usize> = self.over.iter().map(|over| over.cue).collect();
        u32::try_from(cues.len()).unwrap_or(u32::MAX)
    }

    /// Number of subtitles that overlap the previous one.
    fn overlaps(&self) -> usize {
        let overlaps = self.over.iter();
        overlaps
            .filter(|over| over.kind == OverLimitKind::Overlap)
            .count()
    }

    /// A measure of the problems: grows with their number and severity.
    fn penalty(&self) -> f64 {
        let each = self.over.iter().map(|over| {
            let by = match over.kind {
                OverLimitKind::Overlap => over.value,
                _ => (over.value - over.limit).abs() / over.limit.max(0.001),
            };
            1.0 + by.min(4.0) / 8.0
        });
        each.sum()
    }

    fn by_segment(&self) -> BTreeMap<usize, Vec<ShownCue>> {
        let mut all: BTreeMap<usize, Vec<ShownCue>> = BTreeMap::new();
        for cue in &self.cues {
            all.entry(cue.segment).or_default().push(cue.shown());
        }
        all
    }
}

/// The segments with the changed subtitles as hand-made ones; `None` if there are none.
fn with_cues(
    segments: &[EditedSegment],
    items: &[Item<'_>],
    around: &SpeechContext,
) -> Option<Vec<EditedSegment>> {
    let ends = segments.iter().map(|segment| segment.end);
    let limit = if around.duration > 0.0 {
        ends.fold(around.duration, f64::max)
    } else {
        f64::INFINITY
    };
    let mut edited: BTreeMap<usize, Vec<HandCue>> = BTreeMap::new();
    let changed: BTreeSet<usize> = items
        .iter()
        .filter(|item| item.changed)
        .map(|item| item.segment)
        .collect();
    for item in items.iter().filter(|item| changed.contains(&item.segment)) {
        let cues = edited.entry(item.segment).or_default();
        let before = segments[item.segment].text.get(..item.range.start);
        let at = if cues.is_empty() {
            0
        } else {
            before.map_or(0, |text| text.chars().count())
        };
        cues.push(HandCue {
            at: u32::try_from(at).unwrap_or(u32::MAX),
            start: rounded(item.start),
            end: rounded(item.end),
            breaks: item.breaks.clone(),
        });
    }
    let mut next: Option<Vec<EditedSegment>> = None;
    for (at, cues) in edited {
        let segment = &segments[at];
        let in_range = cues.iter().all(|cue| {
            cue.end - cue.start >= MIN_CUE_SECONDS - 0.0005 && cue.start >= 0.0 && cue.end <= limit
        });
        let follow = cues
            .windows(2)
            .all(|pair| pair[0].end <= pair[1].start && pair[0].at < pair[1].at);
        let fits = cues.len() <= MAX_CUES && cues_fit(&segment.text, &cues).is_ok();
        if in_range && follow && fits && cues != segment.cues {
            next.get_or_insert_with(|| segments.to_vec())[at].cues = cues;
        }
    }
    next
}
