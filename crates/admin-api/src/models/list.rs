//! `GET /api/v1/admin/models`: all models with their tasks.

use axum::extract::State;
use serde::Serialize;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_app::state::engine::recognition_device;
use slovo_engine::models::MachineResources;
use slovo_models::{Source, tasks};
use utoipa::ToSchema;

use super::Body;

/// Where models come from.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ModelSource)]
enum ModelSource {
    /// The hub.
    Hub,
    /// No source: an administrator puts them into the folder.
    None,
}

/// The processor or graphics card on which recognition runs.
#[derive(Serialize, ToSchema)]
struct RecognitionDevice {
    /// Its short name, for example `CPU` or `CUDA0`.
    name: String,
    /// Its model.
    description: String,
    /// Whether it is a graphics card or unit.
    is_gpu: bool,
}

/// All models.
#[derive(Serialize, ToSchema)]
#[schema(as = ManagedModels)]
pub(super) struct Models {
    /// The folder in which they are stored.
    folder: String,
    /// Where they come from, as configured.
    source: ModelSource,
    /// The hub's host.
    hub: Option<String>,
    /// Where recognition runs.
    device: Option<RecognitionDevice>,
    /// Free disk space in that folder, in bytes.
    free_bytes: Option<u64>,
    /// In the order of the built-in list.
    models: Vec<Body>,
}

/// Lists all models and their state.
#[utoipa::path(get, path = "/admin/models", tag = "admin", operation_id = "list_models",
    responses(
        (status = OK, body = Models),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Json<Models>, Problem> {
    let listed = tokio::task::spawn_blocking(move || {
        let machine = MachineResources::this();
        let fetcher = state.models.fetcher();
        let models = state.models.catalogue().iter();
        Models {
            folder: fetcher.dir.display().to_string(),
            source: match fetcher.source {
                Source::Hub => ModelSource::Hub,
                Source::None => ModelSource::None,
            },
            hub: fetcher.hub.endpoint.host_str().map(str::to_owned),
            device: recognition_device(&state.config.engine).map(|device| RecognitionDevice {
                is_gpu: device.kind.is_gpu(),
                name: device.name,
                description: device.description,
            }),
            free_bytes: tasks::free_space(&fetcher.dir),
            models: models
                .map(|model| super::body(&state, machine.as_ref(), model))
                .collect(),
        }
    });
    Ok(Json(listed.await.map_err(Problem::internal)?))
}
