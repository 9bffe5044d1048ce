//! `GET /api/v1/jobs/{id}/export`: exports the text as a file.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use slovo_app::http::{Document, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::texts::analyses;
use slovo_db::texts::projection::{self, HistoryPoint};
use slovo_export::{Error as Refusal, Format};
use slovo_rules::analysis::{AnalysisStatus, Outcome, TranslatedCue};
use slovo_rules::codes::ProblemCode;
use slovo_rules::export::{self as layouts, ExportLayout};
use slovo_rules::language::TranslationTarget;
use slovo_rules::subtitles::{self, SubtitleOptions, SubtitlePreset};
use slovo_rules::violation::{Code, Violation, Violations};
use slovo_transcripts::exports::{
    self, Failure, FormatOptions, RequestedOptions, annotated, templates,
};
use slovo_work::minutes;
use utoipa::IntoParams;
use uuid::Uuid;

use super::disposition::{self, Kind};
use super::{ReadAccess, transcript};

/// The requested file.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct QueryParams {
    /// txt, srt, vtt, ttml, stl, json, csv, md, docx or pdf.
    format: String,
    /// Whether the file includes the speakers; true if absent.
    speakers: Option<bool>,
    /// Whether the file includes the times of paragraphs or segments; if absent, according to
    /// `sentence_level_timestamps` of the job's settings. Subtitles always have their times.
    timestamps: Option<bool>,
    /// Whether the file includes the times of words: `words` in JSON, a row per word in CSV, times
    /// within the lines in VTT; the other formats cannot contain them. If absent, according to
    /// `word_level_timestamps` of the job's settings.
    words: Option<bool>,
    /// A language into which the subtitles have been translated: SRT, VTT, TTML and STL include it
    /// below each line of the original.
    translation: Option<TranslationTarget>,
    /// Style guide for subtitles: netflix or bbc. The limits below replace those of the guide;
    /// absent ones are the guide's, or the defaults. Formats without subtitles ignore them.
    preset: Option<SubtitlePreset>,
    /// Maximum columns of a subtitle line, 20 to 80; 42 if absent.
    max_columns: Option<u32>,
    /// Maximum number of lines shown at once, 1 or 2; 2 if absent.
    max_lines: Option<u32>,
    /// Maximum characters per second, 5 to 40; 17 if absent.
    max_cps: Option<f64>,
    /// Maximum duration of a subtitle, 2 to 15 seconds; 7 if absent.
    max_seconds: Option<f64>,
    /// Minimum duration of a subtitle if there is room, 0.2 to 2 seconds; 1 if absent.
    min_seconds: Option<f64>,
    /// Minimum number of frames between two subtitles, 0 to 12; 2 if absent.
    gap_frames: Option<u32>,
    /// Frames per second of the video, 12 to 120; 25 if absent. STL has times in 25 or 30 frames
    /// per second.
    frame_rate: Option<f64>,
    /// Seconds added to all times of subtitles, -86400 to 86400. Subtitles that would begin before
    /// 0 begin at 0; those that would end before 0 are left out.
    offset: Option<f64>,
    /// Layout of the text in the file: `paragraphs` (default; every format), `questions` and
    /// `table` (TXT, Markdown, DOCX, PDF), `numbered` (TXT, DOCX, PDF: 25 lines of 60 columns on
    /// each page).
    layout: Option<ExportLayout>,
    /// The asking speaker in the layout `questions`: the id of a speaker of the text; if absent,
    /// the one whose turns most often end with a question. Other layouts ignore it.
    asks: Option<String>,
    /// Whether bookmarks and highlights with their notes are listed at the end of TXT, JSON, MD,
    /// DOCX and PDF; false if absent. Only files for the job's owner include them.
    annotations: Option<bool>,
    /// Whether a DOCX file uses the caller's own template; false if absent. Other formats have no
    /// template.
    template: Option<bool>,
    /// A run of recognition; the current one if absent.
    version: Option<u32>,
}

impl QueryParams {
    const fn subtitles(&self) -> SubtitleOptions {
        SubtitleOptions {
            preset: self.preset,
            max_columns: self.max_columns,
            max_lines: self.max_lines,
            max_cps: self.max_cps,
            max_seconds: self.max_seconds,
            min_seconds: self.min_seconds,
            gap_frames: self.gap_frames,
            frame_rate: self.frame_rate,
            offset: self.offset,
        }
    }
}

/// Why there is no file.
#[derive(Debug)]
pub(super) enum Error {
    /// Unknown format.
    UnknownFormat,
    /// The format has no subtitles, so it cannot have a translation.
    NoSubtitles,
    /// The format does not use a template.
    NoTemplate,
    /// There is no text.
    Text(transcript::Error),
    /// The subtitles have not been translated into that language.
    NotTranslated,
    /// The format cannot hold this text.
    Refused(Refusal),
    /// An internal error, a plan without this format, or a limit out of range.
    Internal(Problem),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::UnknownFormat => {
                Problem::new(StatusCode::BAD_REQUEST, ProblemCode::UnknownFormat)
                    .detail(slovo_export::UnknownFormat.to_string())
                    .into_response()
            }
            Self::NoSubtitles => Problem::new(StatusCode::BAD_REQUEST, ProblemCode::MalformedQuery)
                .detail("translation is only supported for srt, vtt, ttml and stl")
                .into_response(),
            Self::NoTemplate => Problem::new(StatusCode::BAD_REQUEST, ProblemCode::MalformedQuery)
                .detail("template is only supported for docx")
                .into_response(),
            Self::Text(error) => error.into_response(),
            Self::NotTranslated => {
                Problem::new(StatusCode::CONFLICT, ProblemCode::TranslationNotReady).into_response()
            }
            Self::Refused(Refusal::FontMissing { script }) => {
                Problem::new(StatusCode::UNPROCESSABLE_ENTITY, ProblemCode::FontMissing)
                    .params(BTreeMap::from([("script".to_owned(), script.into())]))
                    .into_response()
            }
            Self::Refused(error @ (Refusal::Io(_) | Refusal::Pages(_))) => {
                Problem::internal(error).into_response()
            }
            Self::Internal(problem) => problem.into_response(),
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Export(error) => Self::Refused(error),
            Failure::Internal(error) => Self::Internal(error.into()),
        }
    }
}

impl From<slovo_db::Error> for Error {
    fn from(error: slovo_db::Error) -> Self {
        Self::Internal(error.into())
    }
}

/// Downloads the current transcript of a job as a file. Unless the query specifies otherwise,
/// sentence and word timestamps are included according to the job's settings.
#[utoipa::path(get, path = "/jobs/{id}/export", tag = "jobs", operation_id = "export_transcript",
    params(("id" = String, Path, description = "Job id"), QueryParams),
    responses(
        (status = OK, description = "The file", body = String, content_type = "text/plain"),
        (status = BAD_REQUEST, body = Document, description = "unknown_format"),
        (status = FORBIDDEN, body = Document, description = "format_not_in_plan: the caller's plan \
            has no files of this format"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "transcript_not_ready, \
            translation_not_ready: the subtitles have not been translated into that language, \
            docx_template_missing: the caller has no template"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed: a limit \
            of subtitles is out of its bounds, `layout` is none that the format can have, `asks` is \
            nobody who speaks in the text; font_missing: a PDF cannot show the text; `script` is \
            the code of its script (ISO 15924)"),
    ))]
pub(super) async fn export(
    State(state): State<AppState>,
    access: ReadAccess,
    Query(query): Query<QueryParams>,
) -> Result<(HeaderMap, Vec<u8>), Error> {
    let format: Format = query.format.parse().map_err(|_| Error::UnknownFormat)?;
    if query.translation.is_some() && !format.is_subtitles() {
        return Err(Error::NoSubtitles);
    }
    let in_template = query.template == Some(true);
    if in_template && format != Format::Docx {
        return Err(Error::NoTemplate);
    }
    let subtitle_settings = subtitles::validate(&query.subtitles());
    let subtitle_settings =
        subtitle_settings.map_err(|violations| Error::Internal(violations.into()))?;
    let layout = query.layout.unwrap_or_default();
    layouts::check_layout(format.name(), layout).map_err(refused)?;
    let outputs = RequestedOptions {
        speakers: query.speakers,
        timestamps: query.timestamps,
        words: query.words,
        subtitles: subtitle_settings.into_inner(),
        layout,
    };
    let options = outputs.of(&access.job.plan);
    let point = HistoryPoint {
        version: query.version.map(i64::from),
        at: None,
    };
    let (user_id, now) = (&access.caller.user_id, state.clock.now_ms());
    let template = if in_template {
        let file = templates::of(&state.db, user_id).await;
        Some(file.map_err(|error| Error::Internal(error.into()))?)
    } else {
        None
    };
    let mut connection = state.db.read().await?;
    let checked = minutes::check_export(&mut connection, user_id, format, now).await;
    checked.map_err(|error| Error::Internal(error.into()))?;
    let text = projection::read(&mut connection, access.job.id, point).await?;
    let text = text.ok_or(Error::Text(transcript::Error::NotReady))?;
    let interviewer = query.asks.filter(|_| layout == ExportLayout::Questions);
    if let Some(id) = &interviewer
        && text.speakers.iter().all(|speaker| speaker.id != *id)
    {
        return Err(refused(Violation::new("asks", Code::SpeakerInvalid)));
    }
    let mut additions = FormatOptions {
        asks: interviewer,
        ..FormatOptions::default()
    };
    if let Some(target) = query.translation {
        let cues = translated(&mut connection, access.job.id, text.version, target).await?;
        additions.translation = cues;
    }
    if query.annotations == Some(true) && access.is_own() {
        let annotated =
            annotated::read(&mut connection, user_id, access.job.id, text.version).await;
        additions.annotated = annotated.map_err(Failure::from)?;
    }
    if let Some(template) = template {
        let fields =
            templates::fields(&mut connection, template, user_id, access.job.id, &text).await;
        additions.template = Some(fields.map_err(Failure::from)?);
    }
    drop(connection);
    let file = exports::make_with(format, options, &access.job, text, additions).await?;
    let name = disposition::file_name(&access.job, format.name());
    let headers = HeaderMap::from_iter([
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static(format.mime()),
        ),
        (
            header::CONTENT_DISPOSITION,
            disposition::header(Kind::Attachment, &name),
        ),
    ]);
    Ok((headers, file))
}

fn refused(violation: Violation) -> Error {
    Error::Internal(Violations(vec![violation]).into())
}

/// The newest translation of a run's subtitles into this language.
async fn translated(
    connection: &mut Connection,
    job: Uuid,
    version: u32,
    target: TranslationTarget,
) -> Result<Vec<TranslatedCue>, Error> {
    let rows = analyses::list(connection, job, Some(i64::from(version))).await?;
    let mut of_target = rows
        .into_iter()
        .filter(|row| row.target == Some(target) && row.status == AnalysisStatus::Done);
    let cues = of_target.find_map(|row| match row.outcome {
        Some(Outcome::SubtitleTranslation(translation)) => Some(translation.cues),
        _ => None,
    });
    cues.ok_or(Error::NotTranslated)
}
