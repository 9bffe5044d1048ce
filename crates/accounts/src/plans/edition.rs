//! The server's edition.

use slovo_db::Connection;
use slovo_rules::site::SiteSettings;
use slovo_server_settings::read_site;

pub use slovo_rules::site::Edition;

/// The current edition, read on this connection. `configured` is that of the configuration.
///
/// # Errors
/// When the database fails.
pub async fn edition(
    configured: Option<Edition>,
    connection: &mut Connection,
) -> slovo_db::Result<Edition> {
    let site = read_site(connection).await?;
    Ok(in_force(configured, &site))
}

/// The edition for these settings: the administrator's answer, else the configuration, else the
/// service edition, which is the default of the product's specification.
#[must_use]
pub fn in_force(configured: Option<Edition>, site: &SiteSettings) -> Edition {
    site.edition.or(configured).unwrap_or(Edition::Service)
}
