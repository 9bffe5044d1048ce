//! What the database says about its tables.

use std::collections::BTreeSet;

use sqlx::Row;

use super::{Column, Kind, Table};
use crate::core::statement::statements;
use crate::migrate::is_derived;
use crate::{Backend, Connection, Error, Result};

statements! {
    const TABLES_SQLITE: SQLITE = "SELECT name FROM sqlite_master WHERE type = 'table' \
        AND substr(name, 1, 7) <> 'sqlite_' AND name <> '_sqlx_migrations' ORDER BY name";
    const TABLES_POSTGRES: POSTGRES = "SELECT tablename::text AS name FROM pg_tables \
        WHERE schemaname = current_schema() AND tablename <> '_sqlx_migrations' \
        ORDER BY tablename::text COLLATE \"C\"";
    const COLUMNS_SQLITE: SQLITE =
        "SELECT name, lower(type) AS kind FROM pragma_table_info($1) ORDER BY cid";
    const COLUMNS_POSTGRES: POSTGRES = "SELECT column_name::text AS name, data_type::text AS kind \
        FROM information_schema.columns WHERE table_schema = current_schema() \
        AND table_name = $1 ORDER BY ordinal_position";
    const KEY_SQLITE: SQLITE =
        "SELECT name FROM pragma_table_info($1) WHERE pk > 0 ORDER BY pk";
    const KEY_POSTGRES: POSTGRES = "SELECT a.attname::text AS name FROM pg_index i \
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey) \
        WHERE i.indrelid = to_regclass(quote_ident($1)) AND i.indisprimary \
        ORDER BY array_position(i.indkey::smallint[], a.attnum)";
    const REFERENCES_SQLITE: SQLITE =
        "SELECT DISTINCT \"table\" AS name FROM pragma_foreign_key_list($1) WHERE \"table\" <> $1";
    const REFERENCES_POSTGRES: POSTGRES = "SELECT DISTINCT t.relname::text AS name \
        FROM pg_constraint c JOIN pg_class t ON t.oid = c.confrelid WHERE c.contype = 'f' \
        AND c.conrelid = to_regclass(quote_ident($1)) AND c.confrelid <> c.conrelid";
}

/// All tables but those that the program derives from others; each after those that it refers to.
pub(super) async fn tables(connection: &mut Connection, backend: Backend) -> Result<Vec<Table>> {
    let statement = of(backend, TABLES_SQLITE, TABLES_POSTGRES);
    let rows = sqlx::query(statement).fetch_all(&mut *connection).await?;
    let names = rows.iter().map(|row| Ok(row.try_get("name")?));
    let names = names.collect::<Result<Vec<String>>>()?;
    let mut waiting = Vec::new();
    for name in names.into_iter().filter(|name| !is_derived(name)) {
        let statement = of(backend, REFERENCES_SQLITE, REFERENCES_POSTGRES);
        let referred = self::names(connection, statement, &name).await?;
        waiting.push((table(connection, backend, name).await?, referred));
    }
    order(waiting)
}

/// Puts each table after those that it refers to.
fn order(mut waiting: Vec<(Table, Vec<String>)>) -> Result<Vec<Table>> {
    let mut ordered = Vec::new();
    let mut done = BTreeSet::new();
    while !waiting.is_empty() {
        let is_ready =
            |(_, referred): &(Table, Vec<String>)| referred.iter().all(|name| done.contains(name));
        let (ready, rest): (Vec<_>, Vec<_>) = waiting.into_iter().partition(is_ready);
        if let (true, Some((table, _))) = (ready.is_empty(), rest.first()) {
            return Err(table.wrong("it refers to a table that refers to it"));
        }
        done.extend(ready.iter().map(|(table, _)| table.name.clone()));
        ordered.extend(ready.into_iter().map(|(table, _)| table));
        waiting = rest;
    }
    Ok(ordered)
}

async fn table(connection: &mut Connection, backend: Backend, name: String) -> Result<Table> {
    let statement = of(backend, COLUMNS_SQLITE, COLUMNS_POSTGRES);
    let rows = sqlx::query(statement)
        .bind(&name)
        .fetch_all(&mut *connection)
        .await?;
    let columns = rows.iter().map(|row| {
        let kind: String = row.try_get("kind")?;
        Ok(Column {
            name: row.try_get("name")?,
            kind: kind_of(&kind).ok_or_else(|| Error::Transfer {
                table: name.clone(),
                reason: format!("the type {kind} is unknown"),
            })?,
        })
    });
    let columns = columns.collect::<Result<Vec<_>>>()?;
    let statement = of(backend, KEY_SQLITE, KEY_POSTGRES);
    let mut key = names(connection, statement, &name).await?;
    if key.is_empty() {
        key = columns.iter().map(|column| column.name.clone()).collect();
    }
    Ok(Table { name, columns, key })
}

async fn names(
    connection: &mut Connection,
    statement: &'static str,
    table: &str,
) -> Result<Vec<String>> {
    let rows = sqlx::query(statement)
        .bind(table)
        .fetch_all(connection)
        .await?;
    rows.iter().map(|row| Ok(row.try_get("name")?)).collect()
}

fn kind_of(name: &str) -> Option<Kind> {
    match name {
        "text" => Some(Kind::Text),
        "bigint" | "integer" => Some(Kind::Integer),
        "double precision" => Some(Kind::Double),
        _ => None,
    }
}

fn of(backend: Backend, sqlite: &'static str, postgres: &'static str) -> &'static str {
    match backend {
        Backend::Sqlite => sqlite,
        Backend::Postgres => postgres,
    }
}
