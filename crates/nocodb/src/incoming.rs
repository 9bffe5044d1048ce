//! Data from the external database is untrusted input: it is parsed and validated here, by the
//! rules for user input, before anything is done with it.

use serde_json::{Map, Value, json};
use slovo_db::nocodb::{Kind, Row};
use slovo_rules::Valid;
use slovo_rules::nocodb::{RemoteJob, RemoteUser, validate_job, validate_user};
use slovo_rules::plan;
use slovo_rules::plan::{PlanFeature, PlanForm, QueueSpeed};
use slovo_rules::preset::{self, PresetCategory, PresetForm};
use slovo_rules::settings::{self, TranscriptionSettings};
use slovo_rules::violation::{Code, Violation, Violations};

use super::remote::Record;
use super::schema::{self, SyncDirection};

/// Largest integer that JSON numbers hold without losing digits.
const MAX_WHOLE: f64 = 9_007_199_254_740_991.0;

/// A remote row that has been validated.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "one row at a time, taken apart where it was read"
)]
pub enum ValidatedRow {
    /// A plan, and its remote number if it has one.
    Plan(Option<i64>, Valid<PlanForm>),
    /// A user.
    User(Valid<RemoteUser>),
    /// A preset: its stable name and its owner's account, if it has one.
    Preset(String, Option<String>, Valid<PresetForm>),
    /// A job.
    Job(Valid<RemoteJob>),
    /// A row of a table that is only sent.
    Mirror,
}

/// Parses and validates a row.
///
/// # Errors
/// Every violated rule.
pub fn read(kind: Kind, record: &Record) -> Result<ValidatedRow, Violations> {
    let row = Cells(&record.fields);
    match kind {
        Kind::Plans => read_plan(&row),
        Kind::Users => read_user(&row),
        Kind::Presets => read_preset(&row),
        Kind::Jobs => {
            let job = RemoteJob {
                original_filename: row.text("original_filename")?,
                is_visible_to_user: row.flag("is_visible_to_user", false)?,
            };
            Ok(ValidatedRow::Job(validate_job(&job)?))
        }
        Kind::Usage | Kind::Outputs => Ok(ValidatedRow::Mirror),
    }
}

fn read_plan(row: &Cells<'_>) -> Result<ValidatedRow, Violations> {
    let features: Vec<PlanFeature> = row.list("features")?;
    let speed = row.text("queue_speed")?;
    let speed = match speed.as_str() {
        "" => QueueSpeed::Standard,
        speed => QueueSpeed::parse(speed).ok_or_else(|| invalid("queue_speed"))?,
    };
    let currency = row.text("currency")?;
    let form = PlanForm {
        name: row.text("name")?,
        description: row.text("description")?,
        price: row.number("price")?.unwrap_or(0.0),
        currency: if currency.is_empty() {
            plan::DEFAULT_CURRENCY.to_owned()
        } else {
            currency
        },
        monthly_minutes_limit: row.number("monthly_minutes_limit")?.map(hundredths),
        max_file_duration_minutes: row.number("max_file_duration_minutes")?.map(hundredths),
        is_active: row.flag("is_active", true)?,
        features,
        queue_speed: speed,
    };
    let number = row.integer("subscription_id")?;
    if number.is_some_and(|number| number < 1) {
        return Err(Violation::new("subscription_id", Code::NumberTooSmall)
            .with("min", 1)
            .into());
    }
    Ok(ValidatedRow::Plan(number, plan::validate(&form)?))
}

/// As it is stored here.
fn hundredths(minutes: f64) -> f64 {
    (minutes * 100.0).round() / 100.0
}

fn read_user(row: &Cells<'_>) -> Result<ValidatedRow, Violations> {
    let status = row.text("status")?;
    let is_blocked = match status.as_str() {
        "active" | "" => false,
        "blocked" => true,
        _ => return Err(invalid("status")),
    };
    let non_empty = |text: String| Some(text).filter(|text| !text.is_empty());
    let user = RemoteUser {
        email: row.text("email")?,
        first_name: non_empty(row.text("first_name")?),
        last_name: non_empty(row.text("last_name")?),
        fullname: non_empty(row.text("fullname")?),
        is_blocked,
        subscription_id: row.integer("subscription_id")?,
    };
    Ok(ValidatedRow::User(validate_user(&user)?))
}

fn read_preset(row: &Cells<'_>) -> Result<ValidatedRow, Violations> {
    let settings = row.text("settings")?;
    preset::check_import(&settings)?;
    let mut settings: Value = match settings.as_str() {
        "" => json!({}),
        text => serde_json::from_str(text).map_err(|_| invalid("settings"))?,
    };
    let Some(object) = settings.as_object_mut() else {
        return Err(invalid("settings"));
    };
    object.remove("url");
    // Both have their own columns there, where people edit them.
    for name in ["transcription_type", "language_code"] {
        let value = row.text(name)?;
        if !value.is_empty() {
            object.insert(name.to_owned(), Value::from(value));
        }
    }
    let settings = settings::parse(&settings).map_err(|others| with_prefix("settings", others))?;
    let category = row.text("category")?;
    let description = row.text("description")?;
    let form = PresetForm {
        name: row.text("name")?,
        description: Some(description).filter(|text| !text.is_empty()),
        category: match category.as_str() {
            "" => PresetCategory::Other,
            word => PresetCategory::parse(word).ok_or_else(|| {
                Violation::new("category", Code::CategoryUnknown).with_echo("category", word)
            })?,
        },
        is_public: row.flag("is_public", true)?,
        is_default: row.flag("is_default", false)?,
        settings,
    };
    let preset_id = row.text("preset_id")?;
    if slovo_rules::text::longer_than(&preset_id, preset::MAX_ID)
        || preset_id.chars().any(char::is_control)
    {
        return Err(Violation::new("preset_id", Code::IdInvalid).into());
    }
    let owner = Some(row.text("user_id")?).filter(|owner| !owner.is_empty());
    Ok(ValidatedRow::Preset(
        preset_id,
        owner,
        preset::validate(&form)?,
    ))
}

impl ValidatedRow {
    /// The fields that both sides may change, in our form.
    pub fn shared(&self) -> Map<String, Value> {
        let value = match self {
            Self::Plan(_, form) => json!({
                "name": form.name,
                "description": form.description,
                "price": form.price,
                "currency": form.currency,
                "monthly_minutes_limit": form.monthly_minutes_limit,
                "max_file_duration_minutes": form.max_file_duration_minutes,
                "is_active": form.is_active,
                "features": json!(form.features).to_string(),
                "queue_speed": form.queue_speed,
            }),
            Self::User(user) => json!({
                "first_name": user.first_name,
                "last_name": user.last_name,
                "fullname": user.fullname,
                "status": if user.is_blocked { "blocked" } else { "active" },
                "subscription_id": user.subscription_id,
            }),
            Self::Preset(_, _, form) => json!({
                "name": form.name,
                "description": form.description.as_deref().unwrap_or_default(),
                "category": form.category,
                "is_public": form.is_public,
                "is_default": form.is_default,
                "transcription_type": form.settings.transcription_type,
                "language_code": form.settings.language_code,
                "settings": json!(form.settings).to_string(),
            }),
            Self::Job(job) => json!({
                "original_filename": job.original_filename,
                "is_visible_to_user": job.is_visible_to_user,
            }),
            Self::Mirror => json!({}),
        };
        match value {
            Value::Object(fields) => fields,
            _ => Map::new(),
        }
    }

    /// Whether the row describes a person; reports keep no values of such rows.
    pub const fn is_personal(&self) -> bool {
        !matches!(self, Self::Plan(..) | Self::Preset(_, None, _))
    }
}

/// The same fields of a local row.
pub fn shared_of(kind: Kind, row: &Row) -> Map<String, Value> {
    let mut shared = Map::new();
    for field in schema::table(kind).with_direction(SyncDirection::Both) {
        let value = row.fields.get(field.name).cloned().unwrap_or_default();
        shared.insert(field.name.to_owned(), value);
    }
    // Settings stored by an older version lack some names.
    if let Some(Value::String(text)) = shared.get("settings")
        && let Ok(settings) = serde_json::from_str::<TranscriptionSettings>(text)
    {
        shared.insert("settings".to_owned(), json!(settings).to_string().into());
    }
    shared
}

/// The names of the differing fields.
pub fn differing(first: &Map<String, Value>, second: &Map<String, Value>) -> Vec<String> {
    let differs = first
        .iter()
        .filter(|(name, value)| second.get(*name) != Some(*value));
    differs.map(|(name, _)| name.clone()).collect()
}

fn invalid(field: &str) -> Violations {
    Violation::new(field, Code::WrongType).into()
}

fn with_prefix(prefix: &str, others: Violations) -> Violations {
    let mut all = Violations::new();
    all.extend_under(prefix, others);
    all
}

/// The cells of a row: flags and numbers differ by the database behind NocoDB.
struct Cells<'a>(&'a Map<String, Value>);

impl Cells<'_> {
    fn cell(&self, name: &str) -> &Value {
        self.0.get(name).unwrap_or(&Value::Null)
    }

    fn text(&self, name: &str) -> Result<String, Violations> {
        match self.cell(name) {
            Value::Null => Ok(String::new()),
            Value::String(text) => Ok(text.trim().to_owned()),
            Value::Number(number) => Ok(number.to_string()),
            // A JSON column returns a value; a text column returns it as text.
            value @ (Value::Object(_) | Value::Array(_)) => Ok(value.to_string()),
            Value::Bool(_) => Err(invalid(name)),
        }
    }

    fn number(&self, name: &str) -> Result<Option<f64>, Violations> {
        let number = match self.cell(name) {
            Value::Null => return Ok(None),
            Value::Number(number) => number.as_f64(),
            Value::String(text) if text.trim().is_empty() => return Ok(None),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        let number = number.filter(|number: &f64| number.is_finite());
        number.map(Some).ok_or_else(|| invalid(name))
    }

    #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
    fn integer(&self, name: &str) -> Result<Option<i64>, Violations> {
        match self.number(name)? {
            None => Ok(None),
            Some(number) if number.fract() == 0.0 && number.abs() <= MAX_WHOLE => {
                Ok(Some(number as i64))
            }
            Some(_) => Err(invalid(name)),
        }
    }

    fn flag(&self, name: &str, default: bool) -> Result<bool, Violations> {
        match self.cell(name) {
            Value::Null => Ok(default),
            Value::Bool(on) => Ok(*on),
            Value::Number(number) if number.as_f64() == Some(0.0) => Ok(false),
            Value::Number(number) if number.as_f64() == Some(1.0) => Ok(true),
            Value::String(text) => match text.as_str() {
                "true" | "1" => Ok(true),
                "false" | "0" => Ok(false),
                _ => Err(invalid(name)),
            },
            _ => Err(invalid(name)),
        }
    }

    /// A JSON list, or comma-separated words.
    fn list(&self, name: &str) -> Result<Vec<PlanFeature>, Violations> {
        let text = self.text(name)?;
        if text.starts_with('[') {
            return serde_json::from_str(&text).map_err(|_| invalid(name));
        }
        let words = text
            .split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty());
        words
            .map(|word| PlanFeature::parse(word).ok_or_else(|| invalid(name)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn incoming(kind: Kind, fields: Value) -> Result<ValidatedRow, Violations> {
        let Value::Object(fields) = fields else {
            panic!("no row: {fields}")
        };
        read(
            kind,
            &Record {
                id: 1,
                fields,
                updated_at: None,
            },
        )
    }

    #[test]
    fn invalid_fields_of_a_row_are_named_in_the_error() {
        let plan = |fields| {
            incoming(Kind::Plans, fields).unwrap_err().0[0]
                .field
                .clone()
        };
        assert_eq!(plan(json!({})), "name");
        assert_eq!(plan(json!({"name": true})), "name");
        assert_eq!(plan(json!({"name": "A", "price": "dear"})), "price");
        assert_eq!(plan(json!({"name": "A", "price": -1})), "price");
        assert_eq!(
            plan(json!({"name": "A", "is_active": "maybe"})),
            "is_active"
        );
        assert_eq!(
            plan(json!({"name": "A", "features": "[\"free beer\"]"})),
            "features"
        );
        assert_eq!(
            plan(json!({"name": "A", "subscription_id": 1.5})),
            "subscription_id"
        );
        assert_eq!(
            plan(json!({"name": "A", "subscription_id": 1e300})),
            "subscription_id"
        );
        assert_eq!(
            plan(json!({"name": "A", "subscription_id": 0})),
            "subscription_id"
        );
        assert_eq!(
            plan(json!({"name": "A", "queue_speed": "now"})),
            "queue_speed"
        );
        let user = |fields| {
            incoming(Kind::Users, fields).unwrap_err().0[0]
                .field
                .clone()
        };
        assert_eq!(user(json!({"email": "nobody"})), "email");
        assert_eq!(
            user(json!({"email": "a@b.cd", "status": "admin"})),
            "status"
        );
        let preset = |fields| incoming(Kind::Presets, fields).unwrap_err().to_string();
        assert!(preset(json!({"name": "A", "settings": "{"})).starts_with("settings"));
        assert!(preset(json!({"name": "A", "settings": "[]"})).starts_with("settings"));
        let deep = "[".repeat(100_000);
        assert!(incoming(Kind::Presets, json!({"name": "A", "settings": deep})).is_err());
        assert!(preset(json!({"settings": "{}"})).contains("name"));
        assert!(preset(json!({"name": "A", "category": "x"})).starts_with("category"));
    }

    #[test]
    fn flags_and_numbers_are_parsed_in_every_database_notation() {
        for (flag, number) in [(json!(1), json!("9.99")), (json!("true"), json!(9.99))] {
            let row = json!({"name": " A ", "is_active": flag, "price": number,
                "features": "api, diarization", "monthly_minutes_limit": "90.004"});
            let ValidatedRow::Plan(None, form) = incoming(Kind::Plans, row).unwrap() else {
                panic!("no plan")
            };
            assert!(form.is_active);
            assert!((form.price - 9.99).abs() < 1e-9);
            assert_eq!(form.monthly_minutes_limit, Some(90.0));
            assert_eq!(form.max_file_duration_minutes, None);
            assert_eq!(form.features.len(), 2);
        }
    }
}
