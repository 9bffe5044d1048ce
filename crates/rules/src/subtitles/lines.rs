//! Width of text on a screen, and breaking it into at most two lines.

use unicode_width::UnicodeWidthStr;

use super::SubtitleLimits;

pub use crate::text::breaks_freely;

/// Default maximum columns of a subtitle line.
pub const MAX_COLUMNS: usize = super::LIMITS.max_columns;

/// Maximum number of lines at once.
pub const MAX_LINES: usize = super::LIMITS.max_lines;

/// Columns of the text.
#[must_use]
pub fn columns(text: &str) -> usize {
    text.width()
}

/// Whether the text fits into two lines of [`MAX_COLUMNS`].
#[must_use]
pub fn fits(text: &str) -> bool {
    columns(text) <= MAX_COLUMNS
        || breaks(text).any(|(first, second)| widest(first, second) <= MAX_COLUMNS)
}

/// The text in one line, or in two lines that are as even as its words allow. A text without any
/// possible break stays in one line.
#[must_use]
pub fn break_lines(text: &str) -> String {
    broken_after(text, 0, &super::LIMITS)
}

/// Like [`break_lines`], with these limits, and not within the first `head` bytes (the speaker's name)
/// if the rest has a break that fits.
#[must_use]
pub fn broken_after(text: &str, head: usize, limits: &SubtitleLimits) -> String {
    if limits.max_lines < 2 || columns(text) <= limits.max_columns {
        return text.to_owned();
    }
    breaks(text)
        .min_by_key(|&(first, second)| {
            let widest = widest(first, second);
            // Fitting takes precedence over reading well.
            let over = widest.saturating_sub(limits.max_columns);
            (over, first.len() < head, widest + penalty(first, second))
        })
        .map_or_else(
            || text.to_owned(),
            |(first, second)| format!("{first}\n{second}"),
        )
}

/// The text with line breaks at these ascending byte positions, replacing a space or between two
/// characters.
#[must_use]
pub fn broken_at(text: &str, breaks: &[usize]) -> String {
    let mut lines: Vec<&str> = Vec::with_capacity(breaks.len() + 1);
    let mut from = 0;
    for at in breaks.iter().copied().chain([text.len()]) {
        let line = text.get(from..at).unwrap_or_default().trim();
        if !line.is_empty() {
            lines.push(line);
            from = at;
        }
    }
    lines.join("\n")
}

/// How much more uneven two lines may be for a break that reads better, in columns.
fn penalty(first: &str, second: &str) -> usize {
    if ends_clause(first) {
        0
    } else if ends_with_short_word(first) {
        12
    } else if second.chars().next().is_some_and(breaks_freely) {
        8
    } else {
        6
    }
}

/// Whether the text ends with a short word that belongs to the next one: an article or a
/// preposition.
#[must_use]
pub fn ends_with_short_word(text: &str) -> bool {
    let last = text.trim_end().rsplit(' ').next().unwrap_or_default();
    last.chars().all(char::is_alphabetic) && (1..=2).contains(&last.chars().count())
        || ["the", "and", "для", "над", "під", "при", "про"].contains(&last)
}

/// Whether the text ends with punctuation at which a reader pauses.
#[must_use]
pub fn ends_clause(text: &str) -> bool {
    text.trim_end_matches(['"', '\'', '”', '»', ')', '’'])
        .ends_with([
            '.', ',', ';', ':', '?', '!', '…', '。', '、', '，', '？', '！', '—',
        ])
}

/// Whether the text ends with the end of a sentence.
#[must_use]
pub fn ends_sentence(text: &str) -> bool {
    text.trim_end_matches(['"', '\'', '”', '»', ')', '’'])
        .ends_with(['.', '?', '!', '…', '。', '？', '！'])
}

fn widest(first: &str, second: &str) -> usize {
    columns(first).max(columns(second))
}

/// All ways to break the text in two: at spaces, and between characters of scripts without spaces
/// (but not before punctuation).
fn breaks(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.char_indices().filter_map(move |(at, character)| {
        let (first, second) = text.split_at(at);
        if first.is_empty() {
            None
        } else if character == ' ' {
            Some((first, second.trim_start()))
        } else if breaks_freely(character)
            && !first.ends_with(' ')
            && !ends_clause(&character.to_string())
        {
            Some((first, second))
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_text_stays_in_one_line() {
        assert_eq!(break_lines("Hello there."), "Hello there.");
        assert_eq!(break_lines(""), "");
    }

    #[test]
    fn long_text_is_broken_evenly_and_after_commas() {
        assert_eq!(
            break_lines("When the rain had stopped, the whole family went out."),
            "When the rain had stopped,\nthe whole family went out."
        );
    }

    #[test]
    fn a_break_that_fits_is_preferred_to_a_comma() {
        let text = "In the second place, which is where we all of us began, it was";
        let out = break_lines(text);
        assert!(
            out.lines().all(|line| columns(line) <= MAX_COLUMNS),
            "{out}"
        );
        let text = "Unfortunately, the afternoon was over before it had even begun";
        let out = break_lines(text);
        assert_eq!(
            out,
            "Unfortunately, the afternoon was\nover before it had even begun"
        );
    }

    #[test]
    fn a_leading_name_is_not_split_if_the_rest_can_be() {
        let text = "Olena Petrenko: when the rain had stopped we went out.";
        let out = broken_after(text, "Olena Petrenko: ".len(), &super::super::LIMITS);
        assert_eq!(
            out,
            "Olena Petrenko: when the rain\nhad stopped we went out."
        );
        let one_line = SubtitleLimits {
            max_lines: 1,
            ..super::super::LIMITS
        };
        assert_eq!(broken_after(text, 0, &one_line), text);
    }

    #[test]
    fn wide_characters_take_two_columns_and_break_anywhere() {
        let text = "今日は天気がとても良いので散歩に行きましょうと彼は言いました。";
        assert!(columns(text) > MAX_COLUMNS && fits(text));
        let out = break_lines(text);
        assert_eq!(out.lines().count(), 2);
        assert!(
            out.lines().all(|line| columns(line) <= MAX_COLUMNS),
            "{out}"
        );
        assert_eq!(out.replace('\n', ""), text);
    }

    #[test]
    fn a_very_long_word_is_not_split() {
        let word = "a".repeat(100);
        assert!(!fits(&word));
        assert_eq!(break_lines(&word), word);
    }
}
