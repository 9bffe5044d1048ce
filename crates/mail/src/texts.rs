//! The sentences of mails: from the same locale files as the pages', in i18next's format.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;
use slovo_rules::locale::Locale;

static UK: LazyLock<Texts> = LazyLock::new(|| {
    let file = include_str!("../../../web/src/locales/uk/mail.json");
    Texts::read(Locale::Uk, file)
});
static EN: LazyLock<Texts> = LazyLock::new(|| {
    let file = include_str!("../../../web/src/locales/en/mail.json");
    Texts::read(Locale::En, file)
});

/// All texts of mails in one language.
pub struct Texts {
    locale: Locale,
    texts: BTreeMap<String, String>,
}

impl Texts {
    /// The texts of a language.
    pub fn of(locale: Locale) -> &'static Self {
        match locale {
            Locale::Uk => &UK,
            Locale::En => &EN,
        }
    }

    /// Parses a locale file; tests check that it is complete.
    fn read(locale: Locale, file: &str) -> Self {
        let value = serde_json::from_str(file).unwrap_or_else(|error| {
            tracing::error!(%locale, %error, "the texts of mails cannot be read");
            Value::Null
        });
        let mut texts = BTreeMap::new();
        flatten(&mut texts, String::new(), &value);
        Self { locale, texts }
    }

    /// The language.
    pub fn locale(&self) -> Locale {
        self.locale
    }

    /// The text of a key with its `{{parameters}}` filled in, or the key itself if there is none.
    /// Inserted values are not expanded again.
    pub fn say(&self, key: &str, parameters: &[(&str, &str)]) -> String {
        let Some(text) = self.texts.get(key) else {
            tracing::error!(key, locale = %self.locale, "the texts of mails lack this key");
            return key.to_owned();
        };
        let mut filled = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once("{{") {
            let Some((name, after)) = after.split_once("}}") else {
                break;
            };
            filled.push_str(before);
            let value = parameters.iter().find(|(known, _)| *known == name.trim());
            filled.push_str(value.map_or(name, |(_, value)| value));
            rest = after;
        }
        filled + rest
    }

    /// The text of a key in the plural form for a number, which is its parameter `count`.
    pub fn count(&self, key: &str, count: u32) -> String {
        let form = plural_form(self.locale, count);
        self.say(&format!("{key}_{form}"), &[("count", &count.to_string())])
    }

    /// A date and time as text, in UTC because the reader's time zone is unknown.
    pub fn moment(&self, when: Timestamp) -> String {
        let when = when.to_zoned(TimeZone::UTC);
        let month = format!("common.months.{}", when.month() - 1);
        self.say(
            "common.when",
            &[
                ("day", &when.day().to_string()),
                ("month", &self.say(&month, &[])),
                ("year", &when.year().to_string()),
                ("time", &format!("{:02}:{:02}", when.hour(), when.minute())),
            ],
        )
    }
}

/// i18next's suffix for a whole number (CLDR's plural rules of the two languages).
fn plural_form(locale: Locale, count: u32) -> &'static str {
    match (locale, count % 10, count % 100) {
        (Locale::En, _, _) if count == 1 => "one",
        (Locale::En, _, _) => "other",
        (Locale::Uk, 1, tens) if tens != 11 => "one",
        (Locale::Uk, 2..=4, tens) if !(12..=14).contains(&tens) => "few",
        (Locale::Uk, _, _) => "many",
    }
}

fn flatten(texts: &mut BTreeMap<String, String>, key: String, value: &Value) {
    let inner = |name: &str| match key.as_str() {
        "" => name.to_owned(),
        key => format!("{key}.{name}"),
    };
    match value {
        Value::Object(entries) => {
            for (name, value) in entries {
                flatten(texts, inner(name), value);
            }
        }
        Value::Array(entries) => {
            for (index, value) in entries.iter().enumerate() {
                flatten(texts, inner(&index.to_string()), value);
            }
        }
        Value::String(text) => {
            texts.insert(key, text.clone());
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
impl Texts {
    /// The same keys; each text is its key and its parameters, so that tests can recognise them.
    pub fn with_keys_as_texts(locale: Locale) -> Self {
        let texts = &Self::of(locale).texts;
        let keys = texts.iter().map(|(key, text)| {
            let parameters = parameters(text)
                .into_iter()
                .map(|name| format!(" {{{{{name}}}}}"));
            (
                key.clone(),
                format!("⟦{key}⟧{}", parameters.collect::<String>()),
            )
        });
        Self {
            locale,
            texts: keys.collect(),
        }
    }

    /// All keys.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.texts.keys().map(String::as_str)
    }
}

#[cfg(test)]
fn parameters(text: &str) -> std::collections::BTreeSet<&str> {
    text.split("{{")
        .skip(1)
        .filter_map(|rest| rest.split("}}").next())
        .map(str::trim)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// A key without its plural form, and the parameters of its text.
    fn shape(texts: &Texts) -> BTreeSet<(String, BTreeSet<&str>)> {
        let forms = ["_one", "_few", "_many", "_other"];
        let base = |key: &str| {
            let form = forms.iter().find_map(|form| key.strip_suffix(form));
            form.unwrap_or(key).to_owned()
        };
        let texts = texts.texts.iter();
        texts
            .map(|(key, text)| (base(key), parameters(text)))
            .collect()
    }

    #[test]
    fn both_languages_have_the_same_keys_and_parameters() {
        let [uk, en] = [Locale::Uk, Locale::En].map(Texts::of);
        assert!(uk.texts.len() > 40, "the file is read");
        assert_eq!(shape(uk), shape(en));
        for texts in [uk, en] {
            assert!(texts.texts.values().all(|text| !text.trim().is_empty()));
        }
    }

    #[test]
    fn numbers_take_the_correct_plural_forms() {
        let minutes = |locale, count| Texts::of(locale).count("code.valid", count);
        for (count, form) in [
            (1, "one"),
            (2, "few"),
            (5, "many"),
            (11, "many"),
            (12, "many"),
            (15, "many"),
            (21, "one"),
            (24, "few"),
            (111, "many"),
        ] {
            assert_eq!(plural_form(Locale::Uk, count), form, "{count}");
        }
        assert_eq!(minutes(Locale::Uk, 15), "Код діє 15\u{a0}хвилин.");
        assert_eq!(
            minutes(Locale::En, 1),
            "The code is valid for 1\u{a0}minute."
        );
        assert_eq!(
            minutes(Locale::En, 15),
            "The code is valid for 15\u{a0}minutes."
        );
    }

    #[test]
    fn placeholders_in_inserted_values_are_not_replaced() {
        let subject =
            Texts::of(Locale::En).say("job_done.subject", &[("title", "{{title}} {{email}}")]);
        assert_eq!(subject, "Ready: {{title}} {{email}}");
    }

    #[test]
    fn times_are_written_in_words() {
        let when: Timestamp = "2026-03-01T07:05:59Z".parse().unwrap();
        let in_words = |locale| Texts::of(locale).moment(when).replace('\u{a0}', " ");
        assert_eq!(in_words(Locale::En), "1 March 2026, 07:05 UTC");
        assert_eq!(in_words(Locale::Uk), "1 березня 2026 року о 07:05 за UTC");
    }
}
