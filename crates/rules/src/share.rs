//! Share links: rights of visitors, limits of their texts, and what is stored about them.

use crate::account::MAX_PASSWORD;
use crate::edit::{self, Edit, EditOp};
use crate::text;
use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};

/// Shortest password of a link, in characters. Its strength is checked separately.
pub const MIN_PASSWORD: usize = 8;
/// Maximum number of links per transcript.
pub const MAX_SHARES: usize = 100;
/// Longest name of a visitor, in characters.
pub const MAX_NAME: usize = 80;
/// Longest comment, and longest answer to one, in characters.
pub const MAX_COMMENT: usize = 2000;
/// Longest text of a line by a visitor, in characters: a long paragraph. Every edit is stored.
pub const MAX_VISITOR_TEXT: usize = 5000;
/// How long a visit of a link lasts at most, in hours.
pub const GRANT_HOURS: i64 = 6;
/// Number of speakers from which on visitors cannot add more; existing ones stay.
pub const MAX_SPEAKERS: usize = 50;
/// Longest id of a segment, in bytes: a number or a UUID.
const MAX_SEGMENT: usize = 36;

wire_enum! {
    /// The rights of a link's visitors; the text is `share.rights.<word>` of `sharing.json`.
    ShareRights {
        /// Reading.
        Read => "read",
        /// Reading, and commenting on lines under a name.
        Comment => "comment",
        /// As `comment`, and correcting the text under a name.
        Edit => "edit",
    }
}

impl ShareRights {
    /// Whether visitors may comment on lines.
    #[must_use]
    pub const fn comments(self) -> bool {
        matches!(self, Self::Comment | Self::Edit)
    }

    /// Whether visitors may correct the text.
    #[must_use]
    pub const fn edits(self) -> bool {
        matches!(self, Self::Edit)
    }
}

wire_enum! {
    /// The family of a visitor's browser; `other` has a text in `sharing.json`, the rest are names.
    BrowserFamily {
        /// Firefox.
        Firefox => "firefox",
        /// Chrome and browsers based on it.
        Chrome => "chrome",
        /// Safari.
        Safari => "safari",
        /// Edge.
        Edge => "edge",
        /// Opera.
        Opera => "opera",
        /// Samsung Internet.
        Samsung => "samsung",
        /// Another browser, or another program.
        Other => "other",
    }
}

wire_enum! {
    /// The kind of a visitor's device; its text is `share.devices.<word>` of `sharing.json`.
    DeviceKind {
        /// A desktop or a laptop.
        Computer => "computer",
        /// A phone.
        Phone => "phone",
        /// A tablet.
        Tablet => "tablet",
        /// Unknown.
        Other => "other",
    }
}

/// A comment on a line of a shared transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentForm {
    /// Id of the line's segment.
    pub segment: String,
    /// The visitor's name: 1 to 80 characters.
    pub name: String,
    /// The comment: 1 to 2,000 characters.
    pub text: String,
}

/// Checks a comment. The result is trimmed and without invisible characters.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate_comment(form: &CommentForm) -> Result<Valid<CommentForm>, Violations> {
    let mut violations = Violations::new();
    if form.segment.is_empty() || form.segment.len() > MAX_SEGMENT {
        violations.add("segment", Code::IdInvalid);
    }
    let name = visitor_name(&mut violations, &form.name);
    let comment = text::required(
        &mut violations,
        "text",
        &text::lines(&form.text),
        Code::CommentRequired,
        MAX_COMMENT,
    );
    let segment = form.segment.clone();
    violations.or(|| {
        Valid::new(CommentForm {
            segment,
            name,
            text: comment,
        })
    })
}

/// Checks and cleans a visitor's name.
fn visitor_name(violations: &mut Violations, name: &str) -> String {
    let name = text::required(
        violations,
        "name",
        &text::one_line(name),
        Code::VisitorNameRequired,
        MAX_NAME,
    );
    // A name of zero-width marks would look empty.
    if !name.is_empty() && !name.chars().any(char::is_alphanumeric) {
        violations.add("name", Code::VisitorNameRequired);
    }
    name
}

/// Checks the name of a visitor who edits, like [`validate_comment`].
///
/// # Errors
/// Missing or too long.
pub fn validate_visitor_name(name: &str) -> Result<Valid<String>, Violations> {
    let mut violations = Violations::new();
    let name = visitor_name(&mut violations, name);
    violations.or(|| Valid::new(name))
}

/// Whether visitors of a link may make such an edit: the text or the speaker of a line, or the name
/// of a speaker. All other kinds are rejected, including future ones.
#[must_use]
pub fn is_for_visitors(op: &EditOp) -> bool {
    match op {
        EditOp::SetText(_) | EditOp::RenameSpeaker { .. } => true,
        // Line by line: a link must not allow assigning a whole transcript to one speaker.
        EditOp::SetSpeaker { segments, .. } => segments.len() == 1,
        _ => false,
    }
}

/// Checks an edit by a visitor, like [`edit::validate`] for accounts; the result has only this
/// edit.
///
/// # Errors
/// All violations, by field: `op.text`.
pub fn validate_visitor_edit(edit: &Edit) -> Result<Valid<Vec<Edit>>, Violations> {
    if !is_for_visitors(&edit.op) {
        return Err(Violation::new("op.kind", Code::EditNotForVisitors).into());
    }
    if let EditOp::SetText(new) = &edit.op {
        let mut violations = Violations::new();
        text::limited(&mut violations, "op.text", &new.text, MAX_VISITOR_TEXT);
        violations.or(|| ())?;
    }
    edit::validate(std::slice::from_ref(edit)).map_err(|broken| {
        let broken = broken.0.into_iter().map(|mut violation| {
            if let Some(field) = violation.field.strip_prefix("0.") {
                violation.field = field.to_owned();
            }
            violation
        });
        Violations(broken.collect())
    })
}

/// Checks whether visitors of a link may edit: it must have a password, or its owner must have
/// confirmed that anyone with the link may.
///
/// # Errors
/// Neither applies.
pub fn validate_open_edit(
    rights: ShareRights,
    has_password: bool,
    confirmed: bool,
) -> Result<(), Violation> {
    if rights.edits() && !has_password && !confirmed {
        return Err(Violation::new("password", Code::ShareEditUnprotected));
    }
    Ok(())
}

/// Checks the owner's answer to a comment, like the text in [`validate_comment`].
///
/// # Errors
/// Missing or too long.
pub fn validate_answer(answer: &str) -> Result<Valid<String>, Violations> {
    let mut violations = Violations::new();
    let answer = text::required(
        &mut violations,
        "answer",
        &text::lines(answer),
        Code::CommentRequired,
        MAX_COMMENT,
    );
    violations.or(|| Valid::new(answer))
}

/// Checks a new password of a link. It is used unchanged: spaces count.
///
/// # Errors
/// Missing, too short or too long.
pub fn validate_password(password: &str) -> Result<(), Violation> {
    if password.is_empty() {
        return Err(Violation::new("password", Code::PasswordRequired));
    }
    if !text::longer_than(password, MIN_PASSWORD - 1) {
        return Err(Violation::new("password", Code::PasswordTooShort).with("min", MIN_PASSWORD));
    }
    within_reach(password)
}

/// Checks an entered password, so that it can be compared in bounded time.
///
/// # Errors
/// Missing or too long.
pub fn validate_try(password: &str) -> Result<(), Violation> {
    if password.is_empty() {
        return Err(Violation::new("password", Code::PasswordRequired));
    }
    within_reach(password)
}

fn within_reach(password: &str) -> Result<(), Violation> {
    if text::longer_than(password, MAX_PASSWORD) {
        return Err(Violation::new("password", Code::PasswordTooLong).with("max", MAX_PASSWORD));
    }
    Ok(())
}

/// Browsers by their unique `User-Agent` tokens; those that also contain other browsers' tokens
/// come first.
const FAMILIES: &[(&str, BrowserFamily)] = &[
    ("Edg/", BrowserFamily::Edge),
    ("EdgA/", BrowserFamily::Edge),
    ("EdgiOS/", BrowserFamily::Edge),
    ("OPR/", BrowserFamily::Opera),
    ("SamsungBrowser/", BrowserFamily::Samsung),
    ("Firefox/", BrowserFamily::Firefox),
    ("FxiOS/", BrowserFamily::Firefox),
    ("Chrome/", BrowserFamily::Chrome),
    ("CriOS/", BrowserFamily::Chrome),
    ("Safari/", BrowserFamily::Safari),
];

/// The stored part of a visitor's `User-Agent`: no version and no system, so that visitors cannot
/// be identified by it. The list of an account's own sessions shows more and parses it in the
/// browser.
#[must_use]
pub fn describe_visitor(user_agent: &str) -> (BrowserFamily, DeviceKind) {
    let says = |word: &str| user_agent.contains(word);
    let family = FAMILIES
        .iter()
        .find(|(word, _)| says(word))
        .map_or(BrowserFamily::Other, |(_, family)| *family);
    let device = if says("iPad") || says("Tablet") || (says("Android") && !says("Mobile")) {
        DeviceKind::Tablet
    } else if says("Mobi") || says("iPhone") {
        DeviceKind::Phone
    } else if ["Windows NT", "Macintosh", "X11", "CrOS"]
        .iter()
        .any(|system| says(system))
    {
        DeviceKind::Computer
    } else {
        DeviceKind::Other
    };
    (family, device)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(name: &str, text: &str) -> CommentForm {
        CommentForm {
            segment: "3".to_owned(),
            name: name.to_owned(),
            text: text.to_owned(),
        }
    }

    fn codes(violations: &Violations) -> Vec<Code> {
        violations
            .0
            .iter()
            .map(|violation| violation.code)
            .collect()
    }

    #[test]
    fn comments_are_trimmed_and_lose_invisible_characters() {
        let raw = form(" Олена\n\u{202e}Коваль\0 ", "\u{1b}перше\r\nдруге\u{2066} ");
        let valid = validate_comment(&raw).unwrap();
        assert_eq!(valid.name, "Олена Коваль");
        assert_eq!(valid.text, "перше\nдруге");
        // Markup typed as text is stored unchanged.
        let markup = form("<img src=x onerror=alert(1)>", "<script>alert(1)</script>");
        assert_eq!(*validate_comment(&markup).unwrap(), markup);
    }

    #[test]
    fn names_and_texts_have_length_limits() {
        let (name, text) = ("ї".repeat(MAX_NAME), "ї".repeat(MAX_COMMENT));
        assert!(validate_comment(&form(&name, &text)).is_ok());
        let long = form(&format!("{name}ї"), &format!("{text}ї"));
        let violations = validate_comment(&long).unwrap_err();
        assert_eq!(codes(&violations), [Code::TooLong, Code::TooLong]);
        let violations = validate_comment(&form(" \u{202e}", "\n")).unwrap_err();
        let missing = [Code::VisitorNameRequired, Code::CommentRequired];
        assert_eq!(codes(&violations), missing);
        let invisible = validate_comment(&form("\u{200b}\u{2060}", "b")).unwrap_err();
        assert_eq!(codes(&invisible), [Code::VisitorNameRequired]);
        for segment in ["", &"1".repeat(37)] {
            let segment = segment.to_owned();
            let form = CommentForm {
                segment,
                ..form("a", "b")
            };
            let violations = validate_comment(&form).unwrap_err();
            assert_eq!(codes(&violations), [Code::IdInvalid]);
        }
        assert_eq!(*validate_answer(" так ").unwrap(), "так");
        assert!(validate_answer("\n").is_err());
        assert!(validate_answer(&"а".repeat(MAX_COMMENT + 1)).is_err());
    }

    #[test]
    fn visitors_may_edit_only_text_and_speakers() {
        let edit = |op: serde_json::Value| -> Edit {
            let id = "0190c5f0-0000-7000-8000-000000000001";
            serde_json::from_value(serde_json::json!({"edit_id": id, "op": op})).unwrap()
        };
        let new = "0190c5f0-0000-7000-8000-000000000002";
        let line = serde_json::json!({"id": "0", "revision": 0});
        let next = serde_json::json!({"id": "1", "revision": 0});
        for op in [
            serde_json::json!({"kind": "set_text", "segment": line, "text": " так "}),
            serde_json::json!({"kind": "set_speaker", "segments": [line], "speaker": "SPEAKER_1"}),
            serde_json::json!({"kind": "set_speaker", "segments": [line], "speaker": null}),
            serde_json::json!({"kind": "rename_speaker", "speaker": "SPEAKER_0", "name": "Олена"}),
        ] {
            assert!(validate_visitor_edit(&edit(op.clone())).is_ok(), "{op}");
        }
        for op in [
            serde_json::json!({"kind": "replace", "segments": [{"segment": line, "text": "a"}]}),
            serde_json::json!({"kind": "split", "segment": line, "at": 1, "new_segment": new}),
            serde_json::json!({"kind": "merge", "segment": line, "next": next}),
            serde_json::json!({"kind": "confirm_words", "segment": line, "words": [0]}),
            serde_json::json!({"kind": "remove", "segments": [line]}),
            serde_json::json!({"kind": "put_back", "segments": [line]}),
            serde_json::json!({"kind": "bring_back", "passage": 0}),
            serde_json::json!({"kind": "merge_speakers", "from": "SPEAKER_0", "into": "SPEAKER_1"}),
            serde_json::json!({"kind": "set_speaker", "segments": [line, next], "speaker": null}),
        ] {
            let violations = validate_visitor_edit(&edit(op.clone())).unwrap_err();
            assert_eq!(violations.0[0].field, "op.kind", "{op}");
            assert_eq!(codes(&violations), [Code::EditNotForVisitors], "{op}");
        }
        let text = |text: &str| {
            edit(serde_json::json!({"kind": "set_text", "segment": line, "text": text}))
        };
        assert!(validate_visitor_edit(&text(&"ї".repeat(MAX_VISITOR_TEXT))).is_ok());
        for (sent, code) in [
            ("ї".repeat(MAX_VISITOR_TEXT + 1), Code::TooLong),
            ("\n".to_owned(), Code::TextRequired),
        ] {
            let violations = validate_visitor_edit(&text(&sent)).unwrap_err();
            assert_eq!(violations.0[0].field, "op.text");
            assert_eq!(codes(&violations), [code]);
        }
        assert_eq!(*validate_visitor_name(" Олена\u{202e} ").unwrap(), "Олена");
        assert!(validate_visitor_name("\u{200b}").is_err());
    }

    #[test]
    fn a_link_for_editing_needs_a_password_or_confirmation() {
        use ShareRights as R;
        for (rights, password, confirmed, fits) in [
            (R::Read, false, false, true),
            (R::Comment, false, false, true),
            (R::Edit, false, false, false),
            (R::Edit, true, false, true),
            (R::Edit, false, true, true),
        ] {
            let checked = validate_open_edit(rights, password, confirmed);
            assert_eq!(checked.is_ok(), fits, "{rights:?} {password} {confirmed}");
        }
        assert!(R::Edit.comments() && R::Comment.comments() && !R::Read.comments());
        assert!(R::Edit.edits() && !R::Comment.edits() && !R::Read.edits());
    }

    #[test]
    fn a_share_password_needs_eight_characters_of_any_kind() {
        let code = |password: &str| validate_password(password).map_err(|violation| violation.code);
        assert_eq!(code("лелека над"), Ok(()));
        assert_eq!(code("сімлітр"), Err(Code::PasswordTooShort));
        assert_eq!(code(""), Err(Code::PasswordRequired));
        let long = "а".repeat(MAX_PASSWORD + 1);
        assert_eq!(code(&long), Err(Code::PasswordTooLong));
        assert!(validate_try("a").is_ok());
        assert!(validate_try(&long).is_err() && validate_try("").is_err());
    }

    #[test]
    fn only_browser_family_and_device_kind_are_derived() {
        use BrowserFamily as B;
        use DeviceKind as D;
        for (agent, expected) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
                (B::Firefox, D::Computer),
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
                (B::Edge, D::Computer),
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/142.0.0.0 Mobile Safari/537.36",
                (B::Chrome, D::Phone),
            ),
            (
                "Mozilla/5.0 (Linux; Android 14; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) \
                 SamsungBrowser/28.0 Chrome/130.0.0.0 Safari/537.36",
                (B::Samsung, D::Tablet),
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 \
                 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
                (B::Safari, D::Phone),
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like \
                 Gecko) Chrome/142.0.0.0 Safari/537.36 OPR/125.0.0.0",
                (B::Opera, D::Computer),
            ),
            ("curl/8.5.0", (B::Other, D::Other)),
            ("<script>", (B::Other, D::Other)),
            ("", (B::Other, D::Other)),
        ] {
            assert_eq!(describe_visitor(agent), expected, "{agent}");
        }
    }
}
