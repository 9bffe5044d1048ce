// Made from crates/rules by `cargo xtask gen`; crates/rules/tests/web_constants.rs says what is in here.
// Values only: what is computed is asked of `@/rules`, and this file loads no WebAssembly.

/** Most edits of one request. */
export const MAX_EDITS = 100;

/** Longest name of a speaker, in characters. */
export const MAX_SPEAKER_NAME = 80;

/** Shortest cue, in seconds. */
export const MIN_CUE_SECONDS = 0.04;

/** Most breaks of lines in one cue. */
export const MAX_BREAKS = 3;

/** Longest quotation of a bookmark or a highlight, in characters. */
export const MAX_QUOTE = 2000;

/** Most highlights that one selection makes. */
export const MAX_ANNOTATIONS_AT_ONCE = 50;

/** Colours of highlights. */
export const ANNOTATION_COLOURS = ["yellow", "green", "blue", "pink"] as const;

/** Colours of speakers, tags and folders, numbered from 0. */
export const SPEAKER_COLORS = 8;

/** Longest stretch that is recognised again, in seconds. */
export const MAX_STRETCH_SECONDS = 300.0;

/** Shortest stretch that is recognised again, in seconds. */
export const MIN_STRETCH_SECONDS = 0.2;

/** Longest name of a state of a text, in characters. */
export const MAX_MARK_NAME = 80;

/** Longest question about a text, in characters. */
export const MAX_QUESTION = 2000;

/** What visitors of a link may do. */
export const SHARE_RIGHTS = ["read", "comment", "edit"] as const;

/** Longest name of a visitor, in characters. */
export const MAX_VISITOR_NAME = 80;

/** Longest line that a visitor may write, in characters. */
export const MAX_VISITOR_TEXT = 5000;

/** Figures and lists that texts name, as `{{limits.presets}}`. */
export const TEXT_LIMITS = {
  admin_jobs: 100,
  annotations: 500,
  api_requests_per_minute: 600,
  avatar_mb: 2,
  basic_formats: "TXT",
  code_letters: 5,
  code_minutes: 15,
  confirm_days: 7,
  example_figure: 12,
  invitation_days: 3,
  jobs: 100,
  last_basic_format: "VTT",
  last_media_type: "mkv",
  last_paged_format: "PDF",
  last_word_format: "VTT",
  line_columns: 60,
  links: 10,
  media_types: "mp3, wav, m4a, flac, ogg, webm, mp4, avi, mov",
  min_cue_seconds: 0.04,
  openid_minutes: 10,
  page_lines: 25,
  paged_formats: "TXT, DOCX",
  presets: 500,
  registration_hours: 24,
  reset_link_hours: 1,
  session_days: 30,
  share_grant_hours: 6,
  shares: 100,
  sidebar_days: 7,
  sign_in_days: 90,
  sources: 20,
  tab_lease_seconds: 90,
  tags: 20,
  targets: 10,
  template_mb: 2,
  template_parts: 200,
  template_unpacked_mb: 20,
  temporary_session_hours: 24,
  testimonials: 12,
  undo_seconds: 10,
  unsubscribed_days: 30,
  upload_hours: 24,
  upload_mb: 500,
  user_webhooks: 20,
  voice_days: 7,
  webhook_log_days: 30,
  webhook_retries: 9,
  webhook_retry_days: 3,
  webhook_seconds: 15,
  word_formats: "JSON, CSV",
} as const;

/** Uploads that one user may have under way, or finished and not taken by a job, at once. */
export const MAX_OPEN_UPLOADS = 20;

/** Most jobs of one request. */
export const MAX_JOBS_AT_ONCE = 100;

/** Where a recording comes from. */
export const SOURCES = ["file", "url", "voice"] as const;

/** Formats of files of a text, in the order in which they are offered. */
export const EXPORT_FORMATS = ["docx", "pdf", "txt", "md", "srt", "vtt", "ttml", "stl", "csv", "json"] as const;

/** Those of timed lines. */
export const SUBTITLE_FORMATS = ["srt", "vtt", "ttml", "stl"] as const;

/** Those that can say when each word is said. */
export const WORD_TIME_FORMATS = ["vtt", "csv", "json"] as const;

/** Those that can end with bookmarks and notes. */
export const ANNOTATION_FORMATS = ["docx", "pdf", "txt", "md", "json"] as const;

/** Those of text that is read. */
export const READ_FORMATS = ["txt", "md", "docx", "pdf"] as const;

/** Largest template of a DOCX file, in bytes. */
export const MAX_TEMPLATE_BYTES = 2097152;

/** Longest name of a preset, in characters. */
export const MAX_PRESET_NAME = 200;

/** Largest file of presets, in bytes. */
export const MAX_PRESET_IMPORT_BYTES = 2097152;

/** Longest message with a wish for a plan, in characters. */
export const MAX_REQUEST_MESSAGE = 1000;

/** Least minutes of a correction. */
export const MIN_MINUTES = 0.01;

/** What a correction of minutes does. */
export const BALANCE_OPERATIONS = ["add", "subtract"] as const;

/** Most stars of a testimonial. */
export const MAX_RATING = 5;

/** How long a deletion can be undone, in milliseconds. */
export const UNDO_MS = 10000;

/** How long the lock of a crashed tab keeps other tabs from working in its place, in milliseconds. */
export const TAB_LEASE_MS = 90000;

/** Below this width the sidebar slides in, in CSS pixels. */
export const MOBILE_BREAKPOINT_PX = 768;

/** How long the sidebar's state is remembered, in days. */
export const SIDEBAR_COOKIE_DAYS = 7;

/** Newest jobs that are offered. */
export const RECENT_JOBS = 10;

/** Jobs on a page of the user's list. */
export const JOBS_PAGE = 50;

/** Transcriptions on a page of search results. */
export const SEARCH_PAGE = 10;

/** Passages of one transcription on a page of search results. */
export const PASSAGES_PAGE = 50;

/** Rows of the usage history. */
export const USAGE_HISTORY_ROWS = 20;

/** Modes of recognition. */
export const TRANSCRIPTION_TYPES = ["full", "lite"] as const;

/** What `translate` is when the recognition model is to translate. */
export const TRANSLATE_TO_ENGLISH = "to_eng";

/** Parts of the settings form. */
export const SETTING_TABS = ["basic", "advanced"] as const;

/** What a plan may let its users ask for. */
export const PLAN_FEATURES = ["diarization", "translation", "realtime", "analytics", "api", "export_formats"] as const;

/** Places of a plan's jobs in the queue, the last one first. */
export const QUEUE_SPEEDS = ["standard", "fast", "ultra_fast"] as const;

/** Guides that subtitles can keep to. */
export const SUBTITLE_PRESETS = ["netflix", "bbc"] as const;

/** Most parts of a recording that are sent to the speech endpoint at once. */
export const MAX_PARALLEL_PARTS = 16;

/** Rows on a page of an administrator's list. */
export const ADMIN_PAGE = 50;

/** Jobs in the administrator's list. */
export const ADMIN_JOBS = 100;

/** What an account may do. */
export const ROLES = ["user", "admin"] as const;

/** Whether an account may sign in. */
export const ACCOUNT_STATUSES = ["active", "blocked"] as const;

/** What this server is. */
export const EDITIONS = ["service", "organisation"] as const;

/** How a sign-in ends. */
export const SIGN_IN_OUTCOMES = [
  "signed_in",
  "wrong_password",
  "wrong_code",
  "unknown_address",
  "unverified",
  "blocked",
  "limited",
  "provider_failed",
] as const;

/** What webhooks of users can be notified of. */
export const WEBHOOK_EVENTS = [
  "upload.completed",
  "job.completed",
  "job.failed",
  "analysis.completed",
  "analysis.failed",
] as const;

/** What has become of a recording at a source. */
export const SOURCE_RECORDING_STATES = ["skipped", "waiting", "started", "failed"] as const;

/** Formats of a target's files. */
export const TARGET_FORMATS = ["md", "txt", "srt", "docx"] as const;

/** What has become of a text at a target. */
export const TARGET_FILE_STATES = ["waiting", "written", "foreign", "failed"] as const;

/** Why a webhook service did not take what it was told. */
export const WEBHOOK_FAILURES = [
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
] as const;

/** Why a mail did not get out. */
export const MAIL_FAILURES = [
  "address",
  "unwritable",
  "unreachable",
  "sign_in",
  "refused",
  "postponed",
  "timed_out",
  "outbox",
] as const;

/** Why a model was not installed. */
export const MODEL_FAILURES = [
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
] as const;

/** What administrators do. */
export const AUDIT_ACTIONS = [
  "user.create",
  "user.rename",
  "user.set_status",
  "user.set_role",
  "user.set_plan",
  "user.adjust_balance",
  "user.end_sessions",
  "user.revoke_key",
  "user.send_link",
  "user.export",
  "user.delete",
  "plan.create",
  "plan.update",
  "plan.delete",
  "plan.demo",
  "plan.terms",
  "plan_request.approve",
  "plan_request.decline",
  "preset.create",
  "preset.update",
  "preset.delete",
  "preset.import",
  "preset.load_standard",
  "preset.sync",
  "webhook_service.create",
  "webhook_service.update",
  "webhook_service.delete",
  "nocodb.configure",
  "nocodb.sync",
  "settings.update",
  "site.update",
  "model.pull",
  "model.verify",
  "model.remove",
  "model.use",
  "analysis.configure",
  "speech_endpoint.configure",
  "mail.test",
  "backup.start",
  "job.open",
  "job.retry",
  "job.cancel",
  "job.delete",
  "contact_message.handle",
  "contact_message.delete",
] as const;
