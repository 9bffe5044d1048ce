//! Subtitles in two languages: which lines of a translation stand under which original cue.

use slovo_rules::analysis::TranslatedCue;
use slovo_rules::subtitles::cues::{Cue, clean};

/// Seconds by which times may differ that are kept in thousandths.
const SAME: f64 = 0.002;

/// The translated lines of each cue, in order.
///
/// The text may have been edited since it was translated, so that the cues are not the same any more:
/// what was translated goes where most of its time is, and nowhere if nothing is said there now.
pub fn under(cues: &[Cue], translation: &[TranslatedCue]) -> Vec<Vec<String>> {
    if are_the_same(cues, translation) {
        return translation.iter().map(said).collect();
    }
    let mut lines = vec![Vec::new(); cues.len()];
    // Both are in order, so no cue is looked at for each of the others.
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
        // Where people talk at once several cues have the same time: each gets one.
        let most = near.min_by(|(a, above), (b, below)| {
            let share = |cue: &Cue| shared(cue, translated);
            let longer = share(b).total_cmp(&share(a));
            longer.then(below.is_empty().cmp(&above.is_empty()))
        });
        if let Some((_, below)) = most {
            below.extend(said(translated));
        }
    }
    lines
}

/// Whether these are the cues that were translated, each with a translation.
fn are_the_same(cues: &[Cue], translation: &[TranslatedCue]) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() < SAME;
    let pairs = cues.iter().zip(translation);
    cues.len() == translation.len()
        && pairs
            .into_iter()
            .all(|(cue, other)| near(cue.start, other.start) && near(cue.end, other.end))
}

/// The lines that say something.
fn said(translated: &TranslatedCue) -> Vec<String> {
    let lines = translated.lines.iter().map(|line| clean(line));
    lines.filter(|line| !line.is_empty()).collect()
}

/// Seconds in which both stand; less than 0 where they are apart.
fn shared(cue: &Cue, translated: &TranslatedCue) -> f64 {
    cue.end.min(translated.end) - cue.start.max(translated.start)
}
