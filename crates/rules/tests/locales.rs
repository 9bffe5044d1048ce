//! Every displayed code and name has a text in both locales, and every text uses only the
//! parameters of its code.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use slovo_rules::Code;
use slovo_rules::account::Requirement;
use slovo_rules::export;
use slovo_rules::job::{JobStatus, Stage};
use slovo_rules::language::{AUTO, Language, TranslationTarget};
use slovo_rules::matrix::Feature;
use slovo_rules::plan::{Cell, ComparisonRow, Tier, compare};
use slovo_rules::preset::PresetCategory;
use slovo_rules::profile::Usage;
use slovo_rules::settings::{SETTINGS, SettingKind, Source};
use slovo_rules::upload::Container;
use slovo_rules::webhook::WebhookCategory;

const LOCALES: [&str; 2] = ["uk", "en"];

fn locale(name: &str, namespace: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../web/src/locales")
        .join(name)
        .join(format!("{namespace}.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).expect("JSON")
}

/// Checks that all keys of the group exist in both locales, and no others.
fn assert_complete<'a>(group: &str, names: impl IntoIterator<Item = &'a str>) {
    let expected: BTreeSet<String> = names.into_iter().map(str::to_owned).collect();
    for name in LOCALES {
        let rules = locale(name, "rules");
        let texts = rules[group]
            .as_object()
            .unwrap_or_else(|| panic!("{name}: no {group}"));
        let present: BTreeSet<String> = texts.keys().cloned().collect();
        assert_eq!(present, expected, "{name}: {group}");
        let blank = texts
            .iter()
            .find(|(_, text)| text.as_str().is_none_or(|t| t.trim().is_empty()));
        assert_eq!(blank, None, "{name}: {group}");
    }
}

#[test]
fn every_violation_has_its_text() {
    assert_complete("violations", Code::ALL.iter().map(|code| code.as_str()));
}

#[test]
fn every_displayed_name_has_its_text() {
    assert_complete(
        "job_status",
        JobStatus::ALL.iter().map(|status| status.as_str()),
    );
    assert_complete("stage", Stage::ALL.iter().map(|stage| stage.as_str()));
    assert_complete(
        "feature",
        Feature::ALL.iter().map(|feature| feature.as_str()),
    );
    let choices = SETTINGS
        .iter()
        .filter(|row| row.kind == SettingKind::Choice);
    assert_complete("setting", choices.clone().map(|row| row.name));
    for setting in choices {
        assert_complete(setting.name, (setting.choices)());
    }
    assert_complete("source", Source::ALL.iter().map(|source| source.as_str()));
    assert_complete(
        "requirement",
        Requirement::ALL
            .iter()
            .map(|requirement| requirement.as_str()),
    );
    assert_complete(
        "translation_target",
        TranslationTarget::ALL.iter().map(|target| target.as_str()),
    );
    assert_complete("usage", Usage::ALL.iter().map(|usage| usage.as_str()));
    assert_complete(
        "preset_category",
        PresetCategory::ALL.iter().map(|category| category.as_str()),
    );
    assert_complete(
        "webhook_category",
        WebhookCategory::ALL
            .iter()
            .map(|category| category.as_str()),
    );
    assert_complete("tier", Tier::ALL.iter().map(|tier| tier.as_str()));
    assert_complete(
        "comparison_row",
        ComparisonRow::ALL.iter().map(|row| row.as_str()),
    );
    let refused = Container::ALL
        .iter()
        .filter(|container| !container.is_accepted());
    assert_complete("container", refused.map(|container| container.as_str()));
    let cells = ComparisonRow::ALL
        .iter()
        .flat_map(|row| Tier::ALL.iter().map(|t| compare(*row, *t)));
    let words = cells.filter_map(|cell| match cell {
        Cell::Word(word) => Some(word),
        Cell::Minutes(None) => Some("unlimited"),
        Cell::Has(true) => Some("yes"),
        Cell::Has(false) => Some("no"),
        Cell::Minutes(Some(_)) => None,
    });
    assert_complete("comparison", words);
}

#[test]
fn every_language_has_its_name() {
    for name in LOCALES {
        let languages = locale(name, "languages");
        let present: BTreeSet<&str> = languages
            .as_object()
            .expect("names")
            .keys()
            .map(String::as_str)
            .collect();
        let expected: BTreeSet<&str> = Language::ALL
            .iter()
            .map(|language| language.as_str())
            .chain([AUTO])
            .collect();
        assert_eq!(present, expected, "{name}");
    }
}

#[test]
fn both_locales_use_the_same_parameters() {
    let [uk, en] = LOCALES.map(|name| locale(name, "rules"));
    for code in Code::ALL {
        let (uk, en) = (
            &uk["violations"][code.as_str()],
            &en["violations"][code.as_str()],
        );
        let (uk, en) = (uk.as_str().expect("text"), en.as_str().expect("text"));
        assert_eq!(parameters(uk), parameters(en), "{code}");
    }
}

/// The names within `{{…}}`.
fn parameters(text: &str) -> BTreeSet<&str> {
    text.split("{{")
        .skip(1)
        .filter_map(|rest| rest.split("}}").next())
        .map(str::trim)
        .collect()
}

/// Sentences whose order of formats is their own; lists in the order of the rules are filled in
/// (`slovo_rules::text_limits`).
#[test]
fn sentences_that_list_the_export_formats_name_all_of_them() {
    for name in LOCALES {
        let [about, features, legal] =
            ["about", "features", "legal"].map(|namespace| locale(name, namespace));
        for text in [
            &about["faq"]["items"][3]["answer"],
            &features["cards"]["formatting"]["text"],
            &legal["privacy"]["yours"]["points"][1],
        ] {
            let text = text.as_str().expect("text");
            for format in export::FORMATS {
                let label = match format {
                    "md" => "Markdown".to_owned(),
                    "stl" => "EBU STL".to_owned(),
                    format => format.to_uppercase(),
                };
                assert!(text.contains(&label), "{name}: no {label} in: {text}");
            }
        }
    }
}
