//! Interfaces of the engines that answer questions about a transcript. Both block.

use slovo_analysis::{AnalysisError, Stop, Text};
use slovo_db::texts::assistant::Message;
use slovo_rules::analysis::{EngineName, Moment};

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The text, with the time codes it cites, `[12:34]`, each checked.
    pub text: String,
    /// The positions of the time codes.
    pub moments: Vec<Moment>,
}

/// Generates answers to questions.
pub trait Answers: Send + Sync {
    /// Engine name that is stored and shown with its answers.
    fn name(&self) -> EngineName;

    /// Answers `question`, which is not among the previous messages. Passes on each piece as it
    /// arrives; the returned answer is their concatenation.
    ///
    /// # Errors
    /// As for an analysis.
    fn answer(
        &self,
        text: &Text,
        before: &[Message],
        question: &str,
        stop: &dyn Stop,
        piece: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Answer, AnalysisError>;
}

/// Finds passages about a topic.
pub trait Passages: Send + Sync {
    /// Engine name that is stored and shown with its results.
    fn name(&self) -> EngineName;

    /// The passages most similar to the question, best first.
    ///
    /// # Errors
    /// As for an analysis.
    fn closest(
        &self,
        text: &Text,
        question: &str,
        stop: &dyn Stop,
    ) -> Result<Vec<Moment>, AnalysisError>;
}

/// An answer that only quotes passages.
#[must_use]
pub fn quoted(text: &Text, moments: Vec<Moment>) -> Answer {
    let quote = |moment: &Moment| {
        let mut passages = text.passages.iter();
        let passage = passages.find(|passage| passage.id == moment.segment)?;
        Some(format!(
            "> {} [{}]",
            passage.text.trim(),
            time_code(moment.start)
        ))
    };
    let (quotes, moments): (Vec<_>, Vec<_>) = moments
        .into_iter()
        .filter_map(|moment| Some((quote(&moment)?, moment)))
        .unzip();
    Answer {
        text: quotes.join("\n\n"),
        moments,
    }
}

/// `12:34` or `1:02:03`.
fn time_code(seconds: f64) -> String {
    // The cast saturates.
    let seconds = seconds.max(0.0) as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours == 0 {
        format!("{minutes:02}:{seconds:02}")
    } else {
        format!("{hours}:{minutes:02}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use slovo_analysis::Passage;

    use super::*;

    #[test]
    fn quotes_have_times_and_unknown_segments_are_left_out() {
        let passage = |id: &str, start| Passage {
            id: id.to_owned(),
            start,
            end: start + 1.0,
            speaker: None,
            text: format!(" said {id}"),
        };
        let text = Text {
            language: "en".to_owned(),
            duration: 9000.0,
            passages: vec![passage("a", 75.4), passage("b", 3723.0)],
        };
        let moments = text.passages.iter().rev().map(Passage::moment);
        let unknown = Moment {
            segment: "x".to_owned(),
            start: 0.0,
            end: 1.0,
        };
        let answer = quoted(&text, moments.chain([unknown]).collect());
        assert_eq!(answer.text, "> said b [1:02:03]\n\n> said a [01:15]");
        assert_eq!(answer.moments.len(), 2);
    }
}
