//! Where the words of a query stand in a text.

use std::ops::Range;

use slovo_db::search::{Passage, Terms};
use slovo_rules::search::{self, Query};

/// Passages shown of one job.
const SHOWN: usize = 3;

/// A passage in which words were found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The passage.
    pub passage: Passage,
    /// Where the words stand in its text, in UTF-16 units.
    pub ranges: Vec<Range<u32>>,
}

/// What was found in one text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// The first passages, in the order of the recording.
    pub hits: Vec<Hit>,
    /// How many there are.
    pub count: usize,
}

/// The passages that have as many of the words as any of them.
#[must_use]
pub fn hits(passages: Vec<Passage>, terms: &Terms) -> Found {
    let finder = Finder::new(terms);
    let mut most = 1;
    let mut found = Found::default();
    for passage in passages {
        let (places, words) = finder.places(&passage.text);
        if words < most {
            continue;
        }
        if words > most {
            most = words;
            found = Found::default();
        }
        found.count += 1;
        if found.hits.len() < SHOWN {
            let ranges = search::in_utf16(&passage.text, &places);
            found.hits.push(Hit { passage, ranges });
        }
    }
    found
}

/// Where any of the words stands in a text, in UTF-16 units.
#[must_use]
pub fn ranges(text: &str, terms: &Terms) -> Vec<Range<u32>> {
    search::in_utf16(text, &Finder::new(terms).places(text).0)
}

/// The words of a query, ready to be looked for.
struct Finder {
    /// Each with whether words may begin with it.
    words: Vec<(Query, bool)>,
}

impl Finder {
    fn new(terms: &Terms) -> Self {
        let words = terms.words().iter().enumerate();
        Self {
            words: words
                .map(|(index, word)| (Query::new(word), terms.is_beginning(index)))
                .collect(),
        }
    }

    /// Where the words stand, in bytes, in order and without overlaps; and how many different ones
    /// there are.
    fn places(&self, text: &str) -> (Vec<Range<usize>>, usize) {
        let mut scratch = String::new();
        let mut all = Vec::new();
        let mut different = 0;
        for (query, beginning) in &self.words {
            let places = query.find(text, &mut scratch).into_iter();
            let before = all.len();
            all.extend(places.filter(|place| stands_alone(text, place, *beginning)));
            different += usize::from(all.len() > before);
        }
        all.sort_unstable_by_key(|place| (place.start, place.end));
        let mut apart: Vec<Range<usize>> = Vec::with_capacity(all.len());
        for place in all {
            match apart.last_mut() {
                Some(last) if place.start < last.end => last.end = last.end.max(place.end),
                _ => apart.push(place),
            }
        }
        (apart, different)
    }
}

/// Whether a place is a word of its own, or the beginning of one where that is enough.
fn stands_alone(text: &str, place: &Range<usize>, beginning: bool) -> bool {
    // Scripts without spaces: each character is a word.
    if search::words(&text[place.clone()]).len() > 1
        || text[place.clone()].starts_with(|first| first >= '\u{2e80}')
    {
        return true;
    }
    let before = text[..place.start].chars().rev();
    let after = text[place.end..].chars();
    !goes_on(before) && (beginning || !goes_on(after))
}

/// Whether the word goes on with these characters: an apostrophe belongs to it only between
/// letters.
fn goes_on(characters: impl Iterator<Item = char>) -> bool {
    for character in characters {
        if character.is_alphanumeric() {
            return true;
        }
        if search::fold(character.encode_utf8(&mut [0; 4])).text != "'" {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, query: &str) -> Vec<String> {
        let units: Vec<u16> = text.encode_utf16().collect();
        ranges(text, &Terms::new(query))
            .into_iter()
            .map(|range| {
                let range =
                    usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
                String::from_utf16(&units[range]).unwrap()
            })
            .collect()
    }

    #[test]
    fn whole_words_are_marked_and_the_last_ones_beginning() {
        assert_eq!(marked("Кіт, кота, скіт — кіт", "кіт"), ["Кіт", "кіт"]);
        assert_eq!(marked("кішка кіт", "кіт кіш"), ["кіш", "кіт"]);
        assert_eq!(marked("кітва кіт кішка", "кіт кіш"), ["кіт", "кіш"]);
        assert_eq!(marked("п’ять ять 'ять' ПʼЯТЬ", "ять"), ["ять", "ять"]);
        assert_eq!(marked("п’ять ять 'ять' ПʼЯТЬ", "п'ять"), ["п’ять", "ПʼЯТЬ"]);
        assert_eq!(marked("😀 слово", "слово"), ["слово"]);
        assert_eq!(marked("їжак і\u{308}жак", "їжак"), ["їжак", "і\u{308}жак"]);
        assert_eq!(marked("слово", ""), [] as [String; 0]);
    }

    #[test]
    fn the_passages_with_most_of_the_words_are_shown() {
        let passage = |start: u32, text: &str| Passage {
            segment_id: start.to_string(),
            start: start.into(),
            speaker: None,
            text: text.to_owned(),
        };
        let all = vec![
            passage(0, "музей"),
            passage(1, "новий музей"),
            passage(2, "поновий музейчик"),
            passage(3, "нового"),
            passage(4, "музей, музей, новий"),
            passage(5, "новий музей"),
            passage(6, "новий музей"),
        ];
        let found = hits(all.clone(), &Terms::new("новий музей"));
        let starts: Vec<_> = found.hits.iter().map(|hit| hit.passage.start).collect();
        assert_eq!((starts, found.count), (vec![1.0, 4.0, 5.0], 4));
        assert_eq!(found.hits[1].ranges, [0..5, 7..12, 14..19]);
        assert_eq!(hits(all, &Terms::new("пан")), Found::default());
    }
}
