//! Tables and rows of a base, in version 3 or 2 of the API, whichever the server offers.
//!
//! Both versions silently ignore fields that a table does not have, so a write could be lost
//! without an error: callers check [`Remote::missing`] first.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde_json::{Map, Value, json};

use super::client::{Client, Repeat};
use super::failure::Failure;
use super::schema::{self, Table};

/// Most tables and fields of a base that are read: ours are fewer.
const MAX_TABLES: usize = 1000;

/// A version of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// Flat rows; at most a hundred per write.
    V2,
    /// Rows with nested fields; at most ten per write.
    V3,
}

impl Api {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2 => "v2",
            Self::V3 => "v3",
        }
    }

    /// Most rows per write.
    #[must_use]
    pub const fn batch(self) -> usize {
        match self {
            Self::V2 => 100,
            Self::V3 => 10,
        }
    }
}

/// A remote row.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its number.
    pub id: i64,
    /// Its values.
    pub fields: Map<String, Value>,
    /// When it was last changed or, if never, created, in Unix milliseconds.
    pub updated_at: Option<i64>,
}

/// Which rows to list, ordered by number.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowQuery<'a> {
    /// NocoDB's filter; empty means all.
    pub condition: &'a str,
    /// Only these fields; all if empty.
    pub fields: &'a [&'a str],
    /// The most rows to return.
    pub limit: usize,
}

/// A base.
pub struct Remote {
    client: Client,
    base: String,
    api: Api,
    /// Table ids by name.
    tables: BTreeMap<String, String>,
}

impl Remote {
    /// Detects the API version of the server and the tables of the base.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn open(client: Client, base: &str) -> Result<Self, Failure> {
        let mut last = Failure::NotNocodb(None);
        for api in [Api::V3, Api::V2] {
            let path = format!("api/{}/meta/bases/{base}/tables", api.as_str());
            match client.get(&path, &[]).await {
                Ok(listed) => {
                    let tables = tables_of(&listed)?;
                    let base = base.to_owned();
                    return Ok(Self {
                        client,
                        base,
                        api,
                        tables,
                    });
                }
                // An older server lacks this path, and both versions report an unknown base.
                Err(
                    failure @ (Failure::NotFound(..)
                    | Failure::NotNocodb(_)
                    | Failure::Rejected(..)),
                ) => last = failure,
                Err(failure) => return Err(failure),
            }
        }
        // The server responds: check whether it is NocoDB.
        match client.get("api/v1/health", &[]).await {
            Ok(health) if health.get("message").is_some() => Err(match last {
                Failure::NotNocodb(status) => {
                    Failure::NotFound(status.unwrap_or(404), "base".to_owned())
                }
                told => told,
            }),
            _ => Err(Failure::NotNocodb(last.status())),
        }
    }

    /// The API version in use.
    pub fn api(&self) -> Api {
        self.api
    }

    /// The number of requests sent.
    pub fn requests(&self) -> u64 {
        self.client.requests()
    }

    /// The names of the base's tables.
    pub fn table_names(&self) -> Vec<String> {
        self.tables.keys().cloned().collect()
    }

    fn id_of(&self, table: &Table) -> Result<&str, Failure> {
        let id = self.tables.get(table.name);
        id.map(String::as_str)
            .ok_or_else(|| Failure::Schema(table.name.to_owned()))
    }

    /// What the base lacks: tables, and fields as `table.field`.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn missing(&self) -> Result<(Vec<String>, Vec<String>), Failure> {
        let (mut tables, mut fields) = (Vec::new(), Vec::new());
        for table in schema::all() {
            if !self.tables.contains_key(table.name) {
                tables.push(table.name.to_owned());
                continue;
            }
            let existing = self.fields_of(table).await?;
            let missing = table
                .fields
                .iter()
                .filter(|field| !existing.contains(field.name));
            fields.extend(missing.map(|field| format!("{}.{}", table.name, field.name)));
        }
        Ok((tables, fields))
    }

    async fn fields_of(&self, table: &Table) -> Result<BTreeSet<String>, Failure> {
        let id = self.id_of(table)?;
        let (path, list) = match self.api {
            Api::V2 => (format!("api/v2/meta/tables/{id}"), "columns"),
            Api::V3 => (
                format!("api/v3/meta/bases/{}/tables/{id}", self.base),
                "fields",
            ),
        };
        let response = self.client.get(&path, &[]).await?;
        let fields = response.get(list).and_then(Value::as_array);
        let fields = fields.ok_or(Failure::Malformed("fields of a table"))?;
        let titles = fields.iter().filter_map(|field| field.get("title"));
        Ok(titles
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect())
    }

    /// Creates the tables and fields that the base lacks.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn prepare(&mut self) -> Result<(), Failure> {
        for table in schema::all() {
            if !self.tables.contains_key(table.name) {
                self.make_table(table).await?;
                continue;
            }
            let existing = self.fields_of(table).await?;
            let id = self.id_of(table)?.to_owned();
            for field in table.fields {
                if !existing.contains(field.name) {
                    self.make_field(&id, field.name, field.data_type.name())
                        .await?;
                }
            }
        }
        Ok(())
    }

    async fn make_table(&mut self, table: &Table) -> Result<(), Failure> {
        let fields: Vec<Value> = table
            .fields
            .iter()
            .map(|new_field| field(self.api, new_field.name, new_field.data_type.name()))
            .collect();
        let (list, body) = match self.api {
            Api::V2 => (
                "v2",
                json!({"title": table.name, "table_name": table.name, "columns": fields}),
            ),
            Api::V3 => ("v3", json!({"title": table.name, "fields": fields})),
        };
        let path = format!("api/{list}/meta/bases/{}/tables", self.base);
        let created = self
            .write(Method::POST, &path, &body, Repeat::Unsafe)
            .await?;
        let id = created.get("id").and_then(Value::as_str);
        let id = id.ok_or(Failure::Malformed("a new table"))?;
        self.tables.insert(table.name.to_owned(), id.to_owned());
        Ok(())
    }

    async fn make_field(&self, table: &str, name: &str, kind: &str) -> Result<(), Failure> {
        let path = match self.api {
            Api::V2 => format!("api/v2/meta/tables/{table}/columns"),
            Api::V3 => format!("api/v3/meta/bases/{}/tables/{table}/fields", self.base),
        };
        let body = field(self.api, name, kind);
        self.write(Method::POST, &path, &body, Repeat::Unsafe)
            .await?;
        Ok(())
    }

    /// Rows, ordered by number.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn list(
        &self,
        table: &Table,
        selection: RowQuery<'_>,
    ) -> Result<Vec<Record>, Failure> {
        let limit = selection.limit.to_string();
        let mut query = match self.api {
            Api::V2 => vec![
                ("limit", limit),
                ("offset", "0".to_owned()),
                ("sort", "Id".to_owned()),
            ],
            Api::V3 => vec![
                ("pageSize", limit),
                ("page", "1".to_owned()),
                ("sort", r#"[{"direction":"asc","field":"Id"}]"#.to_owned()),
            ],
        };
        if !selection.condition.is_empty() {
            query.push(("where", selection.condition.to_owned()));
        }
        if !selection.fields.is_empty() {
            let system = match self.api {
                Api::V2 => "Id,CreatedAt,UpdatedAt",
                Api::V3 => "CreatedAt,UpdatedAt",
            };
            query.push(("fields", format!("{system},{}", selection.fields.join(","))));
        }
        let response = self.client.get(&self.records(table)?, &query).await?;
        let list = match self.api {
            Api::V2 => response.get("list"),
            Api::V3 => response.get("records"),
        };
        let list = list.and_then(Value::as_array);
        let list = list.ok_or(Failure::Malformed("a list of rows"))?;
        let mut records = list
            .iter()
            .map(|row| record(self.api, row).ok_or(Failure::Malformed("a row")))
            .collect::<Result<Vec<_>, _>>()?;
        // Reading continues after the last row, so a server that does not sort must not end it
        // early.
        records.sort_by_key(|record| record.id);
        Ok(records)
    }

    /// Creates rows and returns their numbers in the same order.
    ///
    /// # Errors
    /// [`Failure`]; if it [is in doubt](Failure::is_in_doubt), the rows may have been created.
    pub async fn create(
        &self,
        table: &Table,
        rows: &[Map<String, Value>],
    ) -> Result<Vec<i64>, Failure> {
        let body = match self.api {
            Api::V2 => json!(rows),
            Api::V3 => rows.iter().map(|row| json!({"fields": row})).collect(),
        };
        let path = self.records(table)?;
        let response = self
            .write(Method::POST, &path, &body, Repeat::Unsafe)
            .await?;
        let records = response.get("records").unwrap_or(&response);
        let ids: Option<Vec<i64>> = match records {
            Value::Array(records) => records.iter().map(id_of).collect(),
            record => id_of(record).map(|id| vec![id]),
        };
        ids.filter(|ids| ids.len() == rows.len())
            .ok_or(Failure::Malformed("numbers of new rows"))
    }

    /// Updates rows.
    ///
    /// # Errors
    /// [`Failure`]; [`Failure::NotFound`] if one of them no longer exists.
    pub async fn update(
        &self,
        table: &Table,
        rows: &[(i64, Map<String, Value>)],
    ) -> Result<(), Failure> {
        let rows = rows.iter().map(|(id, fields)| match self.api {
            Api::V2 => {
                let mut row = fields.clone();
                row.insert("Id".to_owned(), Value::from(*id));
                Value::Object(row)
            }
            Api::V3 => json!({"id": id, "fields": fields}),
        });
        let (path, body) = (self.records(table)?, rows.collect());
        self.write(Method::PATCH, &path, &body, Repeat::Safe)
            .await?;
        Ok(())
    }

    /// Deletes rows.
    ///
    /// # Errors
    /// [`Failure`]; [`Failure::NotFound`] if one of them no longer exists.
    pub async fn delete(&self, table: &Table, ids: &[i64]) -> Result<(), Failure> {
        let name = match self.api {
            Api::V2 => "Id",
            Api::V3 => "id",
        };
        let body = ids.iter().map(|id| json!({ name: id })).collect();
        let path = self.records(table)?;
        self.write(Method::DELETE, &path, &body, Repeat::Safe)
            .await?;
        Ok(())
    }

    fn records(&self, table: &Table) -> Result<String, Failure> {
        let id = self.id_of(table)?;
        Ok(match self.api {
            Api::V2 => format!("api/v2/tables/{id}/records"),
            Api::V3 => format!("api/v3/data/{}/{id}/records", self.base),
        })
    }

    async fn write(
        &self,
        method: Method,
        path: &str,
        body: &Value,
        repeat: Repeat,
    ) -> Result<Value, Failure> {
        self.client
            .send(method, path, &[], Some(body), repeat)
            .await
    }
}

fn field(api: Api, name: &str, kind: &str) -> Value {
    match api {
        // The base's system columns are called created_at and updated_at.
        Api::V2 => json!({"title": name, "column_name": format!("slovo_{name}"), "uidt": kind}),
        Api::V3 => json!({"title": name, "type": kind}),
    }
}

fn tables_of(listed: &Value) -> Result<BTreeMap<String, String>, Failure> {
    let list = listed.get("list").and_then(Value::as_array);
    let list = list.ok_or(Failure::Malformed("a list of tables"))?;
    let text = |table: &Value, name| table.get(name).and_then(Value::as_str).map(str::to_owned);
    // Ids become parts of paths.
    let is_id = |id: &String| id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let tables = list.iter().take(MAX_TABLES).filter_map(|table| {
        let id = text(table, "id").filter(is_id)?;
        Some((text(table, "title")?, id))
    });
    Ok(tables.collect())
}

fn record(api: Api, row: &Value) -> Option<Record> {
    let fields = match api {
        Api::V2 => row.as_object()?,
        Api::V3 => row.get("fields")?.as_object()?,
    };
    let time = |name| fields.get(name).and_then(Value::as_str).and_then(time);
    Some(Record {
        id: id_of(row)?,
        updated_at: time("UpdatedAt").or_else(|| time("CreatedAt")),
        fields: fields.clone(),
    })
}

fn id_of(row: &Value) -> Option<i64> {
    let id = row.get("Id").or_else(|| row.get("id"))?;
    id.as_i64().or_else(|| id.as_str()?.parse().ok())
}

/// A time in NocoDB's format, `2026-03-01 12:00:00+00:00`, as Unix milliseconds.
pub(super) fn time(text: &str) -> Option<i64> {
    let text = text.replacen(' ', "T", 1);
    let time: jiff::Timestamp = text.parse().ok()?;
    Some(time.as_millisecond())
}
