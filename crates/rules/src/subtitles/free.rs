//! Where automatic cues find time between hand-made ones.

use super::speech::PlacedCue;

/// Minimum seconds for a cue between two hand-made ones.
pub const ROOM_SECONDS: f64 = 0.3;

/// A cue, and when its speech ends, in seconds.
pub(super) type EndedCue = (PlacedCue, f64);

/// A stretch of time without hand-made cues, and the hand-made cues that end it.
#[derive(Debug, Default)]
pub(super) struct FreeInterval {
    /// Its start, after the gap; `None` without a hand-made cue before it.
    pub from: Option<f64>,
    /// Its end, before the gap; `None` without a hand-made cue after it.
    pub to: Option<f64>,
    /// The cues in it, in order.
    pub cues: Vec<EndedCue>,
    /// The hand-made cues that end it, in order.
    pub by_hand: Vec<PlacedCue>,
}

impl FreeInterval {
    /// Whether there is room for another cue that would start at this time.
    fn takes(&self, start: f64) -> bool {
        let Some(to) = self.to else {
            return true;
        };
        let begins = |start: f64| self.from.map_or(start, |from| from.max(start));
        let first = self
            .cues
            .first()
            .map_or(start, |(first, _)| first.cue.start);
        let count = f64::from(u32::try_from(self.cues.len()).unwrap_or(u32::MAX)) + 1.0;
        to - begins(start) >= ROOM_SECONDS && to - begins(first) >= ROOM_SECONDS * count
    }
}

/// The cues in display order. A cue without room at its own time follows the hand-made cues there.
pub(super) fn stretches(mut cues: Vec<EndedCue>, gap: f64) -> Vec<FreeInterval> {
    cues.sort_by(|(a, _), (b, _)| a.cue.start.total_cmp(&b.cue.start));
    let (by_hand, by_rule): (Vec<_>, Vec<_>) = cues
        .into_iter()
        .partition(|(placed, _)| placed.cue.by_hand.is_some());
    let mut stretches = vec![FreeInterval::default()];
    let mut ends = f64::NEG_INFINITY;
    for (placed, _) in by_hand {
        let free = placed.cue.start - ends - 2.0 * gap;
        if let Some(last) = stretches
            .last_mut()
            .filter(|last| last.by_hand.is_empty() || free >= ROOM_SECONDS)
        {
            if last.by_hand.is_empty() {
                last.to = Some(placed.cue.start - gap);
            } else {
                stretches.push(FreeInterval {
                    from: Some(ends + gap),
                    to: Some(placed.cue.start - gap),
                    ..FreeInterval::default()
                });
            }
        }
        ends = ends.max(placed.cue.end);
        if let Some(last) = stretches.last_mut() {
            last.by_hand.push(placed);
        }
    }
    if ends.is_finite() {
        stretches.push(FreeInterval {
            from: Some(ends + gap),
            ..FreeInterval::default()
        });
    }
    let mut at = 0;
    for ended in by_rule {
        while at + 1 < stretches.len() && !stretches[at].takes(ended.0.cue.start) {
            at += 1;
        }
        stretches[at].cues.push(ended);
    }
    stretches
}
