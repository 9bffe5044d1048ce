//! A scripted endpoint, and helpers to run an engine against it.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use futures_util::future::BoxFuture;
use futures_util::{FutureExt, stream};
use serde_json::{Value, json};
use slovo_analysis::chat::{Chat, Endpoint, Key, Limits, TimeSource};
use slovo_analysis::{AnalysisError, Analyst, Passage, Stop, Task, Text};
use slovo_rules::analysis::Outcome;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// The runtime of the engine and the servers, shared by all tests.
pub static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// The key that is sent.
pub const KEY: &str = "key-5d0c1f";

/// How a request is answered.
pub enum Reply {
    /// With this response.
    Now(Response),
    /// Never.
    Never,
}

/// A received request.
#[derive(Clone)]
pub struct Request {
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Value,
}

impl Request {
    /// The text of one message.
    pub fn message(&self, at: usize) -> &str {
        self.body["messages"][at]["content"].as_str().unwrap()
    }

    /// The data that was sent to the model.
    pub fn data(&self) -> Vec<Value> {
        serde_json::from_str(self.message(1)).unwrap()
    }
}

type Script = dyn Fn(usize, &Request) -> Reply + Send + Sync;

struct Inner {
    script: Box<Script>,
    seen: Mutex<Vec<Request>>,
    now: AtomicUsize,
    most: AtomicUsize,
}

/// A running test server.
pub struct Server {
    /// Its base address.
    pub base: String,
    inner: Arc<Inner>,
}

impl Server {
    /// Starts an endpoint; `script` answers the n-th request, from 0.
    pub fn start(script: impl Fn(usize, &Request) -> Reply + Send + Sync + 'static) -> Self {
        let inner = Arc::new(Inner {
            script: Box::new(script),
            seen: Mutex::default(),
            now: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
        });
        let router = Router::new()
            .route("/v1/chat/completions", any(answer))
            .with_state(Arc::clone(&inner));
        let listener = RUNTIME.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        RUNTIME.spawn(async move { axum::serve(listener, router).await });
        Self { base, inner }
    }

    /// Starts an endpoint whose model answers with this text.
    pub fn model(answer: impl Fn(&Request) -> String + Send + Sync + 'static) -> Self {
        Self::start(move |_, request| Reply::Now(text_stream(&answer(request))))
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.inner.seen.lock().unwrap().clone()
    }

    /// The highest number of simultaneous requests.
    pub fn max_concurrent(&self) -> usize {
        self.inner.most.load(Ordering::SeqCst)
    }
}

async fn answer(State(inner): State<Arc<Inner>>, headers: HeaderMap, body: Bytes) -> Response {
    let request = Request {
        headers,
        body: serde_json::from_slice(&body).unwrap(),
    };
    let nth = {
        let mut all = inner.seen.lock().unwrap();
        all.push(request.clone());
        all.len() - 1
    };
    let now = inner.now.fetch_add(1, Ordering::SeqCst) + 1;
    inner.most.fetch_max(now, Ordering::SeqCst);
    tokio::task::yield_now().await;
    let reply = (inner.script)(nth, &request);
    inner.now.fetch_sub(1, Ordering::SeqCst);
    match reply {
        Reply::Now(response) => response,
        Reply::Never => std::future::pending().await,
    }
}

/// A response with a status only.
pub fn status(code: u16) -> Reply {
    Reply::Now(StatusCode::from_u16(code).unwrap().into_response())
}

/// A response with this status, these headers and this body.
pub fn with(code: u16, headers: &[(&'static str, &str)], body: impl Into<Body>) -> Reply {
    let mut response = Response::builder().status(code);
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    Reply::Now(response.body(body.into()).unwrap())
}

/// One event of a stream.
pub fn event(content: &str, finish: Option<&str>) -> String {
    let chunk = json!({
        "object": "chat.completion.chunk",
        "choices": [{ "index": 0, "delta": { "content": content }, "finish_reason": finish }],
    });
    format!("data: {chunk}\n\n")
}

/// A complete stream of this text in small pieces.
pub fn text_stream(text: &str) -> Response {
    let letters: Vec<char> = text.chars().collect();
    let mut events: Vec<String> = letters
        .chunks(50)
        .map(|piece| event(&piece.iter().collect::<String>(), None))
        .collect();
    events.push(event("", Some("stop")));
    events.push("data: [DONE]\n\n".to_owned());
    streamed(stream::iter(events.into_iter().map(Ok::<_, Infallible>)))
}

/// A stream of these pieces.
pub fn streamed<S, T, E>(pieces: S) -> Response
where
    S: stream::Stream<Item = Result<T, E>> + Send + 'static,
    T: Into<Bytes> + 'static,
    E: Into<axum::BoxError> + 'static,
{
    let headers = [("content-type", "text/event-stream; charset=utf-8")];
    (headers, Body::from_stream(pieces)).into_response()
}

/// A pace that does not wait but records the pauses.
#[derive(Default)]
pub struct Waits(Mutex<Vec<Duration>>);

impl Waits {
    /// The pauses, in seconds.
    pub fn seconds(&self) -> Vec<f64> {
        let waits = self.0.lock().unwrap();
        waits.iter().map(Duration::as_secs_f64).collect()
    }
}

impl TimeSource for Waits {
    fn now(&self) -> jiff::Timestamp {
        "2026-03-01T12:00:00Z".parse().unwrap()
    }

    fn jitter(&self) -> f64 {
        0.0
    }

    fn wait(&self, time: Duration) -> BoxFuture<'_, ()> {
        self.0.lock().unwrap().push(time);
        std::future::ready(()).boxed()
    }
}

/// An engine for the endpoint and its recorded pauses.
pub fn chat(server: &Server, change: impl FnOnce(&mut Endpoint)) -> (Chat, Arc<Waits>) {
    let key = Key::new(KEY).unwrap();
    let mut endpoint = Endpoint::new(&server.base, "test-model", key, 4096).unwrap();
    change(&mut endpoint);
    let waits = Arc::new(Waits::default());
    let pace = Arc::clone(&waits);
    let chat = Chat::new(endpoint, pace, RUNTIME.handle().clone()).unwrap();
    (chat, waits)
}

/// Limits for slow endpoints: the engine's own are longer than a test should take.
pub fn impatient(endpoint: &mut Endpoint) {
    endpoint.limits = Limits {
        idle: Duration::from_millis(300),
        attempts: 2,
        ..Limits::default()
    };
}

/// A stop that is set from the start or never.
pub struct Stopped(pub bool);

impl Stop for Stopped {
    fn is_set(&self) -> bool {
        self.0
    }
}

/// A text of these passages, ten seconds each.
pub fn text(passages: &[&str]) -> Text {
    let passages = passages.iter().enumerate().map(|(at, text)| {
        let start = f64::from(u32::try_from(at).unwrap()) * 10.0;
        Passage {
            id: format!("s{at}"),
            start,
            end: start + 9.5,
            speaker: Some(if at % 2 == 0 { "Ann" } else { "Bo" }.to_owned()),
            text: (*text).to_owned(),
        }
    });
    Text {
        language: "en".to_owned(),
        duration: 10.0 * f64::from(u32::try_from(passages.len()).unwrap()),
        passages: passages.collect(),
    }
}

/// Runs the task against an endpoint with the default settings of these tests.
pub fn run(server: &Server, text: &Text, task: &Task) -> Result<Outcome, AnalysisError> {
    let (chat, _) = chat(server, |_| {});
    chat.run(text, task, &Stopped(false), &mut |_| {})
}

/// The user's own instruction, for which any answer is valid.
pub fn prompt() -> Task {
    Task::Prompt {
        prompt: "Write minutes.".to_owned(),
    }
}
