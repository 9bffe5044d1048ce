//! The profile page: name, usage, avatar.

use serde::{Deserialize, Serialize};

use crate::form::{self, Validate};
use crate::text;
use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};

/// Longest full name, in characters.
pub const MAX_FULLNAME: usize = 200;
/// Largest avatar, in bytes: 2 MB.
pub const MAX_AVATAR_BYTES: u64 = 2 * 1024 * 1024;
/// Edge length of a stored avatar, a square, in pixels.
pub const AVATAR_EDGE_PX: u32 = 400;

const BYTES_PER_MB: u64 = 1024 * 1024;

wire_enum! {
    /// What a user uses Slovo for.
    Usage {
        /// Transcription.
        Transcription => "transcription",
        /// Translation.
        Translation => "translation",
        /// Analysis.
        Analysis => "analysis",
        /// Something else.
        Other => "other",
    }
}

wire_enum! {
    /// Allowed image types for an avatar.
    AvatarType {
        /// PNG.
        Png => "png",
        /// JPEG.
        Jpeg => "jpeg",
        /// WebP.
        Webp => "webp",
    }
}

/// The profile form as it was filled in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProfileForm {
    /// Full name.
    pub fullname: String,
    /// One of the four usages; empty if not specified.
    pub usage: String,
    /// Whether the user agrees to the terms and the privacy policy, or has agreed to them before.
    /// They are asked for only once.
    pub terms: bool,
}

/// A validated profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Trimmed, on one line, without control characters.
    pub fullname: String,
    /// What the user uses the service for, if specified.
    pub usage: Option<Usage>,
}

/// Checks a profile form.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate(form: &ProfileForm) -> Result<Valid<Profile>, Violations> {
    let (fullname, mut violations) = name(&form.fullname);
    let usage = Usage::parse(&form.usage);
    if usage.is_none() && !form.usage.is_empty() {
        violations.add("usage", Code::UsageUnknown);
    }
    if !form.terms {
        violations.add("terms", Code::TermsRequired);
    }
    violations.or(|| Valid::new(Profile { fullname, usage }))
}

/// Checks only a full name; returns it trimmed and on one line.
///
/// # Errors
/// Empty or too long.
pub fn validate_fullname(fullname: &str) -> Result<String, Violations> {
    let (fullname, violations) = name(fullname);
    violations.or(|| fullname)
}

/// A full name on its own.
#[derive(Validate)]
#[validate(crate = "crate::form")]
struct NameForm {
    #[validate(length(min = 1, max = MAX_FULLNAME, code = "fullname_required"))]
    fullname: String,
}

/// A full name as it is stored, and what is wrong with it.
fn name(fullname: &str) -> (String, Violations) {
    let fullname = text::one_line(fullname).trim().to_owned();
    let form = NameForm { fullname };
    let violations = form::check(&form, &[]);
    (form.fullname, violations)
}

/// Checks an avatar by its first bytes and its size in bytes.
///
/// # Errors
/// Not a PNG, JPEG or WebP image, or larger than 2 MB.
pub fn validate_avatar(first_bytes: &[u8], size: u64) -> Result<AvatarType, Violations> {
    let mut violations = Violations::new();
    let kind = avatar_type(first_bytes);
    if kind.is_none() {
        violations.add("avatar", Code::AvatarNotImage);
    }
    if size > MAX_AVATAR_BYTES {
        violations.push(
            Violation::new("avatar", Code::AvatarTooLarge)
                .with("max_mb", MAX_AVATAR_BYTES / BYTES_PER_MB),
        );
    }
    match kind {
        Some(kind) if violations.is_empty() => Ok(kind),
        _ => Err(violations),
    }
}

/// The image type detected from the first 12 bytes.
#[must_use]
pub fn avatar_type(first_bytes: &[u8]) -> Option<AvatarType> {
    if first_bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some(AvatarType::Png)
    } else if first_bytes.starts_with(b"\xff\xd8\xff") {
        Some(AvatarType::Jpeg)
    } else if first_bytes.starts_with(b"RIFF") && first_bytes.get(8..12) == Some(b"WEBP") {
        Some(AvatarType::Webp)
    } else {
        None
    }
}
