//! What the web application needs of the rules as plain values, without calling them:
//! `web/src/rules/constants.ts` is made here and checked here. `cargo xtask gen` writes it.
//!
//! Whoever needs one more value in the browser adds it to [`constants`]; a value that the
//! browser no longer uses is found by `npm run check:unused`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use slovo_rules::plan::{self, BASIC_FORMATS, PlanFeature, QueueSpeed};
use slovo_rules::settings::{self, Source, TranscriptionSettings, TranscriptionType, check_plan};
use slovo_rules::share::{self, ShareRights};
use slovo_rules::sign_in::{self, SignInOutcome};
use slovo_rules::upload::AudioType;
use slovo_rules::{
    account, analysis, annotation, balance, codes, edit, export, group, job, limits, locale, mark,
    preset, profile, site, subtitles, webhook,
};

/// When this is set, the file is written instead of checked.
const WRITE: &str = "SLOVO_WRITE_CONSTANTS";

const HEAD: &str = "\
// Made from crates/rules by `cargo xtask gen`; crates/rules/tests/web_constants.rs says what is in here.
// Values only: what is computed is asked of `@/rules`, and this file loads no WebAssembly.
";

/// A name, what it is, and its value.
type Constant = (&'static str, &'static str, Value);

/// All of them, by what they belong to.
fn constants() -> Vec<Constant> {
    [
        texts(),
        jobs_and_files(),
        forms(),
        pages(),
        settings_and_plans(),
        administration(),
    ]
    .concat()
}

fn texts() -> Vec<Constant> {
    vec![
        ("MAX_EDITS", "Most edits of one request.", json!(edit::MAX_EDITS)),
        (
            "MAX_SPEAKER_NAME",
            "Longest name of a speaker, in characters.",
            json!(edit::MAX_SPEAKER_NAME),
        ),
        (
            "LEAST_SPAN",
            "Shortest cue, in seconds.",
            json!(edit::LEAST_SPAN),
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
            "MAX_ANNOTATIONS",
            "Most bookmarks and highlights of one transcription.",
            json!(annotation::MAX_ANNOTATIONS),
        ),
        (
            "MAX_ANNOTATIONS_AT_ONCE",
            "Most highlights that one selection makes.",
            json!(annotation::MAX_AT_ONCE),
        ),
        (
            "ANNOTATION_COLOURS",
            "Colours of highlights.",
            names(annotation::AnnotationColour::ALL, annotation::AnnotationColour::as_str),
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
            "MAX_SHARES",
            "Most links of one transcription.",
            json!(share::MAX_SHARES),
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
            "MAX_JOBS_AT_ONCE",
            "Most jobs of one request.",
            json!(job::MAX_AT_ONCE),
        ),
        (
            "MAX_TAGS_OF_JOB",
            "Most tags of one transcription.",
            json!(group::MAX_TAGS_OF_JOB),
        ),
        (
            "GROUP_COLORS",
            "How many colours tags and folders have.",
            json!(group::COLORS),
        ),
        (
            "AUDIO_TYPES",
            "Formats of recordings, by their extensions.",
            names(AudioType::ALL, AudioType::as_str),
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
            "BASIC_FORMATS",
            "Those that every plan has.",
            json!(BASIC_FORMATS),
        ),
        (
            "MAX_TEMPLATE_BYTES",
            "Largest template of a DOCX file, in bytes.",
            json!(export::MAX_TEMPLATE_BYTES),
        ),
        (
            "MAX_TEMPLATE_UNPACKED_BYTES",
            "Most bytes of such a template, unpacked.",
            json!(export::MAX_TEMPLATE_UNPACKED_BYTES),
        ),
        (
            "MAX_TEMPLATE_PARTS",
            "Most parts of such a template.",
            json!(export::MAX_TEMPLATE_PARTS),
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
            "MAX_PRESETS",
            "Most presets of one account.",
            json!(preset::MAX_OWN),
        ),
        (
            "MAX_REQUEST_MESSAGE",
            "Longest message with a wish for a plan, in characters.",
            json!(plan::MAX_REQUEST_MESSAGE),
        ),
        (
            "MAX_AVATAR_BYTES",
            "Largest photo of a user, in bytes.",
            json!(profile::MAX_AVATAR_BYTES),
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
            "CODE_MINUTES",
            "How long a mailed code can be used, in minutes.",
            json!(account::CODE_MINUTES),
        ),
        (
            "INVITATION_DAYS",
            "How long an invitation works, in days.",
            json!(account::INVITATION_DAYS),
        ),
        (
            "MAX_RATING",
            "Most stars of a testimonial.",
            json!(site::MAX_RATING),
        ),
        (
            "MAX_EXAMPLE_FIGURE",
            "Longest example figure of the landing page, in characters.",
            json!(site::MAX_FIGURE),
        ),
    ]
}

fn pages() -> Vec<Constant> {
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
            "PLAN_FEATURE_OF_SETTING",
            "What a plan must have for a setting.",
            plan_feature_of_setting(),
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
            names(subtitles::SubtitlePreset::ALL, subtitles::SubtitlePreset::as_str),
        ),
    ]
}

fn administration() -> Vec<Constant> {
    vec![
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
        ("EDITIONS", "What this server is.", names(site::Edition::ALL, site::Edition::as_str)),
        (
            "SIGN_IN_OUTCOMES",
            "How a sign-in ends.",
            names(SignInOutcome::ALL, SignInOutcome::as_str),
        ),
        (
            "SIGN_IN_DAYS",
            "How long sign-ins are kept, in days.",
            json!(sign_in::KEPT_DAYS),
        ),
        (
            "WEBHOOK_ANSWER_SECONDS",
            "How long a webhook service may take to answer, in seconds.",
            json!(webhook::ANSWER_SECONDS),
        ),
        (
            "WEBHOOK_LOG_DAYS",
            "How long calls of webhook services are kept, in days.",
            json!(webhook::LOG_DAYS),
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

/// As [`check_plan`] says of settings that ask for everything.
fn plan_feature_of_setting() -> Value {
    let everything = TranscriptionSettings {
        diarization: true,
        sentence_diarization: true,
        multichannel: true,
        translate: settings::TRANSLATE_TO_ENGLISH.to_owned(),
        llm_translation: "french".to_owned(),
        srt_translation: "french".to_owned(),
        summarize: 10,
        overall_sentiment_analysis: true,
        overall_classification: true,
        classification_labels: vec!["a".to_owned()],
        custom_prompt: "?".to_owned(),
        return_as_file: true,
        srt: true,
        ..TranscriptionSettings::default()
    };
    let refused = check_plan(&everything, |_| false).expect_err("no plan has nothing");
    let needs = refused.0.into_iter();
    let needs: BTreeMap<String, Value> = needs
        .map(|violation| (violation.field.to_string(), violation.params["feature"].clone()))
        .collect();
    json!(needs)
}

fn typescript() -> String {
    let mut text = HEAD.to_owned();
    for (name, about, value) in constants() {
        let value = serde_json::to_string(&value).expect("JSON");
        let literal = value.starts_with(['[', '{']);
        let fixed = if literal { " as const" } else { "" };
        write!(text, "\n/** {about} */\nexport const {name} = {value}{fixed};\n").expect("memory");
    }
    text
}

#[test]
fn the_web_has_the_constants_of_the_rules() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/rules/constants.ts");
    let wanted = typescript();
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&path, &wanted).expect("written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        there == wanted,
        "web/src/rules/constants.ts is not what the rules say: run `cargo xtask gen`"
    );
}

#[test]
fn every_name_is_given_once() {
    let mut names: Vec<_> = constants().into_iter().map(|(name, ..)| name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
