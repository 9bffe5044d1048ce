//! Questions and answers: which speaker asks, and how both are marked.

use std::collections::HashMap;

use slovo_rules::edit::EditedTranscript;

use super::names::Names;
use super::paragraphs::{Paragraph, paragraphs};
use super::text::clean;

/// Characters that end a question, in any script.
const QUESTION_MARKS: [char; 4] = ['?', '？', '؟', '⁇'];
/// Characters that may follow them.
const CLOSING: [char; 8] = ['"', '”', '»', '’', ')', ']', '!', '…'];

/// The roles of the speakers.
pub struct Roles<'a> {
    /// The speaker who asks; `None` if fewer than two speak, because roles are then unknown.
    asks: Option<&'a str>,
    /// The speakers who answer, by first appearance.
    answer: Vec<&'a str>,
    /// The marks of a question and of an answer.
    marks: (&'static str, &'static str),
}

/// A paragraph and its mark.
pub struct Turn<'a> {
    /// The paragraph.
    pub paragraph: Paragraph<'a>,
    /// The mark before it if the speaker changes: `Q.`, or `A. (Olena)` if several speakers answer.
    pub mark: Option<String>,
}

impl<'a> Roles<'a> {
    /// `asks` is the chosen speaker; otherwise it is the one whose turns most often end with a
    /// question.
    pub fn of(transcript: &'a EditedTranscript, asks: Option<&str>) -> Self {
        let speakers = speakers(transcript);
        let chosen = speakers.iter().copied().find(|id| Some(*id) == asks);
        let asks = (speakers.len() > 1)
            .then(|| chosen.or_else(|| likely_interviewer(transcript, &speakers)))
            .flatten();
        Self {
            asks,
            answer: speakers
                .into_iter()
                .filter(|id| Some(*id) != asks)
                .collect(),
            marks: marks(&transcript.language),
        }
    }

    /// The paragraphs with their marks, created lazily.
    pub fn turns(
        &self,
        transcript: &'a EditedTranscript,
        names: &'a Names<'_>,
    ) -> impl Iterator<Item = Turn<'a>> {
        paragraphs(transcript, names).map(|paragraph| {
            let speaker = paragraph.speaker_id.filter(|_| paragraph.speaker_changes);
            let mark = speaker.and_then(|id| self.mark(id, paragraph.speaker.as_deref()));
            Turn { paragraph, mark }
        })
    }

    /// The roles as facts about the recording; empty if names are not shown.
    pub fn who(&self, transcript: &EditedTranscript, names: &Names<'_>) -> Vec<String> {
        let Some(asks) = self.asks else {
            return names.all(transcript);
        };
        let name = |id: &str| names.shown(id);
        let question = name(asks).map(|name| format!("{} {name}", self.marks.0));
        let answers: Vec<String> = self.answer.iter().filter_map(|id| name(id)).collect();
        let answer =
            (!answers.is_empty()).then(|| format!("{} {}", self.marks.1, answers.join(", ")));
        question.into_iter().chain(answer).collect()
    }

    /// Whether the roles are known.
    pub const fn are_known(&self) -> bool {
        self.asks.is_some()
    }

    fn mark(&self, id: &str, name: Option<&str>) -> Option<String> {
        let asks = self.asks?;
        if id == asks {
            return Some(self.marks.0.to_owned());
        }
        let answer = self.marks.1;
        Some(match name.filter(|_| self.answer.len() > 1) {
            Some(name) => format!("{answer} ({name})"),
            None => answer.to_owned(),
        })
    }
}

/// All who speak, by first appearance.
fn speakers(transcript: &EditedTranscript) -> Vec<&str> {
    let mut speakers: Vec<&str> = Vec::new();
    for segment in &transcript.segments {
        let Some(id) = segment.speaker.as_deref() else {
            continue;
        };
        if !speakers.contains(&id) && !clean(&segment.text).is_empty() {
            speakers.push(id);
        }
    }
    speakers
}

/// The speaker whose turns most often end with a question; ties go to the one who asks more, then
/// to the first one. An interviewer's question ends the turn, a rhetorical question within an
/// answer does not.
fn likely_interviewer<'a>(
    transcript: &'a EditedTranscript,
    speakers: &[&'a str],
) -> Option<&'a str> {
    let mut counts: HashMap<&str, (usize, usize)> = HashMap::new();
    let segments = &transcript.segments;
    for (segment, next) in segments
        .iter()
        .zip(segments.iter().skip(1).map(Some).chain([None]))
    {
        let Some(id) = segment.speaker.as_deref() else {
            continue;
        };
        let count = counts.entry(id).or_default();
        let ends_turn = next.is_none_or(|next| next.speaker != segment.speaker);
        count.0 += usize::from(ends_turn && is_question(&segment.text));
        count.1 += segment.text.matches(QUESTION_MARKS).count();
    }
    let count = |id: &str| counts.get(id).copied().unwrap_or_default();
    // The first of those with the highest count.
    speakers.iter().copied().rev().max_by_key(|id| count(id))
}

fn is_question(text: &str) -> bool {
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || CLOSING.contains(&c));
    text.ends_with(QUESTION_MARKS)
}

/// The usual marks of a question and an answer in this language; the English ones if it has no
/// pair, or if both words begin with the same letter.
fn marks(language: &str) -> (&'static str, &'static str) {
    match language {
        "uk" => ("З.", "В."),
        "ru" => ("В.", "О."),
        "de" => ("F.", "A."),
        "es" | "pt" | "ca" => ("P.", "R."),
        "fr" => ("Q.", "R."),
        "it" => ("D.", "R."),
        "pl" => ("P.", "O."),
        "nl" => ("V.", "A."),
        "el" => ("Ε.", "Α."),
        "hu" | "fi" => ("K.", "V."),
        "tr" => ("S.", "C."),
        "vi" => ("H.", "Đ."),
        "he" => ("ש.", "ת."),
        "ar" | "fa" | "ur" => ("س.", "ج."),
        "ja" => ("問", "答"),
        "zh" => ("问", "答"),
        "ko" => ("문", "답"),
        _ => ("Q.", "A."),
    }
}
