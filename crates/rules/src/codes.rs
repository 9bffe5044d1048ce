//! Every stable code that a person may be shown, in lists. A code without a text in the locale files
//! would be shown raw, so a test walks these lists in both languages, and where the server makes a
//! code it is looked up here.

mod audit;

pub use audit::{AUDIT_ACTIONS, AUDIT_FIELDS};

/// Codes of problem documents; their texts are `codes.<code>` of `problems.json`. What the engine has
/// against a file is a code of [`JOB_FAULTS`].
pub const PROBLEMS: &[&str] = &[
    "internal",
    "unavailable",
    "account_blocked",
    "malformed_json",
    "unexpected_json",
    "unreadable_body",
    "malformed_query",
    "unsupported_media_type",
    "body_too_large",
    "timed_out",
    "unauthorized",
    "token_reused",
    "invalid_credentials",
    "email_taken",
    "email_unverified",
    "invalid_code",
    "code_expired",
    "registration_expired",
    "registration_superseded",
    "mail_failed",
    "reset_link_invalid",
    "newsletter_link_invalid",
    "wrong_password",
    "password_not_set",
    "password_weak",
    "handoff_expired",
    "avatar_unreadable",
    "last_admin",
    "forbidden",
    "not_found",
    "publishing_denied",
    "too_many_presets",
    "job_under_way",
    "edit_conflict",
    "split_too_deep",
    "nothing_to_undo",
    "nothing_to_redo",
    "too_many_marks",
    "too_many_annotations",
    "group_name_taken",
    "too_many_tags",
    "too_many_folders",
    "too_many_tags_of_job",
    "too_many_analyses",
    "assistant_unavailable",
    "analysis_failed",
    "job_ended",
    "transcript_not_ready",
    "unknown_format",
    "font_missing",
    "expires_in_past",
    "too_many_shares",
    "share_password_required",
    "share_password_wrong",
    "comments_not_allowed",
    "edits_not_allowed",
    "text_replaced",
    "too_many_shared_edits",
    "too_many_comments",
    "waveform_not_ready",
    "range_not_satisfiable",
    "method_not_allowed",
    "conflict",
    "bad_request",
    "host_missing",
    "validation_failed",
    "rate_limited",
    "upload_too_large",
    "upload_empty",
    "unsupported_media",
    "upload_offset_mismatch",
    "upload_length_mismatch",
    "upload_locked",
    "upload_expired",
    "checksum_mismatch",
    "too_many_uploads",
    "upload_incomplete",
    "upload_refused",
    "storage_full",
    "data_folder_missing",
    "upload_already_used",
    "tus_header_invalid",
    "tus_version",
    "url_refused",
    "url_unreachable",
    "url_not_media",
    "url_too_large",
    "url_needs_downloader",
    "too_many_jobs",
    "analysis_running",
    "analysis_stopped",
    "analysis_unsupported",
    "analysis_empty_text",
    "analysis_model_unusable",
    "analysis_unreachable",
    "analysis_busy",
    "analysis_refused",
    "analysis_bad_answer",
    "signup_closed",
    "url_fetch_off",
    "recording_off",
    "sharing_off",
    "assistant_off",
    "contact_off",
    "newsletter_off",
    "too_many_waiting",
    "model_busy",
    "model_missing",
    "model_in_use",
    "model_unfit",
    "feature_unavailable",
    "too_many_webhook_services",
    "webhook_mode_taken",
    "webhook_address_refused",
    "webhook_test_not_resent",
    "webhook_service_inactive",
    "plan_in_use",
    "plan_raced",
    "plan_request_open",
    "plan_held_already",
    "plan_request_ended",
    "nocodb_not_configured",
    "nocodb_token_missing",
    "nocodb_running",
    "email_unchanged",
    "email_codes_expired",
    "email_codes_invalid",
    "format_not_in_plan",
    "translation_not_ready",
    "own_account",
    "url_redirects",
    "url_not_found",
    "url_forbidden",
    "url_server_error",
    "url_status",
];

/// Codes of sign-in with OpenID, handed to the page in its address; their texts are in `auth.json`.
pub const SIGN_IN: &[&str] = &["google_failed", "google_unverified"];

/// Why a job has no text, or a file is refused; their texts are `job.<code>` of `problems.json`.
pub const JOB_FAULTS: &[&str] = &[
    "url_refused",
    "url_unreachable",
    "url_not_media",
    "url_too_large",
    "url_needs_downloader",
    "empty_file",
    "unsupported_format",
    "damaged",
    "no_audio_track",
    "no_such_track",
    "no_samples",
    "unsupported_codec",
    "bad_sample_rate",
    "bad_channels",
    "too_long",
    "too_slow",
    "decoder_missing",
    "unreadable",
    "io",
    "no_speech",
    "model_missing",
    "model_unusable",
    "unsupported_language",
    "feature_unavailable",
    "webhook_transcription_failed",
    "recognition_failed",
    "worker_lost",
    "minutes_exceeded",
    "duration_over_plan",
    "row_unreadable",
    "storage_failed",
    "cancelled",
    "internal",
    "url_redirects",
    "url_not_found",
    "url_forbidden",
    "url_server_error",
    "url_status",
];

/// What is wrong with a damaged file; their texts are `damage.<code>` of `problems.json`.
pub const DAMAGES: &[&str] = &[
    "checksum",
    "no_index",
    "cut_off",
    "unsupported",
    "impossible",
    "header",
    "sound",
    "structure",
];

/// What was not quite right in a job that finished; their texts are `warnings.<code>` of
/// `problems.json`.
pub const WARNINGS: &[&str] = &[
    "damaged_tail",
    "damaged_parts",
    "one_channel",
    "channels_equal",
    "too_many_channels",
    "language_uncertain",
    "vocabulary_shortened",
    "no_speech",
    "speakers_failed",
];

/// Why a service was not reached or did not take what it was told; their texts are
/// `reasons.<code>` of `admin-webhooks.json` and of `problems.json`.
pub const WEBHOOK_FAILURES: &[&str] = &[
    "http_status",
    "redirected",
    "timed_out",
    "no_connection",
    "not_http",
    "broken_off",
    "too_long",
    "refused_address",
    "refused_port",
    "refused_url",
];

/// What is wrong with the text that a service gave; their texts are `reasons.<code>` of
/// `problems.json`.
pub const WEBHOOK_ANSWERS: &[&str] = &[
    "answer_shape",
    "answer_times",
    "answer_too_much",
    "answer_language",
];

/// Why an analysis failed; they are among [`PROBLEMS`].
pub const ANALYSIS_FAILURES: &[&str] = &[
    "analysis_stopped",
    "analysis_unsupported",
    "analysis_empty_text",
    "analysis_model_unusable",
    "analysis_unreachable",
    "analysis_busy",
    "analysis_refused",
    "analysis_bad_answer",
];

/// Why a mail did not get out; their texts are `mail.failure.<code>` of `admin-config.json`.
pub const MAIL_FAILURES: &[&str] = &[
    "address",
    "unwritable",
    "unreachable",
    "sign_in",
    "refused",
    "postponed",
    "timed_out",
    "outbox",
];

/// Why a model was not pulled; their texts are `models.failure.<code>` of `admin-config.json`.
pub const MODEL_FAILURES: &[&str] = &[
    "unreachable",
    "refused",
    "not_a_model",
    "broken_off",
    "no_pip",
    "packages",
    "convert",
    "checksum",
    "folder",
    "no_room",
    "no_source",
    "not_offered",
    "busy",
    "all_sources",
];

/// Why a run with NocoDB failed; their texts are `hints.<code>` of `admin-nocodb.json`.
pub const NOCODB_FAILURES: &[&str] = &[
    "token_missing",
    "address",
    "dns",
    "refused",
    "tls",
    "timeout",
    "broken",
    "redirected",
    "unauthorized",
    "forbidden",
    "not_found",
    "not_nocodb",
    "schema",
    "rate_limited",
    "server",
    "rejected",
    "too_large",
    "malformed",
    "stopped",
    "internal",
    "lost",
];

/// Why a row of NocoDB's was left as it is; their texts are `row_problems.<code>` of
/// `admin-nocodb.json`.
pub const NOCODB_ROW_PROBLEMS: &[&str] = &[
    "invalid",
    "duplicate",
    "unknown_row",
    "owner",
    "last_admin",
    "no_plan",
    "name_required",
    "rejected",
    "removed_there",
];

/// Whether a problem document may have this code.
#[must_use]
pub fn is_problem(code: &str) -> bool {
    PROBLEMS.contains(&code) || JOB_FAULTS.contains(&code)
}
