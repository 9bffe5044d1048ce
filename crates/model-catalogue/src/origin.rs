//! Where the files in the models folder came from.

use serde::{Deserialize, Serialize};

/// How a file got into the models folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AcquisitionMethod {
    /// Downloaded unchanged from an address.
    Downloaded,
    /// Unpacked unchanged from Python packages.
    Unpacked,
    /// Converted from weights in Python packages.
    Converted,
    /// Already in the folder, with a valid checksum.
    Found,
}

/// Where an installed file came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredOrigin")]
pub struct Origin {
    /// How it got here.
    pub way: AcquisitionMethod,
    /// The address, or the packages with their versions; empty for a file that was already there.
    pub from: Vec<String>,
}

impl Origin {
    /// The origin of a file that was already in the folder.
    #[must_use]
    pub const fn found() -> Self {
        Self {
            way: AcquisitionMethod::Found,
            from: Vec::new(),
        }
    }
}

/// The stored forms: earlier releases stored free text, which is not interpreted.
#[derive(Deserialize)]
#[serde(untagged)]
enum StoredOrigin {
    Facts {
        way: AcquisitionMethod,
        from: Vec<String>,
    },
    Words(#[expect(dead_code, reason = "read, not used")] String),
}

impl From<StoredOrigin> for Origin {
    fn from(written: StoredOrigin) -> Self {
        match written {
            StoredOrigin::Facts { way, from } => Self { way, from },
            StoredOrigin::Words(_) => Self::found(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AcquisitionMethod, Origin};

    #[test]
    fn records_of_earlier_releases_are_read() {
        let read = |text| serde_json::from_str::<Origin>(text);
        let earlier = read(r#""converted from the Python package openai-whisper""#);
        assert_eq!(earlier.expect("words"), Origin::found());
        let facts = Origin {
            way: AcquisitionMethod::Unpacked,
            from: vec!["made==1.0".to_owned()],
        };
        let text = serde_json::to_string(&facts).expect("JSON");
        assert_eq!(text, r#"{"way":"unpacked","from":["made==1.0"]}"#);
        assert_eq!(read(&text).expect("facts"), facts);
        assert!(read(r#"{"way":"flown","from":[]}"#).is_err());
    }
}
