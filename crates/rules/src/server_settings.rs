//! Settings that administrators can change while the server runs: limits, switches, and the
//! endpoint for analyses.
//!
//! A missing field has its default, so that settings of an older version stay readable. Limits are
//! signed in the input, so that a negative number is a violation and not malformed JSON.

use serde::{Deserialize, Serialize};

use crate::language_set;
use crate::text;
use crate::upload::MAX_UPLOAD_BYTES;
use crate::url;
use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};

/// Minimum upload limit, in bytes: a minute of speech in any of the ten formats still fits.
pub const MIN_UPLOAD_LIMIT: i64 = 1024 * 1024;
/// Maximum upload limit on any disk, in bytes: 1 TB. Sums of sizes cannot overflow.
pub const MAX_UPLOAD_LIMIT: u64 = 1 << 40;
/// Maximum limit of waiting jobs: more would be no limit in practice.
pub const MAX_WAITING_JOBS: i64 = 10_000;
/// Longest retention of contact messages, in days: ten years.
pub const MAX_CONTACT_DAYS: i64 = 3_650;
/// Longest name of a model, in characters.
pub const MAX_MODEL: usize = 200;
/// Longest key of an endpoint, in characters: signed tokens have about two thousand.
pub const MAX_KEY: usize = 4_096;

/// Limits of this server. `None` means the program's own limit, if it has one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ServerLimits {
    /// Largest recording, in bytes: at most what the server's disk has room for; null means 500 MB.
    pub max_upload_bytes: Option<i64>,
    /// Maximum number of queued jobs per user; null means unlimited.
    pub waiting_jobs: Option<i64>,
    /// Days for which contact form messages are kept; null means forever.
    pub contact_days: Option<i64>,
}

impl ServerLimits {
    /// Maximum size of a recording, in bytes.
    #[must_use]
    pub fn upload_bytes(&self) -> u64 {
        let set = self
            .max_upload_bytes
            .and_then(|bytes| u64::try_from(bytes).ok());
        // A stored limit never exceeds the program's.
        set.map_or(MAX_UPLOAD_BYTES, |bytes| bytes.min(MAX_UPLOAD_LIMIT))
    }
}

/// Features that can be switched on and off. All except charging for silence are on by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Switches {
    /// Whether users can sign up.
    pub sign_up: bool,
    /// Whether users can sign in with Google, if it is configured.
    pub google: bool,
    /// Whether recordings can be downloaded from URLs.
    pub url_fetch: bool,
    /// Whether recordings can be made with the microphone.
    pub recording: bool,
    /// Whether transcripts can be shared by links, and existing links work.
    pub sharing: bool,
    /// Whether questions about a transcript are answered.
    pub assistant: bool,
    /// Whether the contact form accepts messages.
    pub contact_form: bool,
    /// Whether the newsletter accepts subscriptions.
    pub newsletter: bool,
    /// Whether a recording without speech uses minutes like any other.
    pub charge_silence: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Self {
            sign_up: true,
            google: true,
            url_fetch: true,
            recording: true,
            sharing: true,
            assistant: true,
            contact_form: true,
            newsletter: true,
            charge_silence: false,
        }
    }
}

/// The defaults of a new transcription, if neither the account nor a preset specifies them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ServerDefaults {
    /// Codes of the languages that may be spoken, without duplicates, for recordings whose language
    /// is detected. Empty means any.
    pub languages: Vec<String>,
}

/// Checks defaults.
///
/// # Errors
/// All violations, see [`language_set::parse`].
pub fn validate_defaults(defaults: &ServerDefaults) -> Result<Valid<ServerDefaults>, Violations> {
    language_set::parse("languages", &defaults.languages)?;
    Ok(Valid::new(defaults.clone()))
}

/// The OpenAI-compatible endpoint, as set by an administrator. Empty fields use the server's
/// configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnalysisForm {
    /// Base address, for example `http://127.0.0.1:8080/v1`.
    pub url: String,
    /// Name of the model.
    pub model: String,
}

/// Checks limits on a server whose disk allows uploads of `most_upload` bytes.
///
/// # Errors
/// All limits that are out of range.
pub fn validate_limits(
    limits: &ServerLimits,
    most_upload: u64,
) -> Result<Valid<ServerLimits>, Violations> {
    let mut v = Violations::new();
    let max = i64::try_from(most_upload.min(MAX_UPLOAD_LIMIT)).unwrap_or(i64::MAX);
    for (field, value, least, max) in [
        (
            "max_upload_bytes",
            limits.max_upload_bytes,
            MIN_UPLOAD_LIMIT,
            max,
        ),
        ("waiting_jobs", limits.waiting_jobs, 1, MAX_WAITING_JOBS),
        ("contact_days", limits.contact_days, 1, MAX_CONTACT_DAYS),
    ] {
        match value {
            Some(value) if value < least => {
                v.push(Violation::new(field, Code::NumberTooSmall).with("min", least));
            }
            Some(value) if value > max => {
                v.push(Violation::new(field, Code::NumberTooLarge).with("max", max));
            }
            _ => {}
        }
    }
    v.or(|| Valid::new(*limits))
}

/// Checks switches: every combination is allowed.
#[must_use]
pub const fn validate_switches(switches: Switches) -> Valid<Switches> {
    Valid::new(switches)
}

/// Query parameters whose values are secrets, which would be displayed with the URL.
const SECRET_NAMES: [&str; 12] = [
    "key",
    "api-key",
    "api_key",
    "apikey",
    "subscription-key",
    "token",
    "access_token",
    "auth",
    "secret",
    "password",
    "sig",
    "signature",
];

/// Whether a query contains such a parameter.
fn has_secret(url: &str) -> bool {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    let names = query.split('&').filter_map(|pair| pair.split('=').next());
    names
        .map(str::to_ascii_lowercase)
        .any(|name| SECRET_NAMES.contains(&name.as_str()))
}

/// Checks the entered key of an endpoint: trimmed, `None` if empty.
///
/// # Errors
/// Too long, or with characters not allowed in a header.
pub fn validate_endpoint_key(key: &str) -> Result<Option<&str>, Violations> {
    let key = key.trim();
    if key.len() > MAX_KEY {
        return Err(Violation::new("key", Code::TooLong)
            .with("max", MAX_KEY)
            .into());
    }
    if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Violation::new("key", Code::KeyInvalid).into());
    }
    Ok(Some(key).filter(|key| !key.is_empty()))
}

/// Checks an endpoint. Internal addresses are allowed: administrators may run the model beside the
/// server. Queries are allowed too: Azure's URLs end in `?api-version=…`. User names, fragments and
/// keys are not, because they would be displayed.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate_analysis(form: &AnalysisForm) -> Result<Valid<AnalysisForm>, Violations> {
    let mut v = Violations::new();
    let url = check_endpoint_url(&mut v, &form.url);
    let model = check_model(&mut v, &form.model);
    v.or(|| Valid::new(AnalysisForm { url, model }))
}

/// Checks the address of an endpoint; returns it without spaces around it and slashes at its end.
pub(crate) fn check_endpoint_url(v: &mut Violations, url: &str) -> String {
    let url = url.trim();
    if text::longer_than(url, url::MAX_URL) {
        v.push(Violation::new("url", Code::TooLong).with("max", url::MAX_URL));
    } else if !url.is_empty() && (!url::is_http(url) || url.contains(['#', '@'])) {
        v.add("url", Code::UrlInvalid);
    } else if has_secret(url) {
        v.add("url", Code::SecretInAddress);
    }
    url.trim_end_matches('/').to_owned()
}

/// Checks the name of a model; returns it on one line.
pub(crate) fn check_model(v: &mut Violations, model: &str) -> String {
    let model = text::one_line(model).trim().to_owned();
    text::limited(v, "model", &model, MAX_MODEL);
    model
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(max: Option<i64>, jobs: Option<i64>, days: Option<i64>) -> ServerLimits {
        ServerLimits {
            max_upload_bytes: max,
            waiting_jobs: jobs,
            contact_days: days,
        }
    }

    #[test]
    fn limits_are_accepted_only_within_their_ranges() {
        let max_bytes: i64 = 900 * 1024 * 1024;
        let disk = u64::try_from(max_bytes).unwrap();
        for fine in [
            limits(None, None, None),
            limits(Some(MIN_UPLOAD_LIMIT), Some(1), Some(1)),
            limits(
                Some(max_bytes),
                Some(MAX_WAITING_JOBS),
                Some(MAX_CONTACT_DAYS),
            ),
        ] {
            assert_eq!(*validate_limits(&fine, disk).unwrap(), fine);
        }
        for bad in [i64::MIN, -1, 0] {
            let violations = validate_limits(&limits(Some(bad), Some(bad), Some(bad)), disk);
            let violations = violations.unwrap_err();
            let fields: Vec<_> = violations.0.iter().map(|v| (&*v.field, v.code)).collect();
            assert_eq!(
                fields,
                [
                    ("max_upload_bytes", Code::NumberTooSmall),
                    ("waiting_jobs", Code::NumberTooSmall),
                    ("contact_days", Code::NumberTooSmall)
                ]
            );
        }
        let large = limits(Some(max_bytes + 1), Some(i64::MAX), Some(i64::MAX));
        let violations = validate_limits(&large, disk).unwrap_err();
        assert!(violations.0.iter().all(|v| v.code == Code::NumberTooLarge));
        assert_eq!(violations.0.len(), 3);
    }

    #[test]
    fn uploads_are_never_larger_than_the_program_allows() {
        assert_eq!(limits(None, None, None).upload_bytes(), MAX_UPLOAD_BYTES);
        assert_eq!(
            limits(Some(-1), None, None).upload_bytes(),
            MAX_UPLOAD_BYTES
        );
        let stored = limits(Some(i64::MAX), None, None);
        assert_eq!(stored.upload_bytes(), MAX_UPLOAD_LIMIT);
        let raised = limits(Some(2 << 30), None, None);
        assert_eq!(raised.upload_bytes(), 2 << 30);
        assert_eq!(limits(Some(5), None, None).upload_bytes(), 5);
    }

    #[test]
    fn default_languages_are_known_and_different() {
        let defaults = |codes: &[&str]| ServerDefaults {
            languages: codes.iter().map(|code| (*code).to_owned()).collect(),
        };
        for codes in [&[][..], &["uk"], &["uk", "ru", "en"]] {
            let fine = defaults(codes);
            assert_eq!(*validate_defaults(&fine).unwrap(), fine);
        }
        for (codes, code) in [
            (["uk", "uk"], Code::Repeated),
            (["uk", "auto"], Code::LanguageUnsupported),
        ] {
            let violations = validate_defaults(&defaults(&codes)).unwrap_err();
            assert_eq!(violations.0[0].field, "languages.1");
            assert!(violations.has(code), "{violations}");
        }
    }

    #[test]
    fn missing_settings_have_their_defaults() {
        let read: Switches = serde_json::from_str(r#"{"sign_up": false}"#).unwrap();
        let closed = Switches {
            sign_up: false,
            ..Switches::default()
        };
        assert_eq!(read, closed);
        assert!(serde_json::from_str::<Switches>(r#"{"signup": false}"#).is_err());
        let none: ServerLimits = serde_json::from_str("{}").unwrap();
        assert_eq!(none, ServerLimits::default());
    }

    #[test]
    fn an_endpoint_url_must_be_valid_and_contain_no_secrets() {
        let form = |url: &str, model: &str| AnalysisForm {
            url: url.to_owned(),
            model: model.to_owned(),
        };
        for (url, expected) in [
            ("", ""),
            (" http://127.0.0.1:8080/v1/ ", "http://127.0.0.1:8080/v1"),
            ("https://ai.example/v1", "https://ai.example/v1"),
            ("http://llama:8080", "http://llama:8080"),
            (
                "https://x.openai.azure.com/openai/deployments/d?api-version=2024-10-21",
                "https://x.openai.azure.com/openai/deployments/d?api-version=2024-10-21",
            ),
        ] {
            let valid = validate_analysis(&form(url, " m\n1 "));
            let valid = valid.unwrap_or_else(|error| panic!("{url}: {error}"));
            assert_eq!(valid.url, expected);
            assert!(!valid.model.contains('\n'));
        }
        for url in [
            "ai.example",
            "ftp://ai.example",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "http://me:hunter2@ai.example",
            "http://ai.example/v1#x",
            "http://ai.example/\u{0}",
            "http:// ai.example",
        ] {
            let violations = validate_analysis(&form(url, "m")).unwrap_err();
            assert_eq!(
                violations.0.first().unwrap().code,
                Code::UrlInvalid,
                "{url}"
            );
        }
        for url in [
            "http://ai.example/v1?key=1",
            "http://ai.example/v1?api-version=1&API_KEY=1",
        ] {
            let violations = validate_analysis(&form(url, "m")).unwrap_err();
            assert!(violations.has(Code::SecretInAddress), "{url}");
        }
        assert_eq!(validate_endpoint_key(" sk-1 ").unwrap(), Some("sk-1"));
        assert_eq!(validate_endpoint_key("  ").unwrap(), None);
        for key in ["a b", "a\r\nX: 1", "ключ", "\u{7f}"] {
            assert!(
                validate_endpoint_key(key)
                    .unwrap_err()
                    .has(Code::KeyInvalid)
            );
        }
        let long = "k".repeat(MAX_KEY + 1);
        assert!(validate_endpoint_key(&long).unwrap_err().has(Code::TooLong));
        let long = validate_analysis(&form(
            &format!("http://a/{}", "x".repeat(9000)),
            &"m".repeat(300),
        ));
        let codes: Vec<_> = long.unwrap_err().0.iter().map(|v| v.code).collect();
        assert_eq!(codes, [Code::TooLong, Code::TooLong]);
    }
}
