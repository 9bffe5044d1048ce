//! SubRip: numbers from 1, times, a limited number of lines, one empty line between two blocks.

use super::{Outcome, Read, ensure, in_order, plain, span, unix_text};

pub fn read(file: &[u8], most_lines: usize) -> Outcome {
    let text = unix_text(file)?;
    let mut cues = Vec::new();
    let blocks = text.trim_end_matches('\n').split("\n\n");
    for (number, block) in (1..).zip(blocks.filter(|_| !text.is_empty())) {
        let mut lines = block.split('\n');
        let heading = lines.next().unwrap_or_default();
        ensure(heading == number.to_string(), || {
            format!("{heading:?} instead of {number}")
        })?;
        let (start, end) = span(lines.next().unwrap_or_default(), ',')?;
        let lines: Vec<String> = lines.map(str::to_owned).collect();
        ensure((1..=most_lines).contains(&lines.len()), || {
            format!("{} lines: {block:?}", lines.len())
        })?;
        for line in &lines {
            plain(line)?;
            ensure(!line.trim().is_empty(), || {
                format!("an empty line: {block:?}")
            })?;
            // Players take such a line for the times of the next cue.
            ensure(!line.contains("-->"), || format!("an arrow: {line:?}"))?;
        }
        cues.push(Read { start, end, lines });
    }
    in_order(&cues)?;
    Ok(cues)
}
