//! Texts of the pages: the locale files, shared with the application.
//!
//! Each file is read into a type with all its keys, so that tests or the compiler find texts that
//! are missing, misspelt or used by no page.

mod about;
mod changelog;
mod common;
mod contact;
mod docs;
mod facts;
mod faq;
mod features;
mod home;
mod legal;
mod pricing;
mod status;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use slovo_rules::locale::Locale;
use slovo_rules::text_limits;
use slovo_rules::violation::Violation;

pub(crate) use changelog::{Changelog, Release};
pub(crate) use common::{Common, Notice};
pub(crate) use docs::{Docs, Editor, Player, Verbs};
pub(crate) use facts::facts;
pub(crate) use faq::Faq;
pub(crate) use home::Home;
pub(crate) use legal::{Islands, Item, Items as CookieItems, Legal, Outside, Paragraph, Section};
pub(crate) use status::{Condition, Parts as StatusParts, Status};

macro_rules! files {
    ($($field:ident: $type:ty = $file:literal,)*) => {
        /// All texts of the public pages in one language.
        pub(crate) struct Texts {
            $(pub $field: $type,)*
            rules: Rules,
            mail: Mail,
        }

        static UK: LazyLock<Texts> = LazyLock::new(|| Texts {
            $($field: read($file, include_str!(concat!("../../../../web/src/locales/uk/", $file))),)*
            rules: read("rules.json", include_str!("../../../../web/src/locales/uk/rules.json")),
            mail: read("mail.json", include_str!("../../../../web/src/locales/uk/mail.json")),
        });
        static EN: LazyLock<Texts> = LazyLock::new(|| Texts {
            $($field: read($file, include_str!(concat!("../../../../web/src/locales/en/", $file))),)*
            rules: read("rules.json", include_str!("../../../../web/src/locales/en/rules.json")),
            mail: read("mail.json", include_str!("../../../../web/src/locales/en/mail.json")),
        });
    };
}

files! {
    site: Common = "site.json",
    about: about::About = "about.json",
    features: features::Features = "features.json",
    pricing: pricing::Pricing = "pricing.json",
    contact: contact::Contact = "contact.json",
    home: Home = "home.json",
    legal: Legal = "legal.json",
    islands: Islands = "site-islands.json",
    docs: Docs = "docs.json",
    player: Player = "player.json",
    editor: Editor = "editor.json",
    status: Status = "status.json",
    changelog: Changelog = "changelog.json",
    languages: BTreeMap<String, String> = "languages.json",
}

/// The messages for codes of the rules; the file has more than a public page needs.
#[derive(Deserialize)]
struct Rules {
    violations: BTreeMap<String, String>,
    tier: BTreeMap<String, String>,
    comparison: BTreeMap<String, String>,
    comparison_row: BTreeMap<String, String>,
}

/// The names of months in dates, shared with mails.
#[derive(Deserialize)]
struct Mail {
    common: Months,
}

#[derive(Deserialize)]
struct Months {
    months: Vec<String>,
}

impl Texts {
    pub(crate) fn of(locale: Locale) -> &'static Self {
        match locale {
            Locale::Uk => &UK,
            Locale::En => &EN,
        }
    }

    /// A date as text, from ISO 8601 (2026-11-01). Other input is returned unchanged.
    pub(crate) fn day(&self, iso: &str) -> String {
        let mut parts = iso.splitn(3, '-');
        let (Some(year), Some(month), Some(day)) = (parts.next(), parts.next(), parts.next())
        else {
            return iso.to_owned();
        };
        let position = month.parse::<usize>().ok();
        let position = position.and_then(|month| month.checked_sub(1));
        let month = position.and_then(|position| self.mail.common.months.get(position));
        match (day.parse::<u8>(), month) {
            // No-break spaces keep day, month and year on one line.
            (Ok(day), Some(month)) => format!("{day}\u{a0}{month}\u{a0}{year}"),
            _ => iso.to_owned(),
        }
    }

    /// The message for a violation.
    pub(crate) fn violation(&self, violation: &Violation) -> String {
        let code = violation.code.as_str();
        let text = self.rules.violations.get(code).map_or(code, String::as_str);
        violation
            .params
            .iter()
            .fold(text.to_owned(), |text, (name, value)| {
                let value = match value {
                    Value::String(value) => value.clone(),
                    value => value.to_string(),
                };
                fill(&text, name, &value)
            })
    }

    /// A plan's name.
    pub(crate) fn tier(&self, tier: &'static str) -> &str {
        self.rules.tier.get(tier).map_or(tier, String::as_str)
    }

    /// A text of the comparison of plans.
    pub(crate) fn comparison(&self, word: &'static str) -> &str {
        self.rules.comparison.get(word).map_or(word, String::as_str)
    }

    /// A row's name in the comparison of plans.
    pub(crate) fn comparison_row(&self, row: &'static str) -> &str {
        self.rules
            .comparison_row
            .get(row)
            .map_or(row, String::as_str)
    }
}

/// Replaces a placeholder `{{name}}` in a text.
pub(crate) fn fill(text: &str, name: &str, value: &str) -> String {
    text.replace(&format!("{{{{{name}}}}}"), value)
}

/// # Panics
/// If the file does not match its type; a test checks this for both languages.
fn read<T: DeserializeOwned>(file: &str, text: &str) -> T {
    match serde_json::from_str(&text_limits::fill(text)) {
        Ok(texts) => texts,
        Err(error) => panic!("{file}: {error}"),
    }
}
