//! What administrators set while the server runs, read by nearly every request.
//!
//! What was read counts for two seconds: then another web process, which may have written, is
//! heard. A write in this process is heard at once.

use std::sync::{Arc, Mutex, PoisonError};

use slovo_db::site::server_settings;
use slovo_db::{Connection, Database};
use slovo_rules::Valid;
use slovo_rules::server_settings::{ServerLimits, Switches};
use slovo_rules::site::SiteSettings;

use slovo_platform::clock::Clock;

/// How long what was read is believed, in milliseconds.
const BELIEVED_MS: i64 = 2000;

const LIMITS: &str = "limits";
const SITE: &str = "site";

/// The settings at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// How much of what.
    pub limits: ServerLimits,
    /// What is on.
    pub switches: Switches,
}

/// The settings of one server. Cheap to clone; all clones are the same.
#[derive(Clone)]
pub struct ServerSettings(Arc<Inner>);

struct Inner {
    db: Database,
    clock: Arc<dyn Clock>,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// Grows with every write of this process: what was read before one is not kept after it.
    writes: u64,
    /// With the time of reading, in Unix milliseconds.
    settings: Option<(Settings, i64)>,
    /// What the public pages say of the server, likewise.
    site: Option<(Arc<SiteSettings>, i64)>,
}

impl ServerSettings {
    /// The settings in this database; nothing is read yet.
    #[must_use]
    pub fn new(db: Database, clock: Arc<dyn Clock>) -> Self {
        Self(Arc::new(Inner {
            db,
            clock,
            known: Mutex::default(),
        }))
    }

    /// The settings in force.
    ///
    /// # Errors
    /// When the database fails, or what is stored cannot be read.
    pub async fn current(&self) -> slovo_db::Result<Settings> {
        let now = self.0.clock.now_ms();
        let writes = {
            let known = self.known();
            if let Some((settings, read_at)) = known.settings
                && (0..BELIEVED_MS).contains(&(now - read_at))
            {
                return Ok(settings);
            }
            known.writes
        };
        let mut connection = self.0.db.read().await?;
        let settings = read(&mut connection).await?;
        drop(connection);
        let mut known = self.known();
        if known.writes == writes {
            known.settings = Some((settings, now));
        }
        Ok(settings)
    }

    /// What the public pages say of this server.
    ///
    /// # Errors
    /// When the database fails, or what is stored cannot be read.
    pub async fn site(&self) -> slovo_db::Result<Arc<SiteSettings>> {
        let now = self.0.clock.now_ms();
        let writes = {
            let known = self.known();
            if let Some((site, read_at)) = &known.site
                && (0..BELIEVED_MS).contains(&(now - read_at))
            {
                return Ok(Arc::clone(site));
            }
            known.writes
        };
        let site = Arc::new(read_site(&mut *self.0.db.read().await?).await?);
        let mut known = self.known();
        if known.writes == writes {
            known.site = Some((Arc::clone(&site), now));
        }
        Ok(site)
    }

    /// Has the settings read anew, after the transaction that changed them was committed.
    pub fn changed(&self) {
        let mut known = self.known();
        known.writes += 1;
        known.settings = None;
        known.site = None;
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.0.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The settings as they are stored.
///
/// # Errors
/// When the database fails, or what is stored cannot be read.
pub async fn read(connection: &mut Connection) -> slovo_db::Result<Settings> {
    let limits = server_settings::get(&mut *connection, LIMITS).await?;
    let switches = server_settings::get(connection, server_settings::SWITCHES).await?;
    Ok(Settings {
        limits: limits.unwrap_or_default(),
        switches: switches.unwrap_or_default(),
    })
}

/// Stores settings in place of those before. [`ServerSettings::changed`] follows the commit.
///
/// # Errors
/// When the database fails.
pub async fn store(
    connection: &mut Connection,
    limits: &Valid<ServerLimits>,
    switches: &Valid<Switches>,
    now: i64,
) -> slovo_db::Result<()> {
    server_settings::set(&mut *connection, LIMITS, &**limits, now).await?;
    server_settings::set(connection, server_settings::SWITCHES, &**switches, now).await
}

/// What is stored of what the public pages say.
///
/// # Errors
/// When the database fails, or what is stored cannot be read.
pub async fn read_site(connection: &mut Connection) -> slovo_db::Result<SiteSettings> {
    let site = server_settings::get(connection, SITE).await?;
    Ok(site.unwrap_or_default())
}

/// Stores what the public pages say. [`ServerSettings::changed`] follows the commit.
///
/// # Errors
/// When the database fails.
pub async fn store_site(
    connection: &mut Connection,
    site: &Valid<SiteSettings>,
    now: i64,
) -> slovo_db::Result<()> {
    server_settings::set(connection, SITE, &**site, now).await
}

/// An administrator has switched something off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("switched off: {code}")]
pub struct SwitchedOff {
    /// What is switched off, as a code of `slovo_rules::codes`.
    pub code: &'static str,
}

/// Refuses what an administrator has switched off.
///
/// # Errors
/// [`SwitchedOff`] with this code.
pub fn require(on: bool, code: &'static str) -> Result<(), SwitchedOff> {
    if on {
        return Ok(());
    }
    Err(SwitchedOff { code })
}
