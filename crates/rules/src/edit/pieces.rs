//! A segment's text as pieces that have times: the parts between white space, and each character of
//! a script without spaces.

use std::borrow::Cow;
use std::ops::Range;

use crate::text::breaks_freely;
use crate::transcript::Word;

/// A piece of text, never empty and without white space.
#[derive(Debug, Clone, Copy)]
pub struct Piece<'a> {
    /// The text.
    pub text: &'a str,
    /// Its start in the text, in bytes.
    pub at: usize,
    /// Whether it follows white space or starts the text.
    pub spaced: bool,
}

impl PartialEq for Piece<'_> {
    /// Pieces are equal if their texts are.
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Piece<'_> {
    /// Its range in the text, in bytes.
    pub fn range(&self) -> Range<usize> {
        self.at..self.at + self.text.len()
    }
}

/// The pieces of a text, in order.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut start: Option<usize> = None;
    let mut spaced = true;
    for (at, character) in text.char_indices() {
        let space = character.is_whitespace();
        let alone = !space && breaks_freely(character);
        if let Some(from) = start.filter(|_| space || alone) {
            pieces.push(Piece {
                text: &text[from..at],
                at: from,
                spaced,
            });
            spaced = false;
            start = None;
        }
        if space {
            spaced = true;
        } else if alone {
            let end = at + character.len_utf8();
            pieces.push(Piece {
                text: &text[at..end],
                at,
                spaced,
            });
            spaced = false;
        } else if start.is_none() {
            start = Some(at);
        }
    }
    if let Some(from) = start {
        pieces.push(Piece {
            text: &text[from..],
            at: from,
            spaced,
        });
    }
    pieces
}

/// The range of each word in the text, in bytes; `None` unless the text consists of these words and
/// white space.
pub fn located<'a>(
    text: &str,
    words: impl IntoIterator<Item = &'a Word>,
) -> Option<Vec<Range<usize>>> {
    let mut ranges = Vec::new();
    let mut end = 0;
    for word in words {
        let start = text.len() - text[end..].trim_start().len();
        let expected = word.text.trim();
        if !text[start..].starts_with(expected) {
            return None;
        }
        end = start + expected.len();
        ranges.push(start..end);
    }
    text[end..].trim().is_empty().then_some(ranges)
}

/// A text with the ranges of its words. If the words do not match the text, their own text is used
/// instead.
pub fn text_with_ranges<'a>(text: &'a str, words: &[&Word]) -> (Cow<'a, str>, Vec<Range<usize>>) {
    if let Some(ranges) = located(text, words.iter().copied()) {
        return (Cow::Borrowed(text), ranges);
    }
    let mut text = String::new();
    let mut ranges = Vec::with_capacity(words.len());
    for word in words {
        if !text.is_empty() {
            text.push(' ');
        }
        let start = text.len();
        text.push_str(word.text.trim());
        ranges.push(start..text.len());
    }
    (Cow::Owned(text), ranges)
}

/// An interval of time in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Time {
    /// Seconds.
    pub start: f64,
    /// Seconds, not before `start`.
    pub end: f64,
}

impl Time {
    /// A word's time; non-finite or reversed times become a moment.
    pub fn of(word: &Word) -> Self {
        Self::between(word.start, word.end)
    }

    /// From one moment to another; non-finite or reversed times become a moment.
    pub fn between(start: f64, end: f64) -> Self {
        let start = if start.is_finite() { start } else { 0.0 };
        let end = if end.is_finite() {
            end.max(start)
        } else {
            start
        };
        Self { start, end }
    }

    /// The interval from one part to another, out of `total` equal parts.
    pub fn share(self, from: usize, to: usize, total: usize) -> Self {
        let length = self.end - self.start;
        let moment = |part: usize| {
            if part >= total {
                self.end
            } else {
                self.start + length * number(part) / number(total)
            }
        };
        Self {
            start: moment(from),
            end: moment(to),
        }
    }

    /// Divides the interval among texts in proportion to their number of characters.
    pub fn shared<'a>(self, texts: impl Iterator<Item = &'a str> + Clone) -> Vec<Self> {
        let total = texts.clone().map(length).sum();
        let mut done = 0;
        texts
            .map(|text| {
                let from = done;
                done += length(text);
                self.share(from, done, total)
            })
            .collect()
    }
}

/// Characters of a text; at least one, so that every text gets a share.
pub fn length(text: &str) -> usize {
    text.chars().count().max(1)
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
