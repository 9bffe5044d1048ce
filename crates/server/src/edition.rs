//! Whom this server is for.

use slovo_db::Connection;
use slovo_rules::site::SiteSettings;

use crate::config::Config;
use crate::state::AppState;
use slovo_server_settings::read_site;

pub use slovo_rules::site::Edition;

/// The edition that holds now, read on this connection.
///
/// # Errors
/// When the database fails.
pub async fn edition(state: &AppState, connection: &mut Connection) -> slovo_db::Result<Edition> {
    let site = read_site(connection).await?;
    Ok(in_force(&state.config, &site))
}

/// The edition that holds with these settings: as an administrator has answered, else as it is
/// configured, else for customers, as the product's specification has it.
#[must_use]
pub fn in_force(config: &Config, site: &SiteSettings) -> Edition {
    site.edition.or(config.edition).unwrap_or(Edition::Service)
}
