//! Presets: reusable settings with a name and a category.

mod english;

pub use english::follow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::form::{self, Validate};
use crate::settings::{self, TranscriptionSettings, TranscriptionType};
use crate::text;
use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};

/// Longest preset name, in characters.
pub const MAX_NAME: usize = 200;
/// Longest preset id, in characters.
pub const MAX_ID: usize = 200;
/// Longest description, in characters.
pub const MAX_DESCRIPTION: usize = 2000;
/// Largest pasted import, in bytes.
pub const MAX_IMPORT_BYTES: usize = 2 * 1024 * 1024;
/// Deepest nesting of an import; a preset's own is 4.
const MAX_IMPORT_DEPTH: usize = 32;
/// Maximum number of presets in an import.
pub const MAX_IMPORT: usize = 200;
/// Maximum number of presets per user: few enough for one list.
pub const MAX_OWN: usize = 500;

/// Required fields of an imported preset.
pub const REQUIRED_FIELDS: [&str; 5] = [
    "preset_id",
    "name",
    "category",
    "transcription_type",
    "settings",
];

wire_enum! {
    /// The category of a preset. Its label is `preset_category.<category>` in `rules.json`.
    PresetCategory {
        /// Media.
        Media => "media",
        /// Education.
        Education => "education",
        /// Law and medicine.
        LegalMedical => "legal_medical",
        /// Business.
        Business => "business",
        /// Several fields.
        CrossScenario => "cross_scenario",
        /// Podcast.
        Podcast => "podcast",
        /// Interview.
        Interview => "interview",
        /// Meeting.
        Meeting => "meeting",
        /// Something else.
        Other => "other",
    }
}

/// The categories of the presets that come with the program.
pub const BUILT_IN_CATEGORIES: [PresetCategory; 5] = [
    PresetCategory::Media,
    PresetCategory::Education,
    PresetCategory::LegalMedical,
    PresetCategory::Business,
    PresetCategory::CrossScenario,
];

/// The categories for presets made by users.
pub const USER_CATEGORIES: [PresetCategory; 7] = [
    PresetCategory::Business,
    PresetCategory::Education,
    PresetCategory::Media,
    PresetCategory::Podcast,
    PresetCategory::Interview,
    PresetCategory::Meeting,
    PresetCategory::Other,
];

/// A preset as it was filled in. Its mode is `settings.transcription_type`, its language
/// `settings.language_code`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Validate)]
#[serde(default)]
#[validate(crate = "crate::form")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(missing_as_null))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PresetForm {
    /// Name; required.
    #[validate(length(min = 1, max = MAX_NAME, code = "preset_name_required"))]
    pub name: String,
    /// Description; if blank, null is stored.
    #[validate(length(max = MAX_DESCRIPTION))]
    #[cfg_attr(feature = "wasm", tsify(type = "string | null"))]
    pub description: Option<String>,
    /// The category.
    pub category: PresetCategory,
    /// Whether all users can see it.
    pub is_public: bool,
    /// Whether it is recommended.
    pub is_default: bool,
    /// Its settings.
    pub settings: TranscriptionSettings,
}

impl Default for PresetForm {
    fn default() -> Self {
        Self {
            name: String::new(),
            description: None,
            category: PresetCategory::Media,
            // Publishing is decided by whoever makes a preset public.
            is_public: false,
            is_default: false,
            settings: TranscriptionSettings::default(),
        }
    }
}

/// An imported preset. An administrator's is a system preset without an owner (`user_id` null); any
/// other user's belongs to them ([`private_copies`]).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportedPreset {
    /// Its permanent id.
    pub preset_id: String,
    /// Name.
    pub name: String,
    /// Description; empty if the import has none.
    pub description: String,
    /// The category.
    pub category: PresetCategory,
    /// Whether all users can see it; true if the import does not specify it.
    pub is_public: bool,
    /// Whether it is recommended; false if the import does not specify it.
    pub is_default: bool,
    /// Its settings, including mode and language.
    pub settings: TranscriptionSettings,
}

/// Checks a preset. The result is trimmed and without control characters, an empty description is
/// `None`, and the settings contain no URL.
///
/// # Errors
/// All violations; those of the settings below `settings.`.
pub fn validate(form: &PresetForm) -> Result<Valid<PresetForm>, Violations> {
    let description = text::lines(form.description.as_deref().unwrap_or_default());
    let description = description.trim();
    let form = PresetForm {
        name: text::one_line(&form.name).trim().to_owned(),
        description: (!description.is_empty()).then(|| description.to_owned()),
        settings: TranscriptionSettings {
            url: String::new(),
            ..form.settings.clone()
        },
        ..form.clone()
    };
    let mut v = form::check(&form, &["name", "description"]);
    if let Err(others) = settings::validate_options(&form.settings) {
        v.extend_under("settings", others);
    }
    v.or(|| Valid::new(form))
}

/// Reads a pasted import: a JSON array of presets, or a single one.
///
/// # Errors
/// The errors of [`check_import`] and [`import`], and text that is not JSON.
pub fn parse_import(json: &str) -> Result<Valid<Vec<ImportedPreset>>, Violations> {
    check_import(json)?;
    let value = serde_json::from_str(json).map_err(|_| not_json())?;
    import(&value)
}

/// Checks a pasted import before it is parsed.
///
/// # Errors
/// Larger than 2 MB, or nested more deeply than any preset, which could overflow a parser.
pub fn check_import(json: &str) -> Result<(), Violation> {
    if json.len() > MAX_IMPORT_BYTES {
        return Err(Violation::new("", Code::TooLong).with("max", MAX_IMPORT_BYTES));
    }
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => depth += 1,
            b']' | b'}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_IMPORT_DEPTH {
            return Err(not_json());
        }
    }
    Ok(())
}

/// Checks that an import was validated and contains presets.
///
/// # Errors
/// Nothing was validated.
pub fn require_validated(presets: usize) -> Result<(), Violation> {
    if presets == 0 {
        return Err(Violation::new("", Code::PresetNotValidated));
    }
    Ok(())
}

fn not_json() -> Violation {
    Violation::new("", Code::PresetJsonInvalid)
}

/// Reads the presets of a parsed import.
///
/// # Errors
/// Neither array nor object, empty, or too many; and for each preset (path from 0, `number` from 1)
/// its missing or invalid fields.
pub fn import(value: &Value) -> Result<Valid<Vec<ImportedPreset>>, Violations> {
    let presets = match value {
        Value::Array(presets) => presets.as_slice(),
        Value::Object(_) => std::slice::from_ref(value),
        _ => return Err(not_json().into()),
    };
    if presets.is_empty() {
        return Err(not_json().into());
    }
    if presets.len() > MAX_IMPORT {
        return Err(Violation::new("", Code::TooMany)
            .with("max", MAX_IMPORT)
            .into());
    }
    let mut violations = Violations::new();
    let mut imported = Vec::with_capacity(presets.len());
    for (position, preset) in presets.iter().enumerate() {
        match imported_preset(position + 1, preset) {
            Ok(preset) => imported.push(preset),
            Err(others) => violations.extend_under(&position.to_string(), others),
        }
    }
    violations.or(|| Valid::new(imported))
}

/// Converts an administrator's import to presets of the system: public and recommended as it says,
/// each with its permanent id.
pub fn system_presets(
    imported: Valid<Vec<ImportedPreset>>,
) -> impl Iterator<Item = (String, Valid<PresetForm>)> {
    imported.into_inner().into_iter().map(of_import)
}

/// Converts an import to presets of the importing user: private and not recommended, whatever it
/// says, each with its permanent id.
pub fn private_copies(
    imported: Valid<Vec<ImportedPreset>>,
) -> impl Iterator<Item = (String, Valid<PresetForm>)> {
    imported.into_inner().into_iter().map(|preset| {
        of_import(ImportedPreset {
            is_public: false,
            is_default: false,
            ..preset
        })
    })
}

fn of_import(preset: ImportedPreset) -> (String, Valid<PresetForm>) {
    let form = PresetForm {
        name: preset.name,
        description: Some(preset.description).filter(|text| !text.is_empty()),
        category: preset.category,
        is_public: preset.is_public,
        is_default: preset.is_default,
        settings: preset.settings,
    };
    (preset.preset_id, Valid::new(form))
}

fn imported_preset(number: usize, preset: &Value) -> Result<ImportedPreset, Violations> {
    let Value::Object(fields) = preset else {
        return Err(Violation::new("", Code::WrongType).into());
    };
    let mut v = Violations::new();
    for name in REQUIRED_FIELDS {
        if fields.get(name).is_none_or(is_blank) {
            v.push(
                Violation::new(name, Code::PresetFieldMissing)
                    .with("number", number)
                    .with("field", name),
            );
        }
    }
    if !v.is_empty() {
        return Err(v);
    }
    let preset_id = text_of(&mut v, fields, "preset_id", MAX_ID, text::one_line);
    let name = text_of(&mut v, fields, "name", MAX_NAME, text::one_line);
    let description = text_of(&mut v, fields, "description", MAX_DESCRIPTION, text::lines);
    let category = category_of(&mut v, fields);
    let is_public = switch_of(&mut v, fields, "is_public", true);
    let is_default = switch_of(&mut v, fields, "is_default", false);
    let settings = settings_of(&mut v, fields);
    v.or(|| ImportedPreset {
        preset_id,
        name,
        description,
        category,
        is_public,
        is_default,
        settings,
    })
}

/// Whether there is no visible text.
fn is_blank(value: &Value) -> bool {
    let blank = |text: &str| text::one_line(text).trim().is_empty();
    value.is_null() || value.as_str().is_some_and(blank)
}

fn text_of(
    v: &mut Violations,
    fields: &Map<String, Value>,
    name: &str,
    max: usize,
    cleaned: fn(&str) -> String,
) -> String {
    match fields.get(name) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => {
            let cleaned = cleaned(text);
            text::limited(v, name, cleaned.trim(), max);
            cleaned.trim().to_owned()
        }
        Some(_) => {
            v.add(name, Code::WrongType);
            String::new()
        }
    }
}

fn switch_of(v: &mut Violations, fields: &Map<String, Value>, name: &str, default: bool) -> bool {
    match fields.get(name) {
        None | Some(Value::Null) => default,
        Some(Value::Bool(on)) => *on,
        Some(_) => {
            v.add(name, Code::WrongType);
            default
        }
    }
}

fn category_of(v: &mut Violations, fields: &Map<String, Value>) -> PresetCategory {
    let name = text_of(v, fields, "category", MAX_NAME, text::one_line);
    PresetCategory::parse(&name).unwrap_or_else(|| {
        if !name.is_empty() {
            v.push(Violation::new("category", Code::CategoryUnknown).with_echo("category", &name));
        }
        PresetCategory::Media
    })
}

/// The settings with the preset's own mode and, if they have no language, its language.
fn settings_of(v: &mut Violations, fields: &Map<String, Value>) -> TranscriptionSettings {
    let Some(Value::Object(given)) = fields.get("settings") else {
        v.add("settings", Code::WrongType);
        return TranscriptionSettings::default();
    };
    let mode = fields.get("transcription_type").and_then(Value::as_str);
    let Some(mode) = mode.and_then(TranscriptionType::parse) else {
        v.add("transcription_type", Code::TypeUnknown);
        return TranscriptionSettings::default();
    };
    let mut merged = Map::new();
    if let Some(language) = fields
        .get("language_code")
        .filter(|language| !language.is_null())
    {
        merged.insert("language_code".to_owned(), language.clone());
    }
    for (name, value) in given.iter().filter(|(name, _)| *name != "url") {
        merged.insert(name.clone(), value.clone());
    }
    merged.insert("transcription_type".to_owned(), Value::from(mode.as_str()));
    let parsed = settings::parse(&Value::Object(merged));
    let checked = parsed.and_then(|parsed| settings::validate_options(&parsed).map(|()| parsed));
    checked.unwrap_or_else(|others| {
        v.extend_under("settings", others);
        TranscriptionSettings::default()
    })
}
