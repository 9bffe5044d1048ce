//! Brings the database to this version: the migrations, then the parts with SQL specific to each
//! database ([`Part`]). This module is above the groups, whose parts it lists.

use std::borrow::Cow;
use std::sync::LazyLock;

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{Row, SqlStr};

use crate::core::advisory_locks::AdvisoryLock;
use crate::core::schema::Part;
use crate::core::statement::statements;
use crate::texts::search;
use crate::{Backend, Connection, Database, Error, Result, jobs};

/// Version, description and SQL of every migration, collected by `build.rs`.
const EMBEDDED: &[(i64, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    let migrations = EMBEDDED.iter().map(|(version, description, text)| {
        let kind = MigrationType::Simple;
        Migration::new(
            *version,
            Cow::Borrowed(*description),
            kind,
            SqlStr::from_static(text),
            false,
        )
    });
    migrator(migrations.collect())
});

/// Without sqlx's own lock in PostgreSQL: it belongs to the connection, and would stay with it in the
/// pool after a migration that fails. Ours ends with the transaction.
fn migrator(migrations: Vec<Migration>) -> Migrator {
    let mut migrator = Migrator::with_migrations(migrations);
    migrator.set_locking(false);
    migrator
}

const PARTS: [&Part; 4] = [&search::SCHEMA, &jobs::COUNTS, &jobs::NAMES, &jobs::ORDERS];

/// Whether any migration was made.
async fn is_migrated(connection: &mut Connection, backend: Backend) -> Result<bool> {
    let statement = match backend {
        Backend::Sqlite => HAS_MIGRATIONS_SQLITE,
        Backend::Postgres => HAS_MIGRATIONS_POSTGRES,
    };
    let row = sqlx::query(statement).fetch_one(connection).await?;
    Ok(row.try_get::<i64, _>("n")? > 0)
}

/// Whether the program makes the table's rows from others; also for the table with the shapes.
pub(crate) fn is_derived(table: &str) -> bool {
    let mut parts = PARTS.iter().flat_map(|part| part.tables);
    table == "search_schema" || parts.any(|prefix| table.starts_with(prefix))
}

/// The number of this program's last migration.
#[must_use]
pub fn newest_version() -> i64 {
    let versions = MIGRATIONS.iter().map(|migration| migration.version);
    versions.max().unwrap_or(0)
}

/// The number of the database's last migration.
pub(crate) async fn version(connection: &mut Connection) -> Result<i64> {
    let row = sqlx::query(VERSION).fetch_one(connection).await?;
    Ok(row.try_get::<Option<i64>, _>("version")?.unwrap_or(0))
}

impl Database {
    /// The number of the last migration; `None` if there was none yet.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn version(&self) -> Result<Option<i64>> {
        let mut connection = self.read().await?;
        if !is_migrated(&mut connection, self.backend()).await? {
            return Ok(None);
        }
        version(&mut connection).await.map(Some)
    }

    /// Brings a new database to the state after this migration, without the parts that are derived.
    ///
    /// # Errors
    /// [`Error::Migration`] if it was migrated already, by another program.
    pub async fn migrate_to(&self, version: i64) -> Result<()> {
        let first = MIGRATIONS.iter().filter(|one| one.version <= version);
        let migrator = migrator(first.cloned().collect());
        let permit = self.write_permit().await;
        migrator.run(self.pool()).await?;
        drop(permit);
        Ok(())
    }

    /// Migrates the database to this program's version. Safe to call at every start.
    ///
    /// # Errors
    /// [`Error::Newer`] if it was migrated by a newer program, [`Error::Migration`] if by a modified one,
    /// or if a migration fails. Nothing was changed then.
    pub async fn migrate(&self) -> Result<()> {
        self.migrate_by(&MIGRATIONS).await
    }

    /// All migrations or none of them.
    async fn migrate_by(&self, migrator: &Migrator) -> Result<()> {
        let mut transaction = self.write().await?;
        if self.backend() == Backend::Postgres {
            // Several programs may start at once; later ones wait and find what the first one did.
            AdvisoryLock::Migration.take(&mut transaction).await?;
        }
        refuse_newer(&mut transaction, self.backend()).await?;
        migrator.run(&mut *transaction).await?;
        prepare(&mut transaction, self.backend()).await?;
        transaction.commit().await
    }
}

/// The SQL of every migration and of the index; its digest identifies test templates.
#[cfg(feature = "testing")]
pub(crate) fn migrations() -> impl Iterator<Item = &'static [u8]> {
    MIGRATIONS
        .iter()
        .map(|migration| migration.checksum.as_ref())
        .chain(texts())
}

/// All statements; their digest identifies test templates.
#[cfg(feature = "testing")]
fn texts() -> impl Iterator<Item = &'static [u8]> {
    PARTS
        .iter()
        .flat_map(|part| part.sqlite.iter().chain(part.postgres))
        .map(|statement| statement.as_bytes())
}

statements! {
    const VERSION: BOTH = "SELECT MAX(version) AS version FROM _sqlx_migrations";
    const HAS_MIGRATIONS_SQLITE: SQLITE = "SELECT COUNT(*) AS n FROM sqlite_master WHERE name = '_sqlx_migrations'";
    const HAS_MIGRATIONS_POSTGRES: POSTGRES = "SELECT COUNT(*) AS n FROM pg_tables \
        WHERE schemaname = current_schema() AND tablename = '_sqlx_migrations'";
    const SHAPE: BOTH = "SELECT shape FROM search_schema WHERE slot = $1";
    const SET_SHAPE: BOTH =
        "INSERT INTO search_schema (slot, shape) VALUES ($1, $2) \
         ON CONFLICT (slot) DO UPDATE SET shape = $2";
}

/// Refuses a database that a newer program has migrated.
async fn refuse_newer(connection: &mut Connection, backend: Backend) -> Result<()> {
    if !is_migrated(connection, backend).await? {
        return Ok(());
    }
    let (found, known) = (version(connection).await?, newest_version());
    match found > known {
        true => Err(Error::Newer { found, known }),
        false => Ok(()),
    }
}

/// Creates parts that are missing or have another shape.
///
/// # Errors
/// When the database fails.
async fn prepare(connection: &mut Connection, backend: Backend) -> Result<()> {
    for part in PARTS {
        let row = sqlx::query(SHAPE)
            .bind(part.slot)
            .fetch_optional(&mut *connection)
            .await?;
        let found: Option<i64> = row.map(|row| row.try_get("shape")).transpose()?;
        if found == Some(part.shape) {
            continue;
        }
        let statements = match backend {
            Backend::Sqlite => part.sqlite,
            Backend::Postgres => part.postgres,
        };
        for statement in statements {
            run(connection, statement).await?;
        }
        if part.slot == jobs::ORDERS.slot {
            jobs::fill_keys(&mut *connection).await?;
        }
        sqlx::query(SET_SHAPE)
            .bind(part.slot)
            .bind(part.shape)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn run(connection: &mut Connection, statement: &'static str) -> Result<()> {
    sqlx::raw_sql(statement).execute(connection).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use sqlx::SqlStr;
    use sqlx::migrate::{Migration, MigrationType};

    use super::{EMBEDDED, MIGRATIONS, newest_version, version};
    use crate::jobs::tests::{account, claim, enqueue};
    use crate::testing::{Backend, apply, each_database, with_database};

    /// Migrations after this one only add: processes of the version before go on while the first one of
    /// a new version migrates.
    const LAST_FREE: i64 = 368;

    /// What a migration does that a process of the version before may not survive.
    fn breaks(migration: &str) -> Option<String> {
        let lines = migration.lines();
        let code = lines.filter(|line| !line.trim_start().starts_with("--"));
        let code = code.collect::<Vec<_>>().join(" ").to_uppercase();
        let words: Vec<&str> = code.split_whitespace().collect();
        let is_new = |table: &str| code.contains(&format!("CREATE TABLE {table} "));
        words.windows(5).find_map(|found| {
            let breaks = match found {
                ["DROP", "TABLE" | "COLUMN", ..] | ["RENAME", ..] => true,
                ["ALTER", "COLUMN", ..] | ["ADD", "CONSTRAINT", ..] => true,
                ["UNIQUE", "INDEX", _, "ON", table] => !is_new(table),
                _ => false,
            };
            breaks.then(|| found.join(" "))
        })
    }

    #[test]
    fn new_migrations_leave_what_running_processes_use() {
        for (version, description, text) in EMBEDDED {
            if *version > LAST_FREE {
                assert_eq!(breaks(text), None, "{version} {description}");
            }
        }
        let added = "ALTER TABLE a ADD COLUMN b TEXT; CREATE TABLE c (d TEXT); -- DROP TABLE a
            CREATE UNIQUE INDEX e ON c (d); DROP INDEX f; UPDATE a SET b = 'rename';";
        assert_eq!(breaks(&added.replace("-- DROP TABLE a", "")), None);
        for breaking in [
            "DROP TABLE a; SELECT 1 FROM b",
            "ALTER TABLE a DROP COLUMN b; SELECT 1 FROM b",
            "alter table a rename column b to c; SELECT 1",
            "CREATE UNIQUE INDEX a ON b (c) WHERE d",
            "ALTER TABLE a ALTER COLUMN b SET NOT NULL",
        ] {
            assert!(breaks(breaking).is_some(), "{breaking}");
        }
    }

    /// Prepared statements of open connections survive what a newer version adds. Only with PostgreSQL,
    /// which machines share: SQLite sometimes answers "no such table" to a connection that has not read
    /// the new schema yet.
    #[test]
    fn a_running_process_goes_on_while_a_newer_one_migrates() {
        with_database(Backend::Postgres, async |database| {
            account(&database, "a").await;
            for number in 1..=2 {
                enqueue(&database, "a", number, 0, 0).await;
            }
            assert!(claim(&database, "w", 10).await.is_some());
            for text in [
                "ALTER TABLE synced_jobs ADD COLUMN later TEXT",
                "ALTER TABLE accounts ADD COLUMN later BIGINT NOT NULL DEFAULT 0",
                "CREATE TABLE later (id TEXT NOT NULL PRIMARY KEY)",
            ] {
                let mut transaction = database.write().await.unwrap();
                super::run(&mut transaction, text).await.unwrap();
                transaction.commit().await.unwrap();
            }
            assert!(claim(&database, "w", 10).await.is_some());
            enqueue(&database, "a", 3, 0, 0).await;
            account(&database, "b").await;
            assert!(claim(&database, "w", 10).await.is_some());
        });
    }

    #[apply(each_database!)]
    fn a_migration_that_fails_leaves_the_state_before(backend: Backend) {
        with_database(backend, async |database| {
            account(&database, "a").await;
            let texts = [
                (99_990, "CREATE TABLE later (id TEXT NOT NULL PRIMARY KEY)"),
                (
                    99_991,
                    "INSERT INTO later VALUES ('a'); INSERT INTO nowhere VALUES (1)",
                ),
            ];
            let more = texts.map(|(version, text)| {
                let kind = MigrationType::Simple;
                Migration::new(
                    version,
                    "later".into(),
                    kind,
                    SqlStr::from_static(text),
                    false,
                )
            });
            let all = MIGRATIONS.iter().cloned().chain(more).collect();
            let failing = super::migrator(all);
            let failed = database.migrate_by(&failing).await.unwrap_err();
            assert!(failed.to_string().contains("It is as it was"), "{failed}");
            let mut connection = database.read().await.unwrap();
            assert_eq!(version(&mut connection).await.unwrap(), newest_version());
            drop(connection);
            database.migrate().await.unwrap();
            account(&database, "b").await;
        });
    }

    #[apply(each_database!)]
    fn a_database_of_a_newer_program_is_refused(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            let digest = match backend {
                Backend::Sqlite => "x'00'",
                Backend::Postgres => "'\\x00'::bytea",
            };
            let newer = format!(
                "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                 SELECT 99999, 'later', success, {digest}, 1 FROM _sqlx_migrations LIMIT 1"
            );
            crate::testing::execute(&mut transaction, &newer).await;
            transaction.commit().await.unwrap();
            let refused = database.migrate().await.unwrap_err();
            assert!(
                refused.to_string().contains("newer version of Slovo"),
                "{refused}"
            );
        });
    }

    #[apply(each_database!)]
    fn migrating_twice_changes_nothing(backend: Backend) {
        with_database(backend, async |database| database.migrate().await.unwrap());
    }
}
