//! A fresh database for every test, of both kinds.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

use sqlx::{Connection as _, Executor as _};
use tokio::sync::OnceCell;

use crate::accounts::{self, NewAccount};
use crate::{Backend, Connection, Database, Options, Result};

/// Connections of one test's pool. Few, because PostgreSQL's are shared by all tests.
const CONNECTIONS: u32 = 4;

/// Runs `test` with a fresh, migrated database: first in SQLite, then in PostgreSQL. Prints
/// which one it was when the test panics.
pub fn each_database_at<F>(postgres_url: &str, test: F)
where
    F: AsyncFn(Database),
{
    for backend in [Backend::Sqlite, Backend::Postgres] {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime for the test");
        let place = runtime.block_on(Place::create(backend, postgres_url));
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            runtime.block_on(async {
                let database = place.open().await;
                test(database.clone()).await;
                database.close().await;
            });
        }));
        runtime.block_on(place.remove());
        if let Err(panic) = outcome {
            eprintln!("the test failed on {backend:?}");
            resume_unwind(panic);
        }
    }
}

/// An account with this id and the address `{id}@example.com`.
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

/// Runs a statement of a test's own.
pub async fn execute(connection: &mut Connection, statement: &str) {
    let statement = sqlx::AssertSqlSafe(statement.to_owned());
    let done = connection.execute(statement).await;
    done.expect("the test's statement is right");
}

/// Where one test's database is.
enum Place {
    Sqlite(tempfile::TempDir),
    Postgres { server: String, name: String },
}

impl Place {
    async fn create(backend: Backend, postgres_url: &str) -> Self {
        match backend {
            Backend::Sqlite => {
                let folder = tempfile::tempdir().expect("a folder for the test's database");
                let template = SQLITE_TEMPLATE.get_or_init(sqlite_template).await;
                std::fs::write(folder.path().join("slovo.db"), template)
                    .expect("a copy of the migrated database");
                Self::Sqlite(folder)
            }
            Backend::Postgres => {
                let name = format!("t_{}", uuid::Uuid::new_v4().simple());
                postgres(postgres_url, async |connection| {
                    let template = template(postgres_url, connection).await?;
                    let create = format!("CREATE DATABASE {name} TEMPLATE {template}");
                    connection.execute(sqlx::AssertSqlSafe(create)).await?;
                    Ok(())
                })
                .await;
                Self::Postgres {
                    server: postgres_url.to_owned(),
                    name,
                }
            }
        }
    }

    async fn open(&self) -> Database {
        let options = match self {
            Self::Sqlite(folder) => Options::file(&folder.path().join("slovo.db")).volatile(),
            Self::Postgres { server, name } => Options::url(with_database(server, name)),
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

/// A migrated database of SQLite that others are copied from.
static SQLITE_TEMPLATE: OnceCell<Vec<u8>> = OnceCell::const_new();

async fn sqlite_template() -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder for the template");
    let file = folder.path().join("slovo.db");
    let options = Options::file(&file).connections(1).volatile();
    let database = Database::connect(&options)
        .await
        .expect("the template opens");
    database
        .migrate()
        .await
        .expect("the template can be migrated");
    // The last connection to close brings everything from the log into the file.
    database.close().await;
    std::fs::read(&file).expect("the template can be read")
}

/// The name of a migrated database that others are copied from; made by whoever comes first.
async fn template(server: &str, connection: &mut Connection) -> Result<String> {
    let mut digest: u64 = 0xcbf2_9ce4_8422_2325;
    for migration in crate::connect::migrations() {
        for byte in migration {
            digest = (digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    let name = format!("slovo_template_{digest:016x}");
    connection
        .execute("SELECT pg_advisory_lock(736866)")
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
        let database = Database::connect(&Options::url(with_database(server, &name))).await?;
        database.migrate().await?;
        database.close().await;
        // The new name says that the work was finished, even if somebody is killed before.
        let rename = format!("ALTER DATABASE {name} RENAME TO {ready}");
        connection.execute(sqlx::AssertSqlSafe(rename)).await?;
    }
    connection
        .execute("SELECT pg_advisory_unlock(736866)")
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

/// The URL with another database's name in it.
fn with_database(url: &str, name: &str) -> String {
    let (before, query) = url
        .split_once('?')
        .map_or((url, ""), |(before, query)| (before, query));
    let server = before.rsplit_once('/').map_or(before, |(server, _)| server);
    format!("{server}/{name}?{query}")
}

/// [`each_database_at`] with the tests' own PostgreSQL.
#[cfg(test)]
pub(crate) fn each_database<F>(test: F)
where
    F: AsyncFn(Database),
{
    each_database_at(slovo_test_postgres::url(), test);
}

/// A database of SQLite in this file, for tests that open the same one twice.
///
/// # Errors
/// As [`Database::connect`] and [`Database::migrate`].
pub async fn sqlite(path: &Path) -> Result<Database> {
    let database =
        Database::connect(&Options::file(path).connections(CONNECTIONS).volatile()).await?;
    database.migrate().await?;
    Ok(database)
}
