//! How likely the encoded audio is in a language: the probability of its likeliest text.
//!
//! The text is decoded greedily, token by token, without the encoder running again. That costs a
//! fraction of recognition, and texts in wrong languages, which recognition would draw again and
//! again, cost no more than others.

use whisper_rs::{WhisperContext, WhisperState};

use super::{RecognitionError, failed};
use crate::guards;

/// Tokens of the text that count, at most.
const MAX_TOKENS: usize = 40;

/// The logarithm for text that repeats itself, whose tokens are likely in any language.
const REPEATED: f64 = -1e3;

/// The logarithm of the probability of the likeliest text in a language, for the audio that the state
/// has encoded.
pub(super) fn of_text(
    context: &WhisperContext,
    state: &mut WhisperState,
    code: &str,
) -> Result<f64, RecognitionError> {
    let language = whisper_rs::get_lang_id(code)
        .ok_or_else(|| RecognitionError::Failed(format!("unknown language {code}")))?;
    let start = [
        context.token_sot(),
        context.token_lang(language),
        context.token_transcribe(),
        context.token_not(),
    ];
    let mut place = 0;
    // One by one: only the first row of the result can be read.
    let mut next = |state: &mut WhisperState, token: i32| {
        let decoded = state.decode(&[token], place, 1);
        place += 1;
        decoded.map_err(|error| failed(&error))
    };
    for token in start {
        next(state, token)?;
    }
    let end = context.token_eot();
    let mut likelihood = 0.0;
    let mut text = Vec::new();
    for number in 0..MAX_TOKENS {
        let logits = state.get_logits().map_err(|error| failed(&error))?;
        // A text has one token at least; timestamps and other special tokens follow its end.
        let count = end as usize + usize::from(number > 0);
        let (token, logarithm) = likeliest(logits.get(..count).unwrap_or(logits));
        likelihood += logarithm;
        if token == end {
            break;
        }
        let bytes = context.token_to_bytes(token);
        text.extend_from_slice(bytes.map_err(|error| failed(&error))?);
        next(state, token)?;
    }
    if guards::compression_ratio(String::from_utf8_lossy(&text).trim()) > guards::MAX_COMPRESSION {
        return Ok(REPEATED);
    }
    Ok(likelihood)
}

/// The token with the largest logit, and the logarithm of its probability.
fn likeliest(logits: &[f32]) -> (i32, f64) {
    let mut best = (0, f32::NEG_INFINITY);
    for (token, logit) in logits.iter().enumerate() {
        if *logit > best.1 {
            best = (token, *logit);
        }
    }
    let total: f64 = logits
        .iter()
        .map(|logit| f64::from(logit - best.1).exp())
        .sum();
    (best.0 as i32, -total.ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_token_has_its_share_of_all() {
        let (token, logarithm) = likeliest(&[0.0, 1.0_f32.ln() + 2.0_f32.ln(), 0.0]);
        assert_eq!(token, 1);
        assert!((logarithm.exp() - 0.5).abs() < 1e-6, "2 of 1 + 2 + 1");
        assert_eq!(likeliest(&[f32::NEG_INFINITY, 3.0]), (1, 0.0));
    }
}
