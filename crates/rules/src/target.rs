//! Targets: folders elsewhere in which finished texts are kept up to date.

use serde::{Deserialize, Serialize};

use crate::source::{MAX_NAME, MAX_PASSWORD, MAX_USER, SourceKind, check_length, check_location};
use crate::text;
use crate::valid::Valid;
use crate::violation::{Code, Violations};

/// Maximum number of targets of an account.
pub const MAX_TARGETS: i64 = 10;

wire_enum! {
    /// What a target is.
    TargetKind {
        /// A folder of a WebDAV server, such as Nextcloud.
        Webdav => "webdav",
        /// A folder on the server's disk. Only administrators may have one.
        Folder => "folder",
    }
}

impl TargetKind {
    /// The kind of source with the same locations.
    #[must_use]
    pub const fn place(self) -> SourceKind {
        match self {
            Self::Webdav => SourceKind::Webdav,
            Self::Folder => SourceKind::Folder,
        }
    }
}

wire_enum! {
    /// The format of a target's files.
    TargetFormat {
        /// Markdown that begins with its facts in YAML, as Obsidian reads them.
        Md => "md",
        /// Paragraphs of text.
        Txt => "txt",
        /// SubRip subtitles.
        Srt => "srt",
        /// A Word document.
        Docx => "docx",
    }
}

wire_enum! {
    /// What has become of a text at a target.
    TargetFileState {
        /// It is written as soon as possible.
        Waiting => "waiting",
        /// The file has the text as it is now.
        Written => "written",
        /// The file was changed or removed there, so it is left alone.
        Foreign => "foreign",
        /// It could not be written, and is not tried again by itself.
        Failed => "failed",
    }
}

/// A target as it was filled in.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TargetForm {
    /// 1 to 200 characters.
    pub name: String,
    /// What it is; cannot be changed later.
    pub kind: TargetKind,
    /// Address of the WebDAV folder, or absolute path of the folder.
    pub location: String,
    /// User name; at most 200 characters.
    #[serde(default)]
    pub user: String,
    /// Password; at most 1,000 characters. Null keeps the stored one as long as the location has the
    /// same origin; an empty one removes it.
    #[serde(default)]
    pub password: Option<String>,
    /// Format of its files.
    pub format: TargetFormat,
    /// The folder or tag whose texts are written; null for all texts.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Uuid))]
    pub group_id: Option<String>,
    /// Whether texts are written; otherwise it is paused.
    pub is_active: bool,
    /// For a new target: whether the texts that there are already are written, too. Otherwise only
    /// those that are finished or changed from now on.
    #[serde(default)]
    pub take_existing: bool,
}

impl std::fmt::Debug for TargetForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TargetForm")
            .field("kind", &self.kind)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// Checks a target. The result is trimmed, without fields that its kind does not have.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate(form: &TargetForm) -> Result<Valid<TargetForm>, Violations> {
    let mut v = Violations::new();
    let has_user = form.kind == TargetKind::Webdav;
    let user = if has_user { form.user.trim() } else { "" };
    let form = TargetForm {
        name: text::one_line(&form.name).trim().to_owned(),
        location: form.location.trim().to_owned(),
        user: user.to_owned(),
        password: form.password.clone().filter(|_| has_user),
        ..form.clone()
    };
    if form.name.is_empty() {
        v.add("name", Code::WebhookNameUrlRequired);
    }
    check_length(&mut v, "name", &form.name, MAX_NAME);
    if let Err(violation) = check_location(form.kind.place(), &form.location) {
        v.push(violation);
    }
    check_length(&mut v, "user", &form.user, MAX_USER);
    let password = form.password.as_deref().unwrap_or_default();
    check_length(&mut v, "password", password, MAX_PASSWORD);
    v.or(|| Valid::new(form))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(kind: TargetKind, location: &str) -> TargetForm {
        TargetForm {
            name: " Нотатки\u{202e} ".to_owned(),
            kind,
            location: format!(" {location} "),
            user: " олена ".to_owned(),
            password: Some("s3cret".to_owned()),
            format: TargetFormat::Md,
            group_id: None,
            is_active: true,
            take_existing: false,
        }
    }

    #[test]
    fn a_target_is_trimmed_and_keeps_only_the_fields_of_its_kind() {
        let cloud = validate(&form(TargetKind::Webdav, "https://cloud.example.com/dav/")).unwrap();
        assert_eq!((&*cloud.name, &*cloud.user), ("Нотатки", "олена"));
        assert_eq!(cloud.password.as_deref(), Some("s3cret"));
        let folder = validate(&form(TargetKind::Folder, "/srv/texts")).unwrap();
        assert_eq!((&*folder.user, &folder.password), ("", &None));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let fields = |form: &TargetForm| {
            let refused = validate(form).unwrap_err();
            let fields = refused.0.into_iter().map(|it| it.field);
            fields.collect::<Vec<_>>()
        };
        let bad = TargetForm {
            name: String::new(),
            user: "u".repeat(MAX_USER + 1),
            password: Some("p".repeat(MAX_PASSWORD + 1)),
            ..form(TargetKind::Webdav, "file:///etc/")
        };
        assert_eq!(fields(&bad), ["name", "location", "user", "password"]);
        let climbing = form(TargetKind::Folder, "/srv/../etc");
        assert_eq!(fields(&climbing), ["location"]);
    }

    #[test]
    fn a_password_is_not_printed() {
        let printed = format!(
            "{:?}",
            form(TargetKind::Webdav, "https://example.com/?key=s3cret")
        );
        assert!(!printed.contains("s3cret"), "{printed}");
    }
}
