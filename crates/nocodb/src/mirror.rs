//! Fields that only we change: the state stored when they are sent, and detection of remote
//! changes.

use serde_json::{Map, Value};
use slovo_db::nocodb::Link;

use super::digest;
use super::remote::{Record, time};
use super::schema::{FieldType, Table};

/// Our decimals are hundredths, and some databases keep no more digits.
const SAME_NUMBER: f64 = 0.006;
/// Remote times have whole seconds.
const SAME_TIME_MS: f64 = 1000.5;

/// The stored state of a row that is sent, as JSON.
pub fn of_row(table: &Table, fields: &Map<String, Value>) -> String {
    let kept: Map<String, Value> = table
        .one_way_fields()
        .map(|field| {
            (
                field.name.to_owned(),
                stored_value(field.data_type, fields.get(field.name)),
            )
        })
        .collect();
    Value::Object(kept).to_string()
}

/// The names of the fields that only we change and that were changed remotely: they match neither
/// the sent nor the current local value.
pub fn edited(
    table: &Table,
    link: &Link,
    local: Option<&Map<String, Value>>,
    remote: &Map<String, Value>,
) -> Vec<String> {
    let sent: Map<String, Value> = serde_json::from_str(&link.mirrored).unwrap_or_default();
    // For a row sent before states were stored, the local row is used while it has not changed.
    let is_unchanged = local.is_some_and(|local| link.carried == digest::of_fields(local));
    let is_edited = |name: &str, data_type: FieldType| {
        let remote_value = stored_value(data_type, remote.get(name));
        let local_value = local.map(|local| stored_value(data_type, local.get(name)));
        let before = match sent.get(name) {
            Some(before) => before,
            None if is_unchanged => local_value.as_ref().unwrap_or(&Value::Null),
            None => return false,
        };
        let is_local = local_value
            .as_ref()
            .is_some_and(|local_value| is_same_value(data_type, local_value, &remote_value));
        !is_local && !is_same_value(data_type, before, &remote_value)
    };
    table
        .one_way_fields()
        .filter(|field| is_edited(field.name, field.data_type))
        .map(|field| field.name.to_owned())
        .collect()
}

/// A remote row with our values in the fields that only we change; the remote values of these are
/// ignored.
pub fn with_local_values(table: &Table, record: &Record, local: &Map<String, Value>) -> Record {
    let mut record = record.clone();
    for field in table.one_way_fields() {
        let value = local.get(field.name).cloned().unwrap_or_default();
        record.fields.insert(field.name.to_owned(), value);
    }
    record
}

/// The stored state of a value: only a digest for texts, which are long or personal data.
fn stored_value(data_type: FieldType, value: Option<&Value>) -> Value {
    let value = value.unwrap_or(&Value::Null);
    let known = match (data_type, value) {
        (_, Value::Null) => return Value::Null,
        (_, Value::String(text)) if text.trim().is_empty() => return Value::Null,
        (FieldType::Line | FieldType::Text, value) => Some(Value::from(of_text(value))),
        (FieldType::Time, value) => value.as_str().and_then(time).map(Value::from),
        (FieldType::Number | FieldType::Decimal, value) => number(value).map(Value::from),
        (FieldType::Flag, value) => flag(value).map(Value::from),
    };
    // An unreadable value never matches ours.
    known.unwrap_or_else(|| Value::from(value.to_string()))
}

/// JSON is compared independently of the order of names and of whether the column is JSON or text.
fn of_text(value: &Value) -> String {
    let Value::String(text) = value else {
        return match value {
            Value::Object(fields) => digest::of_fields(fields),
            other => digest::of_text(&other.to_string()),
        };
    };
    let text = text.trim();
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(fields)) => digest::of_fields(&fields),
        _ => digest::of_text(text),
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text
            .trim()
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite()),
        _ => None,
    }
}

fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(on) => Some(*on),
        value => number(value).map(|number| number.abs() > 0.5),
    }
}

fn is_same_value(data_type: FieldType, first: &Value, second: &Value) -> bool {
    match (data_type, first.as_f64(), second.as_f64()) {
        (FieldType::Time, Some(first), Some(second)) => (first - second).abs() < SAME_TIME_MS,
        (_, Some(first), Some(second)) => (first - second).abs() < SAME_NUMBER,
        _ => first == second,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use slovo_db::nocodb::Kind;

    use super::*;
    use crate::schema::table;

    fn row(value: Value) -> Map<String, Value> {
        match value {
            Value::Object(fields) => fields,
            other => panic!("no row: {other}"),
        }
    }

    #[test]
    fn different_notations_of_the_same_value_are_no_change() {
        let table = table(Kind::Jobs);
        let local = row(json!({
            "my_job_id": "j", "status": "completed", "file_url": "",
            "upload_metadata": "{\"a\":1,\"b\":2}", "audio_duration": 12.345,
            "created_at": "2026-03-01T12:00:00.999Z", "error": null,
        }));
        let link = Link {
            mirrored: of_row(table, &local),
            ..Link::default()
        };
        let mut remote = row(json!({
            "my_job_id": "j", "status": "completed", "file_url": null,
            "upload_metadata": {"b": 2, "a": 1}, "audio_duration": "12.35",
            "created_at": "2026-03-01 12:00:00+00:00",
        }));
        let found = edited(table, &link, Some(&local), &remote);
        assert!(found.is_empty(), "{found:?}");
        remote.insert("status".to_owned(), json!("queued"));
        remote.insert("audio_duration".to_owned(), json!("long"));
        remote.insert("created_at".to_owned(), json!("2026-03-02 12:00:00+00:00"));
        // Synchronised both ways: not covered by this module.
        remote.insert("original_filename".to_owned(), json!("other.wav"));
        let found = edited(table, &link, Some(&local), &remote);
        assert_eq!(found, ["status", "audio_duration", "created_at"]);
        // The local row has changed since: the sent state is used.
        let mut newer = local.clone();
        newer.insert("status".to_owned(), json!("error"));
        newer.insert("language".to_owned(), json!("uk"));
        let found = edited(table, &link, Some(&newer), &remote);
        assert_eq!(found, ["status", "audio_duration", "created_at"]);
    }

    #[test]
    fn without_a_stored_state_an_unchanged_local_row_is_compared() {
        let table = table(Kind::Usage);
        let local = row(json!({"slovo_id": "u", "minutes_used_current_month": 5.0}));
        let remote = row(json!({"slovo_id": "u", "minutes_used_current_month": 0}));
        let mut link = Link {
            carried: digest::of_fields(&local),
            ..Link::default()
        };
        let found = edited(table, &link, Some(&local), &remote);
        assert_eq!(found, ["minutes_used_current_month"]);
        link.carried = "another".to_owned();
        assert!(edited(table, &link, Some(&local), &remote).is_empty());
    }

    #[test]
    fn stored_digests_contain_no_plain_text() {
        let users = row(json!({"slovo_id": "u", "email": "olha@example.com"}));
        let stored = of_row(table(Kind::Users), &users);
        assert!(!stored.contains("example.com"), "{stored}");
    }
}
