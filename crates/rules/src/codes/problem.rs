//! Codes of problem documents.

wire_enum! {
    /// Stable code of an error response. The text of a code is `codes.<code>` of `problems.json`, of those
    /// at the end, which tell what is wrong with a file, `job.<code>`.
    ProblemCode {
        /// The server failed; the cause is in its log.
        Internal => "internal",
        /// Something that the server depends on is away for now.
        Unavailable => "unavailable",
        /// An administrator has blocked the account.
        AccountBlocked => "account_blocked",
        /// The body is no JSON.
        MalformedJson => "malformed_json",
        /// The body is JSON of another shape.
        UnexpectedJson => "unexpected_json",
        /// The body ended early or cannot be read.
        UnreadableBody => "unreadable_body",
        /// A parameter of the address cannot be read.
        MalformedQuery => "malformed_query",
        /// The body has a content type that the action does not take.
        UnsupportedMediaType => "unsupported_media_type",
        /// The body is larger than the action takes.
        BodyTooLarge => "body_too_large",
        /// The request took too long.
        TimedOut => "timed_out",
        /// There is no session in force.
        Unauthorized => "unauthorized",
        /// A refresh token was used twice, which ended its session.
        TokenReused => "token_reused",
        /// E-mail and password do not belong to an account.
        InvalidCredentials => "invalid_credentials",
        /// An account with this address exists.
        EmailTaken => "email_taken",
        /// The address of a sign-up has not been verified.
        EmailUnverified => "email_unverified",
        /// The mailed code is wrong.
        InvalidCode => "invalid_code",
        /// The mailed code is no longer valid.
        CodeExpired => "code_expired",
        /// The sign-up is no longer valid.
        RegistrationExpired => "registration_expired",
        /// A newer sign-up has taken the place of this one.
        RegistrationSuperseded => "registration_superseded",
        /// The mail could not be sent.
        MailFailed => "mail_failed",
        /// The link for a new password is no longer valid.
        ResetLinkInvalid => "reset_link_invalid",
        /// The link of the newsletter is no longer valid.
        NewsletterLinkInvalid => "newsletter_link_invalid",
        /// The present password is wrong.
        WrongPassword => "wrong_password",
        /// The account has no password.
        PasswordNotSet => "password_not_set",
        /// The sign-in with another provider took too long.
        HandoffExpired => "handoff_expired",
        /// The image cannot be decoded.
        AvatarUnreadable => "avatar_unreadable",
        /// The last administrator would be gone.
        LastAdmin => "last_admin",
        /// The user is not allowed to do this.
        Forbidden => "forbidden",
        /// It does not exist, or belongs to another user.
        NotFound => "not_found",
        /// Only administrators publish presets.
        PublishingDenied => "publishing_denied",
        /// The account has all the presets that it may have. `max`.
        TooManyPresets => "too_many_presets",
        /// The job waits or runs.
        JobUnderWay => "job_under_way",
        /// Segments were changed in the meantime.
        EditConflict => "edit_conflict",
        /// A segment cannot be split once more.
        SplitTooDeep => "split_too_deep",
        /// There is no edit to undo.
        NothingToUndo => "nothing_to_undo",
        /// There is no edit to redo.
        NothingToRedo => "nothing_to_redo",
        /// The transcript has all the named states that it may have.
        TooManyMarks => "too_many_marks",
        /// The transcript has all the bookmarks and highlights that it may have.
        TooManyAnnotations => "too_many_annotations",
        /// Another tag or folder has the name.
        GroupNameTaken => "group_name_taken",
        /// The account has all the tags that it may have. `max`.
        TooManyTags => "too_many_tags",
        /// The account has all the folders that it may have. `max`.
        TooManyFolders => "too_many_folders",
        /// The transcript has all the tags that it may have. `max`.
        TooManyTagsOfJob => "too_many_tags_of_job",
        /// The transcript has all the results of analyses that it may have.
        TooManyAnalyses => "too_many_analyses",
        /// No endpoint answers questions.
        AssistantUnavailable => "assistant_unavailable",
        /// The job has ended.
        JobEnded => "job_ended",
        /// The job has no transcript yet.
        TranscriptNotReady => "transcript_not_ready",
        /// There is no such format of files.
        UnknownFormat => "unknown_format",
        /// No font of the server has the script. `script`: ISO 15924.
        FontMissing => "font_missing",
        /// The template is no Word document.
        DocxTemplateNotWord => "docx_template_not_word",
        /// The template is larger than the limit.
        DocxTemplateTooLarge => "docx_template_too_large",
        /// The template unpacks to more than the limits.
        DocxTemplateTooMuch => "docx_template_too_much",
        /// The template has a password.
        DocxTemplateEncrypted => "docx_template_encrypted",
        /// The template has macros, controls or embedded objects.
        DocxTemplateActive => "docx_template_active",
        /// The template loads something from elsewhere.
        DocxTemplateExternal => "docx_template_external",
        /// The template's XML has a document type declaration.
        DocxTemplateDeclares => "docx_template_declares",
        /// The template is damaged.
        DocxTemplateBroken => "docx_template_broken",
        /// A part of the template has a name that is not allowed.
        DocxTemplatePath => "docx_template_path",
        /// The account has no template.
        DocxTemplateMissing => "docx_template_missing",
        /// The end of a link is in the past.
        ExpiresInPast => "expires_in_past",
        /// The transcript has all the links that it may have.
        TooManyShares => "too_many_shares",
        /// The link asks for a password.
        SharePasswordRequired => "share_password_required",
        /// The password of the link is wrong.
        SharePasswordWrong => "share_password_wrong",
        /// The link takes no comments.
        CommentsNotAllowed => "comments_not_allowed",
        /// The link takes no edits.
        EditsNotAllowed => "edits_not_allowed",
        /// The recording has another transcript in the meantime.
        TextReplaced => "text_replaced",
        /// The link has all the edits that it may have.
        TooManySharedEdits => "too_many_shared_edits",
        /// The link has all the comments that it may have.
        TooManyComments => "too_many_comments",
        /// The waveform is being made.
        WaveformNotReady => "waveform_not_ready",
        /// The file has no bytes at this range.
        RangeNotSatisfiable => "range_not_satisfiable",
        /// The address has no such method.
        MethodNotAllowed => "method_not_allowed",
        /// Something changed in the meantime.
        Conflict => "conflict",
        /// The request is malformed.
        BadRequest => "bad_request",
        /// The request has no `Host` header.
        HostMissing => "host_missing",
        /// Rules are violated; they are in `errors`.
        ValidationFailed => "validation_failed",
        /// There were too many requests; `Retry-After` says how long to wait.
        RateLimited => "rate_limited",
        /// The file is larger than the limit.
        UploadTooLarge => "upload_too_large",
        /// The file is no recording of a supported format; `errors` says what was found.
        UnsupportedMedia => "unsupported_media",
        /// The part does not begin where the upload ends.
        UploadOffsetMismatch => "upload_offset_mismatch",
        /// The length of the upload is another one.
        UploadLengthMismatch => "upload_length_mismatch",
        /// Another request is writing to the upload.
        UploadLocked => "upload_locked",
        /// The upload is no longer kept.
        UploadExpired => "upload_expired",
        /// The part's checksum is wrong.
        ChecksumMismatch => "checksum_mismatch",
        /// The account has all the open uploads that it may have.
        TooManyUploads => "too_many_uploads",
        /// Parts of the upload are missing.
        UploadIncomplete => "upload_incomplete",
        /// The file is refused for a reason that this version does not know.
        UploadRefused => "upload_refused",
        /// The server's disk is full.
        StorageFull => "storage_full",
        /// The server's data folder is not there.
        DataFolderMissing => "data_folder_missing",
        /// The upload has a job.
        UploadAlreadyUsed => "upload_already_used",
        /// A header of the tus protocol is missing or invalid.
        TusHeaderInvalid => "tus_header_invalid",
        /// The version of the tus protocol is not supported.
        TusVersion => "tus_version",
        /// The URL leads to an address that is not allowed.
        UrlRefused => "url_refused",
        /// There is no connection with the URL.
        UrlUnreachable => "url_unreachable",
        /// The URL leads to no recording. `found`.
        UrlNotMedia => "url_not_media",
        /// The file at the URL is too large. `max_mb`.
        UrlTooLarge => "url_too_large",
        /// The URL leads to a web page, and the server cannot download from those.
        UrlNeedsDownloader => "url_needs_downloader",
        /// The request names more jobs than one may.
        TooManyJobs => "too_many_jobs",
        /// The analysis waits or runs.
        AnalysisRunning => "analysis_running",
        /// The recording is no longer on the server.
        RecordingMissing => "recording_missing",
        /// A stretch of the recording is being recognised again.
        StretchRunning => "stretch_running",
        /// The recording has been recognised again as often as it may. `minutes`: what is left.
        StretchAllowanceUsed => "stretch_allowance_used",
        /// Sign-up is switched off.
        SignupClosed => "signup_closed",
        /// Recordings from URLs are switched off.
        UrlFetchOff => "url_fetch_off",
        /// Recording with the microphone is switched off.
        RecordingOff => "recording_off",
        /// Links to transcripts are switched off.
        SharingOff => "sharing_off",
        /// Questions about transcripts are switched off.
        AssistantOff => "assistant_off",
        /// The contact form is switched off.
        ContactOff => "contact_off",
        /// The newsletter is switched off.
        NewsletterOff => "newsletter_off",
        /// The account has all the waiting jobs that it may have. `max`.
        TooManyWaiting => "too_many_waiting",
        /// The model is being downloaded or verified.
        ModelBusy => "model_busy",
        /// The model is not on the server.
        ModelMissing => "model_missing",
        /// The model is in use. `used_by`.
        ModelInUse => "model_in_use",
        /// The model cannot do what the mode needs.
        ModelUnfit => "model_unfit",
        /// There are all the services that there may be. `max`.
        TooManyWebhookServices => "too_many_webhook_services",
        /// Another service transcribes the mode. `service`.
        WebhookModeTaken => "webhook_mode_taken",
        /// The service's address is not allowed.
        WebhookAddressRefused => "webhook_address_refused",
        /// Tests of services cannot be sent again.
        WebhookTestNotResent => "webhook_test_not_resent",
        /// The service is switched off.
        WebhookServiceInactive => "webhook_service_inactive",
        /// Accounts have the plan.
        PlanInUse => "plan_in_use",
        /// Another plan was created at the same moment.
        PlanRaced => "plan_raced",
        /// The account has an open request for a plan.
        PlanRequestOpen => "plan_request_open",
        /// The account has the plan.
        PlanHeldAlready => "plan_held_already",
        /// The request for a plan was answered or withdrawn.
        PlanRequestEnded => "plan_request_ended",
        /// The external database is not configured.
        NocodbNotConfigured => "nocodb_not_configured",
        /// The server has no token for the external database.
        NocodbTokenMissing => "nocodb_token_missing",
        /// The account has this address.
        EmailUnchanged => "email_unchanged",
        /// The codes for a new address are no longer valid.
        EmailCodesExpired => "email_codes_expired",
        /// At least one of the codes for a new address is wrong.
        EmailCodesInvalid => "email_codes_invalid",
        /// The account's plan has no files of this format. `format`.
        FormatNotInPlan => "format_not_in_plan",
        /// Subtitles have not been translated into this language.
        TranslationNotReady => "translation_not_ready",
        /// Administrators do this in the settings of their own account.
        OwnAccount => "own_account",
        /// The URL redirects too often.
        UrlRedirects => "url_redirects",
        /// The site has no such file.
        UrlNotFound => "url_not_found",
        /// The site refuses access. `status`.
        UrlForbidden => "url_forbidden",
        /// The site has an error. `status`.
        UrlServerError => "url_server_error",
        /// The site refuses the request. `status`.
        UrlStatus => "url_status",
        /// The file has no bytes.
        EmptyFile => "empty_file",
        /// The file is of no supported format. `found`.
        UnsupportedFormat => "unsupported_format",
        /// The file is damaged. `what`.
        Damaged => "damaged",
        /// The file has no audio track. `container`.
        NoAudioTrack => "no_audio_track",
        /// The file has no audio track of this number. `track`, `tracks`.
        NoSuchTrack => "no_such_track",
        /// The audio track is empty.
        NoSamples => "no_samples",
        /// The codec is not supported. `codec`.
        UnsupportedCodec => "unsupported_codec",
        /// The sample rate is impossible. `rate`: Hz.
        BadSampleRate => "bad_sample_rate",
        /// The number of channels is impossible. `channels`.
        BadChannels => "bad_channels",
        /// The recording is too long. `limit_seconds`.
        TooLong => "too_long",
        /// The file takes too long to decode.
        TooSlow => "too_slow",
    }
}

impl ProblemCode {
    /// Whether the code tells what is wrong with a file. Jobs have the same ones, with the same texts.
    #[must_use]
    pub const fn is_of_file(self) -> bool {
        matches!(
            self,
            Self::EmptyFile
                | Self::UnsupportedFormat
                | Self::Damaged
                | Self::NoAudioTrack
                | Self::NoSuchTrack
                | Self::NoSamples
                | Self::UnsupportedCodec
                | Self::BadSampleRate
                | Self::BadChannels
                | Self::TooLong
                | Self::TooSlow
        )
    }
}
