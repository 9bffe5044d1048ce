//! The server's data on the public pages: `/api/v1/admin/site`.

use anyhow::Context;
use serde::Serialize;
use slovo_accounts::audit::Change;
use slovo_accounts::plans::edition::in_force;
use slovo_app::auth::Caller;
use slovo_app::public_site::figures;
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_rules::Valid;
use slovo_rules::site::{Edition, SiteSettings};
use slovo_server_settings::store_site;
use slovo_site::Figures;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

mod choose_edition;
mod get;
mod preview;
mod set;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(get::get, set::set))
        .routes(routes!(choose_edition::choose))
        .routes(routes!(preview::preview))
}

/// What the public pages say, and what of it visitors see.
#[derive(Serialize, ToSchema)]
#[schema(as = SiteView)]
pub(super) struct View {
    /// As it is stored.
    settings: SiteSettings,
    /// The edition in force.
    edition: Edition,
    /// Whether that is somebody's answer, here or in the server's configuration.
    answered: bool,
    /// The edition in the server's configuration, which holds until one is chosen here.
    #[schema(required)]
    configured_edition: Option<Edition>,
    /// Fields that are empty, so that visitors see nothing of them.
    missing: Vec<&'static str>,
    /// The server's own figures; null until there is an hour of recordings.
    #[schema(required)]
    figures: Option<FiguresBody>,
}

/// What this server has done.
#[derive(Serialize, ToSchema)]
#[schema(as = SiteFiguresBody)]
struct FiguresBody {
    /// Minutes of recordings that have their text.
    minutes: i64,
    /// How many recordings those are.
    recordings: i64,
    /// Words of their texts.
    words: i64,
}

impl View {
    async fn of(state: &AppState, settings: SiteSettings) -> slovo_db::Result<Self> {
        let configured_edition = state.config.edition;
        let figures = figures::figures(state).await?;
        Ok(Self {
            edition: in_force(configured_edition, &settings),
            answered: settings.edition.or(configured_edition).is_some(),
            configured_edition,
            missing: settings.missing(),
            figures: figures.map(FiguresBody::from),
            settings,
        })
    }
}

impl From<Figures> for FiguresBody {
    fn from(figures: Figures) -> Self {
        let Figures {
            minutes,
            recordings,
            words,
        } = figures;
        Self {
            minutes,
            recordings,
            words,
        }
    }
}

/// Stores the settings and logs the change. After the commit, the caller must use
/// [`slovo_server_settings::ServerSettings::changed`].
async fn store(
    connection: &mut Connection,
    state: &AppState,
    caller: &Caller,
    before: &SiteSettings,
    after: &Valid<SiteSettings>,
) -> anyhow::Result<()> {
    store_site(connection, after, state.clock.now_ms()).await?;
    let as_json = |settings: &SiteSettings| serde_json::to_value(settings).context("as JSON");
    let change = Change {
        action: "site.update",
        kind: "site",
        id: "public",
        name: "",
        before: as_json(before)?,
        after: as_json(after)?,
    };
    state.audit().record(connection, caller, change).await?;
    Ok(())
}
