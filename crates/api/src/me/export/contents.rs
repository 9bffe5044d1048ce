//! Exports all data of an account as one zip.
//!
//! ```text
//! README.txt                         what is what
//! account.json                       profile, preferences, sessions, API keys, tags, folders
//! presets.json                       one's own presets, as they can be imported again
//! voices.json                        the voices that it remembers, if there are any
//! avatar.webp, avatar.jpg            if there is one
//! template.docx                      the template of DOCX files, if there is one
//! jobs/{n}-{file name}/job.json      the settings and the result
//! jobs/{n}-…/transcript.{json,txt,srt,vtt}
//! jobs/{n}-…/analyses.json           what was made of the text, if anything was
//! jobs/{n}-…/assistant.json          questions about it and their answers, if there are any
//! jobs/{n}-…/annotations.json        bookmarks and highlights with notes, if there are any
//! jobs/{n}-…/position.json           the playback position, if one is stored
//! jobs/{n}-…/original.{ext}          the recording, if requested
//! ```
//!
//! It contains no credentials and no paths of the server.

use std::io::ErrorKind;

use anyhow::Result;
use jiff::Timestamp;
use serde::Serialize;
use slovo_accounts::account_export::archive::{self, Entries, Entry, Pieces, add_entry, text};
use slovo_accounts::account_export::links::Link;
use slovo_accounts::account_export::{in_force, names};
use slovo_accounts::avatars;
use slovo_app::auth::session::User;
use slovo_app::state::AppState;
use slovo_db::accounts::{Account, api_keys, identities, preferences, sessions};
use slovo_db::jobs::{self, Filter, Job, groups};
use slovo_db::presets;
use slovo_db::texts::{analyses, annotations, assistant, docx_templates, positions};
use slovo_db::webhooks::services;
use slovo_export::{Format, Options, Source};
use slovo_platform::clock::from_ms;
use slovo_rules::group::GroupKind;
use slovo_rules::preferences::Preferences;
use slovo_work::analysis::text as analysed;
use slovo_work::jobs::open_streams::StreamSlot;

use crate::groups::GroupBody;
use crate::jobs::JobBody;
use crate::jobs::analysis::AnalysisBody;
use crate::jobs::annotations::AnnotationBody;
use crate::jobs::assistant::MessageBody;
use crate::jobs::position::PlaybackPosition;
use crate::me::api_keys::ApiKeyBody;
use crate::me::voices;
use crate::me::webhooks::WebhookBody;
use crate::presets::PresetBody;

/// Jobs read per query.
const PAGE: u32 = 50;

/// Formats of the texts: those that need no rendering and that other programs read.
const FORMATS: [Format; 4] = [Format::Json, Format::Txt, Format::Srt, Format::Vtt];

const README: &str = "Slovo: усе, що зберігає ваш обліковий запис. Тексти — у теках jobs/, профіль \
    і налаштування — в account.json, пресети — в presets.json.\r\nSlovo: everything your account holds. The texts are in the \
    folders under jobs/, profile and preferences in account.json, presets in \
    presets.json.\r\n";

/// The content of `account.json`.
#[derive(Serialize)]
struct AccountFile {
    exported_at: Timestamp,
    user: User,
    preferences: Preferences,
    sessions: Vec<SessionEntry>,
    api_keys: Vec<ApiKeyBody>,
    webhooks: Vec<WebhookBody>,
    identities: Vec<IdentityEntry>,
    tags: Vec<GroupBody>,
    folders: Vec<GroupBody>,
}

/// A provider that signs in to the account.
#[derive(Serialize)]
struct IdentityEntry {
    issuer: String,
    subject: String,
    linked_at: Timestamp,
}

/// A session without its tokens.
#[derive(Serialize)]
struct SessionEntry {
    user_agent: Option<String>,
    address: Option<String>,
    remember: bool,
    created_at: Timestamp,
    last_used_at: Timestamp,
}

/// Begins an archive, which is built while it is sent; `place` is released at its end.
pub(super) fn begin(state: &AppState, account: Account, link: Link, place: StreamSlot) -> Pieces {
    let running = (&state.tasks, &state.shutdown);
    let owned = state.clone();
    archive::fill_in_background(
        state.clock.now(),
        running,
        "account",
        place,
        |entries| async move {
            fill(&owned, account, &link, &entries).await?;
            Ok(entries)
        },
    )
}

async fn fill(state: &AppState, account: Account, link: &Link, entries: &Entries) -> Result<()> {
    let user_id = account.id.clone();
    text(entries, "README.txt", README.into()).await?;
    let avatar = account.avatar.clone();
    let file = account_file(state, account).await?;
    text(entries, "account.json", serde_json::to_vec_pretty(&file)?).await?;
    let own_presets = presets::list_own(&mut *state.db.read().await?, &user_id).await?;
    let own_presets = own_presets.into_iter();
    let own_presets: Vec<_> = own_presets
        .map(|preset| PresetBody::seen_by(&user_id, preset))
        .collect();
    text(
        entries,
        "presets.json",
        serde_json::to_vec_pretty(&own_presets)?,
    )
    .await?;
    let remembered = voices::entries(&mut *state.db.read().await?, &user_id).await?;
    if !remembered.is_empty() {
        let body = serde_json::to_vec_pretty(&remembered)?;
        text(entries, "voices.json", body).await?;
    }
    if let Some(version) = avatar
        && let Some(image) = state.avatars.read(&user_id, &version).await?
    {
        let kind = avatars::content_type(&image);
        let name = kind.replace("image/", "avatar.").replace("jpeg", "jpg");
        text(entries, &name, image).await?;
    }
    let template = docx_templates::file(&mut *state.db.read().await?, &user_id).await?;
    if let Some((_, content)) = template {
        text(entries, "template.docx", content).await?;
    }
    let mut filter = Filter {
        limit: PAGE,
        ..Filter::default()
    };
    let mut number = 0;
    loop {
        let page = jobs::list(&mut *state.db.read().await?, &user_id, &filter).await?;
        let Some(last) = page.last() else { break };
        filter.after = Some(filter.order.position(last));
        for job in page {
            number += 1;
            in_force(&state.db, link, state.clock.now()).await?;
            let folder = names::job_folder(number, job.name());
            fill_job(state, job, &folder, link.recordings, entries).await?;
        }
    }
    in_force(&state.db, link, state.clock.now()).await?;
    add_entry(entries, Entry::End).await
}

async fn account_file(state: &AppState, account: Account) -> Result<AccountFile> {
    let now = state.clock.now();
    let mut connection = state.db.read().await?;
    let preferences = preferences::get(&mut connection, &account.id).await?;
    let sessions = sessions::list(&mut connection, &account.id, now.as_millisecond()).await?;
    let keys = api_keys::list(&mut connection, &account.id).await?;
    let webhooks = services::of_user(&mut connection, &account.id).await?;
    let sessions = sessions.into_iter().map(|session| SessionEntry {
        user_agent: session.device.user_agent,
        address: session.device.address,
        remember: session.remember,
        created_at: from_ms(session.created_at),
        last_used_at: from_ms(session.last_used_at),
    });
    let identities = identities::list(&mut connection, &account.id).await?;
    let identities = identities.into_iter().map(|identity| IdentityEntry {
        issuer: identity.issuer,
        subject: identity.subject,
        linked_at: from_ms(identity.created_at),
    });
    let tags = groups::list(&mut connection, &account.id, GroupKind::Tag).await?;
    let folders = groups::list(&mut connection, &account.id, GroupKind::Folder).await?;
    Ok(AccountFile {
        exported_at: now,
        user: account.into(),
        preferences: preferences.unwrap_or_default(),
        sessions: sessions.collect(),
        api_keys: keys.into_iter().map(ApiKeyBody::from).collect(),
        webhooks: webhooks.into_iter().map(WebhookBody::from).collect(),
        identities: identities.collect(),
        tags: tags.into_iter().map(GroupBody::from).collect(),
        folders: folders.into_iter().map(GroupBody::from).collect(),
    })
}

async fn fill_job(
    state: &AppState,
    job: Job,
    folder: &str,
    recordings: bool,
    entries: &Entries,
) -> Result<()> {
    let media_id = job.media_id;
    let original = format!("{folder}/{}", names::original(&job.original_filename));
    let mut connection = state.db.read().await?;
    let opened = analysed::open(&mut connection, job.id, None).await?;
    let analyses = analyses::list(&mut connection, job.id, None).await?;
    let messages = assistant::list(&mut connection, job.id).await?;
    let place = positions::find(&mut connection, &job.user_id, job.id).await?;
    let marks = annotations::list(&mut connection, job.id).await?;
    drop(connection);
    let (seq, print) = opened.as_ref().map_or((0, String::new()), |opened| {
        (opened.transcript.seq, analysed::print(&opened.text))
    });
    let edited = opened.map(|opened| opened.transcript);
    if !analyses.is_empty() {
        let analyses = analyses.into_iter();
        let bodies: Vec<_> = analyses
            .map(|row| AnalysisBody::of(row, seq, &print))
            .collect();
        let name = format!("{folder}/analyses.json");
        text(entries, &name, serde_json::to_vec_pretty(&bodies)?).await?;
    }
    if !messages.is_empty() {
        let bodies: Vec<_> = messages.into_iter().map(MessageBody::from).collect();
        let name = format!("{folder}/assistant.json");
        text(entries, &name, serde_json::to_vec_pretty(&bodies)?).await?;
    }
    if place.is_some() {
        let body = serde_json::to_vec_pretty(&PlaybackPosition::from(place))?;
        text(entries, &format!("{folder}/position.json"), body).await?;
    }
    if !marks.is_empty() {
        let bodies: Vec<_> = marks.into_iter().map(AnnotationBody::from).collect();
        let name = format!("{folder}/annotations.json");
        text(entries, &name, serde_json::to_vec_pretty(&bodies)?).await?;
    }
    let body = serde_json::to_vec_pretty(&JobBody::from(job))?;
    text(entries, &format!("{folder}/job.json"), body).await?;
    if let Some(transcript) = edited {
        for format in FORMATS {
            let mut content = Vec::new();
            let source = Source {
                title: "",
                date: None,
                transcript: &transcript,
            };
            let options = Options {
                words: format == Format::Json,
                ..format.defaults()
            };
            slovo_export::write(format, source, options, &mut content)?;
            let name = format!("{folder}/transcript.{}", format.name());
            text(entries, &name, content).await?;
        }
    }
    if recordings {
        let name = original;
        match state.storage.open_local(media_id).await {
            Ok(content) => add_entry(entries, Entry::File { name, content }).await?,
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
