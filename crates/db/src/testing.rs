//! A fresh database of either kind for every test.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::pin::Pin;

use sqlx::{Connection as _, Executor as _};
use tokio::sync::OnceCell;

use crate::accounts::{self, NewAccount};
use crate::core::advisory_locks::AdvisoryLock;
mod faults;

#[cfg(test)]
pub(crate) use macro_rules_attribute::apply;

pub use self::faults::{Failure, Faults};
pub use crate::Backend;
pub use crate::each_database;
use crate::{Connection, Database, Options, Result};

/// Connections per test's pool. Few, because all tests share PostgreSQL's.
pub const CONNECTIONS: u32 = 4;

/// Generates two tests from a function that takes a [`Backend`], `name::sqlite` and
/// `name::postgres`, both with its attributes.
///
/// ```ignore
/// #[apply(each_database!)]
/// fn a_row_is_found(backend: Backend) {
///     with_database(backend, async |database| { … });
/// }
/// ```
#[macro_export]
macro_rules! each_database {
    ($(#[$attribute:meta])* fn $name:ident($backend:ident: $kind:ty) $body:block) => {
        fn $name($backend: $kind) $body

        mod $name {
            #[test]
            $(#[$attribute])*
            fn sqlite() {
                super::$name($crate::Backend::Sqlite);
            }

            #[test]
            $(#[$attribute])*
            fn postgres() {
                super::$name($crate::Backend::Postgres);
            }
        }
    };
}

/// A test's function, without its type.
type BoxedTest<'a> = Box<dyn FnOnce(Database) -> Pin<Box<dyn Future<Output = ()> + 'a>> + 'a>;

/// Runs `test` with a fresh, migrated database of this kind. `postgres_url` is
/// `slovo_test_postgres::url`; it is called only for PostgreSQL.
pub fn with_database_at<F>(backend: Backend, postgres_url: fn() -> &'static str, test: F)
where
    F: AsyncFnOnce(Database),
{
    run_boxed(
        backend,
        postgres_url,
        Box::new(|database| Box::pin(test(database))),
    );
}

/// Boxed, because the compiler would make a runtime's `block_on` again for each of a thousand
/// tests: that was half of the code of the server's tests.
fn run_boxed(backend: Backend, postgres_url: fn() -> &'static str, test: BoxedTest<'_>) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime for the test");
    let place = runtime.block_on(async {
        match backend {
            Backend::Sqlite => DatabaseLocation::sqlite().await,
            Backend::Postgres => DatabaseLocation::postgres(postgres_url().to_owned()).await,
        }
    });
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        runtime.block_on(async {
            // Shown only if the test fails: where one that hangs was.
            eprintln!("opening the test's database");
            let database = place.open().await;
            eprintln!("running the test");
            test(database.clone()).await;
            eprintln!("closing the test's database");
            database.close().await;
        });
    }));
    runtime.block_on(place.remove());
    if let Err(panic) = outcome {
        resume_unwind(panic);
    }
}

/// Stores an account with this id and the address `{id}@example.com`.
pub async fn account(connection: &mut Connection, id: &str) {
    let email = format!("{id}@example.com");
    let new = NewAccount {
        id,
        synced_user_id: id,
        email: &email,
        password_hash: Some("$argon2id$"),
        created_at: 5,
    };
    accounts::insert(connection, &new)
        .await
        .expect("an account for the test");
}

/// Executes a statement of a test.
pub async fn execute(connection: &mut Connection, statement: &str) {
    let statement = sqlx::AssertSqlSafe(statement.to_owned());
    let done = connection.execute(statement).await;
    done.expect("the test's statement is right");
}

/// The location of a test's database.
enum DatabaseLocation {
    Sqlite(tempfile::TempDir),
    Postgres { server: String, name: String },
}

impl DatabaseLocation {
    async fn sqlite() -> Self {
        let folder = tempfile::tempdir().expect("a folder for the test's database");
        let template = SQLITE_TEMPLATE.get_or_init(sqlite_template).await;
        std::fs::write(folder.path().join("slovo.db"), template)
            .expect("a copy of the migrated database");
        Self::Sqlite(folder)
    }

    async fn postgres(server: String) -> Self {
        let name = format!("t_{}", uuid::Uuid::new_v4().simple());
        postgres(&server, async |connection| {
            let template = template(&server, connection).await?;
            let create = format!("CREATE DATABASE {name} TEMPLATE {template}");
            connection.execute(sqlx::AssertSqlSafe(create)).await?;
            Ok(())
        })
        .await;
        Self::Postgres { server, name }
    }

    async fn open(&self) -> Database {
        let options = match self {
            Self::Sqlite(folder) => Options::file(&folder.path().join("slovo.db")).volatile(),
            Self::Postgres { server, name } => Options::url(url_with_database(server, name)),
        };
        let database = Database::connect(&options.connections(CONNECTIONS))
            .await
            .expect("the test's database opens");
        database
            .migrate()
            .await
            .expect("the test's database can be migrated");
        database
    }

    async fn remove(self) {
        if let Self::Postgres { server, name } = self {
            postgres(&server, async |connection| {
                let drop = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
                connection.execute(sqlx::AssertSqlSafe(drop)).await?;
                Ok(())
            })
            .await;
        }
    }
}

/// A migrated SQLite database that is copied for each test.
static SQLITE_TEMPLATE: OnceCell<Vec<u8>> = OnceCell::const_new();

/// The template, cached beside the test programs, because each test may be a process of its own.
async fn sqlite_template() -> Vec<u8> {
    let program = std::env::current_exe().expect("a test is a program");
    let folder = program.parent().expect("a program has a folder");
    let cached = folder.join(format!("slovo-template-{:016x}.db", schema()));
    if let Ok(template) = std::fs::read(&cached) {
        return template;
    }
    let scratch = tempfile::tempdir_in(folder).expect("a folder for the template");
    let file = scratch.path().join("slovo.db");
    let options = Options::file(&file).connections(1).volatile();
    let database = Database::connect(&options)
        .await
        .expect("the template opens");
    database
        .migrate()
        .await
        .expect("the template can be migrated");
    // Closing the last connection writes the log into the file.
    database.close().await;
    let template = std::fs::read(&file).expect("the template can be read");
    // Atomic, because other processes may create the same file.
    std::fs::rename(&file, &cached).expect("the template can be kept");
    template
}

/// Identifies the schema: a digest (FNV-1a) of all migrations.
fn schema() -> u64 {
    let bytes = crate::migrate::migrations().flatten();
    bytes.fold(0xcbf2_9ce4_8422_2325, |digest, byte| {
        (digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The name of a migrated database that is copied for each test; created by the first caller.
async fn template(server: &str, connection: &mut Connection) -> Result<String> {
    let name = format!("slovo_template_{:016x}", schema());
    sqlx::query("SELECT pg_advisory_lock($1)")
        .bind(AdvisoryLock::TestTemplate.key())
        .execute(&mut *connection)
        .await?;
    let ready = format!("{name}_ready");
    let exists = sqlx::query("SELECT datname::text FROM pg_database WHERE datname = $1")
        .bind(&ready)
        .fetch_optional(&mut *connection)
        .await?;
    if exists.is_none() {
        for leftover in [
            format!("DROP DATABASE IF EXISTS {name}"),
            format!("CREATE DATABASE {name}"),
        ] {
            connection.execute(sqlx::AssertSqlSafe(leftover)).await?;
        }
        let database = Database::connect(&Options::url(url_with_database(server, &name))).await?;
        database.migrate().await?;
        database.close().await;
        // The new name marks it as complete, even if a process is killed before.
        let rename = format!("ALTER DATABASE {name} RENAME TO {ready}");
        connection.execute(sqlx::AssertSqlSafe(rename)).await?;
    }
    sqlx::query("SELECT pg_advisory_unlock($1)")
        .bind(AdvisoryLock::TestTemplate.key())
        .execute(&mut *connection)
        .await?;
    Ok(ready)
}

async fn postgres<F>(url: &str, work: F)
where
    F: AsyncFnOnce(&mut Connection) -> Result<()>,
{
    sqlx::any::install_default_drivers();
    let mut connection = Connection::connect(url)
        .await
        .expect("the tests' PostgreSQL answers");
    work(&mut connection)
        .await
        .expect("the tests' PostgreSQL does as told");
    connection.close().await.ok();
}

/// The URL with another database name.
fn url_with_database(url: &str, name: &str) -> String {
    let (before, query) = url
        .split_once('?')
        .map_or((url, ""), |(before, query)| (before, query));
    let server = before.rsplit_once('/').map_or(before, |(server, _)| server);
    format!("{server}/{name}?{query}")
}

/// [`with_database_at`] with the tests' own PostgreSQL.
#[cfg(test)]
pub(crate) fn with_database<F>(backend: Backend, test: F)
where
    F: AsyncFnOnce(Database),
{
    with_database_at(backend, slovo_test_postgres::url, test);
}

/// A SQLite database in this file, for tests that open the same one twice.
///
/// # Errors
/// As [`Database::connect`] and [`Database::migrate`].
pub async fn sqlite(path: &Path) -> Result<Database> {
    let database =
        Database::connect(&Options::file(path).connections(CONNECTIONS).volatile()).await?;
    database.migrate().await?;
    Ok(database)
}
