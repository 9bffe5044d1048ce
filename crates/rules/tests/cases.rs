//! Runs the case files of `cases/` against the crate. `wasm-pkg/tests/cases.test.mjs` runs the same
//! files against the built module: a case calls a function by its name in the module. The cases in
//! `cases/native/` test rules that no browser calls.
//!
//! In arguments and expectations `{"$repeat": [text, count]}` stands for a long text,
//! `{"$concat": […]}` for a joined one, `{"$bytes": […]}` for bytes (a text, a byte, or
//! `[byte, count]`), `{"$settings": {…}}` for the default settings with some fields
//! changed, and `{"$number": "NaN"}` for a number that JSON cannot write.

mod calls;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};
use slovo_rules::Code;
use slovo_rules::settings::TranscriptionSettings;

fn case_files() -> Vec<(String, Vec<Value>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let folders = [folder.join("native"), folder];
    let mut files: Vec<_> = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).expect("cases"))
        .map(|entry| entry.expect("entry").path())
        .filter(|path| path.is_file())
        .map(|path| {
            let text = fs::read_to_string(&path).expect("case file");
            let cases = serde_json::from_str(&text).expect("JSON");
            (
                path.file_name()
                    .expect("name")
                    .to_string_lossy()
                    .into_owned(),
                cases,
            )
        })
        .collect();
    files.sort_by(|a, b| a.0.cmp(&b.0));
    files
}

/// Replaces placeholders by their values.
fn expand(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(expand).collect(),
        Value::Object(fields) if fields.len() == 1 => {
            let (name, inner) = fields.iter().next().expect("one field");
            match name.as_str() {
                "$repeat" => {
                    let count = usize::try_from(inner[1].as_u64().expect("count")).expect("count");
                    Value::from(inner[0].as_str().expect("text").repeat(count))
                }
                "$concat" => {
                    let parts = inner.as_array().expect("parts").iter().map(expand);
                    Value::from(
                        parts
                            .map(|part| part.as_str().expect("text").to_owned())
                            .collect::<String>(),
                    )
                }
                "$bytes" => bytes(inner),
                "$settings" => {
                    let mut settings =
                        serde_json::to_value(TranscriptionSettings::default()).expect("settings");
                    for (name, value) in inner.as_object().expect("fields") {
                        settings[name] = expand(value);
                    }
                    settings
                }
                // Kept unchanged: only the call knows the number type. Inside an object JSON has
                // null instead, as in a browser.
                "$number" => value.clone(),
                _ => fields_expanded(fields),
            }
        }
        Value::Object(fields) => fields_expanded(fields),
        other => other.clone(),
    }
}

fn fields_expanded(fields: &Map<String, Value>) -> Value {
    fields
        .iter()
        .map(|(name, value)| (name.clone(), expand(value)))
        .collect::<Map<_, _>>()
        .into()
}

fn bytes(parts: &Value) -> Value {
    let mut bytes: Vec<u64> = Vec::new();
    for part in parts.as_array().expect("parts") {
        match part {
            Value::String(text) => bytes.extend(text.bytes().map(u64::from)),
            Value::Number(byte) => bytes.push(byte.as_u64().expect("byte")),
            run => {
                let count = usize::try_from(run[1].as_u64().expect("count")).expect("count");
                bytes.extend(std::iter::repeat_n(run[0].as_u64().expect("byte"), count));
            }
        }
    }
    bytes.into()
}

/// Equality that treats 1 and 1.0 as the same number, as in JavaScript.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(name, value)| b.get(name).is_some_and(|other| same(value, other)))
        }
        (a, b) => a == b,
    }
}

#[test]
fn every_case_holds() {
    let mut failures = Vec::new();
    let mut count = 0;
    for (file, cases) in case_files() {
        for case in &cases {
            count += 1;
            let arguments = expand(&case["args"]);
            let call = case["call"].as_str().expect("call");
            let given = calls::run(call, arguments.as_array().expect("args"));
            let expected = expand(&case["expect"]);
            if !same(&given, &expected) {
                let (given, expected) = (given.to_string(), expected.to_string());
                failures.push(format!(
                    "{file}: {call}: {}\n  expected {expected:.400}\n  got      {given:.400}",
                    case["name"]
                ));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {count} cases:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(count > 500, "only {count} cases were found");
}

#[test]
fn every_code_has_a_case() {
    let mut seen = BTreeSet::new();
    for (_, cases) in case_files() {
        for case in &cases {
            collect_codes(&case["expect"], &mut seen);
        }
    }
    let missing: Vec<_> = Code::ALL
        .iter()
        // Only the server can detect these, so no call of the package returns them.
        .filter(|code| {
            !matches!(
                code,
                Code::PasswordWeak
                    | Code::AudioTrackUnknown
                    | Code::SegmentsNotAdjacent
                    | Code::LineOutOfOrder
                    | Code::MarkNameRequired
                    | Code::CommentRequired
                    | Code::EditNotForVisitors
                    | Code::ShareEditUnprotected
                    | Code::LayoutUnsupported
                    | Code::GroupNameRequired
                    | Code::FeatureUnavailable
                    | Code::FeatureNotInPlan
                    | Code::ModelRequired
                    | Code::PhoneInvalid
                    | Code::UrlNotHttps
                    | Code::SecretInAddress
                    | Code::KeyInvalid
                    | Code::SourcePathInvalid
            )
        })
        .filter(|code| !seen.contains(code.as_str()))
        .collect();
    assert!(
        missing.is_empty(),
        "codes without a refused case: {missing:?}"
    );
}

fn collect_codes(value: &Value, seen: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            seen.extend(
                fields
                    .get("code")
                    .and_then(Value::as_str)
                    .map(str::to_owned),
            );
            fields.values().for_each(|inner| collect_codes(inner, seen));
        }
        Value::Array(items) => items.iter().for_each(|inner| collect_codes(inner, seen)),
        _ => {}
    }
}

#[test]
fn the_stand_ins_expand() {
    let given = expand(&json!([
        {"$concat": [{"$repeat": ["ab", 2]}, "c"]},
        {"$bytes": ["A", 66, [67, 2]]},
        {"$settings": {"summarize": 5}},
    ]));
    assert_eq!(given[0], "ababc");
    assert_eq!(given[1], json!([65, 66, 67, 67]));
    assert_eq!(given[2]["summarize"], 5);
    assert_eq!(given[2]["language_code"], "uk");
}
