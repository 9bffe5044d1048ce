//! Subtitles in two languages: which lines of a translation stand under which original cue.

use slovo_rules::analysis::TranslatedCue;
use slovo_rules::subtitles::cues::{Cue, clean};

/// The translated lines of each cue, in order.
///
/// The text may have been edited since it was translated, so that the cues are not the same any more:
/// what was translated goes where most of its time is, and nowhere if nothing is said there now.
pub fn under(cues: &[Cue], translation: &[TranslatedCue]) -> Vec<Vec<String>> {
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
        let most = near.max_by(|(a, _), (b, _)| {
            let share = |cue: &Cue| shared(cue, translated);
            share(a).total_cmp(&share(b))
        });
        if let Some((_, below)) = most {
            let said = translated.lines.iter().map(|line| clean(line));
            below.extend(said.filter(|line| !line.is_empty()));
        }
    }
    lines
}

/// Seconds in which both stand; less than 0 where they are apart.
fn shared(cue: &Cue, translated: &TranslatedCue) -> f64 {
    cue.end.min(translated.end) - cue.start.max(translated.start)
}
