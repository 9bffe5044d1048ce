use std::collections::{BTreeMap, BTreeSet};

use macro_rules_attribute::apply;
use slovo_db::presets;
use slovo_db::testing::{Backend, each_database, with_database_at};
use slovo_platform::testing::SeededRandom;
use slovo_rules::analysis::of_settings;
use slovo_rules::limits::BUILT_IN_PRESETS;
use slovo_rules::preset::BUILT_IN_CATEGORIES;
use slovo_rules::settings::TranscriptionType;

use super::*;

#[test]
fn every_file_of_the_folder_is_compiled_in() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/presets");
    let mut texts = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let id = format!("preset_id = \"{name}_v");
            assert!(text.starts_with(&id), "{name} does not begin with its id");
            texts.insert(text);
        }
    }
    assert_eq!(texts.len(), BUILT_IN_PRESETS as usize);
    let compiled: BTreeSet<_> = files::FILES.map(str::to_owned).into();
    assert!(texts == compiled, "files.rs and the folder differ");
}

/// Those without a language model, in order.
const QUICK: [&str; 6] = [
    "meeting_with_speakers_v1",
    "interview_v1",
    "subtitles_v1",
    "lecture_v1",
    "call_two_channels_v1",
    "quick_draft_v1",
];

#[test]
fn built_in_presets_match_the_specification() {
    let all = built_in().unwrap();
    assert_eq!(all.len(), BUILT_IN_PRESETS as usize);
    let ids: BTreeSet<_> = all.iter().map(|preset| &preset.preset_id).collect();
    assert_eq!(ids.len(), all.len());
    for preset in &all {
        let BuiltIn {
            preset_id, form, ..
        } = preset;
        let settings = &form.settings;
        assert!(
            preset_id.ends_with("_v1") && preset.version >= 1,
            "{preset_id}"
        );
        assert_eq!(
            settings.transcription_type,
            TranscriptionType::Full,
            "{preset_id}"
        );
        assert_eq!(settings.language_code, "uk", "{preset_id}");
        assert!((0..=200).contains(&settings.summarize), "{preset_id}");
        assert!(settings.translate.is_empty(), "{preset_id}");
        assert!(form.is_public && form.description.is_some(), "{preset_id}");
    }
    let standard = all.iter().filter(|preset| preset.quick_start.is_none());
    let standard: Vec<_> = standard.collect();
    assert_eq!(standard.len(), 20);
    let mut categories = BTreeMap::new();
    for preset in standard {
        let prompt = &preset.form.settings.custom_prompt;
        let id = &preset.preset_id;
        assert!(!prompt.is_empty() && prompt.trim() == prompt, "{id}");
        *categories.entry(preset.form.category).or_insert(0) += 1;
    }
    let found: Vec<_> = categories.keys().copied().collect();
    let mut expected = BUILT_IN_CATEGORIES.to_vec();
    expected.sort();
    assert_eq!(found, expected, "{categories:?}");
    let recommended = all.iter().filter(|preset| preset.form.is_default);
    let recommended: Vec<_> = recommended.map(|preset| &*preset.preset_id).collect();
    assert_eq!(
        recommended,
        [
            "meeting_minutes_v1",
            "mooc_captions_v1",
            "sales_call_crm_v1"
        ]
    );
}

#[test]
fn quick_start_presets_need_no_language_model() {
    let all = built_in().unwrap().into_iter();
    let mut quick: Vec<_> = all.filter(|preset| preset.quick_start.is_some()).collect();
    quick.sort_by_key(|preset| preset.quick_start);
    let ids: Vec<_> = quick.iter().map(|preset| &*preset.preset_id).collect();
    assert_eq!(ids, QUICK);
    for preset in &quick {
        for settings in [&preset.form.settings, &preset.settings_en] {
            let requested = of_settings(settings).into_iter();
            let embedded = slovo_analysis::embedded::PARTS;
            let others: Vec<_> = requested
                .map(|request| request.part)
                .filter(|part| !embedded.contains(part))
                .collect();
            assert!(others.is_empty(), "{}: {others:?}", preset.preset_id);
        }
    }
}

#[test]
fn english_preset_texts_contain_no_ukrainian() {
    let is_cyrillic = |text: &str| text.chars().any(|c| ('\u{400}'..='\u{4ff}').contains(&c));
    for preset in built_in().unwrap() {
        let id = &*preset.preset_id;
        let (ukrainian, english) = (&preset.form.settings, &preset.settings_en);
        // Recordings that are translated into English are not in English.
        let language = match id {
            "documentary_en_translation_v1" => "uk",
            _ => "en",
        };
        assert_eq!(english.language_code, language, "{id}");
        let mut texts = vec![&*preset.name_en, &*preset.description_en];
        assert!(texts.iter().all(|text| !text.is_empty()), "{id}");
        texts.push(&english.custom_vocabulary);
        texts.extend(english.classification_labels.iter().map(String::as_str));
        // One of them responds in both languages.
        if id != "clean_report_dual_output_v1" {
            texts.push(&english.custom_prompt);
        }
        assert!(!texts.into_iter().any(is_cyrillic), "{id}");
        let shape = |settings: &TranscriptionSettings| {
            let headings = settings.custom_prompt.matches("\n#").count();
            let labels = settings.classification_labels.len();
            (settings.custom_prompt.is_empty(), headings, labels)
        };
        assert_eq!(shape(ukrainian), shape(english), "{id}");
        // Everything without words is the same.
        let plain = |settings: &TranscriptionSettings| TranscriptionSettings {
            language_code: String::new(),
            custom_prompt: String::new(),
            custom_vocabulary: String::new(),
            classification_labels: Vec::new(),
            llm_translation: String::new(),
            ..settings.clone()
        };
        assert_eq!(plain(ukrainian), plain(english), "{id}");
    }
}

#[test]
fn a_preset_that_breaks_a_rule_is_named_in_the_error() {
    let good = files::FILES[0];
    assert!(read(good).is_ok());
    let misspelt = good.replacen("recommended", "recomended", 1);
    assert!(read(&misspelt).is_err());
    let long = good.replacen(
        "[name]\nuk = \"",
        &format!("[name]\nuk = \"{}", "а".repeat(201)),
        1,
    );
    let error = format!("{:#}", read(&long).unwrap_err());
    assert!(
        error.contains("broadcast_verbatim_v1 breaks a rule"),
        "{error}"
    );
    assert!(error.contains("name: too_long"), "{error}");
}

#[apply(each_database!)]
fn concurrent_and_repeated_starts_load_each_preset_once(backend: Backend) {
    with_database_at(backend, slovo_test_postgres::url, async |database| {
        let start = |seed: u64| {
            let database = database.clone();
            async move { load(&database, &SeededRandom::new(seed), 1_000).await }
        };
        let first = tokio::spawn(start(1));
        let second = tokio::spawn(start(2));
        first.await.unwrap().unwrap();
        second.await.unwrap().unwrap();
        let list = async || {
            let mut connection = database.read().await.unwrap();
            presets::list(&mut connection, "nobody").await.unwrap()
        };
        let loaded = list().await;
        assert_eq!(loaded.len(), BUILT_IN_PRESETS as usize);
        start(3).await.unwrap();
        assert_eq!(list().await, loaded);
    });
}
