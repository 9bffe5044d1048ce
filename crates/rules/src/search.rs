//! Finding words as people type them: case, the forms of the apostrophe, white space and the two
//! ways to write a letter with its mark make no difference.

mod normal;

use std::ops::Range;

/// Longest text that is looked for, in characters; nothing is found of a longer one.
pub const MAX_QUERY: usize = 1000;
/// Longest word for an index, in characters; a longer one is cut.
pub const MAX_WORD: usize = 60;

/// A text folded for comparison, and where it comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folded {
    /// What is compared.
    pub text: String,
    /// Letters with their marks: where each starts in `text` and in the original, in bytes, and
    /// at last where both end.
    marks: Vec<(usize, usize)>,
}

impl Folded {
    /// Where a range of `text` stands in the original, in bytes; `None` where it begins or ends
    /// inside a letter with its marks.
    #[must_use]
    pub fn original(&self, range: Range<usize>) -> Option<Range<usize>> {
        let place = |byte: usize| {
            let at = self.marks.binary_search_by_key(&byte, |mark| mark.0).ok()?;
            self.marks.get(at).map(|mark| mark.1)
        };
        Some(place(range.start)?..place(range.end)?)
    }

    /// Where a range of `text` stands in the original, in bytes, with all of the letters that it
    /// begins or ends in.
    fn around(&self, range: Range<usize>) -> Range<usize> {
        let first = self.marks.partition_point(|mark| mark.0 <= range.start);
        let last = self.marks.partition_point(|mark| mark.0 < range.end);
        let original = |mark: Option<&(usize, usize)>| mark.map_or(0, |mark| mark.1);
        original(self.marks.get(first.saturating_sub(1)))..original(self.marks.get(last))
    }
}

/// What is looked for, folded once for many texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    folded: String,
}

impl Query {
    /// A query; one without a visible character, or longer than [`MAX_QUERY`], finds nothing.
    #[must_use]
    pub fn new(query: &str) -> Self {
        let mut folded = String::new();
        if !crate::text::longer_than(query, MAX_QUERY) {
            fold_into(query, &mut folded, None);
        }
        if folded.trim().is_empty() {
            folded.clear();
        }
        Self { folded }
    }

    /// Where it stands in the text, in bytes, in order and without overlaps. `scratch` is room
    /// that is used again from text to text.
    #[must_use]
    pub fn find(&self, text: &str, scratch: &mut String) -> Vec<Range<usize>> {
        scratch.clear();
        if self.folded.is_empty() {
            return Vec::new();
        }
        fold_into(text, scratch, None);
        // Most texts do not have it: only for the others it matters where each letter stands.
        if !scratch.contains(&self.folded) {
            return Vec::new();
        }
        let folded = fold(text);
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(at) = folded.text[from..].find(&self.folded) {
            let (start, end) = (from + at, from + at + self.folded.len());
            if let Some(range) = folded.original(start..end) {
                found.push(range);
                from = end;
            } else {
                let first = folded.text[start..].chars().next();
                from = start + first.map_or(1, char::len_utf8);
            }
        }
        found
    }
}

/// Folds a text: small letters, one form of the apostrophe (`'`), composed letters, one space for
/// every run of white space and control characters, nothing for characters without width.
#[must_use]
pub fn fold(text: &str) -> Folded {
    let mut folded = Folded::default();
    fold_into(text, &mut folded.text, Some(&mut folded.marks));
    folded.marks.push((folded.text.len(), text.len()));
    folded
}

/// Where the query stands in the text, in bytes, in order and without overlaps.
#[must_use]
pub fn find(text: &str, query: &str) -> Vec<Range<usize>> {
    Query::new(query).find(text, &mut String::new())
}

/// Ranges of bytes, in order, as ranges of UTF-16 units: the positions of JavaScript.
#[must_use]
pub fn in_utf16(text: &str, ranges: &[Range<usize>]) -> Vec<Range<u32>> {
    let mut places = text.char_indices();
    let mut unit = 0;
    let mut until = |byte: usize| {
        while places.offset() < byte {
            let Some((_, character)) = places.next() else {
                break;
            };
            unit += if character.len_utf16() == 2 { 2 } else { 1 };
        }
        unit
    };
    ranges
        .iter()
        .map(|range| {
            let start = until(range.start);
            start..until(range.end)
        })
        .collect()
}

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The word as [`words`] gives it.
    pub text: String,
    /// Where it stands in the text, in bytes: all of it, also where it was cut.
    pub place: Range<usize>,
}

/// The words of a text for an index: folded, apostrophes inside kept, each character of a script
/// without spaces on its own, none longer than [`MAX_WORD`].
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let folded = fold(text).text;
    let places = word_places(&folded).into_iter();
    places.map(|place| limited(&folded[place])).collect()
}

/// The same words with their places.
#[must_use]
pub fn words_at(text: &str) -> Vec<Word> {
    let folded = fold(text);
    let places = word_places(&folded.text).into_iter();
    let words = places.map(|place| Word {
        text: limited(&folded.text[place.clone()]),
        place: folded.around(place),
    });
    words.collect()
}

/// A word of a folded text that is not too long for an index.
fn limited(word: &str) -> String {
    let end = word
        .char_indices()
        .nth(MAX_WORD)
        .map_or(word.len(), |(end, _)| end);
    word[..end].to_owned()
}

/// Where the words of a folded text stand in it, in bytes.
fn word_places(folded: &str) -> Vec<Range<usize>> {
    let between = |c: char| !(c.is_alphanumeric() || c == '\'' || normal::joins(c));
    let (mut places, mut start) = (Vec::new(), 0);
    for part in folded.split(between) {
        let trimmed = part.trim_start_matches('\'');
        let mut from = start + part.len() - trimmed.len();
        let end = from + trimmed.trim_end_matches('\'').len();
        let (first, word) = (from, &folded[from..end]);
        for (at, character) in word.char_indices().map(|(at, c)| (first + at, c)) {
            // A mark, as Thai has some, belongs to the letter before it.
            if !normal::joins(character) && crate::subtitles::lines::breaks_freely(character) {
                places.push(from..at);
                let behind = at + character.len_utf8();
                // Its marks are no word of their own.
                from = behind + joining(&folded[behind..end]);
                places.push(at..from);
            }
        }
        places.push(from..end);
        start += part.len();
        start += folded[start..].chars().next().map_or(0, char::len_utf8);
    }
    places.retain(|place| folded[place.clone()].chars().any(char::is_alphanumeric));
    places
}

/// Folds into `out`, and notes in `marks` where each letter with its marks starts there and in
/// the text. Written for texts of many thousand words: plain letters take the shortest way.
fn fold_into(text: &str, out: &mut String, mut marks: Option<&mut Vec<(usize, usize)>>) {
    // Where the last letter starts in `out` and in the text, and whether it has left something.
    let (mut to, mut from, mut left) = (0, 0, false);
    let mut at = 0;
    while at < text.len() {
        if let Some((small, width)) = plain(&text.as_bytes()[at..]) {
            (to, from, left) = (out.len(), at, true);
            out.push(small);
            at += width;
        } else {
            let joining = joining(&text[at..]);
            if joining > 0 {
                // The last letter once more, with all that joins it.
                at += joining;
                out.truncate(to);
                fold_composed(&text[from..at], out);
                if left {
                    continue;
                }
            } else {
                let width = text[at..].chars().next().map_or(1, char::len_utf8);
                (to, from) = (out.len(), at);
                at += width;
                fold_letter(&text[from..at], out);
            }
            left = out.len() > to;
        }
        if let Some(marks) = marks.as_deref_mut().filter(|_| left) {
            marks.push((to, from));
        }
    }
}

/// The small letter with which these bytes begin and the bytes it takes, if it is ASCII or
/// Cyrillic and nothing more has to be thought of.
fn plain(bytes: &[u8]) -> Option<(char, usize)> {
    match *bytes {
        [b'\'' | b'`', ..] => None,
        [byte @ 0x21..=0x7e, ..] => Some((char::from(byte.to_ascii_lowercase()), 1)),
        [lead @ (0xd0 | 0xd1), next, ..] => {
            let code = 0x400 + (u32::from(lead & 1) << 6) + u32::from(next & 0x3f);
            let small = match code {
                0x400..=0x40f => code + 0x50,
                0x410..=0x42f => code + 0x20,
                0x430..=0x45f => code,
                _ => return None,
            };
            char::from_u32(small).map(|small| (small, 2))
        }
        _ => None,
    }
}

/// How many of the first bytes are characters that join the one before.
fn joining(text: &str) -> usize {
    let mut rest = text.chars();
    while rest.clone().next().is_some_and(normal::joins) {
        rest.next();
    }
    text.len() - rest.as_str().len()
}

/// One character; the second of two spaces belongs to the first.
fn fold_letter(letter: &str, out: &mut String) {
    let start = out.len();
    for character in letter.chars() {
        if normal::changes(character) {
            fold_composed(letter, out);
        } else {
            fold_character(character, out);
        }
    }
    if &out[start..] == " " && out[..start].ends_with(' ') {
        out.truncate(start);
    }
}

/// A letter with its marks, or one that has another form.
fn fold_composed(letter: &str, out: &mut String) {
    let mut folded = String::new();
    for character in normal::composed(letter).chars() {
        fold_character(character, &mut folded);
    }
    // A small letter may have a form that the capital one has not.
    out.push_str(&normal::composed(&folded));
}

fn fold_character(character: char, out: &mut String) {
    match character {
        '\'' | '’' | 'ʼ' | '‘' | '`' | '′' | '＇' | '´' | '‛' | 'ʹ' => out.push('\''),
        // The last letter of a Greek word.
        'ς' => out.push('σ'),
        _ if has_no_width(character) => {}
        _ if character.is_whitespace() || character.is_control() => out.push(' '),
        _ => out.extend(character.to_lowercase()),
    }
}

/// Soft hyphens, joiners, marks of direction, the byte order mark.
const fn has_no_width(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
    )
}
