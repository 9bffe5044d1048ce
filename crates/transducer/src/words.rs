//! Words from tokens.

use crate::FRAME_SECONDS;
use crate::decoding::Piece;
use crate::vocabulary::Vocabulary;

/// A word with the punctuation that belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// The text, without spaces.
    pub text: String,
    /// Start in seconds from the start of the audio.
    pub start: f64,
    /// End in seconds, not before `start` and not after the next word's start.
    pub end: f64,
    /// Mean of the natural logarithms of its tokens' probabilities, 0 or less.
    pub log_probability: f32,
}

/// Puts tokens together. A space starts a word, unless only closing punctuation follows it.
#[must_use]
pub fn words(pieces: &[Piece], vocabulary: &Vocabulary) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut counts: Vec<f32> = Vec::new();
    let mut after_space = true;
    for piece in pieces {
        let text = vocabulary.text(piece.token);
        let visible = text.trim();
        if visible.is_empty() {
            after_space |= text.contains(' ');
            continue;
        }
        let starts = (after_space || text.starts_with(' ')) && !visible.chars().all(closes);
        after_space = text.ends_with(' ');
        let start = f64::from(piece.frame) * FRAME_SECONDS;
        let end = f64::from(piece.frame + piece.frames) * FRAME_SECONDS;
        match (words.last_mut(), counts.last_mut()) {
            (Some(word), Some(count)) if !starts => {
                word.text.push_str(visible);
                word.end = end;
                word.log_probability += piece.log_probability;
                *count += 1.0;
            }
            (before, _) => {
                if let Some(before) = before {
                    before.end = before.end.min(start).max(before.start);
                }
                words.push(Word {
                    text: visible.to_owned(),
                    start,
                    end,
                    log_probability: piece.log_probability,
                });
                counts.push(1.0);
            }
        }
    }
    for (word, count) in words.iter_mut().zip(counts) {
        word.log_probability /= count;
    }
    words
}

/// Whether a character never stands at the start of a word.
fn closes(character: char) -> bool {
    matches!(
        character,
        '.' | ',' | '!' | '?' | ':' | ';' | '…' | ')' | ']' | '}' | '%' | '»' | '”' | '’'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        let tokens = [
            "\u{2581}при",
            "віт",
            ",",
            "\u{2581}світ",
            "\u{2581}",
            "е",
            "!",
            "\u{2581},",
            "<|nospeech|>",
            "\u{2581}«",
            "<blk>",
        ];
        let lines = tokens.iter().enumerate();
        let text: Vec<String> = lines.map(|(id, token)| format!("{token} {id}")).collect();
        Vocabulary::parse(&text.join("\n")).unwrap()
    }

    fn pieces(tokens: &[u32]) -> Vec<Piece> {
        let numbered = tokens.iter().zip(0..);
        numbered
            .map(|(token, place)| Piece {
                token: *token,
                frame: 2 * place,
                frames: 3,
                log_probability: -0.5 * place as f32,
            })
            .collect()
    }

    fn texts(tokens: &[u32]) -> Vec<String> {
        let found = words(&pieces(tokens), &vocabulary());
        found.into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn spaces_start_words_and_punctuation_belongs_to_the_one_before() {
        assert_eq!(texts(&[0, 1, 2, 3, 5, 6]), ["привіт,", "світе!"]);
        assert_eq!(texts(&[0, 7, 3]), ["при,", "світ"]);
        assert_eq!(texts(&[0, 4, 6, 4, 5]), ["при!", "е"]);
        assert_eq!(texts(&[0, 9, 1]), ["при", "«віт"]);
        assert_eq!(texts(&[1, 8, 5]), ["віте"]);
        assert_eq!(texts(&[2, 0]), [",", "при"]);
        assert!(texts(&[]).is_empty());
        assert!(texts(&[4, 8]).is_empty());
    }

    #[test]
    fn times_do_not_overlap_and_probabilities_are_means() {
        let found = words(&pieces(&[0, 1, 3]), &vocabulary());
        assert_eq!(found[0].start, 0.0);
        assert_eq!(found[0].end, 4.0 * FRAME_SECONDS);
        assert_eq!(found[1].start, 4.0 * FRAME_SECONDS);
        assert_eq!(found[1].end, 7.0 * FRAME_SECONDS);
        assert_eq!(found[0].log_probability, -0.25);
        assert_eq!(found[1].log_probability, -1.0);
    }
}
