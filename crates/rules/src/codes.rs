//! All stable codes that can be displayed. A code without a text in the locale files would be
//! displayed raw, so a test checks these lists in both languages, and that every code used in the
//! server is listed here.

mod audit;
mod problem;

pub use audit::{AUDIT_ACTIONS, AUDIT_FIELDS};
pub use problem::ProblemCode;

/// Codes of sign-in with OpenID, passed to the page in its URL; their texts are in `auth.json`.
pub const SIGN_IN: &[&str] = &["google_failed", "google_unverified"];

/// Why a job failed or a file is rejected; their texts are `job.<code>` of `problems.json`.
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
    "speech_endpoint_failed",
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
    "url_not_public",
    "url_is_folder",
];

/// Kinds of damage in a file; their texts are `damage.<code>` of `problems.json`.
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

/// Warnings about a completed job; their texts are `warnings.<code>` of `problems.json`.
pub const WARNINGS: &[&str] = &[
    "damaged_tail",
    "damaged_parts",
    "one_channel",
    "channels_equal",
    "too_many_channels",
    "language_uncertain",
    "vocabulary_shortened",
    "endpoint_fell_back",
    "no_speech",
    "speech_unrecognised",
    "speakers_failed",
    "lite_not_english",
    "language_served_poorly",
    "translation_unsuitable",
    "much_unrecognised",
];

/// Why a service was not reached or did not accept an event; their texts are `reasons.<code>` of
/// `webhooks.json` and of `problems.json`.
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

/// Errors in the text returned by a service; their texts are `reasons.<code>` of `problems.json`.
pub const WEBHOOK_ANSWERS: &[&str] = &[
    "answer_shape",
    "answer_times",
    "answer_too_much",
    "answer_language",
];

/// Why a speech endpoint returned no text, besides [`WEBHOOK_FAILURES`] and [`WEBHOOK_ANSWERS`]; their
/// texts are `reasons.<code>` of `problems.json`.
pub const SPEECH_ENDPOINT_FAILURES: &[&str] = &[
    "rejected",
    "unauthorized",
    "not_found",
    "busy",
    "answer_compressed",
];

/// Why an analysis failed; their texts are `codes.<code>` of `problems.json`, like those of [`ProblemCode`].
pub const ANALYSIS_FAILURES: &[&str] = &[
    "analysis_failed",
    "analysis_stopped",
    "analysis_unsupported",
    "analysis_empty_text",
    "analysis_model_unusable",
    "analysis_unreachable",
    "analysis_busy",
    "analysis_refused",
    "analysis_bad_answer",
    // // Diarization that was requested after the text was ready.
    "feature_unavailable",
];

/// Why a stretch of a recording was not recognised again, besides [`JOB_FAULTS`]; their texts are
/// `stretch.<code>` of `problems.json`.
pub const STRETCH_FAILURES: &[&str] = &[
    "nothing_recognised",
    "edited_meanwhile",
    "recording_missing",
    "text_too_deep",
];

/// Why a mail was not sent; their texts are `mail.failure.<code>` of `admin-config.json`.
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

/// Why a model was not downloaded; their texts are `models.failure.<code>` of `admin-config.json`.
pub const MODEL_FAILURES: &[&str] = &[
    "unreachable",
    "refused",
    "not_a_model",
    "broken_off",
    "checksum",
    "folder",
    "no_room",
    "no_source",
    "not_offered",
    "busy",
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

/// Why a row of NocoDB was not applied; their texts are `row_problems.<code>` of
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
