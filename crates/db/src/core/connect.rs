//! Opening the database and handing out connections.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Once};
use std::time::Duration;

use sqlx::AnyConnection;
use sqlx::any::AnyPoolOptions;
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyPool, Connection as _, Transaction};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::core::statement::statements;
#[cfg(feature = "testing")]
use crate::testing::Faults;
use crate::{Error, Result};

/// How long a SQLite writer waits for another process (`slovo admin` beside the server) before it
/// fails. Writers of one process queue in [`Database::write`] without a limit, so this applies only
/// between processes, whose transactions are short.
const SQLITE_BUSY_TIMEOUT_MS: u32 = 15_000;

/// SQLite readers run in parallel in WAL mode, each on its own thread; more of them would only wait
/// for the disk. The writer uses one of these connections.
const SQLITE_CONNECTIONS: u32 = 8;

/// The page cache of a SQLite connection. With SQLite's own 2 MB, a list with a rare name or state among
/// 100,000 jobs reads most pages from the file again: it takes 1.2 to 1.6 times as long.
const SQLITE_CACHE_KIB: u32 = 8_000;

/// PostgreSQL allows 100 connections in all by default; this process takes a tenth.
const POSTGRES_CONNECTIONS: u32 = 10;

/// How long a request waits for a free connection, in seconds, before it fails with
/// [`Error::Busy`].
const ACQUIRE_TIMEOUT_SECONDS: u64 = 10;

/// The kind of database behind a [`Database`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// One file; the embedded default.
    Sqlite,
    /// A server, configured by `DATABASE_URL`.
    Postgres,
}

impl Backend {
    /// The kind of database of a connection.
    pub(crate) fn of(connection: &AnyConnection) -> Self {
        match connection.backend_name() {
            "PostgreSQL" => Self::Postgres,
            _ => Self::Sqlite,
        }
    }

    /// SQL condition for rows whose column contains the text of this parameter. Unlike with `LIKE`,
    /// SQLite does not compile the statement again for each value, and PostgreSQL compares faster.
    /// The column and the text are lower-cased.
    pub(crate) fn contains(self, column: &str, parameter: usize) -> String {
        let function = match self {
            Self::Sqlite => "instr",
            Self::Postgres => "strpos",
        };
        format!("{function}({column}, ${parameter}) > 0")
    }
}

/// Where the database is and how to use it.
#[derive(Clone)]
pub struct Options {
    url: String,
    connections: Option<u32>,
    volatile: bool,
}

impl Options {
    /// A database given by its URL, `postgres://…`, `postgresql://…` or `sqlite://…`.
    pub fn url(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            connections: None,
            volatile: false,
        }
    }

    /// A SQLite file, created if missing. Its folder must exist.
    pub fn file(path: &Path) -> Self {
        let mut url = String::from("sqlite://");
        for byte in path.to_string_lossy().bytes() {
            match byte {
                b'/' | b'.' | b'-' | b'_' | b'~' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                    url.push(char::from(byte));
                }
                other => url.push_str(&format!("%{other:02X}")),
            }
        }
        Self::url(url + "?mode=rwc")
    }

    /// Sets the maximum number of connections.
    #[must_use]
    pub fn connections(mut self, connections: u32) -> Self {
        self.connections = Some(connections);
        self
    }

    /// The URL, with a password.
    pub(crate) fn address(&self) -> &str {
        &self.url
    }

    /// Keeps all tables in this schema of a PostgreSQL database. The name has only letters, digits and
    /// underscores.
    #[must_use]
    pub fn in_schema(mut self, name: &str) -> Self {
        let separator = if self.url.contains('?') { '&' } else { '?' };
        self.url = format!("{}{separator}options[search_path]={name}", self.url);
        self
    }

    /// For databases of tests: SQLite does not wait for the disk. Committed data survives a killed
    /// process, but not a power failure.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn volatile(mut self) -> Self {
        self.volatile = true;
        self
    }
}

/// An address with a password in it, which is not printed.
struct Address(String);

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Address")
    }
}

/// The database. Cheap to clone; all clones share one pool.
#[derive(Clone, Debug)]
pub struct Database {
    pool: AnyPool,
    address: Arc<Address>,
    backend: Backend,
    /// SQLite has one writer. This queue is fair; SQLite's own busy handler can starve a writer.
    writers: Option<Arc<Semaphore>>,
    /// Number of write transactions that have ended in this process.
    changes: Arc<AtomicU64>,
    #[cfg(feature = "testing")]
    faults: Arc<Faults>,
}

impl Database {
    /// Opens the database without changing it; see [`Database::migrate`].
    ///
    /// # Errors
    /// [`Error::Address`] for an unknown kind of database, [`Error::Database`] if it cannot be
    /// reached.
    pub async fn connect(options: &Options) -> Result<Self> {
        static DRIVERS: Once = Once::new();
        DRIVERS.call_once(sqlx::any::install_default_drivers);
        let backend = match options.url.split_once(':').map(|(scheme, _)| scheme) {
            Some("sqlite") => Backend::Sqlite,
            Some("postgres" | "postgresql") => Backend::Postgres,
            _ => {
                return Err(Error::Address(
                    "it must begin with postgres:// or sqlite://".into(),
                ));
            }
        };
        let built_in = match backend {
            Backend::Sqlite => SQLITE_CONNECTIONS,
            Backend::Postgres => POSTGRES_CONNECTIONS,
        };
        let volatile = options.volatile;
        // First without the pool, which would retry for 10 seconds and then hide the cause.
        let mut probe =
            AnyConnection::connect(&options.url)
                .await
                .map_err(|error| match error {
                    sqlx::Error::Configuration(reason) => Error::Address(reason.to_string()),
                    other => other.into(),
                })?;
        prepare(backend, volatile, &mut probe).await?;
        probe.close().await?;
        let pool = AnyPoolOptions::new()
            .max_connections(options.connections.unwrap_or(built_in).max(1))
            .acquire_timeout(Duration::from_secs(ACQUIRE_TIMEOUT_SECONDS))
            .after_connect(move |connection, _| Box::pin(prepare(backend, volatile, connection)))
            .after_release(|connection, _| Box::pin(has_ended(connection)))
            .connect(&options.url)
            .await?;
        let writers = (backend == Backend::Sqlite).then(|| Arc::new(Semaphore::new(1)));
        Ok(Self {
            pool,
            address: Arc::new(Address(options.url.clone())),
            backend,
            writers,
            changes: Arc::default(),
            #[cfg(feature = "testing")]
            faults: Arc::default(),
        })
    }

    /// Its address, for connections that are not of the pool.
    pub(crate) fn url(&self) -> &str {
        &self.address.0
    }

    /// The kind of this database.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// A connection for reading, or in PostgreSQL for a single statement that needs no transaction.
    /// Writes to SQLite must use [`Database::write`].
    ///
    /// # Errors
    /// [`Error::Busy`] if none becomes free within 10 seconds.
    pub async fn read(&self) -> Result<ReadConnection> {
        #[cfg(feature = "testing")]
        self.faults.before_read()?;
        Ok(ReadConnection(self.pool.acquire().await?))
    }

    /// A transaction for writing. In SQLite it takes the write lock at once, so that what it reads
    /// cannot change before it writes. Rolled back if dropped without [`WriteTransaction::commit`].
    ///
    /// # Errors
    /// [`Error::Busy`] if no connection becomes free within 10 seconds.
    pub async fn write(&self) -> Result<WriteTransaction> {
        #[cfg(feature = "testing")]
        self.faults.before_write()?;
        let permit = self.write_permit().await;
        let transaction = match self.backend {
            Backend::Sqlite => self.pool.begin_with("BEGIN IMMEDIATE").await?,
            Backend::Postgres => self.pool.begin().await?,
        };
        Ok(WriteTransaction {
            transaction,
            _change: Change(Arc::clone(&self.changes)),
            #[cfg(feature = "testing")]
            faults: Arc::clone(&self.faults),
            _permit: permit,
        })
    }

    /// The failures that a test plans for this database.
    #[cfg(feature = "testing")]
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// The number of write transactions that have ended in this process. Data cached at a different
    /// number may be stale. Does not cover other processes.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::SeqCst)
    }

    /// Checks whether the database can respond and store, for a health check: writes a time into a
    /// row reserved for this.
    ///
    /// # Errors
    /// [`Error::Full`], [`Error::Unreachable`], [`Error::Busy`] or [`Error::Database`] if it
    /// cannot.
    pub async fn probe(&self, now: i64) -> Result<()> {
        let mut transaction = self.write().await?;
        crate::core::health::record_probe(&mut transaction, now).await?;
        transaction.commit().await
    }

    /// The numbers of connections in use and of idle ones.
    #[must_use]
    pub fn connections(&self) -> (i64, i64) {
        let idle = i64::try_from(self.pool.num_idle()).unwrap_or(i64::MAX);
        let used = i64::from(self.pool.size()).saturating_sub(idle);
        (used.max(0), idle)
    }

    /// All connections.
    pub(crate) fn pool(&self) -> &AnyPool {
        &self.pool
    }

    /// Closes all connections once those in use are returned.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    /// Waits for the permit to write, if there is only one writer at a time.
    pub(crate) async fn write_permit(&self) -> Option<OwnedSemaphorePermit> {
        match &self.writers {
            // The semaphore is never closed.
            Some(writers) => Arc::clone(writers).acquire_owned().await.ok(),
            None => None,
        }
    }
}

statements! {
    const POSTGRES_SETTINGS: POSTGRES = "SET TIME ZONE 'UTC'";
}

/// Settings of every new connection.
async fn prepare(
    backend: Backend,
    volatile: bool,
    connection: &mut AnyConnection,
) -> sqlx::Result<()> {
    match backend {
        Backend::Sqlite => {
            sqlx::raw_sql(sqlx::AssertSqlSafe(sqlite_settings(volatile)))
                .execute(connection)
                .await?;
        }
        Backend::Postgres => {
            sqlx::raw_sql(POSTGRES_SETTINGS).execute(connection).await?;
        }
    }
    Ok(())
}

/// The settings of a SQLite connection. In WAL mode readers and the writer do not block each other.
/// FULL: a commit is on the disk when it returns, so that neither a killed process nor a power
/// failure loses an accepted job; a volatile database does not wait for the disk.
fn sqlite_settings(volatile: bool) -> String {
    let synchronous = if volatile { "OFF" } else { "FULL" };
    format!(
        "PRAGMA busy_timeout = {SQLITE_BUSY_TIMEOUT_MS}; PRAGMA journal_mode = WAL; \
         PRAGMA cache_size = -{SQLITE_CACHE_KIB}; PRAGMA synchronous = {synchronous}; PRAGMA foreign_keys = ON;"
    )
}

/// Whether a connection returned to the pool has no open transaction; otherwise it is closed.
///
/// SQLite rolls back a whole transaction by itself when the disk is full (and after some other
/// failures, see <https://sqlite.org/lang_transaction.html>). The ROLLBACK that follows then fails,
/// and sqlx-sqlite 0.9 still counts the transaction as open: that connection would refuse every
/// BEGIN from then on.
async fn has_ended(connection: &mut AnyConnection) -> sqlx::Result<bool> {
    // After this, a rollback started when a transaction was dropped has finished.
    connection.ping().await?;
    let open = connection.is_in_transaction();
    if open {
        tracing::warn!("a transaction could not be ended; its connection is closed");
    }
    Ok(!open)
}

/// A connection for reading; returned to the pool when dropped.
pub struct ReadConnection(PoolConnection<Any>);

impl Deref for ReadConnection {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        &self.0
    }
}

impl DerefMut for ReadConnection {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        &mut self.0
    }
}

/// A transaction for writing; see [`Database::write`].
pub struct WriteTransaction {
    // Dropped before the permit passes on, so that the rollback is queued before the next writer.
    transaction: Transaction<'static, Any>,
    _change: Change,
    #[cfg(feature = "testing")]
    faults: Arc<Faults>,
    _permit: Option<OwnedSemaphorePermit>,
}

/// Counts when dropped: after the commit, and also if the transaction was cancelled.
struct Change(Arc<AtomicU64>);

impl Drop for Change {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl WriteTransaction {
    /// Commits the changes.
    ///
    /// # Errors
    /// [`Error::Database`]; then nothing was changed.
    pub async fn commit(self) -> Result<()> {
        #[cfg(feature = "testing")]
        self.faults.before_write()?;
        Ok(self.transaction.commit().await?)
    }

    /// Rolls back now instead of when dropped.
    ///
    /// # Errors
    /// [`Error::Database`] if the connection is lost; nothing was changed in that case either.
    pub async fn rollback(self) -> Result<()> {
        Ok(self.transaction.rollback().await?)
    }
}

impl Deref for WriteTransaction {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        &self.transaction
    }
}

impl DerefMut for WriteTransaction {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        &mut self.transaction
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Backend, apply, each_database, sqlite, with_database};

    #[tokio::test]
    async fn connection_errors_do_not_contain_the_password() {
        let folder = tempfile::tempdir().unwrap();
        let message =
            async |options: Options| Database::connect(&options).await.unwrap_err().to_string();
        for url in [
            "",
            "data.db",
            "mysql://me:hunter2@h/x",
            "postgres://me:hunter2@[/x",
        ] {
            let error = message(Options::url(url)).await;
            assert!(
                error.contains("address") && !error.contains("hunter2"),
                "{url}: {error}"
            );
        }
        let damaged = folder.path().join("damaged.db");
        std::fs::write(&damaged, "this is no database, whatever its name says").unwrap();
        let error = message(Options::file(&damaged)).await;
        assert!(error.contains("file is not a database"), "{error}");
        let missing = folder.path().join("no/such/folder/x.db");
        assert!(
            message(Options::file(&missing))
                .await
                .contains("unable to open")
        );
    }

    #[tokio::test]
    async fn a_database_file_name_may_contain_any_characters() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("дані ?mode=ro #1%20.db");
        let database = sqlite(&path).await.unwrap();
        assert!(path.is_file());
        database.close().await;
    }

    #[tokio::test]
    async fn a_second_process_waits_for_the_writer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.db");
        let (server, tool) = (sqlite(&path).await.unwrap(), sqlite(&path).await.unwrap());
        let transaction = server.write().await.unwrap();
        let waiting = tokio::spawn(async move { tool.write().await.unwrap().commit().await });
        transaction.commit().await.unwrap();
        waiting.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_full_disk_is_reported_and_the_pool_recovers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.db");
        drop(sqlite(&path).await.unwrap());
        let database = Database::connect(&Options::file(&path).connections(1).volatile())
            .await
            .unwrap();
        // Limits this connection only: a new one has room.
        let full = "PRAGMA max_page_count = 1";
        let mut connection = database.read().await.unwrap();
        sqlx::query(full).execute(&mut *connection).await.unwrap();
        drop(connection);
        let mut transaction = database.write().await.unwrap();
        let large = "INSERT INTO site_visits (day, page, locale, visits) \
                     VALUES (hex(zeroblob(100000)), '/', 'uk', 1)";
        let stored = sqlx::query(large).execute(&mut *transaction).await;
        let refused = Error::from(stored.unwrap_err());
        assert!(matches!(refused, Error::Full(_)), "{refused}");
        drop(transaction);
        for now in 1..=20 {
            database.probe(now).await.unwrap();
        }
        database.close().await;
    }

    #[apply(each_database!)]
    fn uncommitted_changes_are_rolled_back(backend: Backend) {
        with_database(backend, async |database| {
            let count = async || {
                let mut connection = database.read().await.unwrap();
                let row = sqlx::query_scalar::<_, i64>("SELECT COUNT(*) FROM founding_account");
                row.fetch_one(&mut *connection).await.unwrap()
            };
            let insert =
                "INSERT INTO founding_account (slot, user_id, created_at) VALUES (1, 'u', 1)";
            let mut transaction = database.write().await.unwrap();
            sqlx::query(insert)
                .execute(&mut *transaction)
                .await
                .unwrap();
            drop(transaction);
            assert_eq!(count().await, 0);
            let mut transaction = database.write().await.unwrap();
            sqlx::query(insert)
                .execute(&mut *transaction)
                .await
                .unwrap();
            transaction.commit().await.unwrap();
            assert_eq!(count().await, 1);
        });
    }
}
