//! Strict readers of the subtitle formats, independent of the writers: they refuse everything that
//! the format's specification does not allow.

pub mod srt;
pub mod stl;
pub mod ttml;
pub mod vtt;

/// A cue as read from a file. Times are in milliseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    pub start: u64,
    pub end: u64,
    pub lines: Vec<String>,
}

/// The cues of a file, or the rule that it breaks.
pub type Outcome = Result<Vec<Read>, String>;

/// An error with this message unless `holds`.
pub fn ensure(condition: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(message()) }
}

/// Checks that cues have a positive length and none begins before the previous one has ended.
pub fn in_order(cues: &[Read]) -> Result<(), String> {
    for cue in cues {
        ensure(cue.start < cue.end, || format!("no length: {cue:?}"))?;
        ensure(!cue.lines.is_empty(), || format!("no text: {cue:?}"))?;
    }
    for pair in cues.windows(2) {
        ensure(pair[0].end <= pair[1].start, || {
            format!("overlap: {pair:?}")
        })?;
    }
    Ok(())
}

/// Checks that a line is not blank and has no control or bidirectional control characters.
pub fn plain(line: &str) -> Result<(), String> {
    let strange = line.chars().find(|&c| {
        c.is_control()
            || matches!(
                c,
                '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
            )
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    });
    match strange {
        Some(c) => Err(format!("U+{:04X} in {line:?}", u32::from(c))),
        None => Ok(()),
    }
}

/// Milliseconds of `HH:MM:SS` with thousandths after `separator`; hours may have more digits.
pub fn moment(text: &str, separator: char) -> Result<u64, String> {
    let wrong = || format!("no time: {text:?}");
    let (clock, thousandths) = text.split_once(separator).ok_or_else(wrong)?;
    let parts: Vec<&str> = clock.split(':').collect();
    let [hours, minutes, seconds] = parts[..] else {
        return Err(wrong());
    };
    let number = |part: &str, digits: &[usize], limit: u64| {
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
        let number: Option<u64> = part.parse().ok().filter(|number| *number <= limit);
        number.filter(|_| is_number && digits.contains(&part.len()))
    };
    let hours = number(hours, &[2, 3, 4, 5, 6], u64::MAX).ok_or_else(wrong)?;
    ensure(clock.len() < 9 || !clock.starts_with('0'), wrong)?;
    let minutes = number(minutes, &[2], 59).ok_or_else(wrong)?;
    let seconds = number(seconds, &[2], 59).ok_or_else(wrong)?;
    let thousandths = number(thousandths, &[3], 999).ok_or_else(wrong)?;
    Ok(((hours * 60 + minutes) * 60 + seconds) * 1000 + thousandths)
}

/// The two times of `a --> b`.
pub fn span(line: &str, separator: char) -> Result<(u64, u64), String> {
    let (start, end) = line
        .split_once(" --> ")
        .ok_or_else(|| format!("no times: {line:?}"))?;
    Ok((moment(start, separator)?, moment(end, separator)?))
}

/// The text of a file whose lines end with a line feed.
pub fn unix_text(file: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(file).map_err(|error| error.to_string())?;
    ensure(!text.contains('\r'), || "a carriage return".to_owned())?;
    ensure(text.is_empty() || text.ends_with('\n'), || {
        "the last line does not end".to_owned()
    })?;
    ensure(!text.ends_with("\n\n"), || {
        "an empty line at the end".to_owned()
    })?;
    Ok(text)
}
