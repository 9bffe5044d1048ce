//! The tables of the external database: their names, which are ours, and their fields.

use slovo_db::nocodb::Kind;

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A line.
    Line,
    /// Text of up to 100,000 characters.
    Text,
    /// A whole number.
    Number,
    /// Any number.
    Decimal,
    /// Yes or no.
    Flag,
    /// A moment.
    Time,
}

impl Holds {
    /// NocoDB's name of such a field.
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

/// A table there.
#[derive(Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Its fields; the first one names our row.
    pub fields: &'static [(&'static str, Holds)],
    /// Those that both sides may change.
    pub shared: &'static [&'static str],
}

impl Table {
    /// The field that names our row.
    #[must_use]
    pub const fn key(&self) -> &'static str {
        self.fields[0].0
    }
}

use Holds::{Decimal, Flag, Line, Number, Text, Time};

const PLANS: Table = Table {
    name: "synced_subscriptions",
    fields: &[
        ("slovo_id", Line),
        ("subscription_id", Number),
        ("name", Line),
        ("description", Text),
        ("price", Decimal),
        ("currency", Line),
        ("monthly_minutes_limit", Decimal),
        ("max_file_duration_minutes", Decimal),
        ("is_active", Flag),
        ("features", Text),
        ("queue_speed", Line),
        ("created_at", Time),
    ],
    shared: &[
        "name",
        "description",
        "price",
        "currency",
        "monthly_minutes_limit",
        "max_file_duration_minutes",
        "is_active",
        "features",
        "queue_speed",
    ],
};

const USERS: Table = Table {
    name: "synced_users",
    fields: &[
        ("slovo_id", Line),
        ("auth_user_id", Line),
        ("email", Line),
        ("first_name", Line),
        ("last_name", Line),
        ("fullname", Line),
        ("status", Line),
        ("subscription_id", Number),
        ("created_at", Time),
    ],
    shared: &["first_name", "last_name", "status", "subscription_id"],
};

const USAGE: Table = Table {
    name: "synced_user_usage",
    fields: &[
        ("slovo_id", Line),
        ("user_id", Line),
        ("subscription_id", Number),
        ("minutes_used_current_month", Decimal),
        ("minutes_bonus", Decimal),
        ("reset_date", Time),
    ],
    shared: &[],
};

const PRESETS: Table = Table {
    name: "synced_presets",
    fields: &[
        ("slovo_id", Line),
        ("preset_id", Line),
        ("name", Line),
        ("description", Text),
        ("category", Line),
        ("is_public", Flag),
        ("is_default", Flag),
        ("transcription_type", Line),
        ("language_code", Line),
        ("settings", Text),
        ("usage_count", Number),
        ("user_id", Line),
        ("created_at", Time),
    ],
    shared: &[
        "name",
        "description",
        "category",
        "is_public",
        "is_default",
        "transcription_type",
        "language_code",
        "settings",
    ],
};

const JOBS: Table = Table {
    name: "synced_jobs",
    fields: &[
        ("my_job_id", Line),
        ("auth_user_id", Line),
        ("original_filename", Line),
        ("status", Line),
        ("transcription_type", Line),
        ("is_visible_to_user", Flag),
        ("file_url", Text),
        ("input_settings", Text),
        ("upload_metadata", Text),
        ("language", Line),
        ("audio_duration", Decimal),
        ("error", Line),
        ("created_at", Time),
        ("finished_at", Time),
    ],
    shared: &["original_filename", "is_visible_to_user"],
};

const OUTPUTS: Table = Table {
    name: "synced_output",
    fields: &[
        ("my_job_id", Line),
        ("full_text", Text),
        ("file_content", Text),
        ("srt_content", Text),
        ("summary", Text),
        ("overall_sentiment", Text),
        ("overall_classification", Text),
        ("custom_prompt_result", Text),
        ("audio_duration", Decimal),
        ("text_parts", Text),
        ("created_at", Time),
    ],
    shared: &[],
};

/// Where a text goes on that is longer than a cell.
pub const PARTS: Table = Table {
    name: "synced_output_parts",
    fields: &[
        ("my_job_id", Line),
        ("field", Line),
        ("digest", Line),
        ("part_index", Number),
        ("text", Text),
    ],
    shared: &[],
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
