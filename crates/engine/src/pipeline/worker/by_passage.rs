//! Recognition of a window whose language is not given: it may change within the window.
//!
//! If the recording's language is quite sure, the window is recognised in it first. What the encoder
//! made of the window then tells its language for one step of the decoder. Only where another
//! language is in it, or the recording's language is not sure, the language of each passage is
//! determined, and passages of one language are recognised together. Only languages that may be
//! spoken are considered; their numbers are places among these.

use slovo_rules::language::Language;

use super::window_recognizer::{WindowRecognizer, fill_gaps};
use crate::guards::CleanedWords;
use crate::language::DetectedLanguage;
use crate::passages::{language_of, part, passages, pieces};
use crate::recognition::{RecognitionError, Recognizer};
use crate::vad::seconds;
use crate::windows::Window;

/// The recording's language with this probability in a window is its only one.
const ALONE: f32 = 0.9;

/// The words of a window, each with its language.
pub(super) fn recognise<R: Recognizer>(
    recognizer: &mut WindowRecognizer<'_, R>,
    expected: &DetectedLanguage,
) -> Result<CleanedWords, RecognitionError> {
    let window = recognizer.window;
    let language = recognizer
        .languages
        .iter()
        .position(|known| known.as_str() == expected.code)
        .filter(|_| expected.is_sure());
    let mut first = None;
    if let Some(language) = language {
        let heard = recognizer.recognise(window, &expected.code)?;
        let probabilities = recognizer.languages_of_last()?;
        if probabilities[language] >= ALONE || window.voiced.is_empty() {
            return finished(recognizer, window, language, heard);
        }
        first = Some((language, heard));
    }
    let passages = passages(window);
    let mut shares = Vec::new();
    for passage in &passages {
        shares.push(recognizer.language_shares(&part(window, passage))?);
    }
    let found = pieces(window, &passages, &shares, language);
    let is_whole = found.len() == 1;
    let mut all = CleanedWords::default();
    for piece in found {
        let language = piece.language;
        let known = first
            .take()
            .filter(|(heard_in, _)| is_whole && *heard_in == language);
        let heard = match known {
            Some((_, heard)) => heard,
            None => recognizer.recognise_in(&piece.window, language)?,
        };
        tracing::debug!(
            start = seconds(piece.window.start),
            end = seconds(piece.window.end),
            language = recognizer.languages[language].as_str(),
            "a passage's language"
        );
        let cleaned = finished(recognizer, &piece.window, language, heard)?;
        all.words.extend(cleaned.words);
        all.removed.extend(cleaned.removed);
    }
    Ok(all)
}

/// Adds skipped passages to a part's text, each in its own language, and gives each word its
/// language.
fn finished<R: Recognizer>(
    recognizer: &mut WindowRecognizer<'_, R>,
    part: &Window,
    language: usize,
    mut cleaned: CleanedWords,
) -> Result<CleanedWords, RecognitionError> {
    tag(&mut cleaned, recognizer.languages[language]);
    let is_translation = recognizer.settings.translate;
    fill_gaps(is_translation, part, &mut cleaned, |stretch| {
        let mut cleaned = recognizer.recognise_in(stretch, language)?;
        let shares = recognizer.language_shares_of_last(stretch.voiced_seconds())?;
        let found = language_of(shares, language);
        if found != language {
            cleaned = recognizer.recognise_in(stretch, found)?;
        }
        tag(&mut cleaned, recognizer.languages[found]);
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
