//! `GET /api/v1/jobs/{id}/diff`: the differences between two states of a transcript.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use serde::{Deserialize, Serialize};
use slovo_app::http::{Document, Json, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::texts::projection::{self, HistoryPoint};
use slovo_transcripts::edits::diff;
use utoipa::{IntoParams, ToSchema};

use super::OwnJob;
use super::transcript::Error;

/// The two states to compare.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct QueryParams {
    /// The run of the earlier state.
    from_version: u32,
    /// Number of its last edit; 0 means as recognised; the newest state if absent.
    from_at: Option<u32>,
    /// The run of the later state.
    to_version: u32,
    /// Number of its last edit; 0 means as recognised; the newest state if absent.
    to_at: Option<u32>,
}

/// The differences between two states of a transcript.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Diff {
    /// The rows that differ, each with one equal row before and after, in order of time.
    rows: Vec<DiffRow>,
    /// Number of words that only the later state has.
    added_words: u32,
    /// Number of words that only the earlier state has.
    removed_words: u32,
}

/// A segment of either state, or of both.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DiffRow {
    /// How it differs.
    kind: RowKind,
    /// Number of equal rows left out before this one.
    skipped: u32,
    /// Its start in seconds.
    start: f64,
    /// The speaker's name or label in the earlier state.
    speaker_before: Option<String>,
    /// The speaker's name or label in the later state.
    speaker_after: Option<String>,
    /// The times in both states if they differ; null otherwise, and between runs.
    moved: Option<DiffMoved>,
    /// Whether its hand-made subtitles differ; always false between runs.
    subtitles_changed: bool,
    /// Its text in pieces; without the added ones they form the earlier text.
    pieces: Vec<DiffPiece>,
}

/// The times of a segment in both states, in seconds.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DiffMoved {
    /// Start in the earlier state.
    start_before: f64,
    /// End in the earlier state.
    end_before: f64,
    /// Start in the later state.
    start_after: f64,
    /// End in the later state.
    end_after: f64,
}

/// How a row differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = DiffRowKind)]
pub(super) enum RowKind {
    /// It does not differ.
    Equal,
    /// Its text, speaker, times or subtitles differ.
    Changed,
    /// Only the later state has it.
    Added,
    /// Only the earlier state has it.
    Removed,
}

/// A piece of a row's text.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DiffPiece {
    /// The state that contains it.
    kind: PieceKind,
    /// The text, including its white space.
    text: String,
}

/// The state that contains a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = DiffPieceKind)]
pub(super) enum PieceKind {
    /// Both.
    Equal,
    /// The later state.
    Added,
    /// The earlier state.
    Removed,
}

impl From<diff::Diff> for Diff {
    fn from(diff: diff::Diff) -> Self {
        let row = |row: diff::Row| DiffRow {
            kind: match row.kind {
                diff::RowKind::Equal => RowKind::Equal,
                diff::RowKind::Changed => RowKind::Changed,
                diff::RowKind::Added => RowKind::Added,
                diff::RowKind::Removed => RowKind::Removed,
            },
            skipped: row.skipped,
            start: row.start,
            speaker_before: row.speaker_before,
            speaker_after: row.speaker_after,
            moved: row.moved.map(|moved| DiffMoved {
                start_before: moved.before.0,
                end_before: moved.before.1,
                start_after: moved.after.0,
                end_after: moved.after.1,
            }),
            subtitles_changed: row.recued,
            pieces: row.pieces.into_iter().map(DiffPiece::from).collect(),
        };
        Self {
            rows: diff.rows.into_iter().map(row).collect(),
            added_words: diff.added_words,
            removed_words: diff.removed_words,
        }
    }
}

impl From<diff::Piece> for DiffPiece {
    fn from(piece: diff::Piece) -> Self {
        let kind = match piece.kind {
            diff::PieceKind::Equal => PieceKind::Equal,
            diff::PieceKind::Added => PieceKind::Added,
            diff::PieceKind::Removed => PieceKind::Removed,
        };
        Self {
            kind,
            text: piece.text,
        }
    }
}

/// Compares two versions of a transcript, of the same run or of different runs.
#[utoipa::path(get, path = "/jobs/{id}/diff", tag = "edits", operation_id = "diff_transcripts",
    params(("id" = String, Path, description = "Job id"), QueryParams),
    responses(
        (status = OK, body = Diff),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "transcript_not_ready"),
    ))]
pub(super) async fn diff(
    State(state): State<AppState>,
    own: OwnJob,
    Query(query): Query<QueryParams>,
) -> Result<Json<Diff>, Error> {
    let mut connection = state.db.read().await?;
    let mut at = async |version: u32, at| {
        let point = HistoryPoint {
            version: Some(i64::from(version)),
            at,
        };
        let read = projection::read(&mut connection, own.job.id, point).await?;
        read.ok_or(Error::NotReady)
    };
    let before = at(query.from_version, query.from_at).await?;
    let after = at(query.to_version, query.to_at).await?;
    let compared = tokio::task::spawn_blocking(move || diff::of(&before, &after)).await;
    Ok(Json(compared.map_err(Problem::internal)?.into()))
}
