//! Codes of problem documents.

wire_enum! {
    /// Stable code of an error response. The text of a code is `codes.<code>` of `problems.json`;
    /// for the codes at the end, which describe problems with a file, it is `job.<code>`.
    ProblemCode {
        /// The server failed; the cause is in its log.
        Internal => "internal",
        /// A service that the server depends on is unavailable.
        Unavailable => "unavailable",
        /// An administrator has blocked the account.
        AccountBlocked => "account_blocked",
        /// The body is not valid JSON.
        MalformedJson => "malformed_json",
        /// The body is JSON with an unexpected structure.
        UnexpectedJson => "unexpected_json",
        /// The body is incomplete or cannot be read.
        UnreadableBody => "unreadable_body",
        /// A parameter in the URL cannot be read.
        MalformedQuery => "malformed_query",
        /// The content type of the body is not supported by the action.
        UnsupportedMediaType => "unsupported_media_type",
        /// The body is larger than the action allows.
        BodyTooLarge => "body_too_large",
        /// The request took too long.
        TimedOut => "timed_out",
        /// There is no valid session.
        Unauthorized => "unauthorized",
        /// A refresh token was used twice, which ended its session.
        TokenReused => "token_reused",
        /// There is no account with this e-mail address and password.
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
        /// A newer sign-up has replaced this one.
        RegistrationSuperseded => "registration_superseded",
        /// The mail could not be sent.
        MailFailed => "mail_failed",
        /// The link to set a new password is no longer valid.
        ResetLinkInvalid => "reset_link_invalid",
        /// The newsletter link is no longer valid.
        NewsletterLinkInvalid => "newsletter_link_invalid",
        /// The current password is wrong.
        WrongPassword => "wrong_password",
        /// The account has no password.
        PasswordNotSet => "password_not_set",
        /// The sign-in with another provider took too long.
        HandoffExpired => "handoff_expired",
        /// The image cannot be decoded.
        AvatarUnreadable => "avatar_unreadable",
        /// The server would have no administrator left.
        LastAdmin => "last_admin",
        /// The user is not allowed to do this.
        Forbidden => "forbidden",
        /// It does not exist, or belongs to another user.
        NotFound => "not_found",
        /// Only administrators can publish presets.
        PublishingDenied => "publishing_denied",
        /// The account has the maximum number of presets. `max`.
        TooManyPresets => "too_many_presets",
        /// The account has the maximum number of voices, or the voice that of samples. `max`.
        TooManyVoices => "too_many_voices",
        /// The account has the maximum number of API keys. `max`.
        TooManyApiKeys => "too_many_api_keys",
        /// The API key does not permit this. `scope`: what it lacks; `session` if no key permits it.
        ScopeMissing => "scope_missing",
        /// The plan of the API key's account does not include the API.
        ApiNotInPlan => "api_not_in_plan",
        /// The header `Idempotency-Key` is no usable key.
        IdempotencyKeyInvalid => "idempotency_key_invalid",
        /// The `Idempotency-Key` was used for another request.
        IdempotencyKeyReused => "idempotency_key_reused",
        /// The job is queued or running.
        JobUnderWay => "job_under_way",
        /// Segments were changed in the meantime.
        EditConflict => "edit_conflict",
        /// A segment cannot be split any further.
        SplitTooDeep => "split_too_deep",
        /// There is no edit to undo.
        NothingToUndo => "nothing_to_undo",
        /// There is no edit to redo.
        NothingToRedo => "nothing_to_redo",
        /// The transcript has the maximum number of named versions.
        TooManyMarks => "too_many_marks",
        /// The transcript has the maximum number of bookmarks and highlights.
        TooManyAnnotations => "too_many_annotations",
        /// Another tag or folder has the name.
        GroupNameTaken => "group_name_taken",
        /// The account has the maximum number of tags. `max`.
        TooManyTags => "too_many_tags",
        /// The account has the maximum number of folders. `max`.
        TooManyFolders => "too_many_folders",
        /// The transcript has the maximum number of tags. `max`.
        TooManyTagsOfJob => "too_many_tags_of_job",
        /// The transcript has the maximum number of analysis results.
        TooManyAnalyses => "too_many_analyses",
        /// No endpoint for questions is available.
        AssistantUnavailable => "assistant_unavailable",
        /// The job has ended.
        JobEnded => "job_ended",
        /// The job has no transcript yet.
        TranscriptNotReady => "transcript_not_ready",
        /// The file format is unknown.
        UnknownFormat => "unknown_format",
        /// The server has no font for the script. `script`: ISO 15924.
        FontMissing => "font_missing",
        /// The template is not a Word document.
        DocxTemplateNotWord => "docx_template_not_word",
        /// The template is larger than the limit.
        DocxTemplateTooLarge => "docx_template_too_large",
        /// The template exceeds the limits when unpacked.
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
        /// The expiry of a link is in the past.
        ExpiresInPast => "expires_in_past",
        /// The transcript has the maximum number of links.
        TooManyShares => "too_many_shares",
        /// The link requires a password.
        SharePasswordRequired => "share_password_required",
        /// The password of the link is wrong.
        SharePasswordWrong => "share_password_wrong",
        /// The link does not allow comments.
        CommentsNotAllowed => "comments_not_allowed",
        /// The link does not allow edits.
        EditsNotAllowed => "edits_not_allowed",
        /// The text has been replaced by that of another run in the meantime.
        TextReplaced => "text_replaced",
        /// The link has the maximum number of edits.
        TooManySharedEdits => "too_many_shared_edits",
        /// The link has the maximum number of comments.
        TooManyComments => "too_many_comments",
        /// The waveform is being created.
        WaveformNotReady => "waveform_not_ready",
        /// The requested range is outside the file.
        RangeNotSatisfiable => "range_not_satisfiable",
        /// The URL does not support this method.
        MethodNotAllowed => "method_not_allowed",
        /// Something changed in the meantime.
        Conflict => "conflict",
        /// The request is malformed.
        BadRequest => "bad_request",
        /// The request has no `Host` header.
        HostMissing => "host_missing",
        /// Rules are violated; they are in `errors`.
        ValidationFailed => "validation_failed",
        /// There were too many requests; `Retry-After` states how long to wait.
        RateLimited => "rate_limited",
        /// The file is larger than the limit.
        UploadTooLarge => "upload_too_large",
        /// The file is not a recording in a supported format; `errors` states what was found.
        UnsupportedMedia => "unsupported_media",
        /// The part does not begin where the upload ends.
        UploadOffsetMismatch => "upload_offset_mismatch",
        /// The length of the upload is different.
        UploadLengthMismatch => "upload_length_mismatch",
        /// Another request is writing to the upload.
        UploadLocked => "upload_locked",
        /// The upload is no longer kept.
        UploadExpired => "upload_expired",
        /// The part's checksum is wrong.
        ChecksumMismatch => "checksum_mismatch",
        /// The account has the maximum number of open uploads.
        TooManyUploads => "too_many_uploads",
        /// Parts of the upload are missing.
        UploadIncomplete => "upload_incomplete",
        /// The file was refused for a reason that this version does not know.
        UploadRefused => "upload_refused",
        /// The server's disk is full.
        StorageFull => "storage_full",
        /// The server's data folder does not exist.
        DataFolderMissing => "data_folder_missing",
        /// The upload is already used by a job.
        UploadAlreadyUsed => "upload_already_used",
        /// A header of the tus protocol is missing or invalid.
        TusHeaderInvalid => "tus_header_invalid",
        /// The version of the tus protocol is not supported.
        TusVersion => "tus_version",
        /// The URL leads to an address that is not allowed.
        UrlRefused => "url_refused",
        /// No connection to the URL can be made.
        UrlUnreachable => "url_unreachable",
        /// The URL does not lead to a recording. `found`.
        UrlNotMedia => "url_not_media",
        /// The file at the URL is too large. `max_mb`.
        UrlTooLarge => "url_too_large",
        /// The URL leads to a web page, and the server cannot download from those.
        UrlNeedsDownloader => "url_needs_downloader",
        /// The request contains too many jobs.
        TooManyJobs => "too_many_jobs",
        /// The analysis is queued or running.
        AnalysisRunning => "analysis_running",
        /// The recording is no longer on the server.
        RecordingMissing => "recording_missing",
        /// A stretch of the recording is being recognised again.
        StretchRunning => "stretch_running",
        /// The limit for recognising the recording again is reached. `minutes`: what is left.
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
        /// The account has the maximum number of queued jobs. `max`.
        TooManyWaiting => "too_many_waiting",
        /// The model is being downloaded or verified.
        ModelBusy => "model_busy",
        /// The model is not on the server.
        ModelMissing => "model_missing",
        /// The model is in use. `used_by`.
        ModelInUse => "model_in_use",
        /// The model does not support the mode.
        ModelUnfit => "model_unfit",
        /// The maximum number of services is reached. `max`.
        TooManyWebhookServices => "too_many_webhook_services",
        /// Another service transcribes the mode. `service`.
        WebhookModeTaken => "webhook_mode_taken",
        /// The service's address is not allowed.
        WebhookAddressRefused => "webhook_address_refused",
        /// Tests of services cannot be sent again.
        WebhookTestNotResent => "webhook_test_not_resent",
        /// The service is inactive.
        WebhookServiceInactive => "webhook_service_inactive",
        /// The maximum number of sources is reached. `max`.
        TooManySources => "too_many_sources",
        /// What a source is cannot be changed.
        SourceKindFixed => "source_kind_fixed",
        /// The source is paused.
        SourcePaused => "source_paused",
        /// The plan is assigned to accounts.
        PlanInUse => "plan_in_use",
        /// Another plan was created at the same moment.
        PlanRaced => "plan_raced",
        /// The account has an open request for a plan.
        PlanRequestOpen => "plan_request_open",
        /// The account already has the plan.
        PlanHeldAlready => "plan_held_already",
        /// The request for a plan was answered or withdrawn.
        PlanRequestEnded => "plan_request_ended",
        /// The external database is not configured.
        NocodbNotConfigured => "nocodb_not_configured",
        /// The server has no token for the external database.
        NocodbTokenMissing => "nocodb_token_missing",
        /// The account already has this address.
        EmailUnchanged => "email_unchanged",
        /// The codes for a new address are no longer valid.
        EmailCodesExpired => "email_codes_expired",
        /// At least one of the codes for a new address is wrong.
        EmailCodesInvalid => "email_codes_invalid",
        /// The account's plan does not include this format. `format`.
        FormatNotInPlan => "format_not_in_plan",
        /// Subtitles have not been translated into this language.
        TranslationNotReady => "translation_not_ready",
        /// Administrators can change their own account only in its settings.
        OwnAccount => "own_account",
        /// The URL redirects too often.
        UrlRedirects => "url_redirects",
        /// The site has no file at this URL.
        UrlNotFound => "url_not_found",
        /// The site refuses access. `status`.
        UrlForbidden => "url_forbidden",
        /// The site returned a server error. `status`.
        UrlServerError => "url_server_error",
        /// The site refused the request. `status`.
        UrlStatus => "url_status",
        /// A shared link opens a page instead of the file: its owner has not made it public.
        UrlNotPublic => "url_not_public",
        /// A shared link opens a folder.
        UrlIsFolder => "url_is_folder",
        /// The file has no bytes.
        EmptyFile => "empty_file",
        /// The format of the file is not supported. `found`.
        UnsupportedFormat => "unsupported_format",
        /// The file is damaged. `what`.
        Damaged => "damaged",
        /// The file has no audio track. `container`.
        NoAudioTrack => "no_audio_track",
        /// The file has no audio track with this number. `track`, `tracks`.
        NoSuchTrack => "no_such_track",
        /// The audio track is empty.
        NoSamples => "no_samples",
        /// The codec is not supported. `codec`.
        UnsupportedCodec => "unsupported_codec",
        /// The sample rate is invalid. `rate`: Hz.
        BadSampleRate => "bad_sample_rate",
        /// The number of channels is invalid. `channels`.
        BadChannels => "bad_channels",
        /// The recording is too long. `limit_seconds`.
        TooLong => "too_long",
        /// The file takes too long to decode.
        TooSlow => "too_slow",
    }
}

impl ProblemCode {
    /// Whether the code describes a problem with a file.
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

    /// Whether the code is also one of a job that failed. Then it has one text for both.
    #[must_use]
    pub const fn is_of_job(self) -> bool {
        self.is_of_file()
            || matches!(
                self,
                Self::UrlRefused
                    | Self::UrlUnreachable
                    | Self::UrlNotMedia
                    | Self::UrlTooLarge
                    | Self::UrlNeedsDownloader
                    | Self::UrlRedirects
                    | Self::UrlNotFound
                    | Self::UrlForbidden
                    | Self::UrlServerError
                    | Self::UrlStatus
                    | Self::UrlNotPublic
                    | Self::UrlIsFolder
            )
    }
}
