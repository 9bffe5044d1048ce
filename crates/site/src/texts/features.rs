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
    /// A feature, and in a word what it comes to.
    Card {
        title: String,
        fact: String,
        text: String,
    }
    Measured {
        title: String,
        text: String,
        /// The language, and what was heard in it.
        heard: String,
        model: String,
        wrong: String,
        weak: String,
        /// What people call the models of `accuracy.json`.
        models: BTreeMap<String, String>,
        /// What was measured on, by the keys of `accuracy.json`.
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
