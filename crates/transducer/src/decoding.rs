//! Greedy decoding: the most probable token at every step.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::RecognitionError;

/// The most tokens at one frame, as in NeMo and onnx-asr. Without it, a bad network would never end.
const MAX_TOKENS_PER_FRAME: u32 = 10;

/// A recognised token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Its number in the vocabulary.
    pub token: u32,
    /// The encoder frame in which it starts; see [`crate::FRAME_SECONDS`].
    pub frame: u32,
    /// Its length in frames: predicted by a TDT (0 to 4), else 1.
    pub frames: u32,
    /// The natural logarithm of its probability, 0 or less.
    pub log_probability: f32,
}

/// The decoder and the joint network, with the state after the last token.
pub(crate) trait Decoder {
    /// The scores for a frame after the last accepted token: of the tokens, then of the durations.
    fn scores(&mut self, frame: usize) -> Result<&[f32], String>;

    /// Takes over the state that came with the last scores: `token` was recognised.
    fn accept(&mut self, token: u32);
}

/// Decodes `frames` encoder frames. `tokens` is the number of tokens with the blank; scores after
/// them are those of durations.
pub(crate) fn decode(
    decoder: &mut dyn Decoder,
    frames: usize,
    tokens: usize,
    blank: u32,
    cancelled: &AtomicBool,
) -> Result<Vec<Piece>, RecognitionError> {
    let mut pieces = Vec::new();
    let mut frame = 0;
    let mut tokens_here = 0;
    while frame < frames {
        if cancelled.load(Ordering::Acquire) {
            return Err(RecognitionError::Cancelled);
        }
        let scores = decoder.scores(frame).map_err(RecognitionError::Network)?;
        if scores.len() < tokens || scores.iter().any(|score| !score.is_finite()) {
            let reason = format!("it gave no usable scores at frame {frame}");
            return Err(RecognitionError::Network(reason));
        }
        let (scores, durations) = scores.split_at(tokens);
        let token = largest(scores);
        let duration = (!durations.is_empty()).then(|| largest(durations));
        let log_probability = log_softmax(scores, token);
        let is_blank = token == blank as usize;
        if !is_blank {
            let token = token as u32;
            pieces.push(Piece {
                token,
                frame: frame as u32,
                frames: duration.unwrap_or(1) as u32,
                log_probability,
            });
            decoder.accept(token);
            tokens_here += 1;
        }
        match duration {
            Some(step) if step > 0 => {
                frame += step;
                tokens_here = 0;
            }
            _ if is_blank || tokens_here == MAX_TOKENS_PER_FRAME => {
                frame += 1;
                tokens_here = 0;
            }
            _ => {}
        }
    }
    Ok(pieces)
}

/// The place of the largest value, the first of equals.
fn largest(values: &[f32]) -> usize {
    let mut best = 0;
    for (place, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = place;
        }
    }
    best
}

fn log_softmax(scores: &[f32], place: usize) -> f32 {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = scores.iter().map(|score| (score - most).exp()).sum();
    scores[place] - most - sum.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives scores from a list, the last one for ever.
    struct Fixed {
        scores: Vec<Vec<f32>>,
        calls: usize,
        asked: Vec<usize>,
    }

    impl Fixed {
        fn new(scores: &[&[f32]]) -> Self {
            Self {
                scores: scores.iter().map(|scores| scores.to_vec()).collect(),
                calls: 0,
                asked: Vec::new(),
            }
        }
    }

    impl Decoder for Fixed {
        fn scores(&mut self, frame: usize) -> Result<&[f32], String> {
            self.asked.push(frame);
            let place = self.calls.min(self.scores.len() - 1);
            self.calls += 1;
            Ok(&self.scores[place])
        }

        fn accept(&mut self, _token: u32) {}
    }

    static RUNNING: AtomicBool = AtomicBool::new(false);

    /// Two tokens and the blank (2), durations 0 to 2.
    fn decode_fixed(decoder: &mut Fixed, frames: usize) -> Result<Vec<Piece>, RecognitionError> {
        decode(decoder, frames, 3, 2, &RUNNING)
    }

    #[test]
    fn durations_move_on() {
        let token_for_two = [5.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        let token_for_none = [0.0, 5.0, 0.0, 1.0, 0.0, 0.0];
        let blank_for_none = [0.0, 0.0, 5.0, 1.0, 0.0, 0.0];
        let mut decoder = Fixed::new(&[&token_for_two, &token_for_none, &blank_for_none]);
        let pieces = decode_fixed(&mut decoder, 4).unwrap();
        assert_eq!(decoder.asked, [0, 2, 2, 3]);
        let found: Vec<_> = pieces
            .iter()
            .map(|p| (p.token, p.frame, p.frames))
            .collect();
        assert_eq!(found, [(0, 0, 2), (1, 2, 0)]);
        let expected = 5.0 - (5.0_f32.exp() + 2.0).ln();
        assert!((pieces[0].log_probability - expected).abs() < 1e-5);
    }

    #[test]
    fn a_network_that_never_stops_is_stopped() {
        let mut decoder = Fixed::new(&[&[1.0, 0.0, 0.0]]);
        assert_eq!(decode_fixed(&mut decoder, 3).unwrap().len(), 30);
        let mut decoder = Fixed::new(&[&[1.0, 0.0, 0.0, 1.0, 0.0]]);
        assert_eq!(decode_fixed(&mut decoder, 3).unwrap().len(), 30);
    }

    #[test]
    fn scores_that_are_no_numbers_or_too_few_are_an_error() {
        for scores in [
            &[f32::NAN, 0.0, 0.0][..],
            &[0.0, f32::INFINITY, 0.0],
            &[0.0, 0.0],
        ] {
            let outcome = decode_fixed(&mut Fixed::new(&[scores]), 1);
            assert!(matches!(outcome, Err(RecognitionError::Network(_))));
        }
    }

    #[test]
    fn it_can_be_cancelled() {
        let mut decoder = Fixed::new(&[&[1.0, 0.0, 0.0]]);
        let outcome = decode(&mut decoder, 3, 3, 2, &AtomicBool::new(true));
        assert!(matches!(outcome, Err(RecognitionError::Cancelled)));
    }
}
