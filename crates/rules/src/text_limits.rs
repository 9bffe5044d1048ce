//! Figures and lists of the rules that texts in the locale files refer to, such as
//! `{{limits.presets}}`: the application and the public pages fill them in, so no text copies a
//! rule.

use serde_json::{Value, json};

use crate::{
    account, annotation, api_key, contact, edit, export, group, job, limits, plan, preset, profile,
    share, sign_in, site, source, target, upload, user_webhook, webhook,
};

const BYTES_PER_MB: u64 = 1024 * 1024;

/// All of them, by name. A list is without its last item, which has its own name: the text has
/// "and" or "or" between them.
#[must_use]
pub fn all() -> Vec<(&'static str, Value)> {
    let mut all = figures();
    let media = upload::AudioType::ALL.iter().map(|kind| kind.extension());
    all.extend(list(
        "media_types",
        "last_media_type",
        &media.collect::<Vec<_>>(),
    ));
    let word = export::WORD_TIME_FORMATS.iter().rev().copied();
    all.extend(list("word_formats", "last_word_format", &upper(word)));
    let paged = export::PAGED_FORMATS.iter().copied();
    all.extend(list("paged_formats", "last_paged_format", &upper(paged)));
    let basic = plan::BASIC_FORMATS.iter().copied();
    all.extend(list("basic_formats", "last_basic_format", &upper(basic)));
    all
}

fn figures() -> Vec<(&'static str, Value)> {
    let mb = |bytes: u64| json!(bytes / BYTES_PER_MB);
    let template = u64::try_from(export::MAX_TEMPLATE_BYTES).unwrap_or(u64::MAX);
    vec![
        (
            "api_requests_per_minute",
            json!(api_key::REQUESTS_PER_MINUTE),
        ),
        ("admin_jobs", json!(limits::ADMIN_JOBS)),
        ("annotations", json!(annotation::MAX_ANNOTATIONS)),
        ("avatar_mb", mb(profile::MAX_AVATAR_BYTES)),
        ("code_letters", json!(account::VERIFICATION_CODE_LENGTH)),
        ("code_minutes", json!(account::CODE_MINUTES)),
        ("confirm_days", json!(contact::CONFIRM_DAYS)),
        ("example_figure", json!(site::MAX_FIGURE)),
        ("invitation_days", json!(account::INVITATION_DAYS)),
        ("jobs", json!(job::MAX_AT_ONCE)),
        ("line_columns", json!(export::LINE_COLUMNS)),
        ("links", json!(site::MAX_LINKS)),
        ("min_cue_seconds", json!(edit::MIN_CUE_SECONDS)),
        ("openid_minutes", json!(account::OPENID_MINUTES)),
        ("page_lines", json!(export::PAGE_LINES)),
        ("presets", json!(preset::MAX_OWN)),
        ("registration_hours", json!(account::REGISTRATION_HOURS)),
        ("reset_link_hours", json!(account::RESET_LINK_HOURS)),
        ("session_days", json!(account::SESSION_DAYS)),
        ("share_grant_hours", json!(share::GRANT_HOURS)),
        ("shares", json!(share::MAX_SHARES)),
        ("sidebar_days", json!(limits::SIDEBAR_COOKIE_DAYS)),
        ("sign_in_days", json!(sign_in::KEPT_DAYS)),
        ("tags", json!(group::MAX_TAGS_OF_JOB)),
        ("template_mb", mb(template)),
        ("template_parts", json!(export::MAX_TEMPLATE_PARTS)),
        (
            "template_unpacked_mb",
            mb(export::MAX_TEMPLATE_UNPACKED_BYTES),
        ),
        ("tab_lease_seconds", json!(limits::TAB_LEASE_SECONDS)),
        (
            "temporary_session_hours",
            json!(account::TEMPORARY_SESSION_HOURS),
        ),
        ("sources", json!(source::MAX_SOURCES)),
        ("targets", json!(target::MAX_TARGETS)),
        ("testimonials", json!(site::MAX_TESTIMONIALS)),
        ("undo_seconds", json!(limits::UNDO_SECONDS)),
        ("unsubscribed_days", json!(contact::UNSUBSCRIBED_DAYS)),
        ("upload_hours", json!(upload::KEPT_HOURS)),
        ("upload_mb", mb(upload::MAX_UPLOAD_BYTES)),
        ("voice_days", json!(upload::VOICE_KEPT_DAYS)),
        ("user_webhooks", json!(user_webhook::MAX_WEBHOOKS)),
        ("webhook_log_days", json!(webhook::LOG_DAYS)),
        ("webhook_retries", json!(webhook::RETRIES)),
        ("webhook_retry_days", json!(webhook::RETRY_DAYS)),
        ("webhook_seconds", json!(webhook::ANSWER_SECONDS)),
    ]
}

fn upper<'a>(formats: impl Iterator<Item = &'a str>) -> Vec<String> {
    formats.map(str::to_uppercase).collect()
}

fn list<T: AsRef<str>>(
    name: &'static str,
    last: &'static str,
    items: &[T],
) -> [(&'static str, Value); 2] {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    let (end, others) = items
        .split_last()
        .map_or(("", &[][..]), |(end, others)| (*end, others));
    [(name, json!(others.join(", "))), (last, json!(end))]
}

/// The text with its placeholders replaced by figures and lists.
#[must_use]
pub fn fill(text: &str) -> String {
    if !text.contains("{{limits.") {
        return text.to_owned();
    }
    all()
        .into_iter()
        .fold(text.to_owned(), |text, (name, value)| {
            let value = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            text.replace(&format!("{{{{limits.{name}}}}}"), &value)
        })
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn placeholders_are_filled_with_figures_and_lists() {
        assert_eq!(
            fill("Up to {{limits.upload_mb}} MB, {{max}}"),
            "Up to 500 MB, {{max}}"
        );
        let formats = "{{limits.media_types}} or {{limits.last_media_type}}";
        assert_eq!(
            fill(formats),
            "mp3, wav, m4a, flac, ogg, webm, mp4, avi, mov or mkv"
        );
        assert_eq!(
            fill("{{limits.word_formats}} and {{limits.last_word_format}}"),
            "JSON, CSV and VTT"
        );
    }
}
