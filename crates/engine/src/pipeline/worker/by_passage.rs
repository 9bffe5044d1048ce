//! Recognition of a window whose language is not given: it may change within the window.
//!
//! If the recording's language is quite sure, the window is recognised in it first. What the encoder
//! made of the window then tells its language for one step of the decoder. Only where another
//! language is in it, or the recording's language is not sure, the language of each passage is
//! detected, and passages of one language are recognised together. Only languages that may be spoken
//! are considered; their numbers are places among these.

use slovo_rules::language::Language;

use super::listener::{Listener, RecognisedWindow};
use crate::guards::CleanedWords;
use crate::language::DetectedLanguage;
use crate::passages::{LanguagePrior, part, passages, pieces, ranked};
use crate::recognition::{RecognitionError, Recognizer};
use crate::vad::seconds;
use crate::windows::Window;

/// The recording's language with this probability in a window is its only one.
const ALONE: f32 = 0.9;

/// The probability of any audio to be in a language that is sure for the recording.
const EXPECTED: f64 = 0.9;

/// How much a language's probability, by its logarithm, counts beside the mean logarithm of its
/// text's tokens.
const DETECTION_WEIGHT: f64 = 0.1;

/// The words of a window, each with its language.
pub(super) fn recognise<R: Recognizer>(
    listener: &mut Listener<'_, R>,
    expected: &DetectedLanguage,
) -> Result<CleanedWords, RecognitionError> {
    let window = listener.window;
    let language = listener
        .languages
        .iter()
        .position(|known| known.as_str() == expected.code)
        .filter(|_| expected.is_sure());
    let mut first = None;
    if let Some(language) = language {
        let heard = listener.recognise(window, &expected.code)?;
        let probabilities = listener.languages_of_last()?;
        if probabilities[language] >= ALONE || window.voiced.is_empty() {
            return finished(listener, window, (language, heard), prior(Some(language)));
        }
        first = Some((language, heard));
    }
    let prior = prior(language);
    let passages = passages(window);
    let mut probabilities = Vec::new();
    for passage in &passages {
        let passage = part(window, passage);
        probabilities.push(listener.detect(&passage)?);
    }
    let found = pieces(window, &passages, &probabilities, prior);
    let is_whole = found.len() == 1;
    let mut all = CleanedWords::default();
    for piece in found {
        let known = first.take().filter(|_| is_whole);
        let best = likeliest(listener, &piece.window, &piece.languages, known)?;
        tracing::debug!(
            start = seconds(piece.window.start),
            end = seconds(piece.window.end),
            candidates = ?piece.languages,
            language = listener.languages[best.0].as_str(),
            "a passage's language"
        );
        let cleaned = finished(listener, &piece.window, best, prior)?;
        all.words.extend(cleaned.words);
        all.removed.extend(cleaned.removed);
    }
    Ok(all)
}

fn prior(language: Option<usize>) -> Option<LanguagePrior> {
    language.map(|language| LanguagePrior {
        language,
        probability: EXPECTED,
    })
}

/// The likeliest text of a part in one of these languages, and its language. `known` is the text in
/// one of them, if the part was recognised before.
fn likeliest<R: Recognizer>(
    listener: &mut Listener<'_, R>,
    part: &Window,
    languages: &[(usize, f64)],
    mut known: Option<(usize, RecognisedWindow)>,
) -> Result<(usize, RecognisedWindow), RecognitionError> {
    let mut best: Option<(usize, RecognisedWindow, f64)> = None;
    for &(language, probability) in languages {
        let heard = match known.take() {
            Some((heard_in, heard)) if heard_in == language => heard,
            other => {
                known = other;
                listener.recognise(part, listener.languages[language].as_str())?
            }
        };
        let score = heard.likelihood + DETECTION_WEIGHT * probability.ln();
        if best.as_ref().is_none_or(|(_, _, most)| score > *most) {
            best = Some((language, heard, score));
        }
    }
    best.map(|(language, heard, _)| (language, heard))
        .ok_or_else(|| RecognitionError::Failed("no language to recognise in".to_owned()))
}

/// Adds skipped passages to a part's text, each in its own language, and gives each word its
/// language.
fn finished<R: Recognizer>(
    listener: &mut Listener<'_, R>,
    part: &Window,
    (language, heard): (usize, RecognisedWindow),
    prior: Option<LanguagePrior>,
) -> Result<CleanedWords, RecognitionError> {
    let mut cleaned = heard.cleaned;
    tag(&mut cleaned, listener.languages[language]);
    listener.fill_gaps(part, &mut cleaned, |listener, stretch| {
        let heard = listener.recognise(stretch, listener.languages[language].as_str())?;
        let probabilities = listener.languages_of_last()?;
        let languages = ranked(&[probabilities], stretch.voiced_seconds(), prior);
        let known = Some((language, heard));
        let (language, heard) = likeliest(listener, stretch, &languages, known)?;
        let mut cleaned = heard.cleaned;
        tag(&mut cleaned, listener.languages[language]);
        Ok(cleaned)
    })?;
    Ok(cleaned)
}

fn tag(cleaned: &mut CleanedWords, language: Language) {
    for word in &mut cleaned.words {
        word.language = Some(language);
    }
}

#[cfg(test)]
mod tests;
