//! The server's data on the public pages: `/api/v1/admin/site`.

use anyhow::Context;
use serde::Serialize;
use slovo_accounts::audit::Change;
use slovo_accounts::plans::edition::in_force;
use slovo_app::auth::Caller;
use slovo_app::public_site::figures;
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_rules::Valid;
use slovo_rules::site::{Edition, SiteSettings};
use slovo_server_settings::store_site;
use slovo_site::Figures;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

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

/// The settings of the public pages, and what visitors see of them.
#[derive(Serialize, ToSchema)]
#[schema(as = SiteView)]
pub(super) struct View {
    /// The stored settings.
    settings: SiteSettings,
    /// The edition in use.
    edition: Edition,
    /// Whether the edition was chosen, here or in the server's configuration.
    answered: bool,
    /// The edition in the server's configuration, which is used until one is chosen here.
    #[schema(required)]
    configured_edition: Option<Edition>,
    /// Names of the empty fields, which visitors do not see.
    missing: Vec<&'static str>,
    /// The server's own figures; null until an hour of recordings has been transcribed.
    #[schema(required)]
    figures: Option<FiguresBody>,
}

/// Statistics of this server.
#[derive(Serialize, ToSchema)]
#[schema(as = SiteFiguresBody)]
struct FiguresBody {
    /// Minutes of recordings that have been transcribed.
    minutes: i64,
    /// Number of those recordings.
    recordings: i64,
    /// Number of words in their transcripts.
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
