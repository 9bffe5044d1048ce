//! What administrators set while the server runs, read by nearly every request.
//!
//! Settings are cached for two seconds, so that a change made by another web process takes effect
//! within that time. A change made by this process takes effect at once.

use std::sync::{Arc, Mutex, PoisonError};

use slovo_db::site::server_settings;
use slovo_db::{Connection, Database};
use slovo_rules::Valid;
use slovo_rules::codes::ProblemCode;
use slovo_rules::server_settings::{ServerDefaults, ServerLimits, Switches};
use slovo_rules::site::SiteSettings;

use slovo_platform::clock::Clock;

/// How long the cached settings are valid, in milliseconds.
const CACHE_TTL_MS: i64 = 2000;

const LIMITS: &str = "limits";
const DEFAULTS: &str = "defaults";
const SITE: &str = "site";

/// The settings at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The limits.
    pub limits: ServerLimits,
    /// The switches.
    pub switches: Switches,
    /// What new transcriptions begin with.
    pub defaults: ServerDefaults,
}

/// The settings of one server. Cheap to clone; all clones share one cache.
#[derive(Clone)]
pub struct ServerSettings(Arc<Inner>);

struct Inner {
    db: Database,
    clock: Arc<dyn Clock>,
    cache: Mutex<CachedSettings>,
}

#[derive(Default)]
struct CachedSettings {
    /// Incremented with every write of this process: settings read before a write are not cached
    /// after it.
    writes: u64,
    /// With the time of reading, in Unix milliseconds.
    settings: Option<(Settings, i64)>,
    /// What the public pages say about the server, likewise.
    site: Option<(Arc<SiteSettings>, i64)>,
}

impl ServerSettings {
    /// The settings in this database; nothing is read yet.
    #[must_use]
    pub fn new(db: Database, clock: Arc<dyn Clock>) -> Self {
        Self(Arc::new(Inner {
            db,
            clock,
            cache: Mutex::default(),
        }))
    }

    /// The settings in force.
    ///
    /// # Errors
    /// When the database fails, or what is stored cannot be read.
    pub async fn current(&self) -> slovo_db::Result<Settings> {
        let now = self.0.clock.now_ms();
        let writes = {
            let cache = self.cache();
            if let Some((settings, read_at)) = &cache.settings
                && (0..CACHE_TTL_MS).contains(&(now - read_at))
            {
                return Ok(settings.clone());
            }
            cache.writes
        };
        let mut connection = self.0.db.read().await?;
        let settings = read(&mut connection).await?;
        drop(connection);
        let mut cache = self.cache();
        if cache.writes == writes {
            cache.settings = Some((settings.clone(), now));
        }
        Ok(settings)
    }

    /// What the public pages say about this server.
    ///
    /// # Errors
    /// When the database fails, or what is stored cannot be read.
    pub async fn site(&self) -> slovo_db::Result<Arc<SiteSettings>> {
        let now = self.0.clock.now_ms();
        let writes = {
            let cache = self.cache();
            if let Some((site, read_at)) = &cache.site
                && (0..CACHE_TTL_MS).contains(&(now - read_at))
            {
                return Ok(Arc::clone(site));
            }
            cache.writes
        };
        let site = Arc::new(read_site(&mut *self.0.db.read().await?).await?);
        let mut cache = self.cache();
        if cache.writes == writes {
            cache.site = Some((Arc::clone(&site), now));
        }
        Ok(site)
    }

    /// Discards the cached settings. Call it after the transaction that changed them was committed.
    pub fn changed(&self) {
        let mut cache = self.cache();
        cache.writes += 1;
        cache.settings = None;
        cache.site = None;
    }

    fn cache(&self) -> std::sync::MutexGuard<'_, CachedSettings> {
        self.0.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The settings as they are stored.
///
/// # Errors
/// When the database fails, or what is stored cannot be read.
pub async fn read(connection: &mut Connection) -> slovo_db::Result<Settings> {
    let limits = server_settings::get(&mut *connection, LIMITS).await?;
    let switches = server_settings::get(&mut *connection, server_settings::SWITCHES).await?;
    let defaults = server_settings::get(connection, DEFAULTS).await?;
    Ok(Settings {
        limits: limits.unwrap_or_default(),
        switches: switches.unwrap_or_default(),
        defaults: defaults.unwrap_or_default(),
    })
}

/// Replaces the stored settings. Call [`ServerSettings::changed`] after the commit.
///
/// # Errors
/// When the database fails.
pub async fn store(
    connection: &mut Connection,
    limits: &Valid<ServerLimits>,
    switches: &Valid<Switches>,
    defaults: &Valid<ServerDefaults>,
    now: i64,
) -> slovo_db::Result<()> {
    server_settings::set(&mut *connection, LIMITS, &**limits, now).await?;
    server_settings::set(
        &mut *connection,
        server_settings::SWITCHES,
        &**switches,
        now,
    )
    .await?;
    server_settings::set(connection, DEFAULTS, &**defaults, now).await
}

/// The stored texts and figures of the public pages.
///
/// # Errors
/// When the database fails, or what is stored cannot be read.
pub async fn read_site(connection: &mut Connection) -> slovo_db::Result<SiteSettings> {
    let site = server_settings::get(connection, SITE).await?;
    Ok(site.unwrap_or_default())
}

/// Stores the texts and figures of the public pages. Call [`ServerSettings::changed`] after the
/// commit.
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

/// A feature that an administrator has switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("switched off: {code}")]
pub struct SwitchedOff {
    /// The code of the problem, which says what is switched off.
    pub code: ProblemCode,
}

/// Returns an error if a feature is switched off.
///
/// # Errors
/// [`SwitchedOff`] with this code.
pub fn require(on: bool, code: ProblemCode) -> Result<(), SwitchedOff> {
    if on {
        return Ok(());
    }
    Err(SwitchedOff { code })
}
