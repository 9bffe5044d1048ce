//! The languages that may be spoken in a recording whose language is detected.

use crate::language::{LANGUAGES, Language};
use crate::violation::{Code, Violation, Violations};

/// Maximum number of languages in a set: all 28.
pub const MAX_LANGUAGES: usize = LANGUAGES.len();

/// Languages that may be spoken, without an order. The empty set and that of all 28 are the same:
/// any language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LanguageSet(u32);

impl LanguageSet {
    /// Any language.
    pub const ANY: Self = Self(0);

    const ALL: u32 = (1 << MAX_LANGUAGES) - 1;

    /// Whether any language may be spoken.
    #[must_use]
    pub const fn is_any(self) -> bool {
        self.0 == 0
    }

    /// The languages that may be spoken, in the order of [`Language::ALL`]; never empty.
    pub fn languages(self) -> impl Iterator<Item = Language> {
        let all = Language::ALL.iter().copied();
        all.filter(move |language| self.is_any() || self.0 & bit(*language) != 0)
    }

    /// The language, if there is only one.
    #[must_use]
    pub fn only(self) -> Option<Language> {
        let first = self.languages().next();
        first.filter(|language| self.0 == bit(*language))
    }
}

impl FromIterator<Language> for LanguageSet {
    fn from_iter<T: IntoIterator<Item = Language>>(languages: T) -> Self {
        let bits = languages.into_iter().fold(0, |bits, next| bits | bit(next));
        Self(if bits == Self::ALL { 0 } else { bits })
    }
}

const fn bit(language: Language) -> u32 {
    1 << language as u32
}

/// Checks a list of codes and returns its languages. `field` is the path of the list.
///
/// # Errors
/// More than 28 codes, and for each code, by its position: unknown, or repeated.
pub fn parse(field: &str, codes: &[String]) -> Result<LanguageSet, Violations> {
    let mut violations = Violations::new();
    if codes.len() > MAX_LANGUAGES {
        violations.push(Violation::new(field, Code::TooMany).with("max", MAX_LANGUAGES));
    }
    let mut bits = 0;
    for (position, code) in codes.iter().take(MAX_LANGUAGES).enumerate() {
        let at = || format!("{field}.{position}");
        match Language::parse(code) {
            None => violations
                .push(Violation::new(at(), Code::LanguageUnsupported).with_echo("language", code)),
            Some(language) if bits & bit(language) != 0 => {
                violations.add(&at(), Code::Repeated);
            }
            Some(language) => bits |= bit(language),
        }
    }
    violations.or(|| LanguageSet(if bits == LanguageSet::ALL { 0 } else { bits }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(codes: &[&str]) -> Vec<String> {
        codes.iter().map(|code| (*code).to_owned()).collect()
    }

    #[test]
    fn a_set_has_no_order() {
        let set = parse("languages", &codes(&["ru", "uk"])).unwrap();
        assert_eq!(set, parse("languages", &codes(&["uk", "ru"])).unwrap());
        assert_eq!(set, [Language::Ru, Language::Uk].into_iter().collect());
        assert!(set.languages().eq([Language::Uk, Language::Ru]));
        assert_eq!((set.is_any(), set.only()), (false, None));
    }

    #[test]
    fn none_and_all_mean_any() {
        let none = parse("languages", &[]).unwrap();
        let all = parse("languages", &codes(&LANGUAGES)).unwrap();
        assert_eq!((none, all), (LanguageSet::ANY, LanguageSet::ANY));
        assert_eq!(Language::ALL.iter().copied().collect::<LanguageSet>(), all);
        assert_eq!(all.languages().count(), MAX_LANGUAGES);
        assert_eq!(all.only(), None);
    }

    #[test]
    fn one_language_is_known() {
        for language in Language::ALL {
            let set = parse("languages", &codes(&[language.as_str()])).unwrap();
            assert_eq!(set.only(), Some(*language));
        }
    }

    #[test]
    fn each_invalid_code_is_named() {
        let given = codes(&["uk", "xx", "uk", "UK", "", "auto"]);
        let violations = parse("set", &given).unwrap_err().0;
        let found: Vec<_> = violations.iter().map(|v| (&*v.field, v.code)).collect();
        let unknown = Code::LanguageUnsupported;
        assert_eq!(
            found,
            [
                ("set.1", unknown),
                ("set.2", Code::Repeated),
                ("set.3", unknown),
                ("set.4", unknown),
                ("set.5", unknown)
            ]
        );
        let many = vec!["x".repeat(10_000); 100_000];
        let violations = parse("set", &many).unwrap_err().0;
        assert_eq!(violations[0].code, Code::TooMany);
        assert_eq!(violations.len(), MAX_LANGUAGES + 1);
    }
}
