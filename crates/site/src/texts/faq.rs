//! Frequently asked questions, with answers.

use serde::Deserialize;

use super::common::texts;

texts! {
    Faq {
        title: String,
        lead: String,
        ask: Option<String>,
        items: Vec<Question>,
    }
}

/// A question with its answer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    pub question: String,
    pub answer: String,
    /// Whether it is about buying.
    #[serde(default)]
    pub service: bool,
}

impl Faq {
    /// The questions for a server that sells, or does not.
    pub(crate) fn of(&self, sells: bool) -> impl Iterator<Item = &Question> {
        self.items.iter().filter(move |item| sells || !item.service)
    }
}
