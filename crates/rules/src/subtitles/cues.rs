//! From segments to readable cues: two lines, a few seconds, in order.
//!
//! A segment becomes one or more cues; [`super::parts`] decides where it is split,
//! [`super::timing`] when cues start and end.

use super::free::{EndedCue, FreeInterval, stretches};
use super::parts::{CueContext, parts};
use super::speech::head;
use super::timing::{Bounds, CueSpeech, times};
use super::words::{Atom, atoms};
use super::{LIMITS, SubtitleLimits, lines};

pub use super::speech::{
    Cue, PlacedCue, SpeechContext, SpokenSegment, WordStart, claimed_interval, clean,
};

/// Number of segments whose cues are timed together. Other segments do not affect them, so that the
/// editor computes only the cues on the screen.
const GROUP_SIZE: usize = 24;
/// Minimum distance in seconds from the start of a segment to another that may begin a new group: a
/// cue has its time.
const GROUP_GAP_SECONDS: f64 = 2.0;

/// All cues of a recording of `duration` seconds (0: unknown), in order, by the usual limits.
#[must_use]
pub fn cues<'a>(speech: impl IntoIterator<Item = SpokenSegment<'a>>, duration: f64) -> Vec<Cue> {
    cues_within(speech, duration, &LIMITS)
}

/// All cues of a recording of `duration` seconds (0: unknown), in order: starts ascend, and each
/// ends before the gap to the next one. The offset of the limits applies to a whole file:
/// [`Cue::moved`].
#[must_use]
pub fn cues_within<'a>(
    speech: impl IntoIterator<Item = SpokenSegment<'a>>,
    duration: f64,
    limits: &SubtitleLimits,
) -> Vec<Cue> {
    let placed = placed_within(speech, duration, limits).into_iter();
    placed.map(|placed| placed.cue).collect()
}

/// The same cues as [`cues_within`], each with the position of its segment.
#[must_use]
pub fn placed_within<'a>(
    speech: impl IntoIterator<Item = SpokenSegment<'a>>,
    duration: f64,
    limits: &SubtitleLimits,
) -> Vec<PlacedCue> {
    let speech: Vec<SpokenSegment<'a>> = speech.into_iter().collect();
    let spans: Vec<(f64, f64)> = speech.iter().map(SpokenSegment::span).collect();
    let group_starts = group_starts(&spans);
    let mut cues: Vec<PlacedCue> = Vec::new();
    for (at, &first) in group_starts.iter().enumerate() {
        let end = group_starts.get(at + 1).copied().unwrap_or(speech.len());
        let around = SpeechContext {
            first: first == 0,
            speaker: speech[..first]
                .iter()
                .rev()
                .find(|item| item.has_text())
                .and_then(SpokenSegment::speaker_name),
            next: speech
                .get(end)
                .map_or(f64::INFINITY, SpokenSegment::earliest_start),
            duration,
        };
        let placed = placed_cues(&speech[first..end], &around, limits);
        cues.extend(placed.into_iter().map(|placed| PlacedCue {
            segment: first + placed.segment,
            ..placed
        }));
    }
    separate_overlaps(&mut cues);
    cues
}

/// Separates overlapping cues: where more is said in two seconds than there are moments, a cue gets
/// a millisecond. Hand-made ones stay unchanged.
fn separate_overlaps(cues: &mut [PlacedCue]) {
    for at in 1..cues.len() {
        let (before, after) = cues.split_at_mut(at);
        let (Some(last), Some(cue)) = (before.last_mut(), after.first_mut()) else {
            return;
        };
        let (last, cue) = (&mut last.cue, &mut cue.cue);
        let by_hand = cue.by_hand.is_some() || last.by_hand.is_some();
        if cue.start < last.end && !by_hand {
            cue.start = cue.start.max(last.start + 0.002);
            cue.end = cue.end.max(cue.start + 0.001);
            last.end = last.end.min(cue.start);
        }
    }
}

/// The first segments of the groups that are timed together, by starts and ends in seconds; for
/// segments with hand-made cues by their [`claimed_interval`].
#[must_use]
pub fn group_starts(spans: &[(f64, f64)]) -> Vec<usize> {
    // The earliest start from each segment on: a hand-made cue may be far from its segment.
    let mut earliest: Vec<f64> = spans.iter().map(|span| span.0).collect();
    for at in (1..earliest.len()).rev() {
        earliest[at - 1] = earliest[at - 1].min(earliest[at]);
    }
    let mut group_starts = Vec::new();
    let (mut count, mut latest, mut latest_start) =
        (GROUP_SIZE, f64::NEG_INFINITY, f64::NEG_INFINITY);
    for (at, &(start, end)) in spans.iter().enumerate() {
        // All earlier segments have ended.
        let is_apart =
            start >= latest && start - latest_start >= GROUP_GAP_SECONDS && earliest[at] >= start;
        if at == 0 || (count >= GROUP_SIZE && is_apart) {
            group_starts.push(at);
            count = 0;
        }
        count += 1;
        latest = latest.max(start).max(end);
        latest_start = latest_start.max(start);
    }
    group_starts
}

/// The cues of segments that are timed together, in order.
#[must_use]
pub fn placed_cues(
    speech: &[SpokenSegment<'_>],
    around: &SpeechContext,
    limits: &SubtitleLimits,
) -> Vec<PlacedCue> {
    let mut cues: Vec<EndedCue> = Vec::new();
    let mut before = around.speaker.clone();
    let mut latest = f64::NEG_INFINITY;
    for (segment, item) in speech.iter().enumerate() {
        let speaker = item.speaker_name();
        if !item.cues.is_empty() && item.has_text() {
            let by_hand = item.by_hand().into_iter();
            cues.extend(by_hand.map(|cue| (PlacedCue { segment, cue }, 0.0)));
            before.clone_from(&speaker);
            latest = latest.max(item.end);
            continue;
        }
        let next = speech
            .get(segment + 1)
            .map_or(around.next, SpokenSegment::earliest_start);
        let name = speaker
            .as_deref()
            .map_or(0, |name| lines::columns(&head(name)));
        // When several people speak at once, each of their cues may need a name.
        let at_once = item.end > next || item.start < latest;
        latest = latest.max(item.end);
        let setting = CueContext {
            first_head: if speaker == before && !at_once {
                0
            } else {
                name
            },
            head: if at_once { name } else { 0 },
            next: if next > item.start {
                next
            } else {
                f64::INFINITY
            },
        };
        let atoms = atoms(item, limits.max_columns);
        if !atoms.is_empty() {
            before.clone_from(&speaker);
        }
        let mut first = 0;
        for end in parts(&atoms, setting, limits) {
            let cue = joined(&atoms[first..end], speaker.clone());
            cues.push((PlacedCue { segment, cue }, atoms[end - 1].end));
            first = end;
        }
    }
    timed(cues, around, limits)
}

/// The cues in order, with their times and changes of speaker.
fn timed(cues: Vec<EndedCue>, around: &SpeechContext, limits: &SubtitleLimits) -> Vec<PlacedCue> {
    let mut before = around.speaker.clone();
    let mut begins = around.first;
    let mut timed = Vec::with_capacity(cues.len());
    for mut stretch in stretches(cues, limits.gap()) {
        let own = stretch.cues.iter_mut().map(|(placed, _)| placed);
        for PlacedCue { cue, .. } in own.chain(&mut stretch.by_hand) {
            cue.speaker_changes = begins || before != cue.speaker;
            begins = false;
            before.clone_from(&cue.speaker);
        }
        let times = times_in(&stretch, around, limits);
        let by_rule = stretch.cues.into_iter().zip(times);
        timed.extend(by_rule.map(|((mut placed, _), (start, end))| {
            placed.cue.start = start;
            placed.cue.end = end;
            placed
        }));
        timed.extend(stretch.by_hand);
    }
    timed
}

/// The times of automatic cues in a stretch.
fn times_in(
    stretch: &FreeInterval,
    around: &SpeechContext,
    limits: &SubtitleLimits,
) -> Vec<(f64, f64)> {
    let speech: Vec<CueSpeech> = stretch
        .cues
        .iter()
        .map(|(PlacedCue { cue, .. }, end)| CueSpeech {
            start: stretch.from.map_or(cue.start, |from| from.max(cue.start)),
            end: *end,
            characters: cue.head().chars().count() + cue.text.chars().count(),
        })
        .collect();
    let bounds = Bounds {
        silent_from: stretch.from.or(around.first.then_some(0.0)),
        next: stretch.to.unwrap_or(around.next),
        keeps_gap: stretch.to.is_some(),
        duration: around.duration,
    };
    times(&speech, bounds, limits)
}

fn joined(atoms: &[Atom], speaker: Option<String>) -> Cue {
    let mut words = Vec::new();
    let mut text = String::new();
    for atom in atoms {
        let at = text.len();
        words.extend(atom.words.iter().map(|word| WordStart {
            at: at + word.at,
            ..*word
        }));
        text.push_str(&atom.text);
    }
    text.truncate(text.trim_end().len());
    Cue {
        start: atoms.first().map_or(0.0, |atom| atom.start),
        end: 0.0,
        speaker,
        speaker_changes: false,
        text,
        words,
        by_hand: None,
    }
}
