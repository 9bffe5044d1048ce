//! A proxy between the server and NocoDB: records requests and responses, or replays them. A
//! request matches by method, path, query and body; the first unused match is replayed.
//!
//! Long texts are stored as a position in a text that the test knows, so that the files stay
//! readable. Tokens are only in headers, which are not recorded.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::Method;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::net::TcpListener;

use crate::testing::TestServer;

/// Longer strings are stored as a position in a known text.
const LONG: usize = 400;

/// Marks a response identical to an earlier one: the same table description comes with every run.
const SAME: &str = "$same";

/// A request and its response.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
struct Entry {
    method: String,
    path: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    query: String,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    body: Value,
    status: u16,
    answer: Value,
}

struct Inner {
    /// URL and token of the real server; `None` replays.
    real: Option<(String, String)>,
    version: String,
    all: Mutex<Vec<Entry>>,
    /// When replaying: which entries have been used.
    played: Mutex<Vec<bool>>,
    /// Requests that are not in the recording.
    unknown: Mutex<Vec<String>>,
    known: Mutex<Vec<String>>,
    writes: Mutex<usize>,
    http: reqwest::Client,
}

#[derive(Clone)]
pub struct Exchange {
    pub url: String,
    inner: Arc<Inner>,
}

fn file(version: &str) -> PathBuf {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/nocodb/recorded");
    PathBuf::from(folder).join(format!("{version}.json"))
}

impl Exchange {
    /// Records a server's traffic. For v2 it hides that v3 exists.
    pub async fn record(url: &str, token: &str, version: &str) -> Self {
        Self::start(
            Some((url.to_owned(), token.to_owned())),
            version,
            Vec::new(),
        )
        .await
    }

    /// Replays the recording.
    pub async fn replay(version: &str) -> Self {
        let text = std::fs::read_to_string(file(version)).unwrap();
        let mut all: Vec<Entry> = serde_json::from_str(&text).unwrap();
        for at in 0..all.len() {
            if let Some(earlier) = all[at].answer.get(SAME).and_then(Value::as_u64) {
                all[at].answer = all[usize::try_from(earlier).unwrap()].answer.clone();
            }
        }
        Self::start(None, version, all).await
    }

    async fn start(real: Option<(String, String)>, version: &str, all: Vec<Entry>) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let inner = Arc::new(Inner {
            real,
            version: version.to_owned(),
            played: Mutex::new(vec![false; all.len()]),
            all: Mutex::new(all),
            unknown: Mutex::default(),
            known: Mutex::default(),
            writes: Mutex::default(),
            http: reqwest::Client::builder().no_proxy().build().unwrap(),
        });
        let router = Router::new().fallback(pass).with_state(Arc::clone(&inner));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, inner }
    }

    /// Writes the file, after the test has succeeded.
    pub fn save(&self, version: &str) {
        let all = self.inner.all.lock().unwrap();
        let line = |(at, entry): (usize, &Entry)| {
            let earlier = all[..at]
                .iter()
                .position(|other| other.answer == entry.answer);
            let mut entry = entry.clone();
            if let Some(earlier) = earlier.filter(|_| entry.answer.to_string().len() > LONG) {
                entry.answer = json!({ SAME: earlier });
            }
            json!(entry).to_string()
        };
        let lines: Vec<String> = all.iter().enumerate().map(line).collect();
        std::fs::write(file(version), format!("[\n{}\n]\n", lines.join(",\n"))).unwrap();
    }

    /// Asserts that the recording was used completely, and nothing else was requested.
    pub fn assert_played(&self) {
        let unknown = self.inner.unknown.lock().unwrap();
        assert!(unknown.is_empty(), "{unknown:#?}");
        let played = self.inner.played.lock().unwrap();
        let unused = played.iter().filter(|played| !**played).count();
        assert_eq!(unused, 0, "were not asked for");
    }

    /// Texts that may be stored as positions.
    pub fn know(&self, texts: &Map<String, Value>) {
        let mut known = self.inner.known.lock().unwrap();
        known.extend(texts.values().filter_map(Value::as_str).map(str::to_owned));
    }

    /// Number of writing requests so far.
    pub fn writes(&self) -> usize {
        *self.inner.writes.lock().unwrap()
    }

    /// Sets the test's clock to NocoDB's. With a real server it first waits for the end of the
    /// second in which the last change was made.
    pub async fn tick(&self, server: &TestServer) {
        if self.inner.real.is_some() {
            tokio::time::sleep(Duration::from_secs(7)).await;
        }
        let health = self
            .send_as_user(Method::GET, "api/v1/health", Value::Null)
            .await;
        let now = health["timestamp"].as_i64().unwrap();
        server
            .clock
            .advance_seconds((now - server.state.clock.now_ms()) / 1000);
    }

    /// A new, empty base.
    pub async fn base(&self) -> String {
        let title = format!("Slovo {}", self.inner.version);
        let created = self
            .send_as_user(Method::POST, "api/v2/meta/bases/", json!({"title": title}))
            .await;
        created["id"].as_str().unwrap().to_owned()
    }

    /// A request as made by a user.
    async fn send_as_user(&self, method: Method, path: &str, body: Value) -> Value {
        let request = self
            .inner
            .http
            .request(method, format!("{}/{path}", self.url));
        let request = match body {
            Value::Null => request,
            body => request
                .header("content-type", "application/json")
                .body(body.to_string()),
        };
        let answer = request.send().await.unwrap();
        assert!(answer.status().is_success(), "{path}: {}", answer.status());
        answer.json().await.unwrap()
    }

    async fn records(&self, table: &str) -> String {
        let base = {
            let all = self.inner.all.lock().unwrap();
            let creation = all.iter().find(|entry| entry.path == "/api/v2/meta/bases/");
            creation.unwrap().answer["id"].as_str().unwrap().to_owned()
        };
        let path = format!("api/v2/meta/bases/{base}/tables");
        let tables = self.send_as_user(Method::GET, &path, Value::Null).await;
        let mut tables = tables["list"].as_array().unwrap().iter();
        let table = tables
            .find(|candidate| candidate["title"] == table)
            .unwrap();
        format!("api/v2/tables/{}/records", table["id"].as_str().unwrap())
    }

    pub async fn insert(&self, table: &str, row: Value) {
        let path = self.records(table).await;
        self.send_as_user(Method::POST, &path, row).await;
    }

    pub async fn change(&self, table: &str, id: i64, fields: Value) {
        let path = self.records(table).await;
        let mut row = fields.as_object().unwrap().clone();
        row.insert("Id".to_owned(), json!(id));
        self.send_as_user(Method::PATCH, &path, Value::Object(row))
            .await;
    }

    pub async fn remove(&self, table: &str, id: i64) {
        let path = self.records(table).await;
        self.send_as_user(Method::DELETE, &path, json!({"Id": id}))
            .await;
    }

    pub async fn read(&self, table: &str, id: i64) -> Value {
        let path = format!("{}/{id}", self.records(table).await);
        self.send_as_user(Method::GET, &path, Value::Null).await
    }

    pub async fn count(&self, table: &str) -> u64 {
        let path = format!("{}/count", self.records(table).await);
        let counted = self.send_as_user(Method::GET, &path, Value::Null).await;
        counted["count"].as_u64().unwrap()
    }
}

async fn pass(State(inner): State<Arc<Inner>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    if head.method != Method::GET {
        *inner.writes.lock().unwrap() += 1;
    }
    let entry = Entry {
        method: head.method.to_string(),
        path: head.uri.path().to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        body: inner.shortened(&body),
        status: 0,
        answer: Value::Null,
    };
    let response = match &inner.real {
        Some(_) if inner.version == "v2" && entry.path.starts_with("/api/v3/") => {
            // An older server.
            let answer =
                json!({"error": "INVALID_API_VERSION", "message": "API version unsupported"});
            let response = Entry {
                status: 404,
                answer,
                ..entry
            };
            inner.all.lock().unwrap().push(response.clone());
            response
        }
        Some((url, token)) => {
            let response = inner.forward(url, token, entry, body).await;
            inner.all.lock().unwrap().push(response.clone());
            response
        }
        None => inner.find_recorded(entry),
    };
    let answer = inner.lengthened(&response.answer);
    Response::builder()
        .status(response.status)
        .header("content-type", "application/json")
        .body(Body::from(answer.to_string()))
        .unwrap()
}

impl Inner {
    /// The real server's response.
    async fn forward(&self, url: &str, token: &str, entry: Entry, body: Value) -> Entry {
        let mut url = format!("{url}{}", entry.path);
        if !entry.query.is_empty() {
            url = format!("{url}?{}", entry.query);
        }
        let method: Method = entry.method.parse().unwrap();
        let request = self.http.request(method, url).header("xc-token", token);
        let request = match body {
            Value::Null => request,
            body => request
                .header("content-type", "application/json")
                .body(body.to_string()),
        };
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        let text = response.text().await.unwrap();
        let answer: Value = serde_json::from_str(&text).unwrap_or_default();
        Entry {
            status,
            answer: self.shortened(&answer),
            ..entry
        }
    }

    fn find_recorded(&self, entry: Entry) -> Entry {
        let all = self.all.lock().unwrap();
        let mut played = self.played.lock().unwrap();
        let same = |candidate: &Entry| {
            candidate.method == entry.method
                && candidate.path == entry.path
                && candidate.query == entry.query
                && candidate.body == entry.body
        };
        let at = (0..all.len()).find(|at| !played[*at] && same(&all[*at]));
        match at {
            Some(at) => {
                played[at] = true;
                all[at].clone()
            }
            None => {
                let description = format!(
                    "{} {}?{} {}",
                    entry.method, entry.path, entry.query, entry.body
                );
                self.unknown.lock().unwrap().push(description);
                Entry {
                    status: 400,
                    answer: json!({"error": "UNKNOWN", "message": "not recorded"}),
                    ..entry
                }
            }
        }
    }

    fn shortened(&self, value: &Value) -> Value {
        match value {
            Value::String(text) if text.len() > LONG => {
                let known = self.known.lock().unwrap();
                let place = known
                    .iter()
                    .enumerate()
                    .find_map(|(number, known)| Some((number, known.find(text.as_str())?)));
                match place {
                    Some((number, at)) => json!({"$known": [number, at, text.len()]}),
                    None => value.clone(),
                }
            }
            Value::Array(values) => values.iter().map(|value| self.shortened(value)).collect(),
            Value::Object(fields) => {
                let fields = fields.iter();
                fields
                    .map(|(name, value)| (name.clone(), self.shortened(value)))
                    .collect()
            }
            other => other.clone(),
        }
    }

    fn lengthened(&self, value: &Value) -> Value {
        match value {
            Value::Object(fields) => match fields.get("$known").and_then(Value::as_array) {
                Some(place) => {
                    let number = |at: usize| usize::try_from(place[at].as_u64().unwrap()).unwrap();
                    let known = self.known.lock().unwrap();
                    json!(known[number(0)][number(1)..number(1) + number(2)])
                }
                None => {
                    let fields = fields.iter();
                    fields
                        .map(|(name, value)| (name.clone(), self.lengthened(value)))
                        .collect()
                }
            },
            Value::Array(values) => values.iter().map(|value| self.lengthened(value)).collect(),
            other => other.clone(),
        }
    }
}
