//! The rules' values that the web application uses without calling WASM: generates and checks
//! `constants.ts` and `appearance.ts` of `web/src/rules`. `cargo xtask gen` writes them after
//! `web/openapi.json`, which supplies the lists that only the server knows.
//!
//! To use another value in the browser, add it to [`constants`]; `npm run check:unused` finds
//! values that the browser no longer uses.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use slovo_rules::plan::{self, PlanFeature, QueueSpeed};
use slovo_rules::settings::{self, Source, TranscriptionType};
use slovo_rules::share::{self, ShareRights};
use slovo_rules::sign_in::SignInOutcome;
use slovo_rules::{
    analysis, annotation, balance, codes, edit, export, job, limits, locale, mark, preset, site,
    speech_endpoint, stretch, subtitles, text_limits, transcript, upload,
};

/// When this is set, the files are written before they are checked.
const WRITE: &str = "SLOVO_WRITE_CONSTANTS";

const HEAD: &str = "\
// Made from crates/rules by `cargo xtask gen`; crates/rules/tests/web_constants.rs says what is in here.
// Values only: what is computed is asked of `@/rules`, and this file loads no WebAssembly.
";

/// The longest line that the web's formatter leaves unchanged, in characters.
const LINE: usize = 130;

/// A name, a description, and a value.
type Constant = (&'static str, &'static str, Value);

/// The files with their contents. The second one is also for the public pages, whose scripts are
/// small.
fn files() -> [(&'static str, Vec<Constant>); 2] {
    let application = [
        texts(),
        jobs_and_files(),
        forms(),
        pages(),
        settings_and_plans(),
        administration(),
    ];
    [
        ("constants.ts", application.concat()),
        ("appearance.ts", appearance()),
    ]
}

fn texts() -> Vec<Constant> {
    vec![
        (
            "MAX_EDITS",
            "Most edits of one request.",
            json!(edit::MAX_EDITS),
        ),
        (
            "MAX_SPEAKER_NAME",
            "Longest name of a speaker, in characters.",
            json!(edit::MAX_SPEAKER_NAME),
        ),
        (
            "MIN_CUE_SECONDS",
            "Shortest cue, in seconds.",
            json!(edit::MIN_CUE_SECONDS),
        ),
        (
            "MAX_BREAKS",
            "Most breaks of lines in one cue.",
            json!(edit::MAX_BREAKS),
        ),
        (
            "MAX_QUOTE",
            "Longest quotation of a bookmark or a highlight, in characters.",
            json!(annotation::MAX_QUOTE),
        ),
        (
            "MAX_ANNOTATIONS_AT_ONCE",
            "Most highlights that one selection makes.",
            json!(annotation::MAX_AT_ONCE),
        ),
        (
            "ANNOTATION_COLOURS",
            "Colours of highlights.",
            names(
                annotation::AnnotationColour::ALL,
                annotation::AnnotationColour::as_str,
            ),
        ),
        (
            "SPEAKER_COLORS",
            "Colours of speakers, tags and folders, numbered from 0.",
            json!(transcript::SPEAKER_COLORS),
        ),
        (
            "MAX_STRETCH_SECONDS",
            "Longest stretch that is recognised again, in seconds.",
            json!(stretch::MAX_SECONDS),
        ),
        (
            "MIN_STRETCH_SECONDS",
            "Shortest stretch that is recognised again, in seconds.",
            json!(stretch::MIN_SECONDS),
        ),
        (
            "MAX_MARK_NAME",
            "Longest name of a state of a text, in characters.",
            json!(mark::MAX_NAME),
        ),
        (
            "MAX_QUESTION",
            "Longest question about a text, in characters.",
            json!(analysis::MAX_QUESTION),
        ),
        (
            "SHARE_RIGHTS",
            "What visitors of a link may do.",
            names(ShareRights::ALL, ShareRights::as_str),
        ),
        (
            "MAX_VISITOR_NAME",
            "Longest name of a visitor, in characters.",
            json!(share::MAX_NAME),
        ),
        (
            "MAX_VISITOR_TEXT",
            "Longest line that a visitor may write, in characters.",
            json!(share::MAX_VISITOR_TEXT),
        ),
    ]
}

fn jobs_and_files() -> Vec<Constant> {
    vec![
        (
            "TEXT_LIMITS",
            "Figures and lists that texts name, as `{{limits.presets}}`.",
            text_limits::all()
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        ),
        (
            "MAX_OPEN_UPLOADS",
            "Uploads that one user may have under way, or finished and not taken by a job, at once.",
            json!(upload::MAX_OPEN_UPLOADS),
        ),
        (
            "MAX_JOBS_AT_ONCE",
            "Most jobs of one request.",
            json!(job::MAX_AT_ONCE),
        ),
        (
            "SOURCES",
            "Where a recording comes from.",
            names(Source::ALL, Source::as_str),
        ),
        (
            "EXPORT_FORMATS",
            "Formats of files of a text, in the order in which they are offered.",
            json!(export::FORMATS),
        ),
        (
            "SUBTITLE_FORMATS",
            "Those of timed lines.",
            json!(export::SUBTITLE_FORMATS),
        ),
        (
            "WORD_TIME_FORMATS",
            "Those that can say when each word is said.",
            json!(export::WORD_TIME_FORMATS),
        ),
        (
            "ANNOTATION_FORMATS",
            "Those that can end with bookmarks and notes.",
            json!(export::ANNOTATION_FORMATS),
        ),
        (
            "READ_FORMATS",
            "Those of text that is read.",
            json!(export::READ_FORMATS),
        ),
        (
            "MAX_TEMPLATE_BYTES",
            "Largest template of a DOCX file, in bytes.",
            json!(export::MAX_TEMPLATE_BYTES),
        ),
    ]
}

fn forms() -> Vec<Constant> {
    vec![
        (
            "MAX_PRESET_NAME",
            "Longest name of a preset, in characters.",
            json!(preset::MAX_NAME),
        ),
        (
            "MAX_PRESET_IMPORT_BYTES",
            "Largest file of presets, in bytes.",
            json!(preset::MAX_IMPORT_BYTES),
        ),
        (
            "MAX_REQUEST_MESSAGE",
            "Longest message with a wish for a plan, in characters.",
            json!(plan::MAX_REQUEST_MESSAGE),
        ),
        (
            "MIN_MINUTES",
            "Least minutes of a correction.",
            json!(balance::MIN_MINUTES),
        ),
        (
            "BALANCE_OPERATIONS",
            "What a correction of minutes does.",
            names(balance::Operation::ALL, balance::Operation::as_str),
        ),
        (
            "MAX_RATING",
            "Most stars of a testimonial.",
            json!(site::MAX_RATING),
        ),
    ]
}

fn appearance() -> Vec<Constant> {
    vec![
        (
            "LOCALES",
            "Languages of the interface.",
            names(locale::Locale::ALL, locale::Locale::as_str),
        ),
        (
            "THEMES",
            "Looks of the interface.",
            names(locale::Theme::ALL, locale::Theme::as_str),
        ),
    ]
}

fn pages() -> Vec<Constant> {
    vec![
        (
            "UNDO_MS",
            "How long a deletion can be undone, in milliseconds.",
            json!(limits::UNDO_SECONDS * 1000),
        ),
        (
            "TAB_LEASE_MS",
            "How long the lock of a crashed tab keeps other tabs from working in its place, in milliseconds.",
            json!(limits::TAB_LEASE_SECONDS * 1000),
        ),
        (
            "MOBILE_BREAKPOINT_PX",
            "Below this width the sidebar slides in, in CSS pixels.",
            json!(limits::MOBILE_BREAKPOINT_PX),
        ),
        (
            "SIDEBAR_COOKIE_DAYS",
            "How long the sidebar's state is remembered, in days.",
            json!(limits::SIDEBAR_COOKIE_DAYS),
        ),
        (
            "RECENT_JOBS",
            "Newest jobs that are offered.",
            json!(limits::RECENT_JOBS),
        ),
        (
            "JOBS_PAGE",
            "Jobs on a page of the user's list.",
            json!(limits::JOBS_PAGE),
        ),
        (
            "SEARCH_PAGE",
            "Transcriptions on a page of search results.",
            json!(limits::SEARCH_PAGE),
        ),
        (
            "PASSAGES_PAGE",
            "Passages of one transcription on a page of search results.",
            json!(limits::PASSAGES_PAGE),
        ),
        (
            "USAGE_HISTORY_ROWS",
            "Rows of the usage history.",
            json!(limits::USAGE_HISTORY_ROWS),
        ),
    ]
}

fn settings_and_plans() -> Vec<Constant> {
    vec![
        (
            "TRANSCRIPTION_TYPES",
            "Modes of recognition.",
            names(TranscriptionType::ALL, TranscriptionType::as_str),
        ),
        (
            "TRANSLATE_TO_ENGLISH",
            "What `translate` is when the recognition model is to translate.",
            json!(settings::TRANSLATE_TO_ENGLISH),
        ),
        (
            "SETTING_TABS",
            "Parts of the settings form.",
            names(settings::SettingTab::ALL, settings::SettingTab::as_str),
        ),
        (
            "PLAN_FEATURES",
            "What a plan may let its users ask for.",
            names(PlanFeature::ALL, PlanFeature::as_str),
        ),
        (
            "QUEUE_SPEEDS",
            "Places of a plan's jobs in the queue, the last one first.",
            names(QueueSpeed::ALL, QueueSpeed::as_str),
        ),
        (
            "SUBTITLE_PRESETS",
            "Guides that subtitles can keep to.",
            names(
                subtitles::SubtitlePreset::ALL,
                subtitles::SubtitlePreset::as_str,
            ),
        ),
    ]
}

fn administration() -> Vec<Constant> {
    vec![
        (
            "MAX_PARALLEL_PARTS",
            "Most parts of a recording that are sent to the speech endpoint at once.",
            json!(speech_endpoint::MAX_PARALLEL),
        ),
        (
            "ADMIN_PAGE",
            "Rows on a page of an administrator's list.",
            json!(limits::ADMIN_PAGE),
        ),
        (
            "ADMIN_JOBS",
            "Jobs in the administrator's list.",
            json!(limits::ADMIN_JOBS),
        ),
        ("ROLES", "What an account may do.", enumerated("Role")),
        (
            "ACCOUNT_STATUSES",
            "Whether an account may sign in.",
            enumerated("AccountStatus"),
        ),
        (
            "EDITIONS",
            "What this server is.",
            names(site::Edition::ALL, site::Edition::as_str),
        ),
        (
            "SIGN_IN_OUTCOMES",
            "How a sign-in ends.",
            names(SignInOutcome::ALL, SignInOutcome::as_str),
        ),
        (
            "WEBHOOK_EVENTS",
            "What webhooks of users can be notified of.",
            enumerated("WebhookEvent"),
        ),
        (
            "SOURCE_RECORDING_STATES",
            "What has become of a recording at a source.",
            enumerated("SourceRecordingState"),
        ),
        (
            "TARGET_FORMATS",
            "Formats of a target's files.",
            enumerated("TargetFormat"),
        ),
        (
            "TARGET_FILE_STATES",
            "What has become of a text at a target.",
            enumerated("TargetFileState"),
        ),
        (
            "WEBHOOK_FAILURES",
            "Why a webhook service did not take what it was told.",
            json!(codes::WEBHOOK_FAILURES),
        ),
        (
            "MAIL_FAILURES",
            "Why a mail did not get out.",
            json!(codes::MAIL_FAILURES),
        ),
        (
            "MODEL_FAILURES",
            "Why a model was not installed.",
            json!(codes::MODEL_FAILURES),
        ),
        (
            "AUDIT_ACTIONS",
            "What administrators do.",
            json!(codes::AUDIT_ACTIONS),
        ),
    ]
}

fn names<T: Copy>(all: &[T], name: impl Fn(T) -> &'static str) -> Value {
    all.iter().copied().map(name).collect()
}

/// The values of an enum of the API.
fn enumerated(schema: &str) -> Value {
    let path = web().join("openapi.json");
    let document = std::fs::read_to_string(path).expect("web/openapi.json");
    let document: Value = serde_json::from_str(&document).expect("JSON");
    let values = &document["components"]["schemas"][schema]["enum"];
    assert!(values.is_array(), "{schema} is no enum of the API");
    values.clone()
}

fn web() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web")
}

fn typescript(constants: &[Constant]) -> String {
    let mut text = HEAD.to_owned();
    for (name, about, value) in constants {
        let declaration = format!("export const {name} = ");
        let value = literal(value, declaration.len());
        write!(text, "\n/** {about} */\n{declaration}{value};\n").expect("memory");
    }
    text
}

/// A value as the web's formatter writes it after `indent` characters.
fn literal(value: &Value, indent: usize) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(Value::to_string).collect();
            let line = format!("[{}] as const", items.join(", "));
            if indent + line.len() < LINE {
                return line;
            }
            format!("[\n  {},\n] as const", items.join(",\n  "))
        }
        Value::Object(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{key}: {value}"))
                .collect();
            format!("{{\n  {},\n}} as const", entries.join(",\n  "))
        }
        other => other.to_string(),
    }
}

#[test]
fn the_generated_constants_match_the_rules() {
    for (name, constants) in files() {
        let path = web().join("src/rules").join(name);
        let expected = typescript(&constants);
        if std::env::var_os(WRITE).is_some() {
            std::fs::write(&path, &expected).expect("written");
        }
        let actual = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            actual == expected,
            "web/src/rules/{name} is not what the rules say: run `cargo xtask gen`"
        );
    }
}

#[test]
fn constant_names_are_unique() {
    let all = files().into_iter().flat_map(|(_, constants)| constants);
    let mut names: Vec<_> = all.map(|(name, ..)| name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
