//! API keys: secrets with which programs call the API on behalf of an account.

use crate::text;
use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};

/// Longest name of a key, in characters.
pub const MAX_NAME: usize = 80;
/// Maximum number of keys of an account.
pub const MAX_KEYS: usize = 50;
/// Longest lifetime of a key that expires, in days: ten years.
pub const MAX_DAYS: u32 = 3650;
/// Maximum number of requests that all keys of an account may send per minute.
pub const REQUESTS_PER_MINUTE: u32 = 600;
/// How long an expired key stays in the list of its owner, in days: long enough to see why a program
/// stopped working.
pub const EXPIRED_KEPT_DAYS: i64 = 30;
/// What every key begins with, so that people and secret scanners recognise it.
pub const KEY_PREFIX: &str = "slovo_";

wire_enum! {
    /// What a key permits. A key without a scope cannot do what needs it, whoever owns the key.
    ApiScope {
        /// Reading recordings, texts, search results, exports, presets and usage.
        Read => "read",
        /// Changing and deleting what exists: texts, tags, presets, links.
        Write => "write",
        /// What uses the server's time and the plan's minutes: uploads, new jobs, analyses.
        Transcribe => "transcribe",
        /// The administrators' actions, if the account is an administrator's.
        Admin => "admin",
    }
}

/// A request for a new key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKeyForm {
    /// 1 to 80 characters.
    pub name: String,
    /// At least one; order and repetitions have no meaning.
    pub scopes: Vec<ApiScope>,
    /// Days until the key expires, 1 to 3650; `None` means never.
    pub expires_in_days: Option<i64>,
}

/// A validated [`ApiKeyForm`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKeyPlan {
    /// Trimmed, on one line.
    pub name: String,
    /// Each at most once, in the order of [`ApiScope::ALL`].
    pub scopes: Vec<ApiScope>,
    /// Days until the key expires; `None` means never.
    pub days: Option<u32>,
}

/// Checks a request for a key. Whether its account may have a key for administration is not checked
/// here.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate(form: &ApiKeyForm) -> Result<Valid<ApiKeyPlan>, Violations> {
    let mut v = Violations::new();
    let name = text::single_spaced(&form.name);
    let name = text::required(&mut v, "name", &name, Code::GroupNameRequired, MAX_NAME);
    let scopes: Vec<ApiScope> = ApiScope::ALL
        .iter()
        .copied()
        .filter(|scope| form.scopes.contains(scope))
        .collect();
    if scopes.is_empty() {
        v.add("scopes", Code::ListEmpty);
    }
    let days = form.expires_in_days.map(u32::try_from);
    let days = match days {
        None => None,
        Some(Ok(days)) if (1..=MAX_DAYS).contains(&days) => Some(days),
        Some(_) => {
            let range = Violation::new("expires_in_days", Code::FigureOutOfRange);
            v.push(range.with("min", 1).with("max", MAX_DAYS));
            None
        }
    };
    v.or(|| Valid::new(ApiKeyPlan { name, scopes, days }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> ApiKeyForm {
        ApiKeyForm {
            name: "  Home\u{202e}\n Assistant ".to_owned(),
            scopes: vec![ApiScope::Write, ApiScope::Read, ApiScope::Write],
            expires_in_days: Some(90),
        }
    }

    #[test]
    fn a_key_has_a_name_on_one_line_and_each_scope_once() {
        let key = validate(&form()).unwrap();
        assert_eq!(key.name, "Home Assistant");
        assert_eq!(key.scopes, [ApiScope::Read, ApiScope::Write]);
        assert_eq!(key.days, Some(90));
        let forever = ApiKeyForm {
            expires_in_days: None,
            ..form()
        };
        assert_eq!(validate(&forever).unwrap().days, None);
    }

    #[test]
    fn all_violations_are_reported() {
        let empty = ApiKeyForm {
            name: " \u{0} ".to_owned(),
            scopes: Vec::new(),
            expires_in_days: Some(0),
        };
        let refused = validate(&empty).unwrap_err();
        let found: Vec<_> = refused.0.iter().map(|it| (&*it.field, it.code)).collect();
        let expected = [
            ("name", Code::GroupNameRequired),
            ("scopes", Code::ListEmpty),
            ("expires_in_days", Code::FigureOutOfRange),
        ];
        assert_eq!(found, expected);
        for days in [i64::MIN, -1, 3651, i64::MAX] {
            let form = ApiKeyForm {
                expires_in_days: Some(days),
                ..form()
            };
            assert_eq!(validate(&form).unwrap_err().0.len(), 1, "{days}");
        }
        let long = ApiKeyForm {
            name: "ї".repeat(MAX_NAME + 1),
            ..form()
        };
        assert_eq!(validate(&long).unwrap_err().0[0].code, Code::TooLong);
    }
}
