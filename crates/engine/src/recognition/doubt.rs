//! Detects unreliable text: guesses, loops and text without an end.

use super::Token;
use crate::guards::{MAX_COMPRESSION, compression_ratio, is_annotation};

/// Text with a lower mean log probability of its tokens is a guess.
const MIN_MEAN_LOGARITHM: f32 = -1.0;

/// whisper.cpp stops a text after 220 tokens; from this many on it has no end of its own. Running
/// speech of 28 s has 120.
const MAX_FINISHED_TOKENS: usize = 215;

/// Number of last tokens in which a loop is looked for.
const LOOP_TAIL: usize = 48;

/// Fewer token triples than this are not a loop.
const SHORTEST_LOOP: usize = 14;

/// Whether a text is a guess, has no end, or repeats itself.
pub(super) fn is_doubtful(written: &[(i32, Token)]) -> bool {
    if written.is_empty() {
        return false;
    }
    let logarithms: f32 = written
        .iter()
        .map(|(_, token)| token.probability.max(1e-10).ln())
        .sum();
    let bytes: Vec<u8> = written
        .iter()
        .flat_map(|(_, token)| token.bytes.iter().copied())
        .collect();
    let ids: Vec<i32> = written.iter().map(|(id, _)| *id).collect();
    let text = String::from_utf8_lossy(&bytes);
    let is_guess = logarithms / (written.len() as f32) < MIN_MEAN_LOGARITHM;
    // Models are rarely sure which sound they heard, but it is removed whatever it was.
    (is_guess && !is_annotation(text.trim()))
        || written.len() >= MAX_FINISHED_TOKENS
        || compression_ratio(text.trim()) > MAX_COMPRESSION
        || repeats_itself(&ids)
        || repeats_itself(&ids[ids.len().saturating_sub(LOOP_TAIL)..])
}

/// Whether fewer than half of the triples of consecutive tokens are distinct: the text is repeated
/// three times, or in a short loop.
fn repeats_itself(ids: &[i32]) -> bool {
    let triples = ids.windows(3).len();
    let distinct: std::collections::BTreeSet<&[i32]> = ids.windows(3).collect();
    triples >= SHORTEST_LOOP && distinct.len() * 2 < triples
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(ids: impl IntoIterator<Item = i32>, probability: f32) -> Vec<(i32, Token)> {
        ids.into_iter()
            .map(|id| {
                (
                    id,
                    Token {
                        bytes: bytes_of(id),
                        end: 0.0,
                        probability,
                    },
                )
            })
            .collect()
    }

    /// A different word for each token, as compressible as running text.
    fn bytes_of(id: i32) -> Vec<u8> {
        let mut state = (id as u32 + 1).wrapping_mul(2_654_435_761);
        let letters = (0..4).map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            b'0' + (state >> 24) as u8 % 75
        });
        std::iter::once(b' ').chain(letters).collect()
    }

    fn spoken(text: &str) -> Vec<(i32, Token)> {
        let tokens = text.split_whitespace().enumerate().map(|(place, word)| {
            let token = Token {
                bytes: format!(" {word}").into_bytes(),
                end: 0.0,
                probability: 0.9,
            };
            (place as i32, token)
        });
        tokens.collect()
    }

    #[test]
    fn a_text_repeated_three_times_is_doubtful() {
        let sentence = "Mr. Quilter is the apostle of the middle classes and we are glad to \
                        welcome his gospel. ";
        assert!(!is_doubtful(&spoken(sentence)));
        assert!(!is_doubtful(&spoken(&sentence.repeat(2))));
        assert!(is_doubtful(&spoken(&sentence.repeat(3))));
    }

    #[test]
    fn ordinary_text_is_not_doubtful() {
        assert!(!is_doubtful(&written(0..120, 0.8)));
        assert!(!is_doubtful(&written([1, 2, 1, 2, 1, 2], 0.8)));
        // A sentence said twice.
        assert!(!is_doubtful(&written((0..20).chain(0..20), 0.8)));
        assert!(!is_doubtful(&[]));
    }

    #[test]
    fn an_unsure_annotation_is_not_doubtful_but_an_unsure_text_with_one_is() {
        let unsure = |text: &str| {
            let mut tokens = spoken(text);
            for (_, token) in &mut tokens {
                token.probability = 0.2;
            }
            is_doubtful(&tokens)
        };
        for text in ["(soft music)", "[Music]", "【音楽】", "*sighs*"] {
            assert!(!unsure(text), "{text}");
        }
        for text in [
            "soft music",
            "(soft music) yes",
            "(soft) yes (music)",
            "(soft music",
            "[",
            "*",
        ] {
            assert!(unsure(text), "{text}");
        }
        assert!(is_doubtful(&spoken(&"(soft music) ".repeat(8))));
    }

    #[test]
    fn guesses_loops_and_endless_texts_are_doubtful() {
        assert!(is_doubtful(&written(0..30, 0.2)));
        assert!(is_doubtful(&written(0..216, 0.8)));
        assert!(is_doubtful(&written(
            (0..17).chain(0..17).chain(0..17),
            0.9
        )));
        assert!(is_doubtful(&written(
            (0..60).chain(std::iter::repeat_n(7, 40)),
            0.9
        )));
    }
}
