//! Analyses of a job's text.

use jiff::Timestamp;
use serde::Serialize;
use slovo_db::texts::analyses::Analysis;
use slovo_platform::clock::from_ms;
use slovo_rules::analysis::{AnalysisStatus, EngineName, Outcome, Params, Part};
use slovo_rules::language::TranslationTarget;
use slovo_rules::transcript::rounded;
use utoipa::ToSchema;
use uuid::Uuid;

pub mod create;
pub(super) mod get;
pub(super) mod remove;

/// A requested part of the analysis.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Analysis)]
pub struct AnalysisBody {
    /// Its id.
    pub id: Uuid,
    /// The part.
    pub part: Part,
    /// Language of a translation; empty for other parts.
    target: &'static str,
    /// Its state.
    pub status: AnalysisStatus,
    /// 0 to 100.
    pub percent: f64,
    /// Estimated seconds left, by the speed of this run; null if unknown.
    pub seconds_left: Option<f64>,
    /// The engine that made it.
    engine: Option<EngineName>,
    /// Its parameters.
    pub params: Params,
    /// The last edit of the text that it was made from; 0 if there was none.
    made_from_seq: Option<u32>,
    /// Whether the text has changed since.
    pub is_stale: bool,
    /// Code of the failure.
    pub error: Option<String>,
    /// When it was requested.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it ended.
    #[schema(value_type = Option<String>, format = DateTime)]
    finished_at: Option<Timestamp>,
    /// The result.
    pub outcome: Option<Outcome>,
}

impl AnalysisBody {
    /// The analysis beside a text with this last edit (`seq`) and this digest (`print`). Analyses
    /// from before digests were stored are stale after any edit.
    #[must_use]
    pub fn of(analysis: Analysis, seq: u32, print: &str) -> Self {
        let is_edited = analysis.made_from_seq.is_some_and(|from| from < seq);
        let made_from = analysis.made_from_print.as_deref();
        Self {
            id: analysis.id,
            part: analysis.part,
            target: analysis.target.map_or("", TranslationTarget::as_str),
            status: analysis.status,
            percent: rounded(analysis.percent),
            seconds_left: analysis.seconds_left.map(rounded),
            engine: analysis.engine,
            params: analysis.params,
            made_from_seq: analysis.made_from_seq,
            is_stale: is_edited && made_from.is_none_or(|from| from != print),
            error: analysis.error,
            created_at: from_ms(analysis.created_at),
            finished_at: analysis.finished_at.map(from_ms),
            outcome: analysis.outcome,
        }
    }
}
