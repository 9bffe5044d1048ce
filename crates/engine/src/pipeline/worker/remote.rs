//! Recognition of a window by an engine on another machine.

use slovo_rules::language::Language;

use super::WindowTask;
use super::window_recognizer::{fill_gaps, sound};
use crate::guards::{self, CleanedWords};
use crate::pipeline::{Job, detects_passages, known_language};
use crate::recognition::{RecognitionError, script};
use crate::remote::{Remote, RemoteAudio, RemoteText};
use crate::remote_words::tokens;
use crate::windows::Window;
use crate::words;

/// The words of a window without invented text, including passages that were skipped at first.
/// Where the language is detected, the other engine does it, and each word has its language.
pub(super) fn recognise(
    job: &Job<'_>,
    remote: &Remote,
    work: &WindowTask,
) -> Result<CleanedWords, RecognitionError> {
    let window = &work.window;
    let recogniser = RemoteRecogniser { job, remote, work };
    let mut cleaned = recogniser.recognise(window)?;
    fill_gaps(job.settings.translate, window, &mut cleaned, |stretch| {
        recogniser.recognise(stretch)
    })?;
    Ok(cleaned)
}

struct RemoteRecogniser<'a> {
    job: &'a Job<'a>,
    remote: &'a Remote,
    work: &'a WindowTask,
}

impl RemoteRecogniser<'_> {
    fn recognise(&self, part: &Window) -> Result<CleanedWords, RecognitionError> {
        let chosen = self.chosen_language();
        let samples = sound(&self.work.window, &self.work.samples, part.start, part.end);
        let mut text = self.ask(&samples, chosen)?;
        let spoken = chosen.unwrap_or_else(|| self.language_of(&text));
        let is_other = text.is_other_language || text.language.is_some_and(|it| it != spoken);
        // A translation says nothing of the language that is spoken.
        if chosen.is_none() && is_other && !self.job.settings.translate {
            // It was heard in a language that is not spoken here.
            text = self.ask(&samples, Some(spoken))?;
        }
        let written = if self.job.settings.translate {
            Language::En
        } else {
            spoken
        };
        let tokens = tokens(&text, part, written.as_str());
        let words = words::from_tokens(&tokens, part, written.as_str());
        let mut cleaned = guards::clean(words, part, "");
        if chosen.is_none() {
            for word in &mut cleaned.words {
                word.language = Some(spoken);
            }
        }
        Ok(cleaned)
    }

    fn ask(
        &self,
        samples: &[f32],
        language: Option<Language>,
    ) -> Result<RemoteText, RecognitionError> {
        let audio = RemoteAudio {
            samples,
            language,
            translate: self.job.settings.translate,
            prompt: &self.job.settings.remote_prompt,
        };
        let text = self.remote.engine.recognise(&audio, self.job.stop.flag());
        Ok(text?)
    }

    /// The language that is known before; `None` if it is detected.
    fn chosen_language(&self) -> Option<Language> {
        let request = self.job.request;
        if detects_passages(request) {
            return None;
        }
        known_language(request).and_then(|known| Language::parse(&known.code))
    }

    /// The language that is spoken, of those that may be: as the other engine says, or by the letters
    /// of the text unless it is a translation.
    fn language_of(&self, text: &RemoteText) -> Language {
        let possible = &self.job.languages;
        let stated = text.language.filter(|found| possible.contains(found));
        let written = if self.job.settings.translate {
            ""
        } else {
            &text.text
        };
        stated.unwrap_or_else(|| script::likeliest(written, possible))
    }
}
