//! Searching for words as people type them: ignores case, forms of the apostrophe, kinds of white
//! space, and whether letters are composed or decomposed.

mod normal;

use std::ops::Range;

/// Longest query, in characters; longer ones find nothing.
pub const MAX_QUERY: usize = 1000;
/// Longest word in an index, in characters; longer ones are truncated.
pub const MAX_WORD: usize = 60;

/// A text folded for comparison, mapped to the original.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FoldedText {
    /// The folded text.
    pub text: String,
    /// Letters with their combining marks: the start of each in `text` and in the original, in
    /// bytes, followed by both ends.
    marks: Vec<(usize, usize)>,
}

impl FoldedText {
    /// The range in the original for a range of `text`, in bytes; `None` if it starts or ends
    /// inside a letter with its marks.
    #[must_use]
    pub fn original(&self, range: Range<usize>) -> Option<Range<usize>> {
        let place = |byte: usize| {
            let at = self.marks.binary_search_by_key(&byte, |mark| mark.0).ok()?;
            self.marks.get(at).map(|mark| mark.1)
        };
        Some(place(range.start)?..place(range.end)?)
    }

    /// The range in the original for a range of `text`, in bytes, extended to whole letters.
    fn around(&self, range: Range<usize>) -> Range<usize> {
        let first = self.marks.partition_point(|mark| mark.0 <= range.start);
        let last = self.marks.partition_point(|mark| mark.0 < range.end);
        let original = |mark: Option<&(usize, usize)>| mark.map_or(0, |mark| mark.1);
        original(self.marks.get(first.saturating_sub(1)))..original(self.marks.get(last))
    }
}

/// A query, folded once for many texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    folded: String,
}

impl Query {
    /// A query; without visible characters, or if longer than [`MAX_QUERY`], it finds nothing.
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

    /// Its occurrences in the text, in bytes, in order and without overlaps. `scratch` is a buffer
    /// reused between texts.
    #[must_use]
    pub fn find(&self, text: &str, scratch: &mut String) -> Vec<Range<usize>> {
        scratch.clear();
        if self.folded.is_empty() {
            return Vec::new();
        }
        fold_into(text, scratch, None);
        // Most texts do not contain it; only the others need the mapping of letters.
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

/// Folds a text: lower case, one form of the apostrophe (`'`), composed letters, one space for each
/// run of white space and control characters, no zero-width characters.
#[must_use]
pub fn fold(text: &str) -> FoldedText {
    let mut folded = FoldedText::default();
    fold_into(text, &mut folded.text, Some(&mut folded.marks));
    folded.marks.push((folded.text.len(), text.len()));
    folded
}

/// The occurrences of the query in the text, in bytes, in order and without overlaps.
#[must_use]
pub fn find(text: &str, query: &str) -> Vec<Range<usize>> {
    Query::new(query).find(text, &mut String::new())
}

/// Converts ascending byte ranges to ranges of UTF-16 units, as used in JavaScript.
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
    /// The word as returned by [`words`].
    pub text: String,
    /// Its range in the text, in bytes, including a truncated part.
    pub place: Range<usize>,
}

/// The words of a text for an index: folded, with inner apostrophes, each character of a script
/// without spaces as a word, none longer than [`MAX_WORD`].
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let folded = fold(text).text;
    let places = word_places(&folded).into_iter();
    places.map(|place| limited(&folded[place])).collect()
}

/// The same words with their ranges.
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

/// A word of a folded text, truncated to the limit of the index.
fn limited(word: &str) -> String {
    let end = word
        .char_indices()
        .nth(MAX_WORD)
        .map_or(word.len(), |(end, _)| end);
    word[..end].to_owned()
}

/// The ranges of the words in a folded text, in bytes.
fn word_places(folded: &str) -> Vec<Range<usize>> {
    let between = |c: char| !(c.is_alphanumeric() || c == '\'' || normal::joins(c));
    let (mut places, mut start) = (Vec::new(), 0);
    for part in folded.split(between) {
        let trimmed = part.trim_start_matches('\'');
        let mut from = start + part.len() - trimmed.len();
        let end = from + trimmed.trim_end_matches('\'').len();
        let (first, word) = (from, &folded[from..end]);
        for (at, character) in word.char_indices().map(|(at, c)| (first + at, c)) {
            // A mark (as in Thai) belongs to the letter before it.
            if !normal::joins(character) && crate::subtitles::lines::breaks_freely(character) {
                places.push(from..at);
                let behind = at + character.len_utf8();
                // Its marks do not form a word of their own.
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

/// Folds into `out`, and adds to `marks` the start of each letter with its marks in both texts.
/// Optimised for texts of many thousand words: plain letters take a fast path.
fn fold_into(text: &str, out: &mut String, mut marks: Option<&mut Vec<(usize, usize)>>) {
    // The start of the last letter in `out` and in the text, and whether it produced output.
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
                // Folds the last letter again, together with the joining characters.
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

/// The lower-case letter at the start of these bytes with its length in bytes, if it is ASCII or
/// Cyrillic and needs no further processing.
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

/// The length in bytes of the leading characters that join the one before.
fn joining(text: &str) -> usize {
    let mut rest = text.chars();
    while rest.clone().next().is_some_and(normal::joins) {
        rest.next();
    }
    text.len() - rest.as_str().len()
}

/// Folds one character; a second consecutive space is dropped.
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

/// Folds a letter with its marks, or one with another composed form.
fn fold_composed(letter: &str, out: &mut String) {
    let mut folded = String::new();
    for character in normal::composed(letter).chars() {
        fold_character(character, &mut folded);
    }
    // The lower-case letter may have a composed form that the capital does not have.
    out.push_str(&normal::composed(&folded));
}

fn fold_character(character: char, out: &mut String) {
    match character {
        '\'' | '’' | 'ʼ' | '‘' | '`' | '′' | '＇' | '´' | '‛' | 'ʹ' => out.push('\''),
        // The final form of sigma.
        'ς' => out.push('σ'),
        _ if has_no_width(character) => {}
        _ if character.is_whitespace() || character.is_control() => out.push(' '),
        _ => out.extend(character.to_lowercase()),
    }
}

/// Soft hyphens, joiners, direction marks, and the byte order mark.
const fn has_no_width(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
    )
}
