//! The tables of the external database, with names that we define, and their fields.

use slovo_db::nocodb::Kind;

/// Type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// A line of text.
    Line,
    /// Text of up to 100,000 characters.
    Text,
    /// A whole number.
    Number,
    /// Any number.
    Decimal,
    /// A boolean.
    Flag,
    /// A date and time.
    Time,
}

impl FieldType {
    /// NocoDB's name of the type.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Line => "SingleLineText",
            Self::Text => "LongText",
            Self::Number => "Number",
            Self::Decimal => "Decimal",
            Self::Flag => "Checkbox",
            Self::Time => "DateTime",
        }
    }
}

/// The direction in which a field is synchronised. The code depends on this declaration alone, and
/// so does the table of `docs/nocodb.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncDirection {
    /// Sent only: remote changes are reverted and reported.
    There,
    /// Both ways: remote changes take effect here.
    Both,
    /// Read from a row that is new there; afterwards as [`SyncDirection::There`].
    First,
}

/// A field of a remote table.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub data_type: FieldType,
    /// Its direction.
    pub direction: SyncDirection,
}

const fn there(name: &'static str, data_type: FieldType) -> Field {
    Field {
        name,
        data_type,
        direction: SyncDirection::There,
    }
}

const fn both(name: &'static str, data_type: FieldType) -> Field {
    Field {
        name,
        data_type,
        direction: SyncDirection::Both,
    }
}

const fn first(name: &'static str, data_type: FieldType) -> Field {
    Field {
        name,
        data_type,
        direction: SyncDirection::First,
    }
}

/// A remote table.
#[derive(Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Its fields; the first one holds the id of our row.
    pub fields: &'static [Field],
}

impl Table {
    /// The field that holds the id of our row.
    #[must_use]
    pub const fn key(&self) -> &'static str {
        self.fields[0].name
    }

    /// The fields with this direction.
    pub fn with_direction(&self, direction: SyncDirection) -> impl Iterator<Item = &'static Field> {
        let fields = self.fields.iter();
        fields.filter(move |field| field.direction == direction)
    }

    /// The fields that only we change once a row exists there.
    pub fn one_way_fields(&self) -> impl Iterator<Item = &'static Field> {
        let fields = self.fields.iter();
        fields.filter(|field| field.direction != SyncDirection::Both)
    }
}

use FieldType::{Decimal, Flag, Line, Number, Text, Time};

const PLANS: Table = Table {
    name: "synced_subscriptions",
    fields: &[
        there("slovo_id", Line),
        first("subscription_id", Number),
        both("name", Line),
        both("description", Text),
        both("price", Decimal),
        both("currency", Line),
        both("monthly_minutes_limit", Decimal),
        both("max_file_duration_minutes", Decimal),
        both("is_active", Flag),
        both("features", Text),
        both("queue_speed", Line),
        there("created_at", Time),
    ],
};

const USERS: Table = Table {
    name: "synced_users",
    fields: &[
        there("slovo_id", Line),
        there("auth_user_id", Line),
        first("email", Line),
        both("first_name", Line),
        both("last_name", Line),
        both("fullname", Line),
        both("status", Line),
        both("subscription_id", Number),
        there("created_at", Time),
    ],
};

const USAGE: Table = Table {
    name: "synced_user_usage",
    fields: &[
        there("slovo_id", Line),
        there("user_id", Line),
        there("subscription_id", Number),
        there("minutes_used_current_month", Decimal),
        there("minutes_bonus", Decimal),
        there("reset_date", Time),
    ],
};

const PRESETS: Table = Table {
    name: "synced_presets",
    fields: &[
        there("slovo_id", Line),
        first("preset_id", Line),
        both("name", Line),
        both("description", Text),
        both("category", Line),
        both("is_public", Flag),
        both("is_default", Flag),
        both("transcription_type", Line),
        both("language_code", Line),
        both("settings", Text),
        there("usage_count", Number),
        there("user_id", Line),
        there("created_at", Time),
    ],
};

const JOBS: Table = Table {
    name: "synced_jobs",
    fields: &[
        there("my_job_id", Line),
        there("auth_user_id", Line),
        both("original_filename", Line),
        there("status", Line),
        there("transcription_type", Line),
        both("is_visible_to_user", Flag),
        there("file_url", Text),
        there("input_settings", Text),
        there("upload_metadata", Text),
        there("language", Line),
        there("audio_duration", Decimal),
        there("error", Line),
        there("created_at", Time),
        there("finished_at", Time),
    ],
};

const OUTPUTS: Table = Table {
    name: "synced_output",
    fields: &[
        there("my_job_id", Line),
        there("full_text", Text),
        there("file_content", Text),
        there("srt_content", Text),
        there("summary", Text),
        there("overall_sentiment", Text),
        there("overall_classification", Text),
        there("custom_prompt_result", Text),
        there("audio_duration", Decimal),
        there("text_parts", Text),
        there("created_at", Time),
    ],
};

/// The table in which texts longer than a cell continue.
pub const PARTS: Table = Table {
    name: "synced_output_parts",
    fields: &[
        there("my_job_id", Line),
        there("field", Line),
        there("digest", Line),
        there("part_index", Number),
        there("text", Text),
    ],
};

/// The table of a kind.
#[must_use]
pub const fn table(kind: Kind) -> &'static Table {
    match kind {
        Kind::Plans => &PLANS,
        Kind::Users => &USERS,
        Kind::Usage => &USAGE,
        Kind::Presets => &PRESETS,
        Kind::Jobs => &JOBS,
        Kind::Outputs => &OUTPUTS,
    }
}

/// All tables.
pub fn all() -> impl Iterator<Item = &'static Table> {
    Kind::ALL.into_iter().map(table).chain([&PARTS])
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::incoming;
    use crate::remote::Record;

    const DOCUMENT: &str = include_str!("../../../docs/nocodb.md");

    #[test]
    fn the_documentation_lists_every_field_and_its_direction() {
        for table in all() {
            let names = |direction| {
                let names = table
                    .with_direction(direction)
                    .map(|field| format!("`{}`", field.name));
                let names: Vec<_> = names.collect();
                if names.is_empty() {
                    "–".to_owned()
                } else {
                    names.join(", ")
                }
            };
            let row = format!(
                "| `{}` | {} | {} | {} |",
                table.name,
                names(SyncDirection::Both),
                names(SyncDirection::First),
                names(SyncDirection::There)
            );
            assert!(DOCUMENT.contains(&row), "docs/nocodb.md lacks this:\n{row}");
        }
    }

    #[test]
    fn only_fields_synchronised_both_ways_are_read_back() {
        for (kind, row) in [
            (Kind::Plans, json!({"name": "A"})),
            (Kind::Users, json!({"email": "a@example.com"})),
            (
                Kind::Presets,
                json!({"name": "A", "category": "meeting", "transcription_type": "full",
                    "language_code": "uk", "settings": "{}", "is_public": 1}),
            ),
            (Kind::Jobs, json!({"original_filename": "a.wav"})),
            (Kind::Usage, json!({})),
            (Kind::Outputs, json!({})),
        ] {
            let Value::Object(fields) = row else {
                panic!("no row")
            };
            let record = Record {
                id: 1,
                fields,
                updated_at: None,
            };
            let read_fields = incoming::read(kind, &record).unwrap().shared();
            let mut read_fields: Vec<_> = read_fields.keys().map(String::as_str).collect();
            let both = table(kind)
                .with_direction(SyncDirection::Both)
                .map(|field| field.name);
            let mut both: Vec<_> = both.collect();
            read_fields.sort_unstable();
            both.sort_unstable();
            assert_eq!(read_fields, both, "{kind:?}");
        }
    }
}
