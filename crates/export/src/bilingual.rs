//! Bilingual subtitles: assigns the lines of a translation to the original cues.

use slovo_rules::analysis::TranslatedCue;
use slovo_rules::subtitles::cues::{Cue, clean};

/// Tolerance in seconds for comparing times, which are stored in thousandths.
const SAME: f64 = 0.002;

/// The translated lines of each cue, in order.
///
/// The text may have been edited since it was translated, so the cues may differ: a translated cue
/// goes to the cue that it overlaps longest, and is dropped if it overlaps none.
pub fn translated_lines(cues: &[Cue], translation: &[TranslatedCue]) -> Vec<Vec<String>> {
    if are_the_same(cues, translation) {
        return translation.iter().map(non_blank_lines).collect();
    }
    let mut lines = vec![Vec::new(); cues.len()];
    // Both are sorted, so each translated cue only looks at cues near it.
    let mut first = 0;
    for translated in translation {
        while cues
            .get(first)
            .is_some_and(|cue| cue.end <= translated.start)
        {
            first += 1;
        }
        let near = cues.iter().zip(lines.iter_mut()).skip(first);
        let near = near.take_while(|(cue, _)| cue.start < translated.end);
        // If people speak at the same time, several cues have the same times: each gets one
        // translation.
        let closest = near.min_by(|(a, above), (b, below)| {
            let share = |cue: &Cue| shared(cue, translated);
            let longer = share(b).total_cmp(&share(a));
            longer.then(below.is_empty().cmp(&above.is_empty()))
        });
        if let Some((_, below)) = closest {
            below.extend(non_blank_lines(translated));
        }
    }
    lines
}

/// Whether the cues are exactly those that were translated, each with a translation.
fn are_the_same(cues: &[Cue], translation: &[TranslatedCue]) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() < SAME;
    let pairs = cues.iter().zip(translation);
    cues.len() == translation.len()
        && pairs
            .into_iter()
            .all(|(cue, other)| near(cue.start, other.start) && near(cue.end, other.end))
}

/// The lines that are not blank.
fn non_blank_lines(translated: &TranslatedCue) -> Vec<String> {
    let lines = translated.lines.iter().map(|line| clean(line));
    lines.filter(|line| !line.is_empty()).collect()
}

/// Seconds of overlap; negative if they do not overlap.
fn shared(cue: &Cue, translated: &TranslatedCue) -> f64 {
    cue.end.min(translated.end) - cue.start.max(translated.start)
}
