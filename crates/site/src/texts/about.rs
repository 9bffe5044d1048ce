//! Texts of `/about`.

use serde::Deserialize;

use super::common::texts;
use super::{Faq, Notice};

texts! {
    About {
        kicker: String,
        title: String,
        lead: String,
        mission: Mission,
        values: Values,
        faq: Faq,
        trial: Trial,
        social: String,
    }
    Mission {
        title: String,
        paragraphs: Vec<String>,
    }
    Values {
        title: String,
        clarity: Notice,
        privacy: Notice,
        language: Notice,
        craft: Notice,
    }
    Trial {
        figure: String,
        unit: String,
        title: String,
        text: String,
        start: String,
    }
}
