//! Figures displayed or used by pages that belong to no single rule.

use serde::{Deserialize, Serialize};

use crate::{account, analysis, matrix, profile, settings, transcript, upload};

/// Number of recent jobs on the dashboard and in other selections.
pub const RECENT_JOBS: u32 = 10;
/// Rows of the usage history.
pub const USAGE_HISTORY_ROWS: u32 = 20;
/// Jobs on a page of the user's list.
pub const JOBS_PAGE: u32 = 50;
/// Transcripts on a page of search results, by default.
pub const SEARCH_PAGE: u32 = 10;
/// Passages of one transcript on a page of search results, by default.
pub const PASSAGES_PAGE: u32 = 50;
/// Rows on a page of an administrator's list, by default.
pub const ADMIN_PAGE: u32 = 50;
/// Jobs in the administrator's list.
pub const ADMIN_JOBS: u32 = 100;
/// Delay of autosave after the last key, in milliseconds.
pub const AUTOSAVE_DELAY_MS: u32 = 1000;
/// How long `saved` is displayed, in milliseconds.
pub const SAVED_INDICATOR_MS: u32 = 2000;
/// How long a list of violations is displayed, in milliseconds.
pub const VALIDATION_TOAST_MS: u32 = 5000;
/// How long a deletion in the browser can be undone, in seconds.
pub const UNDO_SECONDS: u32 = 10;
/// How long the lock of a crashed tab keeps other tabs from taking over its work, in seconds, in
/// browsers without Web Locks. Long, because hidden tabs may run timers only once a minute.
pub const TAB_LEASE_SECONDS: u32 = 90;
/// Below this width the sidebar is an overlay, in CSS pixels.
pub const MOBILE_BREAKPOINT_PX: u32 = 768;
/// How long the sidebar's state is stored, in days.
pub const SIDEBAR_COOKIE_DAYS: u32 = 7;
/// Free trial of the Professional plan, in days.
pub const TRIAL_DAYS: u32 = 14;
/// How long before the end of a trial the user gets a mail, in days.
pub const TRIAL_NOTICE_DAYS: u32 = 2;
/// Refund period, in days.
pub const REFUND_DAYS: u32 = 30;
/// Number of presets that come with the program.
pub const BUILT_IN_PRESETS: u32 = 26;

/// All limits in one object, for the browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct Limits {
    /// Largest upload, in bytes.
    pub max_upload_bytes: u64,
    /// Number of first bytes from which the type of a file is detected.
    pub sniff_bytes: u32,
    /// Largest avatar, in bytes.
    pub max_avatar_bytes: u64,
    /// Longest custom prompt, in characters.
    pub max_custom_prompt: u32,
    /// Longest summary, in words.
    pub max_summarize: u32,
    /// Maximum number of classification labels.
    pub max_labels: u32,
    /// Score from which a label counts as found in a text, in percent.
    pub label_found_percent: u32,
    /// Maximum number of terms in a vocabulary.
    pub max_vocabulary_terms: u32,
    /// Characters of a verification code.
    pub verification_code_length: u32,
    /// How much longer diarization takes, in percent.
    pub diarization_extra_percent: u32,
    /// Confidence below which a word is uncertain, in percent.
    pub unsure_below_percent: u32,
    /// Newest jobs on the dashboard.
    pub recent_jobs: u32,
    /// Rows of the usage history.
    pub usage_history_rows: u32,
    /// Jobs in the administrator's list.
    pub admin_jobs: u32,
    /// Delay of autosave after the last key, in milliseconds.
    pub autosave_delay_ms: u32,
    /// How long `saved` is displayed, in milliseconds.
    pub saved_indicator_ms: u32,
    /// How long a list of violations is displayed, in milliseconds.
    pub validation_toast_ms: u32,
    /// Below this width the sidebar is an overlay, in CSS pixels.
    pub mobile_breakpoint_px: u32,
    /// How long the sidebar's state is stored, in days.
    pub sidebar_cookie_days: u32,
    /// Length of the free trial, in days.
    pub trial_days: u32,
    /// Refund period, in days.
    pub refund_days: u32,
}

/// The limits.
pub const LIMITS: Limits = Limits {
    max_upload_bytes: upload::MAX_UPLOAD_BYTES,
    sniff_bytes: upload::SNIFF_BYTES as u32,
    max_avatar_bytes: profile::MAX_AVATAR_BYTES,
    max_custom_prompt: settings::MAX_CUSTOM_PROMPT as u32,
    max_summarize: settings::MAX_SUMMARIZE as u32,
    max_labels: settings::MAX_LABELS as u32,
    label_found_percent: (analysis::LABEL_FOUND * 100.0) as u32,
    max_vocabulary_terms: settings::MAX_VOCABULARY_TERMS as u32,
    verification_code_length: account::VERIFICATION_CODE_LENGTH as u32,
    diarization_extra_percent: matrix::DIARIZATION_EXTRA_PERCENT,
    unsure_below_percent: transcript::UNSURE_BELOW_PERCENT,
    recent_jobs: RECENT_JOBS,
    usage_history_rows: USAGE_HISTORY_ROWS,
    admin_jobs: ADMIN_JOBS,
    autosave_delay_ms: AUTOSAVE_DELAY_MS,
    saved_indicator_ms: SAVED_INDICATOR_MS,
    validation_toast_ms: VALIDATION_TOAST_MS,
    mobile_breakpoint_px: MOBILE_BREAKPOINT_PX,
    sidebar_cookie_days: SIDEBAR_COOKIE_DAYS,
    trial_days: TRIAL_DAYS,
    refund_days: REFUND_DAYS,
};
