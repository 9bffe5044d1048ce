//! `WebVTT` by the grammar of the W3C (Candidate Recommendation, section 4), limited to what our
//! files may use: no cue names, settings, regions or styles.

use super::{Outcome, Read, ensure, in_order, moment, plain, span, unix_text};

pub fn read(file: &[u8], most_lines: usize) -> Outcome {
    let text = unix_text(file)?;
    let mut blocks = text.trim_end_matches('\n').split("\n\n");
    let head = blocks.next();
    ensure(head == Some("WEBVTT"), || format!("head: {head:?}"))?;
    let mut cues = Vec::new();
    for block in blocks {
        let (times, payload) = block
            .split_once('\n')
            .ok_or_else(|| format!("no text: {block:?}"))?;
        let (start, end) = span(times, '.')?;
        ensure(!payload.contains("-->"), || {
            format!("an arrow: {payload:?}")
        })?;
        let plain_text = cue_text(payload, start, end)?;
        let lines: Vec<String> = plain_text.split('\n').map(str::to_owned).collect();
        ensure((1..=most_lines).contains(&lines.len()), || {
            format!("{} lines: {block:?}", lines.len())
        })?;
        for line in &lines {
            plain(line)?;
            ensure(!line.trim().is_empty(), || {
                format!("an empty line: {block:?}")
            })?;
        }
        cues.push(Read { start, end, lines });
    }
    in_order(&cues)?;
    Ok(cues)
}

/// The text of a cue without its tags. A voice tag may be left open if it spans the whole cue;
/// times within are strictly increasing and between the cue's start and end.
fn cue_text(payload: &str, start: u64, end: u64) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = payload;
    let mut last = start;
    while let Some(at) = rest.find(['<', '&']) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with('&') {
            let (reference, after) = reference(rest)?;
            text.push(reference);
            rest = after;
            continue;
        }
        let close = rest
            .find('>')
            .ok_or_else(|| format!("an open tag: {payload:?}"))?;
        let tag = &rest[1..close];
        if let Some(name) = tag.strip_prefix("v ") {
            ensure(text.is_empty(), || {
                format!("a voice in the middle: {payload:?}")
            })?;
            annotation(name)?;
        } else {
            let at = moment(tag, '.')?;
            ensure(last < at && at < end, || {
                format!("{tag} is not within {payload:?}")
            })?;
            last = at;
        }
        rest = &rest[close + 1..];
    }
    text.push_str(rest);
    Ok(text)
}

/// Checks a name: not empty, no line break, `&` only in character references.
fn annotation(name: &str) -> Result<(), String> {
    ensure(
        !name.trim().is_empty() && !name.contains(['\n', '<']),
        || format!("a name: {name:?}"),
    )?;
    let mut rest = name;
    while let Some(at) = rest.find('&') {
        rest = reference(&rest[at..])?.1;
    }
    plain(name)
}

/// The character that a reference stands for, and the text after it.
fn reference(text: &str) -> Result<(char, &str), String> {
    let references = [("&amp;", '&'), ("&lt;", '<'), ("&gt;", '>')];
    let found = references
        .into_iter()
        .find_map(|(name, stands_for)| Some((stands_for, text.strip_prefix(name)?)));
    found.ok_or_else(|| format!("no reference: {text:?}"))
}
