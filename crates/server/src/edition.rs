//! The server's edition.

use slovo_db::Connection;
use slovo_rules::site::SiteSettings;

use crate::config::Config;
use crate::state::AppState;
use slovo_server_settings::read_site;

pub use slovo_rules::site::Edition;

/// The current edition, read on this connection.
///
/// # Errors
/// When the database fails.
pub async fn edition(state: &AppState, connection: &mut Connection) -> slovo_db::Result<Edition> {
    let site = read_site(connection).await?;
    Ok(in_force(&state.config, &site))
}

/// The edition for these settings: the administrator's answer, else the configuration, else the
/// service edition, which is the default of the product's specification.
#[must_use]
pub fn in_force(config: &Config, site: &SiteSettings) -> Edition {
    site.edition.or(config.edition).unwrap_or(Edition::Service)
}
