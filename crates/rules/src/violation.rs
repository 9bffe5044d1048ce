//! A violated rule as data: field, code and parameters. Never a text.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Longest part of the caller's input that is echoed in a parameter, in characters: enough to
/// recognise a mistyped language name, too short for a page of markup.
const MAX_ECHO: usize = 60;

wire_enum! {
    /// Stable code of a violated rule. Its text is `violations.<code>` in the locale files'
    /// `rules.json`.
    Code {
        /// The value has the wrong JSON type.
        WrongType => "wrong_type",
        /// The object has an unknown field.
        UnknownField => "unknown_field",
        /// A text is longer than its field allows. `max`, `length`: characters.
        TooLong => "too_long",
        /// A list has more entries than its field allows. `max`.
        TooMany => "too_many",
        /// E-mail is missing.
        EmailRequired => "email_required",
        /// E-mail is not a valid address.
        EmailInvalid => "email_invalid",
        /// Password is missing.
        PasswordRequired => "password_required",
        /// Password is shorter than its policy requires. `min`.
        PasswordTooShort => "password_too_short",
        /// Password is longer than can be hashed in bounded time. `max`.
        PasswordTooLong => "password_too_long",
        /// Password has no uppercase letter.
        PasswordNoUppercase => "password_no_uppercase",
        /// Password has no lowercase letter.
        PasswordNoLowercase => "password_no_lowercase",
        /// Password has no digit.
        PasswordNoNumber => "password_no_number",
        /// Password has no character besides letters and digits.
        PasswordNoSpecial => "password_no_special",
        /// Password is too easy to guess; only the server can detect this.
        PasswordWeak => "password_weak",
        /// E-mail and password are both missing.
        CredentialsRequired => "credentials_required",
        /// Password and its confirmation differ.
        PasswordsDoNotMatch => "passwords_do_not_match",
        /// Terms are not agreed to.
        TermsRequired => "terms_required",
        /// A verification code does not have five characters. `length`.
        CodeLength => "code_length",
        /// Full name is missing.
        FullnameRequired => "fullname_required",
        /// Usage is not one of the offered ones.
        UsageUnknown => "usage_unknown",
        /// Avatar is not a png, jpeg or webp image.
        AvatarNotImage => "avatar_not_image",
        /// Avatar is too large. `max_mb`.
        AvatarTooLarge => "avatar_too_large",
        /// First name is missing.
        FirstNameRequired => "first_name_required",
        /// Last name is missing.
        LastNameRequired => "last_name_required",
        /// Message is missing.
        MessageRequired => "message_required",
        /// No file was chosen.
        FileRequired => "file_required",
        /// Nothing was recorded.
        RecordingRequired => "recording_required",
        /// No URL was entered.
        UrlRequired => "url_required",
        /// The chosen file has not been uploaded yet.
        UploadRequired => "upload_required",
        /// The text is not an http or https URL.
        UrlInvalid => "url_invalid",
        /// There is a space or a line break within the URL.
        UrlSpaces => "url_spaces",
        /// There is a user name or a password in the URL.
        UrlCredentials => "url_credentials",
        /// File is not in one of the ten formats. `allowed`.
        FileUnsupported => "file_unsupported",
        /// File is larger than the limit. `max_mb`.
        FileTooLarge => "file_too_large",
        /// File has no bytes.
        FileEmpty => "file_empty",
        /// The content is of a known type that is not accepted. `found`, `allowed`.
        ContentRefused => "content_refused",
        /// The content is of an unknown type. `allowed`.
        ContentUnknown => "content_unknown",
        /// The recording has no audio track with this number. `tracks`: how many it has.
        AudioTrackUnknown => "audio_track_unknown",
        /// Transcription type is neither full nor lite.
        TypeUnknown => "type_unknown",
        /// Language is not supported. `language`.
        LanguageUnsupported => "language_unsupported",
        /// Lite was requested for a language other than English.
        LiteOnlyEnglish => "lite_only_english",
        /// The option needs Full mode.
        UnavailableInLite => "unavailable_in_lite",
        /// No engine on the server supports it. `feature`.
        FeatureUnavailable => "feature_unavailable",
        /// The caller's plan does not include it. `feature`.
        FeatureNotInPlan => "feature_not_in_plan",
        /// Summary length is not a whole number in range. `min`, `max`: words.
        SummarizeOutOfRange => "summarize_out_of_range",
        /// The number of speakers is neither a number in range nor a range of two. `min`, `max`.
        SpeakersOutOfRange => "speakers_out_of_range",
        /// A number is out of its bounds. `min`, `max`.
        FigureOutOfRange => "figure_out_of_range",
        /// The format does not support this layout. `format`, `allowed`: layouts.
        LayoutUnsupported => "layout_unsupported",
        /// Translate has a value other than to_eng. `allowed`.
        TranslateUnknown => "translate_unknown",
        /// A translation language is not one of the nine. `language`, `allowed`.
        TranslationLanguageUnsupported => "translation_language_unsupported",
        /// Custom prompt consists of white space.
        CustomPromptBlank => "custom_prompt_blank",
        /// Custom prompt is too long. `max`, `length`: characters.
        CustomPromptTooLong => "custom_prompt_too_long",
        /// Speakers cannot be distinguished in this language. `language`.
        DiarizationLanguageUnsupported => "diarization_language_unsupported",
        /// Classification is requested without labels.
        LabelsRequired => "labels_required",
        /// A classification label is blank.
        LabelBlank => "label_blank",
        /// Preset name is missing.
        PresetNameRequired => "preset_name_required",
        /// Category is unknown. `category`.
        CategoryUnknown => "category_unknown",
        /// The pasted text is not JSON.
        PresetJsonInvalid => "preset_json_invalid",
        /// An imported preset lacks a field. `number` (from 1), `field`.
        PresetFieldMissing => "preset_field_missing",
        /// Import was requested before validation.
        PresetNotValidated => "preset_not_validated",
        /// Plan name is missing.
        PlanNameRequired => "plan_name_required",
        /// Plan has no id in the external database.
        PlanExternalIdMissing => "plan_external_id_missing",
        /// User has no numeric id in the external database.
        UserExternalIdInvalid => "user_external_id_invalid",
        /// Currency is not a three-letter code.
        CurrencyInvalid => "currency_invalid",
        /// A value is not a number, or is below its minimum. `min`.
        NumberTooSmall => "number_too_small",
        /// A value is above its maximum. `max`.
        NumberTooLarge => "number_too_large",
        /// Reason of a balance adjustment is missing.
        ReasonRequired => "reason_required",
        /// More minutes would be subtracted from a month than are left. `left`: minutes.
        BalanceTooLow => "balance_too_low",
        /// Minutes of an unlimited month would be corrected.
        BalanceUnlimited => "balance_unlimited",
        /// Not enough minutes are left this month. `left`, `needed`: minutes.
        MinutesExceeded => "minutes_exceeded",
        /// The recording is longer than the plan allows. `max`: minutes.
        DurationOverPlan => "duration_over_plan",
        /// Name or URL of a webhook service is missing.
        WebhookNameUrlRequired => "webhook_name_url_required",
        /// A folder's path is not absolute, or leads upwards.
        SourcePathInvalid => "source_path_invalid",
        /// A list that requires an entry is empty.
        ListEmpty => "list_empty",
        /// An entry that must be unique is repeated.
        Repeated => "repeated",
        /// The id is malformed.
        IdInvalid => "id_invalid",
        /// A segment would be left without text.
        TextRequired => "text_required",
        /// The speaker is not valid in a transcript.
        SpeakerInvalid => "speaker_invalid",
        /// A speaker's name is missing.
        SpeakerNameRequired => "speaker_name_required",
        /// A segment would be split where one side has no text.
        SplitAtEdge => "split_at_edge",
        /// Two segments that are to be merged are not adjacent.
        SegmentsNotAdjacent => "segments_not_adjacent",
        /// The duration is too short.
        SpanTooShort => "span_too_short",
        /// A line would start before the previous one, or after the next one.
        LineOutOfOrder => "line_out_of_order",
        /// A subtitle, or a line of one, has no text.
        CueMisplaced => "cue_misplaced",
        /// Subtitles of one line overlap, or are not in the order of their text.
        CuesOverlap => "cues_overlap",
        /// An endpoint has a URL but no model.
        ModelRequired => "model_required",
        /// The URL contains a key, which would be displayed.
        SecretInAddress => "secret_in_address",
        /// A key contains characters that cannot be sent.
        KeyInvalid => "key_invalid",
        /// The name for a version of a transcript is missing.
        MarkNameRequired => "mark_name_required",
        /// The name of a tag or a folder is missing.
        GroupNameRequired => "group_name_required",
        /// A visitor of a shared transcript comments or edits without a name.
        VisitorNameRequired => "visitor_name_required",
        /// A comment, or the answer to one, is empty.
        CommentRequired => "comment_required",
        /// Visitors of a shared transcript cannot make such an edit.
        EditNotForVisitors => "edit_not_for_visitors",
        /// A link that allows editing has no password, and its owner has not confirmed that.
        ShareEditUnprotected => "share_edit_unprotected",
        /// The text is not a telephone number.
        PhoneInvalid => "phone_invalid",
        /// The text is not an https URL, or is a URL reserved for examples.
        UrlNotHttps => "url_not_https",
    }
}

/// A violated rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Violation {
    /// Path of the field, with steps separated by dots and list positions from 0
    /// (`classification_labels.2`); empty for the whole input.
    pub field: String,
    /// The rule.
    pub code: Code,
    /// Figures and names for the text: strings and numbers only.
    #[cfg_attr(feature = "wasm", tsify(type = "Record<string, string | number>"))]
    pub params: BTreeMap<String, Value>,
}

impl Violation {
    /// A violation without parameters.
    pub fn new(field: impl Into<String>, code: Code) -> Self {
        Self {
            field: field.into(),
            code,
            params: BTreeMap::new(),
        }
    }

    /// Adds a parameter for the text.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.params.insert(name.to_owned(), value.into());
        self
    }

    /// Adds a part of the caller's input, truncated for display and without control characters.
    #[must_use]
    pub fn with_echo(self, name: &str, input: &str) -> Self {
        let echo: String = input
            .chars()
            .filter(|c| !c.is_control())
            .take(MAX_ECHO)
            .collect();
        self.with(name, echo)
    }

    /// The same violation in a larger object: `name` becomes `prefix.name`.
    #[must_use]
    pub fn under(mut self, prefix: &str) -> Self {
        self.field = if self.field.is_empty() {
            prefix.to_owned()
        } else {
            format!("{prefix}.{}", self.field)
        };
        self
    }
}

/// All violated rules of an input, in the order of its fields. Serialised as an array.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Violations(pub Vec<Violation>);

impl Violations {
    /// An empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a violation without parameters.
    pub fn add(&mut self, field: &str, code: Code) {
        self.push(Violation::new(field, code));
    }

    /// Adds a violation.
    pub fn push(&mut self, violation: Violation) {
        self.0.push(violation);
    }

    /// The value of a check, or `None` after adding its violation.
    pub fn take<T>(&mut self, checked: Result<T, Violation>) -> Option<T> {
        checked.map_err(|violation| self.push(violation)).ok()
    }

    /// The same violations in a larger object.
    #[must_use]
    pub fn under(self, prefix: &str) -> Self {
        let violations = self.0.into_iter();
        Self(
            violations
                .map(|violation| violation.under(prefix))
                .collect(),
        )
    }

    /// Adds all violations of a nested input below a path.
    pub fn extend_under(&mut self, prefix: &str, others: Self) {
        self.0.extend(others.under(prefix).0);
    }

    /// Whether there are no violations.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether there is a violation with this code.
    #[must_use]
    pub fn has(&self, code: Code) -> bool {
        self.0.iter().any(|violation| violation.code == code)
    }

    /// `Ok` with the result of `make` if there are no violations.
    ///
    /// # Errors
    /// The violations, if there are any.
    pub fn or<T>(self, make: impl FnOnce() -> T) -> Result<T, Self> {
        if self.is_empty() {
            Ok(make())
        } else {
            Err(self)
        }
    }
}

impl From<Violation> for Violations {
    fn from(violation: Violation) -> Self {
        Self(vec![violation])
    }
}

impl std::fmt::Display for Violation {
    /// For logs: `field: code`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.field, self.code)
    }
}

impl std::fmt::Display for Violations {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (position, violation) in self.0.iter().enumerate() {
            let separator = if position == 0 { "" } else { ", " };
            write!(f, "{separator}{violation}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Violation {}
impl std::error::Error for Violations {}
