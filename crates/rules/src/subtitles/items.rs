//! Subtitles while they are corrected.

use std::ops::Range;

use super::cues::{SpeechContext, SpokenSegment, placed_cues};
use super::lines;
use super::over::{OFF, OverLimitKind, ShownCue, over_limits};
use super::{SegmentCue, SubtitleLimits};
use crate::edit::{EditedSegment, MIN_CUE_SECONDS, located};
use crate::text::is_visible;

/// Maximum seconds that a subtitle may start before its first word (BBC subtitle guidelines).
const LEAD_SECONDS: f64 = 1.5;

/// A subtitle that may be retimed or split.
#[derive(Clone, Debug)]
pub(super) struct Item<'a> {
    /// Index of its segment.
    pub segment: usize,
    /// Its range in the segment's text, in bytes.
    pub range: Range<usize>,
    /// Seconds.
    pub start: f64,
    /// Seconds.
    pub end: f64,
    /// Its hand-made line breaks, as stored in the segment.
    pub breaks: Vec<u32>,
    /// Whether it was changed.
    pub changed: bool,
    /// Its segment.
    of: &'a EditedSegment,
    head: String,
    lines: Vec<String>,
    /// Its timed words: byte in the segment's text, and start in seconds.
    word_starts: Vec<(usize, f64)>,
}

impl<'a> Item<'a> {
    /// The subtitles of segments, in order.
    pub fn all(segments: &'a [EditedSegment], cues: &[SegmentCue]) -> Vec<Self> {
        let mut numbers = vec![0; segments.len()];
        let items = cues.iter().map(|cue| {
            let segment = &segments[cue.segment];
            let by_hand = segment.cues.get(numbers[cue.segment]);
            numbers[cue.segment] += 1;
            let ranges = located(&segment.text, &segment.words).unwrap_or_default();
            let timed = ranges.into_iter().zip(&segment.words);
            let timed = timed.filter(|(range, _)| cue.range.contains(&range.start));
            Self {
                segment: cue.segment,
                range: cue.range.clone(),
                start: cue.start,
                end: cue.end,
                breaks: by_hand.map_or(Vec::new(), |cue| cue.breaks.clone()),
                changed: false,
                of: segment,
                head: cue.head.clone(),
                lines: cue.lines.clone(),
                word_starts: timed
                    .map(|(range, word)| (range.start, word.start))
                    .collect(),
            }
        });
        items.collect()
    }

    fn displayed(&self) -> ShownCue {
        ShownCue {
            start: self.start,
            end: self.end,
            head: self.head.clone(),
            lines: self.lines.clone(),
        }
    }

    /// Whether it exceeds a limit that does not depend on its neighbours.
    fn is_over(&self, kinds: &[OverLimitKind], limits: &SubtitleLimits) -> bool {
        let over = over_limits(&[self.displayed()], limits);
        over.iter().any(|over| kinds.contains(&over.kind))
    }

    /// Its minimum duration in seconds.
    fn min_duration(&self, limits: &SubtitleLimits) -> f64 {
        let characters = self.displayed().text().trim().chars().count();
        let reading = f64::from(u32::try_from(characters).unwrap_or(u32::MAX)) / limits.max_cps;
        reading.max(limits.min_seconds).min(limits.max_seconds)
    }

    /// When its first word is said, or would be if all letters of the segment took equal time.
    fn speech_start(&self) -> f64 {
        let word = self
            .word_starts
            .iter()
            .find(|(at, _)| self.range.contains(at));
        word.map_or_else(
            || {
                let segment = self.of;
                let before = share(&segment.text, 0..self.range.start, 0..segment.text.len());
                segment.start + (segment.end - segment.start) * before
            },
            |(_, seconds)| *seconds,
        )
    }

    fn set_times(&mut self, start: f64, end: f64) {
        // Half a millisecond can decide whether a subtitle is readable, so only rounding errors of
        // the arithmetic count as no change.
        if (start - self.start).abs() > 1e-6 || (end - self.end).abs() > 1e-6 {
            (self.start, self.end) = (start, end);
            self.changed = true;
        }
    }
}

/// The subtitles with their problems fixed, as far as there is room. `ends` is the end of the last
/// subtitle before them, in seconds.
pub(super) fn corrected<'a>(
    items: Vec<Item<'a>>,
    limits: &SubtitleLimits,
    around: &SpeechContext,
    ends: Option<f64>,
) -> Vec<Item<'a>> {
    let mut items: Vec<Item<'a>> = items
        .into_iter()
        .flat_map(|item| split_item(item, limits))
        .collect();
    items.sort_by(|a, b| a.start.total_cmp(&b.start));
    separate(&mut items, limits, around);
    extend_short(&mut items, limits, around, ends);
    items
}

/// A subtitle that is too wide gets automatic line breaks; if that is not enough, or it lasts too
/// long, it is split.
fn split_item<'a>(mut item: Item<'a>, limits: &SubtitleLimits) -> Vec<Item<'a>> {
    use OverLimitKind::{Columns, Lines, Long};
    if !item.is_over(&[Columns, Lines, Long], limits) {
        return vec![item];
    }
    let text = &item.of.text[item.range.clone()];
    if !item.breaks.is_empty() && item.is_over(&[Columns, Lines], limits) {
        let broken = lines::broken_after(
            &format!("{}{}", item.head, item.lines.join(" ")),
            item.head.len(),
            limits,
        );
        let own = broken.strip_prefix(&item.head).unwrap_or(&broken);
        item.lines = own.lines().map(str::to_owned).collect();
        item.breaks.clear();
        item.changed = true;
    }
    if !item.is_over(&[Columns, Lines, Long], limits) {
        return vec![item];
    }
    let speaker = item.head.strip_suffix(": ").map(str::to_owned);
    let speech = SpokenSegment {
        start: item.start,
        end: item.end,
        speaker,
        text,
        words: &[],
        cues: &[],
    };
    let alone = SpeechContext::recording(0.0);
    let parts = placed_cues(&[speech], &alone, limits);
    if parts.len() < 2 {
        let end = item.end.min(item.start + limits.max_seconds);
        item.set_times(item.start, end);
        return vec![item];
    }
    let mut visible = text.char_indices().filter(|(_, c)| is_visible(*c));
    let mut ranges = Vec::with_capacity(parts.len());
    for part in &parts {
        let count = part.cue.text.chars().filter(|c| is_visible(*c)).count();
        let mut own = visible.by_ref().take(count);
        let Some((from, first)) = own.next() else {
            return vec![item];
        };
        let (to, last) = own.last().unwrap_or((from, first));
        ranges.push(item.range.start + from..item.range.start + to + last.len_utf8());
    }
    let starts = starts(&item, &ranges);
    let gap = limits.gap();
    let parts = parts
        .iter()
        .zip(ranges)
        .enumerate()
        .map(|(at, (part, range))| {
            let follows = starts.get(at + 1).map(|next| next - gap);
            let end = follows
                .unwrap_or(item.end)
                .max(starts[at] + MIN_CUE_SECONDS);
            let head = if at == 0 {
                item.head.clone()
            } else {
                String::new()
            };
            let all_lines = part.cue.spoken_lines(limits);
            let own = all_lines.strip_prefix(&head).unwrap_or(&all_lines);
            Item {
                range,
                start: starts[at],
                end: end.min(starts[at] + limits.max_seconds),
                breaks: Vec::new(),
                changed: true,
                lines: own.lines().map(str::to_owned).collect(),
                head,
                ..item.clone()
            }
        });
    parts.collect()
}

/// Starts of the parts of a subtitle: those of their first words if they are said during it, else
/// proportional to the text.
fn starts(item: &Item<'_>, ranges: &[Range<usize>]) -> Vec<f64> {
    let mut starts: Vec<f64> = Vec::with_capacity(ranges.len());
    for range in ranges {
        let floor = starts
            .last()
            .map_or(item.start, |last| last + MIN_CUE_SECONDS);
        let word = item.word_starts.iter().find(|(at, _)| range.contains(at));
        let word = word.map(|(_, seconds)| *seconds);
        let word = word.filter(|seconds| *seconds > floor && *seconds < item.end);
        let share = share(
            &item.of.text,
            item.range.start..range.start,
            item.range.clone(),
        );
        let shared = item.start + (item.end - item.start) * share;
        let first = starts.is_empty();
        starts.push(if first {
            item.start
        } else {
            word.unwrap_or(shared).max(floor)
        });
    }
    starts
}

/// The share of the letters in a range that another range contains.
fn share(text: &str, part: Range<usize>, total: Range<usize>) -> f64 {
    let count = |range: Range<usize>| {
        let count = text.get(range).map_or(0, |text| text.chars().count());
        f64::from(u32::try_from(count).unwrap_or(u32::MAX))
    };
    count(part) / count(total).max(1.0)
}

/// Separates subtitles that overlap or are too close: the first one moves earlier as long as it
/// stays readable, or the second one later as far as possible. Parts of one subtitle share its time
/// the same way.
fn separate(items: &mut [Item<'_>], limits: &SubtitleLimits, around: &SpeechContext) {
    let gap = limits.gap();
    for at in 1..items.len() {
        let room = room_before(items.get(at + 1), around) - gap;
        let (before, after) = items.split_at_mut(at);
        let (Some(cue), Some(next)) = (before.last_mut(), after.first_mut()) else {
            return;
        };
        let is_near = next.start - cue.end < gap - OFF;
        let needed = cue.min_duration(limits);
        let is_squeezed = cue.changed
            && next.changed
            && cue.segment == next.segment
            && cue.end - cue.start < needed - 1e-6;
        if !is_near && !is_squeezed {
            continue;
        }
        let desired_end = cue.start + needed + gap + next.min_duration(limits);
        let close = next.end.max(cue.end).max(desired_end.min(room));
        let (min_end, max_end) = (cue.start + MIN_CUE_SECONDS, close - gap - MIN_CUE_SECONDS);
        if min_end > max_end {
            continue;
        }
        let readable = close - gap - next.min_duration(limits);
        let target = (next.start - gap).max((cue.start + needed).min(readable));
        let end = if is_squeezed {
            round_up(target).clamp(min_end, max_end)
        } else {
            round_down(target.clamp(min_end, max_end).min(cue.end.max(min_end)))
        };
        let start = round_up(next.start.max(end + gap));
        cue.set_times(cue.start, end);
        next.set_times(start, next.end.max(start + MIN_CUE_SECONDS));
    }
}

/// The end of the time before the next subtitle.
fn room_before(next: Option<&Item<'_>>, around: &SpeechContext) -> f64 {
    let end = if around.duration > 0.0 {
        around.duration
    } else {
        f64::INFINITY
    };
    next.map_or(around.next.min(end), |next| next.start)
}

/// Extends subtitles that are too fast or too short into the silence after them, then before them.
fn extend_short(
    items: &mut [Item<'_>],
    limits: &SubtitleLimits,
    around: &SpeechContext,
    ends: Option<f64>,
) {
    let gap = limits.gap();
    for at in 0..items.len() {
        let before = at.checked_sub(1).map(|before| items[before].end);
        let before = before.or(ends).map(|end| end + gap);
        let after = items.get(at + 1).map_or(around.next, |next| next.start);
        let item = &mut items[at];
        let needed = item.min_duration(limits);
        if item.end - item.start >= needed - 1e-6 {
            continue;
        }
        let mut close = after - gap;
        if around.duration > 0.0 {
            close = close.min(around.duration.max(item.end));
        }
        let end = round_up(item.start + needed)
            .min(round_down(close))
            .max(item.end);
        let open = before
            .unwrap_or(0.0)
            .max(item.speech_start() - LEAD_SECONDS);
        let start = round_down(end - needed)
            .max(round_up(open.max(0.0)))
            .min(item.start);
        item.set_times(start, end);
    }
}

fn round_down(seconds: f64) -> f64 {
    (seconds * 1000.0 + 1e-6).floor() / 1000.0
}

fn round_up(seconds: f64) -> f64 {
    (seconds * 1000.0 - 1e-6).ceil() / 1000.0
}
