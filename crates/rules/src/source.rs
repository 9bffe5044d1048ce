//! Sources: places that are watched for new recordings, each of which becomes a job.

use serde::{Deserialize, Serialize};

use crate::text;
use crate::url;
use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};

/// Maximum number of sources of an account.
pub const MAX_SOURCES: i64 = 20;
/// Longest name of a source, in characters.
pub const MAX_NAME: usize = 200;
/// Longest location, in characters.
pub const MAX_LOCATION: usize = url::MAX_URL;
/// Longest region, in characters.
pub const MAX_REGION: usize = 64;
/// Longest user name, in characters.
pub const MAX_USER: usize = 200;
/// Longest password, in characters.
pub const MAX_PASSWORD: usize = 1_000;

wire_enum! {
    /// What a source is.
    SourceKind {
        /// A feed (RSS, Atom or JSON Feed), whose enclosures are the recordings.
        Podcast => "podcast",
        /// A folder of a WebDAV server, such as Nextcloud, with its subfolders.
        Webdav => "webdav",
        /// The objects of a bucket below a prefix, in S3 or what speaks its protocol.
        S3 => "s3",
        /// A folder on the server's disk, with its subfolders. Only administrators may watch one.
        Folder => "folder",
    }
}

impl SourceKind {
    /// How long after a look the next one begins, in milliseconds.
    #[must_use]
    pub const fn interval_ms(self) -> i64 {
        match self {
            Self::Folder => 30_000,
            Self::Webdav | Self::S3 => 5 * 60_000,
            Self::Podcast => 30 * 60_000,
        }
    }

    /// How soon a recording is looked at again that may still be growing, in milliseconds.
    #[must_use]
    pub const fn settling_ms(self) -> i64 {
        match self {
            Self::Folder => 15_000,
            Self::Webdav | Self::S3 | Self::Podcast => 60_000,
        }
    }

    /// Whether a recording may be seen there while it is still being written.
    #[must_use]
    pub const fn grows(self) -> bool {
        matches!(self, Self::Webdav | Self::Folder)
    }

    /// Whether its location is an address.
    #[must_use]
    pub const fn has_address(self) -> bool {
        !matches!(self, Self::Folder)
    }
}

wire_enum! {
    /// What has become of a recording at a source.
    SourceRecordingState {
        /// It was there before the source was added.
        Skipped => "skipped",
        /// It is transcribed as soon as possible.
        Waiting => "waiting",
        /// A job was created.
        Started => "started",
        /// No job could be created.
        Failed => "failed",
    }
}

/// A source as it was filled in.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SourceForm {
    /// 1 to 200 characters.
    pub name: String,
    /// What it is; cannot be changed later.
    pub kind: SourceKind,
    /// Address of the feed, the WebDAV folder, or the bucket with the prefix
    /// (`https://endpoint/bucket/prefix/`); for a folder its absolute path.
    pub location: String,
    /// Region of the bucket, at most 64 characters; empty for `us-east-1`.
    #[serde(default)]
    pub region: String,
    /// User name, or the id of the access key; at most 200 characters.
    #[serde(default)]
    pub user: String,
    /// Password, or the secret access key; at most 1,000 characters. Null keeps the stored one as long
    /// as the location has the same origin; an empty one removes it.
    #[serde(default)]
    pub password: Option<String>,
    /// The preset of its jobs; null for Full with the defaults.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Uuid))]
    pub preset_id: Option<String>,
    /// Whether it is looked at; otherwise it is paused.
    pub is_active: bool,
    /// Whether what is there at the first look is transcribed, too. Has no effect after it.
    #[serde(default)]
    pub take_existing: bool,
}

impl std::fmt::Debug for SourceForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SourceForm")
            .field("kind", &self.kind)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// Checks a source. The result is trimmed, without fields that its kind does not have.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate(form: &SourceForm) -> Result<Valid<SourceForm>, Violations> {
    let mut v = Violations::new();
    let has_user = matches!(form.kind, SourceKind::Webdav | SourceKind::S3);
    let only = |has: bool, value: &str| {
        if has {
            value.trim().to_owned()
        } else {
            String::new()
        }
    };
    let form = SourceForm {
        name: text::one_line(&form.name).trim().to_owned(),
        location: form.location.trim().to_owned(),
        region: only(form.kind == SourceKind::S3, &form.region),
        user: only(has_user, &form.user),
        password: form.password.clone().filter(|_| has_user),
        ..form.clone()
    };
    if form.name.is_empty() {
        v.add("name", Code::WebhookNameUrlRequired);
    }
    check_length(&mut v, "name", &form.name, MAX_NAME);
    if let Err(violation) = check_location(form.kind, &form.location) {
        v.push(violation);
    }
    check_length(&mut v, "region", &form.region, MAX_REGION);
    check_length(&mut v, "user", &form.user, MAX_USER);
    let password = form.password.as_deref().unwrap_or_default();
    check_length(&mut v, "password", password, MAX_PASSWORD);
    v.or(|| Valid::new(form))
}

pub(crate) fn check_length(v: &mut Violations, field: &'static str, value: &str, max: usize) {
    if text::longer_than(value, max) {
        v.push(Violation::new(field, Code::TooLong).with("max", max));
    }
}

pub(crate) fn check_location(kind: SourceKind, location: &str) -> Result<(), Violation> {
    let invalid = |code| Violation::new("location", code);
    match kind {
        SourceKind::Folder => {
            if location.is_empty() {
                return Err(invalid(Code::WebhookNameUrlRequired));
            }
            if text::longer_than(location, MAX_LOCATION) {
                return Err(invalid(Code::TooLong).with("max", MAX_LOCATION));
            }
            let climbs = location.split('/').any(|part| part == "..");
            if !location.starts_with('/') || climbs || location.contains(char::is_control) {
                return Err(invalid(Code::SourcePathInvalid));
            }
        }
        SourceKind::Podcast | SourceKind::Webdav | SourceKind::S3 => {
            url::classify(location).map_err(|violation| Violation {
                field: "location".to_owned(),
                ..violation
            })?;
            if kind == SourceKind::S3 && bucket_of(location).is_empty() {
                return Err(invalid(Code::UrlInvalid));
            }
        }
    }
    Ok(())
}

/// Whether two locations are different places. The query of an address may be a secret that changes.
#[must_use]
pub fn is_elsewhere(kind: SourceKind, from: &str, to: &str) -> bool {
    let place = |location: &str| {
        let place = match kind {
            SourceKind::Folder => location,
            SourceKind::Podcast | SourceKind::Webdav | SourceKind::S3 => {
                location.split(['?', '#']).next().unwrap_or_default()
            }
        };
        place.trim_end_matches('/').to_owned()
    };
    place(from) != place(to)
}

/// The first part of an address's path.
fn bucket_of(location: &str) -> &str {
    let path = location.split(['?', '#']).next().unwrap_or_default();
    path.split('/').nth(3).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(kind: SourceKind, location: &str) -> SourceForm {
        SourceForm {
            name: " Новини\u{202e} ".to_owned(),
            kind,
            location: format!(" {location} "),
            region: "eu-central-1".to_owned(),
            user: " олена ".to_owned(),
            password: Some("s3cret".to_owned()),
            preset_id: None,
            is_active: true,
            take_existing: false,
        }
    }

    #[test]
    fn a_source_is_trimmed_and_keeps_only_the_fields_of_its_kind() {
        let feed = validate(&form(SourceKind::Podcast, "https://example.com/feed.xml")).unwrap();
        assert_eq!(feed.name, "Новини");
        assert_eq!(feed.location, "https://example.com/feed.xml");
        assert_eq!(
            (&*feed.region, &*feed.user, &feed.password),
            ("", "", &None)
        );
        let folder = validate(&form(SourceKind::Webdav, "https://cloud.example.com/dav/")).unwrap();
        assert_eq!((&*folder.region, &*folder.user), ("", "олена"));
        assert_eq!(folder.password.as_deref(), Some("s3cret"));
        let bucket = validate(&form(SourceKind::S3, "https://s3.example.com/talks/2026/")).unwrap();
        assert_eq!(bucket.region, "eu-central-1");
        validate(&form(SourceKind::Folder, "/srv/recordings")).unwrap();
    }

    #[test]
    fn locations_of_the_wrong_kind_are_refused() {
        let code = |kind, location: &str| {
            let refused = validate(&form(kind, location)).unwrap_err();
            assert_eq!(refused.0.len(), 1, "{location}");
            assert_eq!(refused.0[0].field, "location");
            refused.0[0].code
        };
        for location in ["", "srv/recordings", "/srv/../etc", "/srv/..", "/srv/\u{7}"] {
            let expected = match location {
                "" => Code::WebhookNameUrlRequired,
                _ => Code::SourcePathInvalid,
            };
            assert_eq!(code(SourceKind::Folder, location), expected, "{location}");
        }
        assert_eq!(code(SourceKind::Podcast, ""), Code::UrlRequired);
        assert_eq!(
            code(SourceKind::Podcast, "file:///etc/passwd"),
            Code::UrlInvalid
        );
        let named = "https://user:word@example.com/";
        assert_eq!(code(SourceKind::Webdav, named), Code::UrlCredentials);
        for location in ["https://s3.example.com", "https://s3.example.com/?x=/a/b"] {
            assert_eq!(code(SourceKind::S3, location), Code::UrlInvalid);
        }
    }

    #[test]
    fn another_query_or_slash_is_the_same_place() {
        let feed = "https://example.com/feed.xml?token=1";
        for (kind, to, expected) in [
            (
                SourceKind::Podcast,
                "https://example.com/feed.xml?token=2",
                false,
            ),
            (
                SourceKind::Podcast,
                "https://example.com/feed.xml/#x",
                false,
            ),
            (
                SourceKind::Podcast,
                "https://example.com/other.xml?token=1",
                true,
            ),
            (
                SourceKind::Podcast,
                "http://example.com/feed.xml?token=1",
                true,
            ),
        ] {
            assert_eq!(is_elsewhere(kind, feed, to), expected, "{to}");
        }
        assert!(!is_elsewhere(SourceKind::Folder, "/srv/a", "/srv/a/"));
        assert!(is_elsewhere(SourceKind::Folder, "/srv/a", "/srv/a?b"));
    }

    #[test]
    fn what_is_too_long_or_missing_is_named() {
        let bad = SourceForm {
            name: " ".to_owned(),
            region: "r".repeat(MAX_REGION + 1),
            user: "u".repeat(MAX_USER + 1),
            password: Some("p".repeat(MAX_PASSWORD + 1)),
            ..form(SourceKind::S3, "https://s3.example.com/talks")
        };
        let refused = validate(&bad).unwrap_err();
        let fields: Vec<_> = refused.0.iter().map(|it| &*it.field).collect();
        assert_eq!(fields, ["name", "region", "user", "password"]);
    }

    #[test]
    fn a_password_is_not_printed() {
        let printed = format!(
            "{:?}",
            form(SourceKind::S3, "https://s3.example.com/a?key=s3cret")
        );
        assert!(!printed.contains("s3cret"), "{printed}");
    }
}
