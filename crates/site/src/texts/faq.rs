//! Questions that people ask, with answers.

use serde::Deserialize;

use super::common::texts;
use crate::own::Own;

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
    /// Whether it is about what is sold.
    #[serde(default)]
    pub service: bool,
}

impl Faq {
    /// The questions that are asked of this server.
    pub(crate) fn of(&self, own: &Own) -> impl Iterator<Item = &Question> {
        let sells = own.sells();
        self.items.iter().filter(move |item| sells || !item.service)
    }
}
