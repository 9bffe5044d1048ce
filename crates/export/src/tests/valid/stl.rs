//! EBU STL by Tech 3264: the fields of the GSI block and of each TTI block.

use super::{Outcome, Read, ensure, in_order};

const GSI: usize = 1024;
const TTI: usize = 128;

/// Reads a file. Characters beyond ASCII are returned as their stored bytes.
pub fn read(file: &[u8], most_lines: usize) -> Outcome {
    let sized = file.len() >= GSI && (file.len() - GSI).is_multiple_of(TTI);
    ensure(sized, || format!("{} bytes", file.len()))?;
    let (general, blocks) = file.split_at(GSI);
    let frames = check_general(general, blocks.len() / TTI)?;
    let field = |at: usize, length: usize| String::from_utf8_lossy(&general[at..at + length]);
    let columns: usize = number(&field(251, 2))?;
    let has_marks = field(12, 2) == "00";
    let mut cues: Vec<Read> = Vec::new();
    let mut text = Vec::new();
    let mut extension = 0;
    let mut numbers = 0;
    for block in blocks.chunks(TTI) {
        let number =
            (usize::from(block[0]) << 16) + usize::from(u16::from_le_bytes([block[1], block[2]]));
        ensure(number == numbers, || {
            format!("subtitle {number} instead of {numbers}")
        })?;
        let is_last = block[3] == 0xff;
        ensure(is_last || block[3] == extension, || {
            format!("extension {}", block[3])
        })?;
        ensure(block[4] == 0 && block[14] <= 3 && block[15] == 0, || {
            format!(
                "cumulative, justified, comment: {} {} {}",
                block[4], block[14], block[15]
            )
        })?;
        let field = &block[16..];
        let used = field
            .iter()
            .position(|byte| *byte == 0x8f)
            .unwrap_or(field.len());
        ensure(field[used..].iter().all(|byte| *byte == 0x8f), || {
            "text after the end".to_owned()
        })?;
        ensure(is_last || used == field.len(), || {
            "a gap before the next block".to_owned()
        })?;
        text.extend_from_slice(&field[..used]);
        if !is_last {
            extension += 1;
            continue;
        }
        let lines = lines(&text, columns, has_marks)?;
        let rows = usize::from(block[13]) + lines.len();
        ensure(
            lines.len() <= most_lines && block[13] > 0 && rows <= 24,
            || format!("row {} for {} lines", block[13], lines.len()),
        )?;
        let (start, end) = (
            moment(&block[5..9], frames)?,
            moment(&block[9..13], frames)?,
        );
        cues.push(Read { start, end, lines });
        (numbers, extension) = (numbers + 1, 0);
        text.clear();
    }
    ensure(text.is_empty(), || "the last text does not end".to_owned())?;
    ensure(number(&field(243, 5)) == Ok(numbers), || {
        format!("{numbers} subtitles are not told")
    })?;
    let first = blocks.get(5..9).map_or_else(
        || "00000000".to_owned(),
        |code| code.iter().map(|part| format!("{part:02}")).collect(),
    );
    ensure(field(264, 8) == first, || {
        format!("first in-cue is {first}")
    })?;
    in_order(&cues)?;
    Ok(cues)
}

/// Checks the GSI block and returns the frame rate.
fn check_general(general: &[u8], blocks: usize) -> Result<u64, String> {
    let field =
        |at: usize, length: usize| String::from_utf8_lossy(&general[at..at + length]).into_owned();
    let is_text = general.iter().all(|byte| (0x20..0x7f).contains(byte));
    ensure(is_text, || {
        "the general block is not of its code page".to_owned()
    })?;
    let one_of = |at: usize, values: &[&str]| {
        let length = values.first().map_or(0, |value| value.len());
        let value = field(at, length);
        ensure(values.contains(&value.as_str()), || {
            format!("{value:?} at {at}")
        })
    };
    one_of(0, &["437", "850", "860", "863", "865"])?;
    one_of(3, &["STL25.01", "STL30.01"])?;
    one_of(11, &[" ", "0", "1", "2"])?;
    one_of(12, &["00", "01", "02", "03", "04"])?;
    one_of(255, &["0", "1"])?;
    one_of(272, &["11"])?;
    let hex = field(14, 2);
    ensure(
        u8::from_str_radix(&hex, 16).is_ok_and(|code| code <= 0x7f),
        || hex.clone(),
    )?;
    for at in [224, 230] {
        let date = field(at, 6);
        let parts: Vec<_> = [0, 2, 4].map(|at| number(&date[at..at + 2])).to_vec();
        let is_date = matches!(parts[..], [Ok(0..=99), Ok(1..=12), Ok(1..=31)]);
        ensure(is_date || date.trim().is_empty(), || {
            format!("date {date:?}")
        })?;
    }
    for (at, length) in [(236, 2), (243, 5), (251, 2), (253, 2)] {
        number(&field(at, length))?;
    }
    ensure(number(&field(238, 5)) == Ok(blocks), || {
        format!("{blocks} blocks are not told")
    })?;
    ensure(number(&field(248, 3))? >= 1, || "no group".to_owned())?;
    let frames = if field(3, 8) == "STL25.01" { 25 } else { 30 };
    for at in [256, 264] {
        let digits = field(at, 8);
        let code = [0, 2, 4, 6].map(|at| number(&digits[at..at + 2]));
        let code: Result<Vec<usize>, String> = code.into_iter().collect();
        let code: Vec<u8> = code?
            .into_iter()
            .map(|part| u8::try_from(part).unwrap_or(u8::MAX))
            .collect();
        moment(&code, frames)?;
    }
    Ok(frames)
}

fn number(digits: &str) -> Result<usize, String> {
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let number: Option<usize> = digits.parse().ok().filter(|_| is_number);
    number.ok_or_else(|| format!("no number: {digits:?}"))
}

/// Milliseconds of a time code, in whole frames.
fn moment(code: &[u8], frames: u64) -> Result<u64, String> {
    let [hours, minutes, seconds, frame] = code else {
        return Err(format!("{code:?}"));
    };
    let is_time = *hours < 24 && *minutes < 60 && *seconds < 60 && u64::from(*frame) < frames;
    ensure(is_time, || format!("time code {code:?}"))?;
    let seconds = (u64::from(*hours) * 60 + u64::from(*minutes)) * 60 + u64::from(*seconds);
    Ok(seconds * 1000 + u64::from(*frame) * 1000 / frames)
}

/// The lines of a text, none longer than the GSI block states.
fn lines(text: &[u8], columns: usize, has_marks: bool) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    for line in text.split(|byte| *byte == 0x8a) {
        let strange = line
            .iter()
            .find(|byte| !matches!(byte, 0x20..=0x7e | 0xa0..=0xff));
        ensure(strange.is_none(), || format!("{strange:?} in {line:x?}"))?;
        // In the Latin table a diacritic and its letter are one character.
        let is_mark = |byte: &u8| has_marks && matches!(byte, 0xc1..=0xcf);
        let width = line.iter().filter(|byte| !is_mark(byte)).count();
        ensure(width <= columns.max(1) || columns == 99, || {
            format!(
                "{width} of {columns} characters: {}",
                String::from_utf8_lossy(line)
            )
        })?;
        ensure(line.iter().any(|byte| *byte != b' '), || {
            "an empty line".to_owned()
        })?;
        lines.push(line.iter().copied().map(char::from).collect());
    }
    Ok(lines)
}
