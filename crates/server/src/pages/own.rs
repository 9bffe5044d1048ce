//! Server-specific data in the pages: the edition, the operator and usage figures.

use std::sync::Arc;

use slovo_db::site::figures::{SiteFigures, site_figures};
use slovo_rules::site::SiteSettings;
use slovo_site::{Figures, Forms, Own, Taken};

use super::offer::Offers;
use crate::api::capabilities::more_types;
use crate::auth::openid::OpenId;
use crate::edition::in_force;
use crate::state::AppState;
use slovo_server_settings::Settings;

/// How long figures are cached, in milliseconds.
const FIGURES_MS: i64 = 10 * 60 * 1000;
/// Minimum for showing the server's own figures: an hour of recordings.
const ENOUGH_MS: i64 = 60 * 60 * 1000;
const MINUTE_MS: i64 = 60 * 1000;

/// The current data.
pub(super) async fn own(state: &AppState, offers: &Offers) -> slovo_db::Result<Own> {
    let site = state.settings.site().await?;
    of_settings(state, offers, site).await
}

/// The data with these settings.
pub(super) async fn of_settings(
    state: &AppState,
    offers: &Offers,
    settings: Arc<SiteSettings>,
) -> slovo_db::Result<Own> {
    let edition = in_force(state.config.edition, &settings);
    let Settings { limits, switches } = state.settings.current().await?;
    let openid = state.openid.as_ref().filter(|_| switches.google);
    Ok(Own {
        taken: Taken {
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

/// The server's usage figures, once they are large enough to show. At most ten minutes old.
///
/// # Errors
/// When the database fails.
pub(crate) async fn figures(state: &AppState) -> slovo_db::Result<Option<Figures>> {
    let now = state.clock.now_ms();
    let holds = |(counted, _): &(i64, SiteFigures)| (0..FIGURES_MS).contains(&(now - counted));
    let count = async || {
        let figures = site_figures(&mut *state.db.read().await?).await?;
        Ok::<_, slovo_db::Error>((now, figures))
    };
    let (_, figures) = state.site_figures.get((), holds, count).await?;
    let enough = figures.milliseconds >= ENOUGH_MS;
    Ok(enough.then_some(Figures {
        minutes: figures.milliseconds / MINUTE_MS,
        recordings: figures.recordings,
        words: figures.words,
    }))
}
