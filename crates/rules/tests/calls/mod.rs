//! Native calls of the functions of the built module, by their names in it.

mod transcripts;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use slovo_rules::job::{JobStatus, STATUS_FILTERS};
use slovo_rules::language::Language;
use slovo_rules::plan::{ComparisonRow, PlanForm, Tier};
use slovo_rules::preset::{PresetCategory, PresetForm};
use slovo_rules::settings::{Source, TranscriptionSettings, TranscriptionType};
use slovo_rules::subtitles::SubtitleOptions;
use slovo_rules::transcript::Warning;
use slovo_rules::upload::AudioType;
use slovo_rules::webhook::{WebhookCategory, WebhookForm};
use slovo_rules::{
    Violations, account, analysis, balance, contact, export, language, limits, matrix, minutes,
    nocodb, plan, preferences, preset, profile, recording, settings, subtitles, transcript, upload,
    url, warnings, webhook,
};

/// Calls a function with JSON arguments and returns the result as JSON.
pub fn run(name: &str, args: &[Value]) -> Value {
    settings_calls(name, args)
        .or_else(|| account_calls(name, args))
        .or_else(|| upload_calls(name, args))
        .or_else(|| job_calls(name, args))
        .or_else(|| form_calls(name, args))
        .or_else(|| transcripts::calls(name, args))
        .or_else(|| catalogue_calls(name))
        .unwrap_or_else(|| panic!("no function is called {name}"))
}

fn settings_calls(name: &str, args: &[Value]) -> Option<Value> {
    Some(match name {
        "settingOf" => json(settings::setting(text(&args[0]))),
        "defaultSettings" => json(TranscriptionSettings::default()),
        "validateSettings" => {
            let source: Source = read(&args[1]);
            let parsed = settings::parse(&without_stand_ins(&args[0]));
            verdict(parsed.and_then(|parsed| settings::check(&parsed, source)))
        }
        "validateOptions" => {
            let parsed = settings::parse(&args[0]);
            verdict(parsed.and_then(|parsed| settings::validate_options(&parsed)))
        }
        "withType" => json(read::<TranscriptionSettings>(&args[0]).with_type(read(&args[1]))),
        "withAllowedLanguage" => {
            let (settings, forced) =
                read::<TranscriptionSettings>(&args[0]).with_allowed_language();
            json!({ "settings": settings, "forced": forced })
        }
        "warningsBeforeStart" => {
            let settings = TranscriptionSettings {
                transcription_type: read(&args[0]),
                language_code: text(&args[1]).to_owned(),
                translate: text(&args[2]).to_owned(),
                ..TranscriptionSettings::default()
            };
            let wanted = Language::parse(text(&args[3]));
            let found = warnings::before(&settings, wanted, &read(&args[4]));
            json(found.into_iter().map(Warning::from).collect::<Vec<_>>())
        }
        "wantsSpeakers" => json(read::<TranscriptionSettings>(&args[0]).wants_speakers()),
        "asksForAnalysis" => {
            json(!analysis::of_settings(&read::<TranscriptionSettings>(&args[0])).is_empty())
        }
        "vocabularyTerms" => json(settings::vocabulary_terms(text(&args[0]))),
        "translationList" => json(language::translation_list(text(&args[0]))),
        "available" => json(matrix::available(
            read(&args[0]),
            read(&args[1]),
            text(&args[2]),
        )),
        "offeredLanguages" => json(language::offered(read::<TranscriptionType>(&args[0]))),
        "validateSubtitles" => verdict(subtitles::validate(&read::<SubtitleOptions>(&args[0]))),
        "subtitleLimitsOf" => json(read::<SubtitleOptions>(&args[0]).limits(text(&args[1]))),
        "subtitleBounds" => json(subtitles::BOUNDS),
        "exportLayouts" => json(export::layouts(text(&args[0]))),
        "validateUrl" => verdict(url::classify(text(&args[0]))),
        "classifyUrl" => json(url::classify(text(&args[0])).ok()),
        _ => return None,
    })
}

fn account_calls(name: &str, args: &[Value]) -> Option<Value> {
    Some(match name {
        "validateSignup" => verdict(account::validate_signup(&read(&args[0]))),
        "validateLogin" => verdict(account::validate_login(&read(&args[0]))),
        "validatePassword" => verdict(account::validate_password(
            read(&args[0]),
            text(&args[1]),
            text(&args[2]),
        )),
        "passwordChecklist" => account::password_checklist(read(&args[0]), text(&args[1]))
            .into_iter()
            .map(|(requirement, met)| json!({ "requirement": requirement, "met": met }))
            .collect(),
        "passwordMinLength" => json(read::<account::PasswordPolicy>(&args[0]).min_length()),
        "normalizeEmail" => json(account::normalize_email(text(&args[0]))),
        "validateCode" => verdict(account::validate_code(text(&args[0]))),
        "initials" => json(account::initials(text(&args[0]), text(&args[1]))),
        "validateProfile" => verdict(profile::validate(&read(&args[0]))),
        "validateAvatar" => verdict(profile::validate_avatar(
            &bytes(&args[0]),
            number(&args[1]) as u64,
        )),
        "avatarType" => json(profile::avatar_type(&bytes(&args[0]))),
        "validatePreferences" => verdict(preferences::validate(&read(&args[0]))),
        "validateContact" => verdict(contact::validate(&read(&args[0]))),
        "validateNewsletter" => verdict(contact::validate_newsletter(text(&args[0]))),
        _ => return None,
    })
}

fn upload_calls(name: &str, args: &[Value]) -> Option<Value> {
    Some(match name {
        "validateFile" => verdict(upload::validate_file_within(
            text(&args[0]),
            text(&args[1]),
            number(&args[2]) as u64,
            args.get(3)
                .map_or(upload::MAX_UPLOAD_BYTES, |most| number(most) as u64),
        )),
        "audioType" => {
            let of_name = || AudioType::of_name(text(&args[0]));
            json(AudioType::of_mime(text(&args[1])).or_else(of_name))
        }
        "mimeTypes" => json(read::<AudioType>(&args[0]).mime_types()),
        "checkContent" => verdict(upload::check_content_with(
            &bytes(&args[0]),
            args.get(1).and_then(Value::as_bool).unwrap_or(false),
        )),
        "sniff" => json(upload::sniff(&bytes(&args[0]))),
        "nothingChosen" => {
            let chosen = args[1].as_bool().expect("chosen");
            json([upload::nothing_chosen(read(&args[0]), chosen)])
        }
        "displayName" => json(upload::display_name(text(&args[0]))),
        _ => return None,
    })
}

fn job_calls(name: &str, args: &[Value]) -> Option<Value> {
    let status = || read::<JobStatus>(&args[0]);
    Some(match name {
        "isTerminal" => json(status().is_terminal()),
        "canCancel" => json(status().can_cancel()),
        "canRetry" => json(status().can_retry()),
        "statusLabel" => json(status().label()),
        "statusFilters" => json(STATUS_FILTERS),
        "speakerLabel" => json(transcript::speaker_label(text(&args[0]))),
        "minutesLeft" => json(minutes::remaining(number(&args[0]), number(&args[1]))),
        "wholeMinutesUsed" => json(minutes::whole_used(number(&args[0]))),
        "wholeMinutesLeft" => json(minutes::whole_left(number(&args[0]), number(&args[1]))),
        "usagePercent" => json(minutes::usage_percent(number(&args[0]), number(&args[1]))),
        "minutesOfDuration" => json(minutes::of_duration(number(&args[0]))),
        "mayStart" => verdict(minutes::may_start(
            args[0].as_f64(),
            number(&args[1]),
            number(&args[2]),
            args[3].as_f64(),
        )),
        "recordingTimer" => json(recording::timer(number(&args[0]))),
        "recordingConstraints" => json(recording::CONSTRAINTS),
        _ => return None,
    })
}

fn form_calls(name: &str, args: &[Value]) -> Option<Value> {
    let configured = || args[0].as_bool().expect("configured");
    Some(match name {
        "defaultPreset" => json(PresetForm::default()),
        "validatePreset" => verdict(preset::validate(&read(&args[0]))),
        "parsePresetImport" => match preset::parse_import(text(&args[0])) {
            Ok(presets) => json!({ "presets": presets.into_inner(), "violations": [] }),
            Err(violations) => json!({ "presets": [], "violations": violations }),
        },
        "requireValidated" => verdict(preset::require_validated(number(&args[0]) as usize)),
        "defaultPlan" => json(PlanForm::default()),
        "validatePlan" => verdict(plan::validate(&read(&args[0]))),
        "previewBalance" => {
            let month: balance::BalanceMonth = read(&args[1]);
            let (after, violations) = match month.preview(&read(&args[0])) {
                Ok(after) => (Some(after), Violations::new()),
                Err(violation) => (None, violation.into()),
            };
            serde_json::json!({"after": after, "violations": violations})
        }
        "validateBalance" => verdict(balance::validate(&read(&args[0]))),
        "defaultWebhook" => json(WebhookForm::default()),
        "validateWebhook" => verdict(webhook::validate(&read(&args[0]))),
        "requirePlanId" => verdict(nocodb::require_plan_id(configured(), args[1].as_str())),
        "requireUserId" => verdict(nocodb::require_user_id(configured(), args[1].as_str())),
        "compare" => json(plan::compare(
            read::<ComparisonRow>(&args[0]),
            read::<Tier>(&args[1]),
        )),
        _ => return None,
    })
}

fn catalogue_calls(name: &str) -> Option<Value> {
    Some(match name {
        "limits" => json(limits::LIMITS),
        "languages" => json(language::LANGUAGES.as_slice()),
        "diarizationLanguages" => json(language::diarization_languages()),
        "translationTargets" => json(language::translation_targets()),
        "audioTypes" => json(AudioType::ALL),
        "features" => json(matrix::Feature::ALL),
        "usages" => json(profile::Usage::ALL),
        "presetCategories" => json(preset::USER_CATEGORIES),
        "allPresetCategories" => json(PresetCategory::ALL),
        "webhookCategories" => json(WebhookCategory::ALL),
        "tiers" => json(plan::TIERS),
        "comparisonRows" => json(ComparisonRow::ALL),
        _ => return None,
    })
}

fn json(value: impl Serialize) -> Value {
    serde_json::to_value(value).expect("serialises")
}

fn verdict<T>(checked: Result<T, impl Into<Violations>>) -> Value {
    json(checked.map_or_else(Into::into, |_| Violations::new()))
}

fn read<T: DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).expect("argument")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

fn bytes(value: &Value) -> Vec<u8> {
    read(value)
}

fn number(value: &Value) -> f64 {
    match value.get("$number").and_then(Value::as_str) {
        Some(name) => name.parse().expect("number"),
        None => value.as_f64().expect("number"),
    }
}

/// Numbers that JSON cannot represent become null, as in a browser.
fn without_stand_ins(value: &Value) -> Value {
    match value {
        Value::Object(fields) if fields.contains_key("$number") => Value::Null,
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), without_stand_ins(value)))
            .collect(),
        other => other.clone(),
    }
}
