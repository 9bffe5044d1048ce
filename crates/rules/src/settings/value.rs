//! The types of settings.

use serde_json::Value;

use crate::wire::WireName;

wire_enum! {
    /// The type of a setting's value.
    SettingKind {
        /// On or off.
        Switch => "switch",
        /// One of a few names.
        Choice => "choice",
        /// A whole number.
        Number => "number",
        /// A text.
        Text => "text",
        /// A list of texts.
        List => "list",
    }
}

/// A type of a setting, read from JSON without serde's deserializer.
pub(super) trait SettingValue: Sized {
    /// Its name in the table.
    const KIND: SettingKind;

    /// The names of a choice, the default one first.
    fn choices() -> Vec<&'static str> {
        Vec::new()
    }

    /// The value, if the JSON has its type.
    fn read(json: &Value) -> Option<Self>;

    /// Whether the value requests a feature, so that a mode or a plan may reject it.
    fn is_asked(&self) -> bool;
}

impl SettingValue for bool {
    const KIND: SettingKind = SettingKind::Switch;

    fn read(json: &Value) -> Option<Self> {
        json.as_bool()
    }

    fn is_asked(&self) -> bool {
        *self
    }
}

impl SettingValue for String {
    const KIND: SettingKind = SettingKind::Text;

    fn read(json: &Value) -> Option<Self> {
        json.as_str().map(str::to_owned)
    }

    fn is_asked(&self) -> bool {
        !self.trim().is_empty()
    }
}

impl SettingValue for i64 {
    const KIND: SettingKind = SettingKind::Number;

    /// JavaScript represents integers from 2^53 on as floating-point numbers: they are accepted
    /// too, so that both sides reject them for their size.
    fn read(json: &Value) -> Option<Self> {
        const LARGE: f64 = 9_007_199_254_740_992.0;
        let large = || json.as_f64().filter(|number| number.abs() >= LARGE);
        // The cast saturates.
        json.as_i64()
            .or_else(|| large().map(|number| number as Self))
    }

    fn is_asked(&self) -> bool {
        *self > 0
    }
}

impl SettingValue for Vec<String> {
    const KIND: SettingKind = SettingKind::List;

    fn read(json: &Value) -> Option<Self> {
        let texts = json.as_array()?.iter().map(String::read);
        texts.collect()
    }

    fn is_asked(&self) -> bool {
        !self.is_empty()
    }
}

/// The first name of a choice is the default behaviour.
impl<T: WireName + PartialEq> SettingValue for T {
    const KIND: SettingKind = SettingKind::Choice;

    fn choices() -> Vec<&'static str> {
        Self::VALUES.iter().map(|value| value.name()).collect()
    }

    fn read(json: &Value) -> Option<Self> {
        json.as_str().and_then(Self::of_name)
    }

    fn is_asked(&self) -> bool {
        Self::VALUES.first() != Some(self)
    }
}
