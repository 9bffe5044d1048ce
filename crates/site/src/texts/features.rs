//! Texts of `/features`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Notice;
use super::common::texts;

texts! {
    Features {
        kicker: String,
        title: String,
        lead: String,
        cards: Cards,
        measured: Measured,
        languages: Notice,
        benefits: Benefits,
        why: Why,
        price: Price,
    }
    Cards {
        title: String,
        accuracy: Card,
        realtime: Card,
        multilang: Card,
        speakers: Card,
        formatting: Card,
        analytics: Card,
    }
    /// A feature, and its benefit in a word.
    Card {
        title: String,
        fact: String,
        text: String,
    }
    Measured {
        title: String,
        text: String,
        /// Name of the language, and the recognised speech.
        heard: String,
        model: String,
        wrong: String,
        weak: String,
        /// Display names of the models in `accuracy.json`.
        models: BTreeMap<String, String>,
        /// Display names of the data sets in `accuracy.json`, by their keys.
        sets: BTreeMap<String, String>,
    }
    Benefits {
        title: String,
        time: Notice,
        reach: Notice,
        trust: Notice,
    }
    Why {
        title: String,
        items: Vec<Notice>,
    }
    Price {
        label: String,
        per_month: String,
        trial: String,
        compare: String,
    }
}
