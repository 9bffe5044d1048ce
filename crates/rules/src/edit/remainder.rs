//! What remains of a segment when a stretch of the recording is taken out of it.

use super::EditedSegment;
use super::parts::split;
use super::pieces::located;

/// The part of a segment that is outside a stretch.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "it is taken apart where it was made"
)]
pub enum Remainder {
    /// Nothing of it is in the stretch.
    All,
    /// Nothing remains.
    Nothing,
    /// What is said before the stretch and after it; at least one of them.
    Parts {
        /// Keeps the segment's id and place.
        before: Option<EditedSegment>,
        /// Keeps the id and place if there is nothing before; otherwise it has the new id and part.
        after: Option<EditedSegment>,
    },
}

/// Takes a stretch, in seconds, out of a segment. A word belongs to the stretch if its middle does;
/// a segment whose words have no times is taken as a whole, by its own middle. A stretch in a pause
/// of the segment splits it. The revisions are the segment's; the caller sets them.
#[must_use]
pub fn remainder(
    segment: &EditedSegment,
    (start, end): (f64, f64),
    new_id: &str,
    part: i64,
) -> Remainder {
    let middle = |from: f64, to: f64| f64::midpoint(from, to);
    let words = &segment.words;
    let ranges = located(&segment.text, words).filter(|_| !words.is_empty());
    let Some(ranges) = ranges else {
        let middle = middle(segment.start, segment.end);
        return if (start..=end).contains(&middle) {
            Remainder::Nothing
        } else {
            Remainder::All
        };
    };
    let middles = words.iter().map(|word| middle(word.start, word.end));
    let first_in = middles.clone().position(|time| time >= start);
    let first_in = first_in.unwrap_or(words.len());
    let first_after = middles.skip(first_in).position(|time| time > end);
    let first_after = first_after.map_or(words.len(), |position| first_in + position);
    if first_in == first_after && (first_in == 0 || first_in == words.len()) {
        return Remainder::All;
    }
    if first_in == 0 && first_after == words.len() {
        return Remainder::Nothing;
    }
    let cut_before = |word: usize, of: &EditedSegment, shift: usize| {
        let bytes = ranges.get(word)?.start - shift;
        let characters = of.text.get(..bytes)?.chars().count();
        split(of, u32::try_from(characters).ok()?, new_id, part)
    };
    // White space before the first word is not kept in the first half.
    let led = segment.text.len() - segment.text.trim_start().len();
    let (kept, after) = match cut_before(first_after, segment, 0) {
        Some((kept, after)) => (kept, Some(after)),
        None => (segment.clone(), None),
    };
    let shift = if after.is_some() { led } else { 0 };
    let before = if first_in == first_after {
        Some(kept)
    } else {
        cut_before(first_in, &kept, shift).map(|(before, _)| before)
    };
    let after = after.map(|after| match before {
        Some(_) => after,
        None => EditedSegment {
            id: segment.id.clone(),
            place: segment.place,
            revision: segment.revision,
            ..after
        },
    });
    Remainder::Parts { before, after }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Place;
    use crate::transcript::Word;

    /// One word a second, from second 10 on, each 0.8 s long.
    fn segment(text: &str) -> EditedSegment {
        let words = text.split_whitespace().zip(10_u32..);
        let words: Vec<Word> = words
            .map(|(text, second)| Word {
                start: f64::from(second),
                end: f64::from(second) + 0.8,
                text: text.to_owned(),
                confidence: 0.9,
            })
            .collect();
        EditedSegment {
            id: "4".to_owned(),
            revision: 2,
            place: Place { base: 4, part: 0 },
            start: 10.0,
            end: words.last().map_or(12.0, |word| word.end),
            speaker: Some("SPEAKER_0".to_owned()),
            language: None,
            text: text.to_owned(),
            words,
            cues: Vec::new(),
        }
    }

    fn parts(text: &str, stretch: (f64, f64)) -> (Option<String>, Option<String>) {
        match remainder(&segment(text), stretch, "new", 7) {
            Remainder::Parts { before, after } => {
                (before.map(|part| part.text), after.map(|part| part.text))
            }
            other => panic!("{other:?}"),
        }
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn words_in_the_stretch_are_taken_out() {
        let text = "один два три чотири";
        assert_eq!(parts(text, (11.0, 12.9)), (some("один"), some("чотири")));
        assert_eq!(parts(text, (0.0, 11.9)), (None, some("три чотири")));
        assert_eq!(parts(text, (12.0, 60.0)), (some("один два"), None));
        assert_eq!(
            parts(text, (11.9, 11.95)),
            (some("один два"), some("три чотири"))
        );
    }

    #[test]
    fn a_segment_inside_or_outside_stays_whole() {
        let segment = segment("один два");
        assert_eq!(
            remainder(&segment, (9.0, 13.0), "new", 7),
            Remainder::Nothing
        );
        assert_eq!(remainder(&segment, (0.0, 10.3), "new", 7), Remainder::All);
        assert_eq!(remainder(&segment, (11.5, 20.0), "new", 7), Remainder::All);
    }

    #[test]
    fn the_first_part_keeps_the_id_and_the_second_gets_the_new_one() {
        let Remainder::Parts { before, after } =
            remainder(&segment("один два три"), (11.0, 11.9), "new", 7)
        else {
            panic!("two parts");
        };
        let (before, after) = (before.expect("before"), after.expect("after"));
        assert_eq!((before.id.as_str(), before.place.part), ("4", 0));
        assert_eq!((after.id.as_str(), after.place.part), ("new", 7));
        assert_eq!((before.end, after.start), (10.8, 12.0));
        assert_eq!(before.words.len() + after.words.len(), 2);
        let Remainder::Parts { after, .. } = remainder(&segment("один два"), (0.0, 10.9), "new", 7)
        else {
            panic!("one part");
        };
        let after = after.expect("after");
        assert_eq!((after.id.as_str(), after.revision), ("4", 2));
    }

    #[test]
    fn text_without_times_goes_by_its_middle() {
        let mut line = segment("написано рукою");
        line.words.clear();
        assert_eq!(remainder(&line, (10.5, 11.5), "new", 7), Remainder::Nothing);
        assert_eq!(remainder(&line, (11.5, 20.0), "new", 7), Remainder::All);
        // The words do not match the text.
        let mut line = segment("раз два");
        line.text = "щось інше".to_owned();
        assert_eq!(remainder(&line, (0.0, 20.0), "new", 7), Remainder::Nothing);
    }

    #[test]
    fn white_space_and_unspaced_text_do_not_move_the_cut() {
        let mut line = segment("один два три");
        line.text = " один  два три ".to_owned();
        let Remainder::Parts { before, after } = remainder(&line, (11.0, 11.9), "new", 7) else {
            panic!("two parts");
        };
        assert_eq!(before.expect("before").text, "один");
        assert_eq!(after.expect("after").text, "три");
        let mut line = segment("今日 は 晴れ");
        line.text = "今日は晴れ".to_owned();
        let Remainder::Parts { before, after } = remainder(&line, (11.0, 11.9), "new", 7) else {
            panic!("two parts");
        };
        assert_eq!(before.expect("before").text, "今日");
        assert_eq!(after.expect("after").text, "晴れ");
    }
}
