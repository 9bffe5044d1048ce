//! Which subtitles exceed which limits.

use serde::{Deserialize, Serialize};

use super::{SubtitleLimits, characters_per_second, columns};

/// Tolerance in seconds: times are stored in milliseconds, and differences of less than two are
/// ignored.
pub(super) const OFF: f64 = 0.0015;

/// A subtitle as it is displayed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
pub struct ShownCue {
    /// Seconds.
    pub start: f64,
    /// Seconds.
    pub end: f64,
    /// The prefix of the text if the speaker changes: `Olena: `, or empty.
    pub head: String,
    /// The text in its lines, without the speaker.
    pub lines: Vec<String>,
}

impl ShownCue {
    /// The complete displayed text.
    pub(super) fn text(&self) -> String {
        format!("{}{}", self.head, self.lines.join(" "))
    }

    pub(super) fn seconds(&self) -> f64 {
        self.end - self.start
    }
}

/// The kind of limit that a subtitle exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub enum OverLimitKind {
    /// It has too many characters per second.
    Cps,
    /// A line has too many columns.
    Columns,
    /// It has too many lines.
    Lines,
    /// It is displayed too briefly.
    Short,
    /// It is displayed too long.
    Long,
    /// The gap after the previous subtitle is too short.
    Gap,
    /// It overlaps the previous subtitle, by this number of seconds.
    Overlap,
}

/// A limit that a subtitle exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct OverLimit {
    /// Index of the subtitle in the input, from 0.
    pub cue: usize,
    /// The kind of limit.
    pub kind: OverLimitKind,
    /// The subtitle's value.
    pub value: f64,
    /// The limit; 0 for an overlap.
    pub limit: f64,
}

/// The limits exceeded by subtitles, which are given in order.
#[must_use]
pub fn over_limits(cues: &[ShownCue], limits: &SubtitleLimits) -> Vec<OverLimit> {
    let mut over = Vec::new();
    let mut ends = f64::NEG_INFINITY;
    for (number, cue) in cues.iter().enumerate() {
        let mut note = |kind, value, limit, is_over: bool| {
            if is_over {
                over.push(OverLimit {
                    cue: number,
                    kind,
                    value,
                    limit,
                });
            }
        };
        let seconds = cue.seconds();
        let speed = characters_per_second(&cue.text(), seconds);
        let max = limits.max_cps;
        note(OverLimitKind::Cps, speed, max, speed > max + 1e-6);
        let lines = cue.lines.iter().enumerate();
        let wide =
            lines.map(|(at, line)| columns(line) + if at == 0 { columns(&cue.head) } else { 0 });
        let (wide, max) = (wide.max().unwrap_or(0), limits.max_columns);
        note(
            OverLimitKind::Columns,
            number_of(wide),
            number_of(max),
            wide > max,
        );
        let (lines, max) = (cue.lines.len(), limits.max_lines);
        note(
            OverLimitKind::Lines,
            number_of(lines),
            number_of(max),
            lines > max,
        );
        let min = limits.min_seconds;
        note(OverLimitKind::Short, seconds, min, seconds < min - OFF);
        let max = limits.max_seconds;
        note(OverLimitKind::Long, seconds, max, seconds > max + OFF);
        let (apart, gap) = (cue.start - ends, limits.gap());
        note(OverLimitKind::Overlap, -apart, 0.0, apart < -OFF);
        note(
            OverLimitKind::Gap,
            apart.max(0.0),
            gap,
            apart >= -OFF && apart < gap - OFF,
        );
        ends = ends.max(cue.end);
    }
    over
}

fn number_of(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
