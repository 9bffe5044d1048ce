//! Server-specific data in the pages: the edition, the operator and usage figures.

use std::sync::Arc;

use slovo_accounts::plans::edition::in_force;
use slovo_app::auth::openid::OpenId;
use slovo_app::capabilities::more_types;
use slovo_app::public_site::figures::figures;
use slovo_app::state::AppState;
use slovo_rules::site::SiteSettings;
use slovo_server_settings::Settings;
use slovo_site::{AcceptedFiles, Forms, SiteInfo};

use super::offer::Offers;

/// The current data.
pub(super) async fn site_info(state: &AppState, offers: &Offers) -> slovo_db::Result<SiteInfo> {
    let site = state.settings.site().await?;
    of_settings(state, offers, site).await
}

/// The data with these settings.
pub(super) async fn of_settings(
    state: &AppState,
    offers: &Offers,
    settings: Arc<SiteSettings>,
) -> slovo_db::Result<SiteInfo> {
    let edition = in_force(state.config.edition, &settings);
    let Settings {
        limits, switches, ..
    } = state.settings.current().await?;
    let openid = state.openid.as_ref().filter(|_| switches.google);
    Ok(SiteInfo {
        accepted_files: AcceptedFiles {
            max_bytes: limits.upload_bytes(),
            more_types: more_types(),
        },
        forms: Forms {
            sign_up: switches.sign_up,
            contact: switches.contact_form,
            newsletter: switches.newsletter,
        },
        offer: offers.of(state, edition).await?,
        edition,
        figures: figures(state).await?,
        settings,
        provider: openid.map(OpenId::name).map(|(name, _)| name.to_owned()),
        preview: None,
    })
}
