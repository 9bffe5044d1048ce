//! English sentences for codes: the same texts that the browser shows, from the same files.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value;
use slovo_engine::models::SENTENCES;
use slovo_rules::transcript::Warning;
use slovo_rules::violation::{Violation, Violations};

use crate::analysis::engines::Reason;

static RULES: LazyLock<Value> =
    LazyLock::new(|| parse(include_str!("../../../../../web/src/locales/en/rules.json")));
static PROBLEMS: LazyLock<Value> = LazyLock::new(|| {
    parse(include_str!(
        "../../../../../web/src/locales/en/problems.json"
    ))
});

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or(Value::Null)
}

/// One sentence for each broken rule.
pub fn of(violations: &Violations) -> Vec<String> {
    violations
        .0
        .iter()
        .map(|violation| {
            let code = violation.code.as_str();
            let text = fill(&RULES["violations"][code], code, &violation.params);
            format!("{}: {text}", option_of(&violation.field))
        })
        .collect()
}

/// The sentence for what nothing here does, with the code and the reason that the API gives: what
/// brings an engine, where something does.
pub fn of_lack(violation: &Violation, reason: Option<Reason>) -> String {
    let (option, code) = (option_of(&violation.field), violation.code.as_str());
    let Some(reason) = reason else {
        return format!("{option}: nothing here does this ({code})");
    };
    let name = reason.as_str();
    let sentence = match reason {
        Reason::NotConfigured => {
            "only a language model does this: name one with --analysis-url and --analysis-model"
                .to_owned()
        }
        Reason::ModelMissing => {
            format!("its model is missing (run `slovo models pull {SENTENCES}`)")
        }
        Reason::Language => "nothing here does this in that language".to_owned(),
    };
    format!("{option}: {sentence} ({code}: {name})")
}

/// The sentence of a warning.
pub fn of_warning(warning: &Warning) -> String {
    fill(
        &PROBLEMS["warnings"][&warning.code],
        &warning.code,
        &warning.params,
    )
}

/// The option that sets a field of the settings.
fn option_of(field: &str) -> &str {
    match field {
        "language_code" => "--language",
        "transcription_type" => "--mode",
        "translate" => "--task",
        "custom_vocabulary" => "--vocabulary",
        "diarization" => "--diarize",
        "multichannel" => "--multichannel",
        "summarize" => "--summarize",
        "overall_sentiment_analysis" => "--sentiment",
        "llm_translation" => "--translate-to",
        field if field.contains("classification") => "--classify",
        other => other,
    }
}

/// Puts the parameters in; the bare code where there is no text.
fn fill(text: &Value, code: &str, params: &BTreeMap<String, Value>) -> String {
    let mut sentence = text.as_str().unwrap_or(code).to_owned();
    for (name, value) in params {
        let shown = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        sentence = sentence.replace(&format!("{{{{{name}}}}}"), &shown);
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_put_in() {
        let params = BTreeMap::from([("max".to_owned(), Value::from(500))]);
        assert_eq!(
            fill(&Value::from("at most {{max}} MB"), "x", &params),
            "at most 500 MB"
        );
    }

    #[test]
    fn a_code_without_text_is_shown_itself() {
        assert_eq!(of_warning(&Warning::new("brand_new")), "brand_new");
    }

    #[test]
    fn the_files_of_texts_are_read() {
        assert!(RULES["violations"]["file_required"].is_string());
        assert!(PROBLEMS["warnings"].is_object());
    }
}
