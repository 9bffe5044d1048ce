//! Finds the words of a query in a text.

use std::collections::HashMap;
use std::ops::Range;

use slovo_db::texts::search::{Passage, Terms};
use slovo_rules::search::{self, Word};

/// A passage that contains words of the query.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The passage.
    pub passage: Passage,
    /// Ranges of the matches in its text, in UTF-16 units.
    pub ranges: Vec<Range<u32>>,
    /// Ranges of the matches in its speaker's name, likewise.
    pub speaker_ranges: Vec<Range<u32>>,
}

/// The matches in one text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TextMatches {
    /// Some of the passages, in the order of the recording.
    pub hits: Vec<Hit>,
    /// The total number of passages.
    pub count: usize,
}

/// The words of the query that a word of the text matches, one bit each.
type TermSet = u32;

/// The words of a query, prepared for searching many texts.
pub struct Finder<'a> {
    terms: &'a Terms,
    /// Cache of words seen so far: texts repeat theirs.
    cache: HashMap<String, TermSet>,
}

impl<'a> Finder<'a> {
    /// A finder of these words.
    #[must_use]
    pub fn new(terms: &'a Terms) -> Self {
        Self {
            terms,
            cache: HashMap::new(),
        }
    }

    /// The passages that match the most words of the query; skips the first `skip` and returns at
    /// most `limit`. A speaker's name counts as part of what the speaker says.
    #[must_use]
    pub fn hits(&mut self, passages: Vec<Passage>, skip: usize, limit: usize) -> TextMatches {
        let mut best = 1;
        let mut found = TextMatches::default();
        for passage in passages {
            let (places, in_text) = self.places(&passage.text);
            let (name_places, in_name) = match passage.speaker.as_deref() {
                Some(name) if !is_id(name) => self.places(name),
                _ => (Vec::new(), 0),
            };
            let words = (in_text | in_name).count_ones();
            if words < best {
                continue;
            }
            if words > best {
                best = words;
                found = TextMatches::default();
            }
            if found.count >= skip && found.hits.len() < limit {
                let name = passage.speaker.as_deref().unwrap_or_default();
                found.hits.push(Hit {
                    ranges: search::in_utf16(&passage.text, &places),
                    speaker_ranges: search::in_utf16(name, &name_places),
                    passage,
                });
            }
            found.count += 1;
        }
        found
    }

    /// Ranges of all matches in a text, in UTF-16 units.
    #[must_use]
    pub fn ranges(&mut self, text: &str) -> Vec<Range<u32>> {
        search::in_utf16(text, &self.places(text).0)
    }

    /// Ranges of the matches, in bytes and in order, and which words they match. A match of a word
    /// or another form of it covers the whole word; a prefix match covers only what was typed.
    fn places(&mut self, text: &str) -> (Vec<Range<usize>>, TermSet) {
        let (mut places, mut all) = (Vec::new(), 0);
        for word in search::words_at(text) {
            let term = self.matched_term(&word.text);
            if term != 0 {
                places.push(word.place);
                all |= term;
            } else if let Some((bit, place)) = self.beginning(text, &word) {
                places.push(place);
                all |= bit;
            }
        }
        (places, all)
    }

    /// Which of the query's words this is, in any form.
    fn matched_term(&mut self, word: &str) -> TermSet {
        if let Some(known) = self.cache.get(word) {
            return *known;
        }
        let keys = slovo_stems::keys(word);
        let mut terms = 0;
        for (number, term) in self.terms.all().iter().enumerate() {
            if term.word() == word || term.keys().iter().any(|key| keys.contains(key)) {
                terms |= 1 << number;
            }
        }
        self.cache.insert(word.to_owned(), terms);
        terms
    }

    /// The last word of the query and its range, if the given word begins with it.
    fn beginning(&self, text: &str, word: &Word) -> Option<(TermSet, Range<usize>)> {
        let last = self.terms.all().len().checked_sub(1)?;
        let typed = self.terms.all().get(last)?.word();
        if !self.terms.is_prefix(last) || !word.text.starts_with(typed) {
            return None;
        }
        let matched = search::fold(&text[word.place.clone()]).original(0..typed.len())?;
        let start = word.place.start;
        Some((1 << last, start + matched.start..start + matched.end))
    }
}

/// Whether a speaker only has the default name `SPEAKER_n`, which is never shown.
fn is_id(speaker: &str) -> bool {
    speaker
        .strip_prefix("SPEAKER_")
        .is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, query: &str) -> Vec<String> {
        let units: Vec<u16> = text.encode_utf16().collect();
        Finder::new(&Terms::new(query))
            .ranges(text)
            .into_iter()
            .map(|range| {
                let range =
                    usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
                String::from_utf16(&units[range]).unwrap()
            })
            .collect()
    }

    fn passage(start: u32, text: &str) -> Passage {
        Passage {
            segment_id: start.to_string(),
            start: start.into(),
            speaker: None,
            language: None,
            text: text.to_owned(),
        }
    }

    #[test]
    fn words_are_marked_in_all_forms_and_the_last_term_as_a_prefix() {
        assert_eq!(
            marked("Кіт, кота, скіт — кіт", "кіт"),
            ["Кіт", "кота", "кіт"]
        );
        assert_eq!(marked("Кіт, кота, скіт — кіт", "\"кіт\""), ["Кіт", "кіт"]);
        assert_eq!(marked("кішка кіт", "кіт кіш"), ["кіш", "кіт"]);
        assert_eq!(marked("кітва кіт кішка", "кіт кіш"), ["кіт", "кіш"]);
        assert_eq!(marked("п’ять ять 'ять' ПʼЯТЬ", "ять"), ["ять", "ять"]);
        assert_eq!(marked("п’ять ять 'ять' ПʼЯТЬ", "п'ять"), ["п’ять", "ПʼЯТЬ"]);
        assert_eq!(marked("😀 слово", "слово"), ["слово"]);
        assert_eq!(
            marked("їжак і\u{308}жака", "їжак"),
            ["їжак", "і\u{308}жака"]
        );
        assert_eq!(marked("I\u{308}жачиха", "їжа"), [] as [String; 0]);
        assert_eq!(marked("слово", ""), [] as [String; 0]);
        assert_eq!(
            marked(
                "Ми говорили: людьми стають у будинку.",
                "говорити люди будинок"
            ),
            ["говорили", "людьми", "будинку"]
        );
        assert_eq!(
            marked("The museum’s talks", "museums talk"),
            ["museum’s", "talks"]
        );
        assert_eq!(marked("天気", "天"), ["天"]);
        let long = "й".repeat(10_000);
        assert_eq!(marked(&long, &long[..120]), [long]);
    }

    #[test]
    fn passages_with_the_most_search_terms_are_returned() {
        let all = vec![
            passage(0, "музей"),
            passage(1, "новий музей"),
            passage(2, "поновий музейчик"),
            passage(3, "нового"),
            passage(4, "музей, музей, новий"),
            passage(5, "нового музею"),
            passage(6, "новий музей"),
        ];
        let terms = Terms::new("новий музей");
        let found = Finder::new(&terms).hits(all.clone(), 0, 3);
        let starts = |found: &TextMatches| -> Vec<f64> {
            found.hits.iter().map(|hit| hit.passage.start).collect()
        };
        assert_eq!((starts(&found), found.count), (vec![1.0, 4.0, 5.0], 4));
        assert_eq!(found.hits[1].ranges, [0..5, 7..12, 14..19]);
        let rest = Finder::new(&terms).hits(all.clone(), 3, 3);
        assert_eq!((starts(&rest), rest.count), (vec![6.0], 4));
        let exact = Terms::new("\"новий музей\"");
        let found = Finder::new(&exact).hits(all.clone(), 0, 9);
        assert_eq!((starts(&found), found.count), (vec![1.0, 4.0, 6.0], 3));
        let none = Terms::new("пан");
        assert_eq!(Finder::new(&none).hits(all, 0, 3), TextMatches::default());
    }

    #[test]
    fn passages_are_found_by_the_name_of_their_speaker() {
        let spoken_by = |start, text, speaker: &str| Passage {
            speaker: Some(speaker.to_owned()),
            ..passage(start, text)
        };
        let all = vec![
            spoken_by(0, "Про музей.", "SPEAKER_1"),
            spoken_by(1, "Про музей.", "Олена Коваль"),
            spoken_by(2, "Про інше.", "Олена Коваль"),
            spoken_by(3, "Олено, музей!", "SPEAKER_1"),
        ];
        let terms = Terms::new("музей олени");
        let found = Finder::new(&terms).hits(all.clone(), 0, 9);
        assert_eq!(found.count, 2);
        assert_eq!(
            found.hits[0].speaker_ranges.as_slice(),
            std::slice::from_ref(&(0..5))
        );
        assert_eq!(found.hits[1].ranges, [0..5, 7..12]);
        let terms = Terms::new("speaker 1");
        assert_eq!(Finder::new(&terms).hits(all, 0, 9), TextMatches::default());
    }
}
