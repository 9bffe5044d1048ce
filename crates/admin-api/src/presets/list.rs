//! `GET /api/v1/admin/presets`: presets of all users.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use serde::{Deserialize, Serialize};
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::presets;
use slovo_rules::preset::PresetCategory;
use slovo_rules::settings::TranscriptionType;
use utoipa::{IntoParams, ToSchema};

use super::ManagedPreset;
use crate::page::PageParams;

/// Filters for the presets.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Filter {
    /// Part of the name in either language; case is ignored.
    #[serde(default)]
    #[param(value_type = Option<String>)]
    search: String,
    /// The category; all if absent.
    category: Option<PresetCategory>,
    /// The mode; both if absent.
    transcription_type: Option<TranscriptionType>,
}

/// A page of presets.
#[derive(Serialize, ToSchema)]
#[schema(as = ManagedPresetPage)]
pub(super) struct Page {
    /// The most used first.
    items: Vec<ManagedPreset>,
    /// Cursor of the next page; null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
    /// Total number of matching presets.
    total: u64,
}

/// Lists system presets and those of all users, including private ones, most used first.
#[utoipa::path(get, path = "/admin/presets", tag = "admin", operation_id = "list_managed_presets",
    params(PageParams, Filter),
    responses(
        (status = OK, body = Page),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Query(query): Query<PageParams>,
    Query(filter): Query<Filter>,
) -> Result<Json<Page>, Problem> {
    let filter = presets::managed::Filter {
        search: filter.search,
        category: filter.category,
        mode: filter.transcription_type,
    };
    let after = query.after()?;
    let mut connection = state.db.read().await?;
    let found = presets::managed::list(&mut connection, &filter, after, query.read()).await?;
    let mut presets = found.presets;
    let next_cursor = query.cut(&mut presets, |managed| {
        let uses = i64::try_from(managed.preset.usage_count).unwrap_or(i64::MAX);
        (uses, managed.preset.id)
    });
    let body = |managed| ManagedPreset::seen_by(&caller.user_id, managed);
    Ok(Json(Page {
        items: presets.into_iter().map(body).collect(),
        next_cursor,
        total: found.total,
    }))
}
