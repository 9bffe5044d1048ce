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
struct One {
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
    all: Mutex<Vec<One>>,
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
        let mut all: Vec<One> = serde_json::from_str(&text).unwrap();
        for at in 0..all.len() {
            if let Some(earlier) = all[at].answer.get(SAME).and_then(Value::as_u64) {
                all[at].answer = all[usize::try_from(earlier).unwrap()].answer.clone();
            }
        }
        Self::start(None, version, all).await
    }

    async fn start(real: Option<(String, String)>, version: &str, all: Vec<One>) -> Self {
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
    pub fn keep(&self, version: &str) {
        let all = self.inner.all.lock().unwrap();
        let line = |(at, one): (usize, &One)| {
            let earlier = all[..at].iter().position(|it| it.answer == one.answer);
            let mut one = one.clone();
            if let Some(earlier) = earlier.filter(|_| one.answer.to_string().len() > LONG) {
                one.answer = json!({ SAME: earlier });
            }
            json!(one).to_string()
        };
        let lines: Vec<String> = all.iter().enumerate().map(line).collect();
        std::fs::write(file(version), format!("[\n{}\n]\n", lines.join(",\n"))).unwrap();
    }

    /// Asserts that the recording was used completely, and nothing else was requested.
    pub fn assert_played(&self) {
        let unknown = self.inner.unknown.lock().unwrap();
        assert!(unknown.is_empty(), "{unknown:#?}");
        let played = self.inner.played.lock().unwrap();
        let left = played.iter().filter(|played| !**played).count();
        assert_eq!(left, 0, "were not asked for");
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
        let health = self.ask(Method::GET, "api/v1/health", Value::Null).await;
        let now = health["timestamp"].as_i64().unwrap();
        server
            .clock
            .advance_seconds((now - server.state.clock.now_ms()) / 1000);
    }

    /// A new, empty base.
    pub async fn base(&self) -> String {
        let title = format!("Slovo {}", self.inner.version);
        let made = self
            .ask(Method::POST, "api/v2/meta/bases/", json!({"title": title}))
            .await;
        made["id"].as_str().unwrap().to_owned()
    }

    /// A request as made by a user.
    async fn ask(&self, method: Method, path: &str, body: Value) -> Value {
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
            let made = all.iter().find(|one| one.path == "/api/v2/meta/bases/");
            made.unwrap().answer["id"].as_str().unwrap().to_owned()
        };
        let path = format!("api/v2/meta/bases/{base}/tables");
        let tables = self.ask(Method::GET, &path, Value::Null).await;
        let mut tables = tables["list"].as_array().unwrap().iter();
        let table = tables.find(|one| one["title"] == table).unwrap();
        format!("api/v2/tables/{}/records", table["id"].as_str().unwrap())
    }

    pub async fn insert(&self, table: &str, row: Value) {
        let path = self.records(table).await;
        self.ask(Method::POST, &path, row).await;
    }

    pub async fn change(&self, table: &str, id: i64, fields: Value) {
        let path = self.records(table).await;
        let mut row = fields.as_object().unwrap().clone();
        row.insert("Id".to_owned(), json!(id));
        self.ask(Method::PATCH, &path, Value::Object(row)).await;
    }

    pub async fn remove(&self, table: &str, id: i64) {
        let path = self.records(table).await;
        self.ask(Method::DELETE, &path, json!({"Id": id})).await;
    }

    pub async fn read(&self, table: &str, id: i64) -> Value {
        let path = format!("{}/{id}", self.records(table).await);
        self.ask(Method::GET, &path, Value::Null).await
    }

    pub async fn count(&self, table: &str) -> u64 {
        let path = format!("{}/count", self.records(table).await);
        let counted = self.ask(Method::GET, &path, Value::Null).await;
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
    let asked = One {
        method: head.method.to_string(),
        path: head.uri.path().to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        body: inner.shortened(&body),
        status: 0,
        answer: Value::Null,
    };
    let told = match &inner.real {
        Some(_) if inner.version == "v2" && asked.path.starts_with("/api/v3/") => {
            // An older server.
            let answer =
                json!({"error": "INVALID_API_VERSION", "message": "API version unsupported"});
            let told = One {
                status: 404,
                answer,
                ..asked
            };
            inner.all.lock().unwrap().push(told.clone());
            told
        }
        Some((url, token)) => {
            let told = inner.asked(url, token, asked, body).await;
            inner.all.lock().unwrap().push(told.clone());
            told
        }
        None => inner.recalled(asked),
    };
    let answer = inner.lengthened(&told.answer);
    Response::builder()
        .status(told.status)
        .header("content-type", "application/json")
        .body(Body::from(answer.to_string()))
        .unwrap()
}

impl Inner {
    /// The real server's response.
    async fn asked(&self, url: &str, token: &str, asked: One, body: Value) -> One {
        let mut url = format!("{url}{}", asked.path);
        if !asked.query.is_empty() {
            url = format!("{url}?{}", asked.query);
        }
        let method: Method = asked.method.parse().unwrap();
        let request = self.http.request(method, url).header("xc-token", token);
        let request = match body {
            Value::Null => request,
            body => request
                .header("content-type", "application/json")
                .body(body.to_string()),
        };
        let answered = request.send().await.unwrap();
        let status = answered.status().as_u16();
        let text = answered.text().await.unwrap();
        let answer: Value = serde_json::from_str(&text).unwrap_or_default();
        One {
            status,
            answer: self.shortened(&answer),
            ..asked
        }
    }

    fn recalled(&self, asked: One) -> One {
        let all = self.all.lock().unwrap();
        let mut played = self.played.lock().unwrap();
        let same = |one: &One| {
            one.method == asked.method
                && one.path == asked.path
                && one.query == asked.query
                && one.body == asked.body
        };
        let at = (0..all.len()).find(|at| !played[*at] && same(&all[*at]));
        match at {
            Some(at) => {
                played[at] = true;
                all[at].clone()
            }
            None => {
                let told = format!(
                    "{} {}?{} {}",
                    asked.method, asked.path, asked.query, asked.body
                );
                self.unknown.lock().unwrap().push(told);
                One {
                    status: 400,
                    answer: json!({"error": "UNKNOWN", "message": "not recorded"}),
                    ..asked
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
