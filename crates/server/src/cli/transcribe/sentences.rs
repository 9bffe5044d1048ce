//! English messages for codes, from the same locale files that the browser uses.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use serde_json::Value;
use slovo_engine::models::SENTENCES;
use slovo_rules::text_limits;
use slovo_rules::transcript::Warning;
use slovo_rules::violation::{Violation, Violations};
use slovo_work::analysis::engines::Reason;

use crate::cli::hints;

static RULES: LazyLock<Value> =
    LazyLock::new(|| parse(include_str!("../../../../../web/src/locales/en/rules.json")));
static PROBLEMS: LazyLock<Value> = LazyLock::new(|| {
    parse(include_str!(
        "../../../../../web/src/locales/en/problems.json"
    ))
});
static LANGUAGES: LazyLock<Value> = LazyLock::new(|| {
    parse(include_str!(
        "../../../../../web/src/locales/en/languages.json"
    ))
});

fn parse(text: &str) -> Value {
    serde_json::from_str(&text_limits::fill(text)).unwrap_or(Value::Null)
}

/// One message per violation.
pub fn of(violations: &Violations) -> Vec<String> {
    violations
        .0
        .iter()
        .map(|violation| format!("{}: {}", option_of(&violation.field), of_one(violation)))
        .collect()
}

/// The message for a violation, without its option.
pub fn of_one(violation: &Violation) -> String {
    let code = violation.code.as_str();
    fill(&RULES["violations"][code], code, &violation.params)
}

/// The message for something unavailable, with the API's code and reason, and with the command to
/// install a missing model.
pub fn of_lack(violation: &Violation, reason: Option<Reason>, models: &Path) -> String {
    let (option, code) = (option_of(&violation.field), violation.code.as_str());
    let Some(reason) = reason else {
        return format!("{option}: not available here ({code})");
    };
    let name = reason.as_str();
    let sentence = match reason {
        Reason::NotConfigured => {
            "this needs a language model: set one with --analysis-url and --analysis-model"
                .to_owned()
        }
        Reason::ModelMissing => {
            format!(
                "its model is missing (run `{}`)",
                hints::pull(SENTENCES, models)
            )
        }
        Reason::Language => "not available in that language".to_owned(),
    };
    format!("{option}: {sentence} ({code}: {name})")
}

/// The message for a warning.
pub fn of_warning(warning: &Warning) -> String {
    let mut params = warning.params.clone();
    // Formatted as in the browser: seconds as a time, a language code as a name.
    if let Some(seconds) = params.get("at_seconds").and_then(Value::as_f64) {
        params.insert("at".to_owned(), clock(seconds).into());
    }
    if let Some(name) = params
        .get("language")
        .and_then(|code| LANGUAGES[code.as_str()?].as_str())
    {
        params.insert("language".to_owned(), name.into());
    }
    if let Some(words) = params
        .get("source")
        .and_then(|source| PROBLEMS["sources"][source.as_str()?].as_str())
    {
        params.insert("source".to_owned(), words.into());
    }
    fill(&PROBLEMS["warnings"][&warning.code], &warning.code, &params)
}

/// `4:05`, or `1:04:05`.
fn clock(seconds: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a saturating cast is what is wanted: negative and NaN give 0"
    )]
    let total = seconds as u64;
    let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// The option for a field of the settings.
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
        field if field.starts_with("languages") => "--languages",
        field if field.contains("classification") => "--classify",
        other => other,
    }
}

/// Fills in the parameters; the bare code if there is no text.
fn fill(text: &Value, code: &str, params: &BTreeMap<String, Value>) -> String {
    let mut sentence = text.as_str().unwrap_or(code).to_owned();
    for (name, value) in params {
        // A whole number without decimals, also if it is a float.
        let number = value.as_f64().map(|number| number.to_string());
        let value_text = match value.as_str() {
            Some(text) => text.to_owned(),
            None => number.unwrap_or_else(|| value.to_string()),
        };
        sentence = sentence.replace(&format!("{{{{{name}}}}}"), &value_text);
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_filled_in() {
        let params = BTreeMap::from([("max".to_owned(), Value::from(500))]);
        assert_eq!(
            fill(&Value::from("at most {{max}} MB"), "x", &params),
            "at most 500 MB"
        );
    }

    #[test]
    fn warnings_have_readable_times_and_language_names() {
        let sentence = of_warning(&Warning::new("damaged_tail").with("at_seconds", 245.7));
        assert_eq!(
            sentence,
            "The end of the file is damaged: the transcript ends at 4:05."
        );
        let uncertain = Warning::new("language_uncertain")
            .with("language", "uk")
            .with("percent", 41.0);
        let sentence = of_warning(&uncertain);
        assert!(sentence.contains("Ukrainian (41%)"), "{sentence}");
        assert_eq!(clock(3_845.0), "1:04:05");
    }

    #[test]
    fn every_placeholder_of_a_warning_is_filled() {
        // Sample parameters of the rules' messages, named as in the locale files.
        let figures = ["channels", "most", "used", "given", "percent", "at_seconds"];
        for code in PROBLEMS["warnings"].as_object().unwrap().keys() {
            let warning = figures
                .iter()
                .fold(Warning::new(code), |warning, name| warning.with(name, 2));
            let names = ["model", "figures_of", "source"];
            let warning = names
                .iter()
                .fold(warning, |warning, name| warning.with(name, "base"));
            let sentence = of_warning(&warning.with("language", "en"));
            assert!(!sentence.contains("{{"), "{sentence}");
        }
    }

    #[test]
    fn the_source_of_a_figure_is_in_words() {
        let warning = Warning::new("language_served_poorly")
            .with("language", "uk")
            .with("percent", 45.0)
            .with("source", "measured")
            .with("figures_of", "base-q8_0");
        let sentence = of_warning(&warning);
        assert!(sentence.contains("Ukrainian"), "{sentence}");
        assert!(sentence.contains("45%"), "{sentence}");
        assert!(sentence.contains("measured with base-q8_0"), "{sentence}");
    }

    #[test]
    fn a_code_without_a_text_is_shown_as_is() {
        assert_eq!(of_warning(&Warning::new("brand_new")), "brand_new");
    }

    #[test]
    fn the_locale_files_can_be_parsed() {
        assert!(RULES["violations"]["file_required"].is_string());
        assert!(PROBLEMS["warnings"].is_object());
    }
}
