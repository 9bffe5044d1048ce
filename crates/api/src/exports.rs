//! `POST /api/v1/exports`: files of several jobs as one zip.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use slovo_app::auth::{Caller, RateLimited};
use slovo_app::http::{Document, Json, Problem, time_limit};
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_db::jobs;
use slovo_export::Format;
use slovo_rules::codes::ProblemCode;
use slovo_rules::export::{self as layouts, ExportLayout};
use slovo_rules::job::MAX_AT_ONCE;
use slovo_rules::subtitles::{self, SubtitleOptions};
use slovo_rules::violation::{Code, Violation, Violations};
use slovo_transcripts::exports::RequestedOptions;
use slovo_transcripts::exports::templates;
use slovo_work::minutes;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

mod bundle;

use bundle::ExportRequest;

/// Maximum number of archives being sent to one account at once.
const MAX_CONCURRENT: usize = 2;
/// `Retry-After` when too many archives are being sent, in seconds.
const RETRY_SECONDS: u64 = 10;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    time_limit(OpenApiRouter::new().routes(routes!(export)))
}

/// The requested archive.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ExportsForm)]
struct Form {
    /// The caller's own jobs, 1 to 100.
    jobs: Vec<Uuid>,
    /// txt, srt, vtt, ttml, stl, json, csv, md, docx or pdf.
    format: String,
    /// Whether files include the speakers; true if absent.
    speakers: Option<bool>,
    /// Whether files include the times of paragraphs or segments; if absent, according to
    /// `sentence_level_timestamps` of the job's settings. Subtitles always have their times.
    timestamps: Option<bool>,
    /// Whether files include the times of words: `words` in JSON, a row per word in CSV, times
    /// within the lines in VTT; the other formats cannot contain them. If absent, according to
    /// `word_level_timestamps` of the job's settings.
    words: Option<bool>,
    /// Whether bookmarks and highlights with their notes are listed at the end of TXT, JSON, MD, DOCX and
    /// PDF; false if absent.
    #[serde(default)]
    annotations: bool,
    /// Limits of the subtitles; the defaults if absent.
    #[serde(default)]
    subtitles: SubtitleOptions,
    /// Layout of the text in each file: `paragraphs` (default; every format), `questions` and
    /// `table` (TXT, Markdown, DOCX, PDF), `numbered` (TXT, DOCX, PDF). In `questions`, the asking
    /// speaker is the one whose turns most often end with a question.
    layout: Option<ExportLayout>,
    /// Whether DOCX files use the caller's own template; false if absent. Other formats have no
    /// template.
    #[serde(default)]
    template: bool,
}

/// Exports several jobs as one archive. Jobs without a transcript are listed in `skipped.txt`.
#[utoipa::path(post, path = "/exports", tag = "jobs", operation_id = "export_transcripts",
    request_body = Form,
    responses(
        (status = OK, content_type = "application/zip", body = [u8]),
        (status = BAD_REQUEST, body = Document, description = "unknown_format, malformed_json: \
            `template` goes with docx"),
        (status = FORBIDDEN, body = Document, description = "format_not_in_plan: the caller's plan \
            has no files of this format"),
        (status = NOT_FOUND, body = Document, description = "not_found: one of the jobs"),
        (status = CONFLICT, body = Document, description = "docx_template_missing: the caller has \
            no template"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited: two are on \
            their way"),
    ))]
async fn export(
    State(state): State<AppState>,
    caller: Caller,
    Json(mut form): Json<Form>,
) -> Result<Response, Problem> {
    let format: Format = form
        .format
        .parse()
        .map_err(|_| Problem::new(StatusCode::BAD_REQUEST, ProblemCode::UnknownFormat))?;
    if form.template && format != Format::Docx {
        let problem = Problem::new(StatusCode::BAD_REQUEST, ProblemCode::MalformedJson);
        return Err(problem.detail("template is only supported for docx"));
    }
    if form.jobs.is_empty() || form.jobs.len() > MAX_AT_ONCE {
        let violation = Violation::new("jobs", Code::TooMany).with("max", MAX_AT_ONCE);
        return Err(Violations(vec![violation]).into());
    }
    let subtitle_settings = subtitles::validate(&form.subtitles)?.into_inner();
    let layout = form.layout.unwrap_or_default();
    layouts::check_layout(format.name(), layout).map_err(|invalid| Violations(vec![invalid]))?;
    let mut unique = std::collections::HashSet::new();
    form.jobs.retain(|id| unique.insert(*id));
    let mut connection = state.db.read().await?;
    for id in &form.jobs {
        let job = jobs::find(&mut connection, &caller.user_id, *id).await?;
        job.ok_or_else(Problem::not_found)?;
    }
    let (user_id, now) = (&caller.user_id, state.clock.now_ms());
    minutes::check_export(&mut connection, user_id, format, now).await?;
    drop(connection);
    let template = if form.template {
        Some(templates::of(&state.db, &caller.user_id).await?)
    } else {
        None
    };
    let place = state
        .exports
        .open_limited(&caller.user_id, MAX_CONCURRENT)
        .ok_or(RateLimited {
            retry_after: RETRY_SECONDS,
        })?;
    let outputs = RequestedOptions {
        speakers: form.speakers,
        timestamps: form.timestamps,
        words: form.words,
        subtitles: subtitle_settings,
        layout,
    };
    let request = ExportRequest {
        jobs: form.jobs,
        format,
        options: outputs,
        annotations: form.annotations,
        template,
    };
    let day = state.clock.now().strftime("%F").to_string();
    let pieces = bundle::begin(&state, caller, request, place);
    let disposition = format!("attachment; filename=\"slovo-{day}.zip\"");
    let headers = HeaderMap::from_iter([
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/zip"),
        ),
        (
            header::CONTENT_DISPOSITION,
            HeaderValue::try_from(disposition).map_err(Problem::internal)?,
        ),
    ]);
    Ok((headers, Body::from_stream(ReceiverStream::new(pieces))).into_response())
}
