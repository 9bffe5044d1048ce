//! A fake NocoDB: tables in memory, API v2 and v3, the query conditions in use, and all kinds of
//! faults.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use slovo_nocodb::testing::schema;
use tokio::net::TcpListener;

pub const TOKEN: &str = "the-token";
pub const BASE: &str = "pbase";

/// A fault.
#[derive(Clone, Debug)]
pub enum FakeFault {
    /// Responds with an HTML page.
    Html(u16),
    /// Responds with this many bytes.
    Big(usize),
    /// Responds with this status, headers, and an error in NocoDB's format.
    Status(u16, Vec<(&'static str, String)>),
    /// Responds with nothing for this long.
    Slow(Duration),
    /// The connection breaks within the response.
    Cut,
    /// Executes the request, then the connection breaks within the response.
    CutAfter,
    /// Responds with this value.
    Says(Value),
}

/// A received request.
#[derive(Clone, Debug)]
pub struct SeenRequest {
    pub method: Method,
    pub path: String,
    pub body: String,
}

#[derive(Default)]
struct Tables {
    rows: BTreeMap<String, BTreeMap<i64, Map<String, Value>>>,
    fields: BTreeMap<String, Vec<String>>,
    next: i64,
    now: i64,
    seen: Vec<SeenRequest>,
}

type Faults = Box<dyn FnMut(&SeenRequest) -> Option<FakeFault> + Send>;

#[derive(Clone)]
pub struct Fake {
    pub url: String,
    tables: Arc<Mutex<Tables>>,
    faults: Arc<Mutex<Option<Faults>>>,
    has_v3: bool,
}

impl Fake {
    /// Starts a server with all tables, with or without API v3.
    pub async fn start(has_v3: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let mut tables = Tables {
            now: 1_772_366_400_000,
            ..Tables::default()
        };
        for table in schema::all() {
            let names = table.fields.iter().map(|field| field.name.to_owned());
            tables.fields.insert(table.name.to_owned(), names.collect());
            tables.rows.insert(table.name.to_owned(), BTreeMap::new());
        }
        let fake = Self {
            url,
            tables: Arc::new(Mutex::new(tables)),
            faults: Arc::new(Mutex::new(None)),
            has_v3,
        };
        let router = Router::new().fallback(answer).with_state(fake.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        fake
    }

    /// Produces this fault from now on.
    pub fn inject_faults(
        &self,
        faults: impl FnMut(&SeenRequest) -> Option<FakeFault> + Send + 'static,
    ) {
        *self.faults.lock().unwrap() = Some(Box::new(faults));
    }

    pub fn clear_faults(&self) {
        *self.faults.lock().unwrap() = None;
    }

    /// Requests received since the last call.
    pub fn requests(&self) -> Vec<SeenRequest> {
        std::mem::take(&mut self.tables.lock().unwrap().seen)
    }

    /// Writing requests received since the last call.
    pub fn writes(&self) -> Vec<SeenRequest> {
        let requests = self.requests().into_iter();
        requests
            .filter(|request| request.method != Method::GET)
            .collect()
    }

    pub fn set_now(&self, now: i64) {
        self.tables.lock().unwrap().now = now;
    }

    pub fn rows(&self, table: &str) -> Vec<(i64, Map<String, Value>)> {
        let tables = self.tables.lock().unwrap();
        let rows = tables.rows[table].iter();
        rows.map(|(id, row)| (*id, row.clone())).collect()
    }

    /// The only row with this value.
    pub fn row_with(&self, table: &str, field: &str, value: &str) -> (i64, Map<String, Value>) {
        let mut rows = self.rows(table);
        rows.retain(|(_, row)| row.get(field).and_then(Value::as_str) == Some(value));
        assert_eq!(rows.len(), 1, "{table}.{field} = {value}: {rows:?}");
        rows.remove(0)
    }

    /// Changes a row as a user would.
    #[expect(clippy::needless_pass_by_value, reason = "a row is written in place")]
    pub fn insert(&self, table: &str, row: Value) -> i64 {
        self.tables
            .lock()
            .unwrap()
            .insert(table, row.as_object().unwrap().clone())
    }

    #[expect(clippy::needless_pass_by_value, reason = "a row is written in place")]
    pub fn change(&self, table: &str, id: i64, fields: Value) {
        let fields = fields.as_object().unwrap().clone();
        assert!(self.tables.lock().unwrap().change(table, id, fields));
    }

    pub fn remove(&self, table: &str, id: i64) {
        let mut tables = self.tables.lock().unwrap();
        assert!(tables.rows.get_mut(table).unwrap().remove(&id).is_some());
    }

    pub fn drop_table(&self, table: &str) {
        let mut tables = self.tables.lock().unwrap();
        tables.rows.remove(table);
        tables.fields.remove(table);
    }

    pub fn drop_field(&self, table: &str, field: &str) {
        let mut tables = self.tables.lock().unwrap();
        tables
            .fields
            .get_mut(table)
            .unwrap()
            .retain(|name| name != field);
    }
}

fn stamp(now: i64) -> Value {
    let at = Timestamp::from_millisecond(now).unwrap();
    json!(at.strftime("%Y-%m-%d %H:%M:%S+00:00").to_string())
}

impl Tables {
    fn known(&self, table: &str, fields: Map<String, Value>) -> Map<String, Value> {
        // Unknown fields are silently dropped, without an error.
        let known = &self.fields[table];
        fields
            .into_iter()
            .filter(|(name, _)| known.contains(name))
            .collect()
    }

    fn insert(&mut self, table: &str, fields: Map<String, Value>) -> i64 {
        let mut row: Map<String, Value> = self.fields[table]
            .iter()
            .map(|name| (name.clone(), Value::Null))
            .collect();
        row.extend(self.known(table, fields));
        row.insert("CreatedAt".to_owned(), stamp(self.now));
        row.insert("UpdatedAt".to_owned(), Value::Null);
        self.next += 1;
        self.rows.get_mut(table).unwrap().insert(self.next, row);
        self.next
    }

    fn change(&mut self, table: &str, id: i64, fields: Map<String, Value>) -> bool {
        let fields = self.known(table, fields);
        let now = stamp(self.now);
        match self.rows.get_mut(table).unwrap().get_mut(&id) {
            Some(row) => {
                row.extend(fields);
                row.insert("UpdatedAt".to_owned(), now);
                true
            }
            None => false,
        }
    }
}

async fn answer(State(fake): State<Fake>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    let received = SeenRequest {
        method: head.method.clone(),
        path: head.uri.path().to_owned(),
        body: String::from_utf8_lossy(&body).into_owned(),
    };
    let fault = fake
        .faults
        .lock()
        .unwrap()
        .as_mut()
        .and_then(|faults| faults(&received));
    fake.tables.lock().unwrap().seen.push(received.clone());
    if let Some(fault) = fault {
        return match fault {
            FakeFault::Html(status) => {
                let page = "<!doctype html><h1>Welcome</h1>";
                (StatusCode::from_u16(status).unwrap(), page).into_response()
            }
            FakeFault::Big(bytes) => {
                format!("{{\"list\":[],\"x\":\"{}\"}}", "x".repeat(bytes)).into_response()
            }
            FakeFault::Status(status, headers) => {
                let mut response = Response::builder().status(status);
                for (name, value) in headers {
                    response = response.header(name, value);
                }
                let message = format!("{{\"error\":\"ERR_X\",\"message\":\"no {TOKEN}\"}}");
                response.body(Body::from(message)).unwrap()
            }
            FakeFault::Slow(time) => {
                tokio::time::sleep(time).await;
                "{}".into_response()
            }
            FakeFault::Cut => cut(),
            FakeFault::CutAfter => {
                execute(&fake, &head, &body);
                cut()
            }
            FakeFault::Says(value) => axum::Json(value).into_response(),
        };
    }
    if head
        .headers
        .get("xc-token")
        .is_none_or(|token| token != TOKEN)
    {
        return error(401, "ERR_AUTHENTICATION_REQUIRED");
    }
    execute(&fake, &head, &body)
}

/// A response that is shorter than announced.
fn cut() -> Response {
    let pieces = futures_util::stream::iter([
        Ok(Bytes::from_static(b"{\"list\":[")),
        Err(std::io::Error::other("cut")),
    ]);
    (
        [(header::CONTENT_LENGTH, "1000")],
        Body::from_stream(pieces),
    )
        .into_response()
}

fn error(status: u16, code: &str) -> Response {
    let body = json!({"error": code, "message": code});
    (StatusCode::from_u16(status).unwrap(), axum::Json(body)).into_response()
}

fn execute(fake: &Fake, head: &axum::http::request::Parts, body: &[u8]) -> Response {
    let mut tables = fake.tables.lock().unwrap();
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let steps: Vec<&str> = head.uri.path().trim_matches('/').split('/').collect();
    if !fake.has_v3 && steps.get(1) == Some(&"v3") {
        return error(404, "INVALID_API_VERSION");
    }
    let query: BTreeMap<String, String> = head.uri.query().map_or(BTreeMap::new(), |query| {
        let url = reqwest::Url::parse(&format!("http://x/?{query}")).unwrap();
        url.query_pairs().into_owned().collect()
    });
    let table_of = |id: &str| id.strip_prefix("m_").map(str::to_owned);
    match (head.method.as_str(), steps.as_slice()) {
        ("GET", ["api", "v1", "health"]) => axum::Json(json!({"message": "OK"})).into_response(),
        (_, ["api", _, "meta", "bases", base, ..]) if *base != BASE => error(
            if steps[1] == "v3" { 422 } else { 404 },
            "ERR_BASE_NOT_FOUND",
        ),
        ("GET", ["api", _, "meta", "bases", _, "tables"]) => {
            let list = tables.fields.keys();
            let list = list.map(|name| json!({"id": format!("m_{name}"), "title": name}));
            axum::Json(json!({"list": list.collect::<Vec<_>>()})).into_response()
        }
        ("POST", ["api", version, "meta", "bases", _, "tables"]) => {
            let name = body["title"].as_str().unwrap().to_owned();
            let list = if *version == "v3" {
                "fields"
            } else {
                "columns"
            };
            let fields = body[list].as_array().unwrap().iter();
            let fields = fields.map(|field| field["title"].as_str().unwrap().to_owned());
            tables.fields.insert(name.clone(), fields.collect());
            tables.rows.insert(name.clone(), BTreeMap::new());
            axum::Json(json!({"id": format!("m_{name}")})).into_response()
        }
        (
            "GET",
            ["api", "v2", "meta", "tables", id] | ["api", "v3", "meta", "bases", _, "tables", id],
        ) => {
            let fields = &tables.fields[&table_of(id).unwrap()];
            let fields: Vec<_> = fields.iter().map(|name| json!({"title": name})).collect();
            axum::Json(json!({"columns": fields, "fields": fields})).into_response()
        }
        (
            "POST",
            ["api", "v2", "meta", "tables", id, "columns"]
            | ["api", "v3", "meta", "bases", _, "tables", id, "fields"],
        ) => {
            let name = body["title"].as_str().unwrap().to_owned();
            tables
                .fields
                .get_mut(&table_of(id).unwrap())
                .unwrap()
                .push(name);
            axum::Json(json!({"id": "c"})).into_response()
        }
        (method, ["api", "v2", "tables", id, "records"]) => records(
            &mut tables,
            method,
            &table_of(id).unwrap(),
            &query,
            &body,
            false,
        ),
        (method, ["api", "v3", "data", _, id, "records"]) => records(
            &mut tables,
            method,
            &table_of(id).unwrap(),
            &query,
            &body,
            true,
        ),
        _ => error(404, "NOT_FOUND"),
    }
}

fn records(
    tables: &mut Tables,
    method: &str,
    table: &str,
    query: &BTreeMap<String, String>,
    body: &Value,
    v3: bool,
) -> Response {
    if !tables.rows.contains_key(table) {
        return error(404, "ERR_TABLE_NOT_FOUND");
    }
    let empty = Vec::new();
    let given = body.as_array().unwrap_or(&empty);
    if given.len() > if v3 { 10 } else { 100 } {
        return error(422, "ERR_MAX_PAYLOAD_LIMIT_EXCEEDED");
    }
    let id_of = |row: &Value| row[if v3 { "id" } else { "Id" }].as_i64().unwrap();
    let fields_of = |row: &Value| {
        let fields = if v3 { &row["fields"] } else { row };
        fields.as_object().unwrap().clone()
    };
    let is_too_long = |row: &Value| {
        fields_of(row).values().any(|value| {
            value
                .as_str()
                .is_some_and(|text| text.encode_utf16().count() > 100_000)
        })
    };
    if matches!(method, "POST" | "PATCH") && given.iter().any(is_too_long) {
        return error(422, "ERR_INVALID_VALUE_FOR_FIELD");
    }
    let changes = matches!(method, "PATCH" | "DELETE");
    if changes
        && given
            .iter()
            .any(|row| !tables.rows[table].contains_key(&id_of(row)))
    {
        return error(404, "ERR_RECORD_NOT_FOUND");
    }
    let result: Vec<Value> = match method {
        "GET" => {
            return axum::Json(listed(&tables.rows[table], query, v3)).into_response();
        }
        "POST" => given
            .iter()
            .map(|row| json!(tables.insert(table, fields_of(row))))
            .collect(),
        "PATCH" => given
            .iter()
            .map(|row| {
                tables.change(table, id_of(row), fields_of(row));
                json!(id_of(row))
            })
            .collect(),
        "DELETE" => given
            .iter()
            .map(|row| {
                tables.rows.get_mut(table).unwrap().remove(&id_of(row));
                json!(id_of(row))
            })
            .collect(),
        _ => return error(405, "METHOD"),
    };
    let result: Vec<_> = result
        .into_iter()
        .map(|id| {
            if v3 {
                json!({"id": id, "fields": {}})
            } else {
                json!({"Id": id})
            }
        })
        .collect();
    let result = if v3 {
        json!({"records": result})
    } else {
        json!(result)
    };
    axum::Json(result).into_response()
}

/// The rows of a query, in the format of the API version.
fn listed(
    rows: &BTreeMap<i64, Map<String, Value>>,
    query: &BTreeMap<String, String>,
    v3: bool,
) -> Value {
    let limit = query.get(if v3 { "pageSize" } else { "limit" });
    let limit: usize = limit.map_or(25, |limit| limit.parse().unwrap()).min(1000);
    let condition = query.get("where").map_or("", String::as_str);
    let rows = rows.iter();
    let rows = rows
        .filter(|(id, row)| holds(condition, **id, row))
        .take(limit);
    let requested = query
        .get("fields")
        .map(|fields| fields.split(',').collect::<Vec<_>>());
    let rows = rows.map(|(id, row)| {
        let mut row = row.clone();
        row.retain(|name, _| {
            requested
                .as_ref()
                .is_none_or(|names| names.contains(&name.as_str()))
        });
        if v3 {
            json!({"id": id, "fields": row})
        } else {
            row.insert("Id".to_owned(), json!(id));
            Value::Object(row)
        }
    });
    let rows: Vec<_> = rows.collect();
    let list = if v3 { "records" } else { "list" };
    json!({ list: rows })
}

/// Whether a row meets a condition: groups in brackets, `~and`, `~or`, and three comparisons.
fn holds(condition: &str, id: i64, row: &Map<String, Value>) -> bool {
    let parts = |mark: &str| -> Vec<String> {
        let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
        for (at, character) in condition.char_indices() {
            match character {
                '(' => depth += 1,
                ')' => depth -= 1,
                '~' if depth == 0 && condition[at..].starts_with(mark) => {
                    parts.push(condition[start..at].to_owned());
                    start = at + mark.len();
                }
                _ => {}
            }
        }
        parts.push(condition[start..].to_owned());
        parts
    };
    let (all, any) = (parts("~and"), parts("~or"));
    if condition.is_empty() {
        true
    } else if all.len() > 1 {
        all.iter().all(|part| holds(part, id, row))
    } else if any.len() > 1 {
        any.iter().any(|part| holds(part, id, row))
    } else {
        let inner = condition
            .strip_prefix('(')
            .unwrap()
            .strip_suffix(')')
            .unwrap();
        if inner.starts_with('(') {
            return holds(inner, id, row);
        }
        let words: Vec<&str> = inner.split(',').collect();
        let value = match words[0] {
            "Id" => id.to_string(),
            name => row
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
        };
        match words[1] {
            "eq" => value == words[2],
            "in" => words[2..].contains(&value.as_str()),
            "gt" => id > words[2].parse().unwrap(),
            "gte" => !value.is_empty() && value.as_str() >= words[3],
            other => panic!("{other} in {condition}"),
        }
    }
}
