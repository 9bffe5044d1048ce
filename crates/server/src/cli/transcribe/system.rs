//! Suggests the system's language as the language of speech.

use slovo_rules::language;

/// In order of precedence; the first one that is set decides.
const VARIABLES: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];

/// The language of the environment, with the variable it comes from; `None` if there is no known
/// language.
pub fn language(variable: impl Fn(&str) -> Option<String>) -> Option<(&'static str, String)> {
    let set = |name: &&'static str| variable(name).filter(|value| !value.is_empty());
    let (name, value) = VARIABLES
        .iter()
        .find_map(|name| Some((*name, set(name)?)))?;
    // uk_UA.UTF-8, en_GB@euro, C.UTF-8
    let code = value.split(['_', '.', '@', '-']).next()?;
    let code = code.to_ascii_lowercase();
    language::is_supported(&code).then_some((name, code))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language_of(variables: &[(&str, &str)]) -> Option<(&'static str, String)> {
        language(|name| {
            let value = variables.iter().find(|(known, _)| *known == name);
            value.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_system_language_follows_the_usual_order_of_variables() {
        let uk = |name| Some((name, "uk".to_owned()));
        assert_eq!(language_of(&[("LANG", "uk_UA.UTF-8")]), uk("LANG"));
        assert_eq!(
            language_of(&[("LANG", "en_US"), ("LC_ALL", "uk")]),
            uk("LC_ALL")
        );
        assert_eq!(
            language_of(&[("LC_ALL", ""), ("LANG", "uk_UA@x")]),
            uk("LANG")
        );
        assert_eq!(
            language_of(&[("LC_ALL", "C.UTF-8"), ("LANG", "uk_UA")]),
            None
        );
        for unsupported in ["C", "POSIX", "", "xx_YY", "../x"] {
            assert_eq!(language_of(&[("LANG", unsupported)]), None, "{unsupported}");
        }
        assert_eq!(language_of(&[]), None);
    }
}
