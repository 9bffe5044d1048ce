//! Prepares every registered statement on both databases and compares what it gives with what is
//! read.

use std::collections::BTreeSet;

use sqlx::postgres::types::Oid;
use sqlx::postgres::{PgColumn, PgStatement, PgTypeInfo};
use sqlx::sqlite::SqliteColumn;
use sqlx::{
    AssertSqlSafe, Column as _, Connection as _, Executor as _, PgConnection, Row as _,
    SqliteConnection, Statement as _, TypeInfo as _,
};

use super::{Column, Statement, Text};
use crate::Database;
use crate::testing::{Backend, apply, each_database, with_database};

/// A column that a statement gives.
#[derive(Debug, PartialEq)]
struct ResultColumn {
    name: String,
    /// The database's name of its type. SQLite knows none for an expression: `NULL`.
    kind: String,
    /// Whether it is a column of a table that may be NULL there.
    is_nullable: bool,
}

/// The types that `sqlx`'s `Any` reads: others would fail when the first row is read.
const READABLE: [&str; 11] = [
    "BIGINT",
    "BOOL",
    "DOUBLE PRECISION",
    "FLOAT4",
    "FLOAT8",
    "INT2",
    "INT4",
    "INT8",
    "TEXT",
    "VARCHAR",
    "VOID",
];

/// The types that a function of `Fields` reads.
fn readable_by(reader: &str) -> &'static [&'static str] {
    match reader.strip_suffix("_or_none").unwrap_or(reader) {
        "text" | "uuid" | "word" | "json" => &["TEXT", "VARCHAR"],
        "integer" | "flag" | "count" | "index" => &["INT2", "INT4", "INT8", "INTEGER", "BIGINT"],
        "number" => &["FLOAT8", "DOUBLE PRECISION", "REAL"],
        other => panic!("it is not known what {other} reads"),
    }
}

impl Text {
    fn texts(&self, backend: Backend) -> Vec<String> {
        match self {
            Self::Constant(text) => vec![(*text).to_owned()],
            Self::Built(texts) => texts(backend),
        }
    }
}

/// What is wrong with the columns that a statement gives.
fn faults(given: &[ResultColumn], read: &[Column], backend: Backend) -> Vec<String> {
    let mut faults = Vec::new();
    let mut names = BTreeSet::new();
    for column in given {
        if !names.insert(&column.name) {
            faults.push(format!("gives two columns {}", column.name));
        }
        if backend == Backend::Postgres && !READABLE.contains(&&*column.kind) {
            faults.push(format!(
                "{} has the type {}, which cannot be read",
                column.name, column.kind
            ));
        }
    }
    for column in read {
        let Some(found) = given
            .iter()
            .find(|given_column| given_column.name == column.name)
        else {
            faults.push(format!("does not give {}, which is read", column.name));
            continue;
        };
        let is_unknown = backend == Backend::Sqlite && found.kind == "NULL";
        if !is_unknown && !readable_by(column.reader).contains(&&*found.kind) {
            faults.push(format!(
                "{} has the type {}, which is not read as {}",
                column.name, found.kind, column.reader
            ));
        }
        if found.is_nullable && !column.reader.ends_with("_or_none") {
            faults.push(format!(
                "{} may be NULL, which is not read as {}",
                column.name, column.reader
            ));
        }
    }
    faults
}

/// Whether a statement asks for all columns of a table, whatever they are.
fn has_star(text: &str) -> bool {
    let words: Vec<&str> = text.split([' ', ',']).collect();
    words.windows(2).any(|pair| {
        let before = pair[0].trim_start_matches('(');
        pair[1] == "*" && ["SELECT", "RETURNING", ""].contains(&before)
    }) || words.iter().any(|word| word.ends_with(".*"))
}

/// A connection of the database's own driver.
enum Native {
    Sqlite(SqliteConnection),
    Postgres(PgConnection, NotNullColumns),
}

/// Columns that are NOT NULL, by table and number.
type NotNullColumns = BTreeSet<(i64, i16)>;

impl Native {
    async fn open(database: &Database) -> Self {
        let options = database.pool().connect_options();
        let url = options.database_url.as_str();
        match database.backend() {
            Backend::Sqlite => Self::Sqlite(SqliteConnection::connect(url).await.unwrap()),
            Backend::Postgres => {
                let mut connection = PgConnection::connect(url).await.unwrap();
                let not_null = sqlx::query(
                    "SELECT attrelid::bigint AS relation, attnum FROM pg_attribute \
                     WHERE attnotnull",
                )
                .fetch_all(&mut connection)
                .await
                .unwrap()
                .iter()
                .map(|row| (row.get("relation"), row.get("attnum")))
                .collect();
                Self::Postgres(connection, not_null)
            }
        }
    }

    async fn prepare(&mut self, text: &str) -> sqlx::Result<Vec<ResultColumn>> {
        match self {
            Self::Sqlite(connection) => {
                let text = AssertSqlSafe(text.to_owned());
                let statement = (&mut *connection).prepare(sqlx::SqlSafeStr::into_sql_str(text));
                Ok(statement.await?.columns().iter().map(in_sqlite).collect())
            }
            Self::Postgres(connection, not_null) => {
                let statement = prepare_in_postgres(connection, text).await?;
                let columns = statement.columns().iter();
                Ok(columns
                    .map(|column| in_postgres(column, not_null))
                    .collect())
            }
        }
    }
}

/// Prepares a statement. The type of a parameter that some forms of a statement do not use cannot
/// be told from its text; such parameters are whole numbers.
async fn prepare_in_postgres(
    connection: &mut PgConnection,
    text: &str,
) -> sqlx::Result<PgStatement> {
    const UNKNOWN_TYPE: PgTypeInfo = PgTypeInfo::with_oid(Oid(0));
    let mut types = Vec::new();
    loop {
        let safe = sqlx::SqlSafeStr::into_sql_str(AssertSqlSafe(text.to_owned()));
        let error = match (&mut *connection).prepare_with(safe, &types).await {
            Err(error) => error,
            statement => return statement,
        };
        let Some(number) = untyped_parameter(&error) else {
            return Err(error);
        };
        if types.len() < number {
            types.resize(number, UNKNOWN_TYPE);
        }
        let kind = &mut types[number - 1];
        if *kind != UNKNOWN_TYPE {
            return Err(error);
        }
        *kind = PgTypeInfo::with_oid(INT8);
    }
}

/// PostgreSQL's number of the type BIGINT.
const INT8: Oid = Oid(20);

/// The number of the parameter, from 1, whose type PostgreSQL could not tell.
fn untyped_parameter(error: &sqlx::Error) -> Option<usize> {
    let error = error.as_database_error()?;
    if error.code()? != "42P18" {
        return None;
    }
    let (_, number) = error.message().rsplit_once('$')?;
    number.parse().ok()
}

fn in_sqlite(column: &SqliteColumn) -> ResultColumn {
    ResultColumn {
        name: column.name().to_owned(),
        kind: column.type_info().name().to_owned(),
        is_nullable: false,
    }
}

fn in_postgres(column: &PgColumn, not_null: &NotNullColumns) -> ResultColumn {
    let of_table = column.relation_id().zip(column.relation_attribute_no());
    ResultColumn {
        name: column.name().to_owned(),
        kind: column.type_info().name().to_owned(),
        is_nullable: of_table
            .is_some_and(|(table, number)| !not_null.contains(&(i64::from(table.0), number))),
    }
}

#[apply(each_database!)]
fn every_statement_is_valid_and_returns_the_columns_that_are_read(backend: Backend) {
    with_database(backend, async |database| {
        let mut native = Native::open(&database).await;
        let mut wrong = Vec::new();
        let mut number = 0;
        for statement in inventory::iter::<Statement> {
            if !statement.databases.contains(&backend) {
                continue;
            }
            let texts = statement.text.texts(backend);
            assert!(!texts.is_empty(), "{} has no text", statement.name);
            for text in texts {
                number += 1;
                let mut faults = match native.prepare(&text).await {
                    Ok(given) => faults(&given, &statement.rows.concat(), backend),
                    Err(error) => vec![format!("is refused: {error}")],
                };
                if has_star(&text) {
                    faults.push("asks for all columns instead of naming them".into());
                }
                let describe = |fault| {
                    let Statement { place, name, .. } = statement;
                    format!("{place}: {name} {fault}\n    {text}")
                };
                wrong.extend(faults.into_iter().map(describe));
            }
        }
        assert!(number > 500, "only {number} statements are registered");
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}
