//! A passage removed by the engine, restored as a segment of the transcript.

use super::pieces::Time;
use super::{EditedSegment, Place, clean};
use crate::removed::{self, Removed};
use crate::transcript::Word;

/// The segment for the removed passage with this number. It has no language; with words, its time
/// is divided among them by length. Its revision is 0; the caller sets revision, language, and
/// another speaker if the passage's was merged.
#[must_use]
pub fn restored_segment(
    number: u32,
    passage: &Removed,
    place: Place,
    with_words: bool,
) -> EditedSegment {
    let span = Time::between(passage.start, passage.end);
    let text = clean(&passage.text);
    let words = if with_words {
        let times = span.shared(text.split_whitespace());
        let words = text.split_whitespace().zip(times);
        words
            .map(|(text, time)| Word {
                start: time.start,
                end: time.end,
                text: text.to_owned(),
                confidence: passage.confidence,
            })
            .collect()
    } else {
        Vec::new()
    };
    EditedSegment {
        id: removed::segment_id(number),
        revision: 0,
        place,
        start: span.start,
        end: span.end,
        speaker: passage.speaker.clone(),
        language: None,
        text,
        words,
        cues: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::removed::RemovedReason;

    fn passage() -> Removed {
        Removed {
            start: 3.0,
            end: 4.0,
            speaker: None,
            text: "Thank  you.".to_owned(),
            reason: RemovedReason::PhantomPhrase,
            voiced: 0.2,
            confidence: 0.4,
            compression: 0.6,
        }
    }

    #[test]
    fn a_restored_passage_keeps_its_time_and_number() {
        let place = Place { base: 4, part: -7 };
        let segment = restored_segment(2, &passage(), place, true);
        assert_eq!(removed::number_of(&segment.id), Some(2));
        assert_eq!(
            (segment.start, segment.end, segment.place),
            (3.0, 4.0, place)
        );
        assert_eq!(segment.speaker, None);
        let words: Vec<_> = segment
            .words
            .iter()
            .map(|word| word.text.as_str())
            .collect();
        assert_eq!(words.join(" "), segment.text.replace("  ", " "));
        assert_eq!(segment.words[0].start, 3.0);
        assert_eq!(segment.words[1].end, 4.0);
        assert!(
            restored_segment(2, &passage(), place, false)
                .words
                .is_empty()
        );
    }

    #[test]
    fn invalid_times_become_valid_ones() {
        let odd = Removed {
            start: f64::NAN,
            end: -3.0,
            ..passage()
        };
        let segment = restored_segment(0, &odd, Place { base: 0, part: 1 }, true);
        assert!(segment.start <= segment.end && segment.start >= 0.0);
    }
}
