use std::collections::BTreeMap;

use futures_util::TryStreamExt;

use super::{clear, insert, schemas};
use crate::jobs::tests::{account, enqueue};
use crate::testing::{Backend, apply, each_database, execute, with_database};
use crate::{Database, Options, newest_version};

/// The lines of all tables.
type Lines = BTreeMap<String, Vec<Vec<u8>>>;

async fn lines(database: &Database) -> Lines {
    let mut snapshot = database.snapshot().await.unwrap();
    assert_eq!(snapshot.version(), newest_version());
    let mut lines = BTreeMap::new();
    for table in snapshot.tables().to_vec() {
        let rows = snapshot.rows(&table).try_collect().await.unwrap();
        lines.insert(table.name, rows);
    }
    snapshot.close().await.unwrap();
    lines
}

/// An empty database of the other kind, or in another schema.
async fn empty(backend: Backend, folder: &std::path::Path) -> Database {
    let options = match backend {
        Backend::Sqlite => Options::file(&folder.join("copy.db")).volatile(),
        Backend::Postgres => {
            Options::url(slovo_test_postgres::url()).in_schema(&schema_name(folder))
        }
    };
    if backend == Backend::Postgres {
        let server = Database::connect(&Options::url(slovo_test_postgres::url())).await;
        let server = server.unwrap();
        let mut transaction = server.write().await.unwrap();
        let name = schema_name(folder);
        schemas::create(&mut transaction, &name).await.unwrap();
        transaction.commit().await.unwrap();
        server.close().await;
    }
    let database = Database::connect(&options.connections(2)).await.unwrap();
    database.migrate_to(newest_version()).await.unwrap();
    database
}

fn schema_name(folder: &std::path::Path) -> String {
    let name = folder.file_name().unwrap().to_string_lossy().to_lowercase();
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("transfer_{name}")
}

async fn copy(lines: &Lines, target: &Database) -> Result<(), crate::Error> {
    let tables = target.tables().await.unwrap();
    let mut transaction = target.write().await.unwrap();
    clear(&mut transaction, &tables).await.unwrap();
    for table in &tables {
        for lines in lines[&table.name].chunks(table.rows_at_once()) {
            insert(&mut transaction, table, lines).await?;
        }
    }
    transaction.commit().await
}

/// The first line that differs, with the name of its table.
fn differing(one: &Lines, other: &Lines) -> String {
    let tables = one.keys().chain(other.keys());
    let mut differing = tables.filter(|table| one.get(*table) != other.get(*table));
    let table = differing.next();
    table.map_or_else(String::new, |table| {
        let text = |lines: &Lines| {
            let lines = lines.get(table).map(|lines| lines.join(&b'\n'));
            String::from_utf8_lossy(&lines.unwrap_or_default()).into_owned()
        };
        format!("{table}:\n{}\n{}", text(one), text(other))
    })
}

async fn fill(database: &Database) {
    account(database, "a").await;
    for number in 1..=3 {
        enqueue(database, "a", number, 0, 0).await;
    }
    let mut transaction = database.write().await.unwrap();
    execute(
        &mut transaction,
        "UPDATE synced_jobs SET title = 'Їжак \"q\" \\ ''o'' \n\u{1f994}', duration = 0.1",
    )
    .await;
    transaction.commit().await.unwrap();
}

#[apply(each_database!)]
fn a_database_moves_to_either_kind_byte_by_byte(backend: Backend) {
    with_database(backend, async |database| {
        fill(&database).await;
        let original = lines(&database).await;
        assert_eq!(original["synced_jobs"].len(), 3);
        assert!(!original.contains_key("search_schema"));
        for kind in [Backend::Sqlite, Backend::Postgres] {
            let folder = tempfile::tempdir().unwrap();
            let target = empty(kind, folder.path()).await;
            copy(&original, &target).await.unwrap();
            assert_eq!(differing(&lines(&target).await, &original), "", "{kind:?}");
            // What is derived is made from the rows.
            target.migrate().await.unwrap();
            enqueue(&target, "a", 4, 0, 0).await;
            assert_eq!(lines(&target).await["synced_jobs"].len(), 4);
            target.close().await;
        }
    });
}

#[apply(each_database!)]
fn a_snapshot_does_not_see_what_is_written_later(backend: Backend) {
    with_database(backend, async |database| {
        fill(&database).await;
        let mut snapshot = database.snapshot().await.unwrap();
        enqueue(&database, "a", 9, 0, 0).await;
        let jobs = snapshot.tables().iter().find(|t| t.name == "synced_jobs");
        let jobs = jobs.unwrap().clone();
        let rows: Vec<_> = snapshot.rows(&jobs).try_collect().await.unwrap();
        assert_eq!(rows.len(), 3);
        snapshot.close().await.unwrap();
        // The connection can be used again.
        enqueue(&database, "a", 10, 0, 0).await;
    });
}

#[apply(each_database!)]
fn lines_that_are_no_rows_are_refused(backend: Backend) {
    with_database(backend, async |database| {
        let tables = database.tables().await.unwrap();
        let table = tables.iter().find(|table| table.name == "accounts");
        let table = table.unwrap();
        let width = table.columns.len();
        let numbers = format!("[{}1]", "1,".repeat(width - 1));
        let objects = format!("[{}{{}}]", "{},".repeat(width - 1));
        for line in ["", "[]", "{}", "null", "[\"a\"]", "[[", &numbers, &objects] {
            let mut transaction = database.write().await.unwrap();
            let refused = insert(&mut transaction, table, &[line]).await.unwrap_err();
            assert!(
                refused.to_string().contains("table accounts"),
                "{line}: {refused}"
            );
        }
    });
}
