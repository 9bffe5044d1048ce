//! The fields of a form or query, which are text.

use slovo_rules::language::AUTO;
use url::form_urlencoded;

use crate::refusal::Refusal;

/// The values of a switch, as the programs that are replaced here take them.
const SWITCH: [(&str, bool); 8] = [
    ("true", true),
    ("false", false),
    ("1", true),
    ("0", false),
    ("yes", true),
    ("no", false),
    ("on", true),
    ("off", false),
];

/// Fields by name.
pub(crate) struct Fields<'a>(pub &'a [(String, String)]);

impl<'a> Fields<'a> {
    /// All values of a list: `name`, `name[]` or `name[0]`.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &'a str> {
        let values = self.0.iter().filter(move |(given, _)| {
            let rest = given.strip_prefix(name);
            let index = rest.and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']'));
            rest == Some("") || index.is_some_and(|it| it.bytes().all(|b| b.is_ascii_digit()))
        });
        values.map(|(_, value)| value.as_str())
    }

    /// The value of a field, the last if it is repeated; `None` if it is empty.
    pub(crate) fn one(&self, name: &str) -> Option<&'a str> {
        let mut values = self.0.iter().rev().filter(|(given, _)| given == name);
        let value = values.next().map(|(_, value)| value.trim());
        value.filter(|value| !value.is_empty())
    }

    /// Refuses fields that are not supported, unless they are empty or off.
    pub(crate) fn refuse(&self, names: &[&str]) -> Result<(), Refusal> {
        let is_off = |value: &str| {
            let value = value.trim().to_lowercase();
            value.is_empty() || SWITCH.contains(&(&value, false)) || value.parse() == Ok(0.0)
        };
        match names.iter().find(|name| !self.all(name).all(is_off)) {
            None => Ok(()),
            Some(name) => {
                let message = format!("{name} is not supported.");
                Err(Refusal::of_field(name, "unsupported_parameter", message))
            }
        }
    }

    /// The meaning of a field's value.
    pub(crate) fn choice<T: Copy>(
        &self,
        name: &str,
        of: &[(&str, T)],
    ) -> Result<Option<T>, Refusal> {
        let value = self.one(name);
        value.map(|value| chosen(name, value, of)).transpose()
    }

    /// The meanings of a list's values.
    pub(crate) fn choices<T: Copy>(&self, name: &str, of: &[(&str, T)]) -> Result<Vec<T>, Refusal> {
        self.all(name)
            .map(|value| chosen(name, value, of))
            .collect()
    }

    /// Whether a switch is on; `None` if it is not given.
    pub(crate) fn switch(&self, name: &str) -> Result<Option<bool>, Refusal> {
        let Some(value) = self.one(name) else {
            return Ok(None);
        };
        let value = value.to_lowercase();
        chosen(name, &value, &SWITCH).map(Some)
    }

    /// Whether a switch is on.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, Refusal> {
        Ok(self.switch(name)?.unwrap_or(false))
    }

    /// A number between these limits.
    pub(crate) fn number(&self, name: &str, least: f64, most: f64) -> Result<Option<f64>, Refusal> {
        let Some(text) = self.one(name) else {
            return Ok(None);
        };
        let number = text.parse().ok().filter(|it| (least..=most).contains(it));
        let refused = || {
            let message = format!("It has to be a number from {least} to {most}.");
            Refusal::invalid(name, message)
        };
        number.map(Some).ok_or_else(refused)
    }

    /// The code of a language, from a tag such as `en-US`; `None` to detect it.
    pub(crate) fn language(&self, name: &str) -> Option<String> {
        self.one(name).and_then(language)
    }
}

/// The parameters of a query, in their order.
pub(crate) fn of_query(query: Option<&str>) -> Vec<(String, String)> {
    let parsed = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    parsed.into_owned().collect()
}

/// The code of a language, from a tag such as `en-US`; `None` to detect it.
pub(crate) fn language(tag: &str) -> Option<String> {
    let code = tag.split(['-', '_']).next().unwrap_or_default().trim();
    let code = code.to_lowercase();
    (!code.is_empty() && code != AUTO).then_some(code)
}

fn chosen<T: Copy>(name: &str, value: &str, of: &[(&str, T)]) -> Result<T, Refusal> {
    let found = of.iter().find(|(known, _)| *known == value);
    found.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let known: Vec<_> = of.iter().map(|(known, _)| *known).collect();
        let message = format!("It has to be one of {}.", known.join(", "));
        Refusal::invalid(name, message)
    })
}
