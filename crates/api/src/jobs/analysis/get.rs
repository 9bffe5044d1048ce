//! `GET /api/v1/jobs/{id}/analysis`: the analyses of a text, and which are available.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use serde::{Deserialize, Serialize};
use slovo_app::http::{Document, Json, Query};
use slovo_app::state::AppState;
use slovo_db::texts::analyses;
use slovo_rules::analysis::{EngineName, Part, Statistics};
use slovo_rules::language::Language;
use slovo_work::analysis::engines::{Engines, Reason};
use slovo_work::analysis::text;
use utoipa::{IntoParams, ToSchema};

use super::AnalysisBody;
use crate::jobs::ReadAccess;
use crate::jobs::transcript::Error;

/// Which text of the job is analysed.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(in crate::jobs) struct QueryParams {
    /// A run of recognition; the current one if absent.
    version: Option<u32>,
    /// Only speech in this language is included in `statistics`; all speech if absent.
    #[param(inline)]
    language: Option<Language>,
}

/// The analysis of a text.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::jobs) struct AnalysisOverview {
    /// The run of recognition.
    version: u32,
    /// The last edit of the text; 0 if there is none.
    seq: u32,
    /// Speaking times and rates of the speakers.
    statistics: Statistics,
    /// The requested analyses, the newest first within a part and language.
    parts: Vec<AnalysisBody>,
    /// The parts that can be requested.
    available: Vec<AvailablePart>,
    /// The host that texts are sent to; null if they stay on this machine.
    text_goes_to: Option<String>,
}

/// Whether an engine supports a part in the text's language.
#[derive(Debug, Serialize, ToSchema)]
struct AvailablePart {
    /// The part.
    part: Part,
    /// The engine that supports it.
    engine: Option<EngineName>,
    /// Why it is not available.
    reason: Option<Reason>,
}

fn available(engines: &Engines, part: Part, language: &str) -> AvailablePart {
    let (engine, reason) = match engines.of_part(part, language) {
        Ok(engine) => (Some(engine.name()), None),
        Err(reason) => (None, Some(reason)),
    };
    AvailablePart {
        part,
        engine,
        reason,
    }
}

/// Returns the analysis of a transcript, and what else can be run.
#[utoipa::path(get, path = "/jobs/{id}/analysis", tag = "analysis", operation_id = "get_analysis",
    params(("id" = String, Path, description = "Job id"), QueryParams),
    responses(
        (status = OK, body = AnalysisOverview),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "transcript_not_ready"),
    ))]
pub(in crate::jobs) async fn get(
    State(state): State<AppState>,
    access: ReadAccess,
    Query(query): Query<QueryParams>,
) -> Result<Json<AnalysisOverview>, Error> {
    let mut connection = state.db.read().await?;
    let version = query.version.map(i64::from);
    let opened = text::open(&mut connection, access.job.id, version).await?;
    let opened = opened.ok_or(Error::NotReady)?;
    let (version, seq) = (opened.transcript.version, opened.transcript.seq);
    let rows = analyses::list(&mut connection, access.job.id, Some(i64::from(version))).await?;
    drop(connection);
    let engines = state.analyses.engines();
    let language = opened.text.language.as_str();
    let print = text::print(&opened.text);
    let statistics = match query.language {
        Some(language) => slovo_analysis::statistics(&opened.in_language(language)),
        None => slovo_analysis::statistics(&opened.text),
    };
    let all = Part::ALL.iter();
    Ok(Json(AnalysisOverview {
        version,
        seq,
        statistics,
        parts: rows
            .into_iter()
            .map(|row| AnalysisBody::of(row, seq, &print))
            .collect(),
        available: all
            .map(|part| available(&engines, *part, language))
            .collect(),
        text_goes_to: engines.text_goes_to.clone(),
    }))
}
