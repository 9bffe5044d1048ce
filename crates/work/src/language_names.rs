//! Languages as other services name them.

use slovo_rules::language::Language;

/// The language of a code, or of the English name that OpenAI's own servers send, in any case.
pub(crate) fn parse(stated: &str) -> Option<Language> {
    let stated = stated.trim().to_ascii_lowercase();
    let named = ENGLISH_NAMES.iter().find(|(name, _)| *name == stated);
    named
        .map(|(_, language)| *language)
        .or_else(|| Language::parse(&stated))
}

/// Whisper's names of languages.
const ENGLISH_NAMES: [(&str, Language); 28] = [
    ("ukrainian", Language::Uk),
    ("russian", Language::Ru),
    ("english", Language::En),
    ("german", Language::De),
    ("spanish", Language::Es),
    ("french", Language::Fr),
    ("italian", Language::It),
    ("polish", Language::Pl),
    ("portuguese", Language::Pt),
    ("japanese", Language::Ja),
    ("chinese", Language::Zh),
    ("dutch", Language::Nl),
    ("arabic", Language::Ar),
    ("czech", Language::Cs),
    ("hungarian", Language::Hu),
    ("finnish", Language::Fi),
    ("persian", Language::Fa),
    ("greek", Language::El),
    ("turkish", Language::Tr),
    ("danish", Language::Da),
    ("hebrew", Language::He),
    ("vietnamese", Language::Vi),
    ("korean", Language::Ko),
    ("urdu", Language::Ur),
    ("telugu", Language::Te),
    ("hindi", Language::Hi),
    ("catalan", Language::Ca),
    ("malayalam", Language::Ml),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn names_are_those_that_this_server_sends() {
        let file = include_str!("../../../web/src/locales/en/languages.json");
        let names: BTreeMap<String, String> = serde_json::from_str(file).expect("names");
        for language in Language::ALL {
            assert_eq!(parse(&names[language.as_str()]), Some(*language));
            assert_eq!(parse(&language.as_str().to_uppercase()), Some(*language));
        }
        assert_eq!(parse("welsh"), None);
    }
}
