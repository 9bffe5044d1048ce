//! Questions that people ask, with answers.

use serde::Deserialize;

use super::common::texts;

texts! {
    Faq {
        title: String,
        lead: String,
        ask: Option<String>,
        items: Vec<Question>,
    }
    Question {
        question: String,
        answer: String,
    }
}
