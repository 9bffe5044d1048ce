//! Exports files of several jobs as one zip, built while it is sent.

use std::sync::Arc;

use anyhow::{Result, bail};
use slovo_accounts::account_export::archive::{self, Entries, Entry, Pieces, add_entry, text};
use slovo_accounts::account_export::names;
use slovo_app::auth::{Caller, session};
use slovo_app::state::AppState;
use slovo_db::jobs::{self, Job};
use slovo_db::texts::projection::{self, HistoryPoint};
use slovo_export::{Error, Format, Template};
use slovo_transcripts::exports::{
    Failure, FormatOptions, RequestedOptions, annotated, make_with, templates, title,
};
use slovo_work::jobs::open_streams::StreamSlot;
use uuid::Uuid;

/// Lists the recordings that could not be exported.
const SKIPPED: &str = "skipped.txt";

/// What to export.
pub(super) struct ExportRequest {
    /// The caller's own jobs.
    pub jobs: Vec<Uuid>,
    /// The file format.
    pub format: Format,
    /// What the files contain.
    pub options: RequestedOptions,
    /// Whether bookmarks and highlights are appended.
    pub annotations: bool,
    /// Template of DOCX files.
    pub template: Option<Arc<Template>>,
}

/// Begins an archive; `place` is released at its end.
pub(super) fn begin(
    state: &AppState,
    caller: Caller,
    request: ExportRequest,
    place: StreamSlot,
) -> Pieces {
    let running = (&state.tasks, &state.shutdown);
    let owned = state.clone();
    archive::fill_in_background(
        state.clock.now(),
        running,
        "files",
        place,
        |entries| async move {
            fill(&owned, &caller, &request, &entries).await?;
            Ok(entries)
        },
    )
}

async fn fill(
    state: &AppState,
    caller: &Caller,
    request: &ExportRequest,
    entries: &Entries,
) -> Result<()> {
    let mut skipped = String::new();
    for (id, number) in request.jobs.iter().zip(1..) {
        let mut connection = state.db.read().await?;
        let now = state.clock.now();
        if session::active(&mut connection, caller.credential.id(), now)
            .await?
            .is_none()
        {
            bail!("its session has ended");
        }
        // Deleted while the archive was being built, so it is left out.
        let Some(job) = jobs::find(&mut connection, &caller.user_id, *id).await? else {
            continue;
        };
        let transcript = projection::read(&mut connection, job.id, HistoryPoint::default()).await?;
        let Some(transcript) = transcript else {
            skip(&mut skipped, &job, "transcript_not_ready");
            continue;
        };
        let mut additions = FormatOptions::default();
        if request.annotations {
            let (owner, version) = (&job.user_id, transcript.version);
            additions.annotated = annotated::read(&mut connection, owner, job.id, version).await?;
        }
        if let Some(template) = request.template.clone() {
            let fields = templates::fields(
                &mut connection,
                template,
                &caller.user_id,
                job.id,
                &transcript,
            );
            additions.template = Some(fields.await?);
        }
        drop(connection);
        let options = request.options.of(&job.plan);
        match make_with(request.format, options, &job, transcript, additions).await {
            Ok(content) => {
                let name = names::numbered(number, title(&job), request.format.name());
                add_entry(entries, Entry::Text { name, content }).await?;
            }
            Err(Failure::Export(Error::FontMissing { script })) => {
                skip(&mut skipped, &job, &format!("font_missing ({script})"));
            }
            Err(failure) => return Err(failure.into()),
        }
    }
    if !skipped.is_empty() {
        text(entries, SKIPPED, skipped.into_bytes()).await?;
    }
    add_entry(entries, Entry::End).await
}

/// Adds a line for a recording, with the code of the problem.
fn skip(skipped: &mut String, job: &Job, code: &str) {
    let name: String = job
        .name()
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    skipped.push_str(&format!("{name}: {code}\r\n"));
}
