//! The pieces of a segment's text between which cues and lines may be split: words with their
//! times.
//!
//! If a segment has words, the pieces have their times; otherwise its time is divided by the number
//! of characters.

use super::lines;
use super::speech::{SpokenSegment, WordStart, clean};
use crate::seconds::finite;

/// Maximum bytes of a piece: zero-width characters take no columns, but processing time.
const MAX_BYTES: usize = 512;

/// A piece of text with its time: a word with the space after it, or a character of a script
/// without spaces.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub start: f64,
    pub end: f64,
    pub text: String,
    /// The starts of the words in it, if their times are known.
    pub words: Vec<WordStart>,
    /// Columns without the space after it.
    pub columns: usize,
    /// Whether it continues the preceding word, so that no cue should begin here.
    pub within: bool,
}

/// The segment's words with the text around them, or its text split at spaces with its time divided
/// by length; none wider than a line.
pub(super) fn atoms(segment: &SpokenSegment<'_>, max_columns: usize) -> Vec<Atom> {
    let text = clean(segment.text);
    let words = timed_words(segment, &text)
        .unwrap_or_else(|| spread_over_time(&text, segment.start, segment.end));
    let mut atoms: Vec<Atom> = join_unspaced(words)
        .into_iter()
        .flat_map(|atom| split_atom(atom, max_columns))
        .filter(|atom| !atom.text.trim().is_empty())
        .collect();
    let mut floor = finite(segment.start).unwrap_or(0.0).max(0.0);
    for atom in &mut atoms {
        atom.columns = lines::columns(atom.text.trim());
        atom.start = finite(atom.start).unwrap_or(floor).max(floor);
        atom.end = finite(atom.end).unwrap_or(atom.start).max(atom.start);
        floor = atom.start;
    }
    atoms
}

/// The words located in the text, each with the text after it; `None` if there are no words or they
/// do not match the text.
fn timed_words(segment: &SpokenSegment<'_>, text: &str) -> Option<Vec<Atom>> {
    let mut atoms: Vec<Atom> = Vec::with_capacity(segment.words.len());
    let mut rest = text;
    for word in segment.words {
        let expected = clean(&word.text);
        if expected.is_empty() {
            continue;
        }
        let at = rest.find(&expected)?;
        let (before, found) = rest.split_at(at);
        if !before.trim().is_empty() {
            return None;
        }
        if let Some(last) = atoms.last_mut() {
            last.text.push_str(before);
        }
        let first = WordStart {
            at: 0,
            start: word.start,
        };
        atoms.push(Atom {
            words: vec![first],
            ..atom(word.start, word.end, expected.clone())
        });
        rest = &found[expected.len()..];
    }
    if atoms.is_empty() || !rest.trim().is_empty() {
        return None;
    }
    Some(atoms)
}

fn atom(start: f64, end: f64, text: String) -> Atom {
    Atom {
        start,
        end,
        text,
        words: Vec::new(),
        columns: 0,
        within: false,
    }
}

/// The text split after spaces, each part with its share of the time.
fn spread_over_time(text: &str, start: f64, end: f64) -> Vec<Atom> {
    let pieces = text.split_inclusive(' ').map(str::to_owned);
    with_shares(pieces.collect(), start, end)
}

fn with_shares(pieces: Vec<String>, start: f64, end: f64) -> Vec<Atom> {
    let total: usize = pieces.iter().map(|piece| piece.chars().count()).sum();
    let length = (end - start).max(0.0);
    let mut done = 0;
    let shared = pieces.into_iter().map(|text| {
        let from = start + length * ratio(done, total);
        done += text.chars().count();
        atom(from, start + length * ratio(done, total), text)
    });
    shared.collect()
}

fn ratio(part: usize, total: usize) -> f64 {
    let number = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    number(part) / number(total.max(1))
}

/// Joins words that are not separated by a space, unless their script has no spaces: `Hello` and
/// `,`.
fn join_unspaced(atoms: Vec<Atom>) -> Vec<Atom> {
    let mut joined: Vec<Atom> = Vec::with_capacity(atoms.len());
    for atom in atoms {
        match joined.last_mut() {
            Some(last) if !last.text.ends_with(' ') && !may_begin(&atom.text) => {
                let at = last.text.len();
                let words = atom.words.iter();
                last.words.extend(words.map(|word| WordStart {
                    at: at + word.at,
                    ..*word
                }));
                last.text.push_str(&atom.text);
                last.end = last.end.max(atom.end);
            }
            _ => joined.push(atom),
        }
    }
    joined
}

/// Whether a line may begin with this text without a space before it.
fn may_begin(text: &str) -> bool {
    text.chars()
        .next()
        .is_some_and(|c| lines::breaks_freely(c) && !lines::ends_clause(&c.to_string()))
}

/// Splits an atom at every character of a script without spaces, and into pieces as wide as a line
/// if it is wider.
fn split_atom(atom: Atom, max_columns: usize) -> Vec<Atom> {
    let wide = lines::columns(&atom.text) > max_columns || atom.text.len() > MAX_BYTES;
    if !wide && !atom.text.chars().any(lines::breaks_freely) {
        return vec![atom];
    }
    let mut pieces: Vec<String> = vec![String::new()];
    // Columns of the last piece, and whether its last character joins the next one.
    let (mut columns, mut joins) = (0, false);
    for character in atom.text.chars() {
        let own = lines::columns(character.encode_utf8(&mut [0; 4]));
        let last = pieces.last().map_or(0, String::len);
        let full = wide && (columns + own > max_columns || last >= MAX_BYTES);
        let free = lines::breaks_freely(character) && !lines::ends_clause(&character.to_string());
        // A mark or a joiner belongs to the character before it.
        let marks = own == 0 || joins || ('\u{1f3fb}'..='\u{1f3ff}').contains(&character);
        if (full || free) && last > 0 && character != ' ' && (!marks || last >= 2 * MAX_BYTES) {
            pieces.push(String::new());
            columns = 0;
        }
        if let Some(last) = pieces.last_mut() {
            last.push(character);
        }
        columns += own;
        joins = character == '\u{200d}';
    }
    let mut parts = with_shares(pieces, atom.start, atom.end);
    for part in parts.iter_mut().skip(1) {
        part.within = true;
    }
    // Each word begins in the part with its first byte; the times of parts in between are
    // estimated.
    let mut from = 0;
    for part in &mut parts {
        let to = from + part.text.len();
        let words = atom.words.iter();
        let of_part = words.filter(|word| (from..to).contains(&word.at));
        part.words = of_part
            .map(|word| WordStart {
                at: word.at - from,
                ..*word
            })
            .collect();
        from = to;
    }
    parts
}
