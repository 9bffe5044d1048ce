//! A WebDAV server that stores files.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;

use crate::testing::{Backend, TestServer, TestUser, with_server_options};

/// `olena:hunter2` in base64.
const BASIC: &str = "Basic b2xlbmE6aHVudGVyMg==";

#[derive(Default)]
struct Files {
    /// Content and version by name.
    stored: BTreeMap<String, (String, u32)>,
    /// Answered to all requests, unless it is 200.
    failure: StatusCode,
    loses_answers: bool,
}

/// The server.
#[derive(Clone)]
pub struct Dav {
    address: SocketAddr,
    files: Arc<Mutex<Files>>,
}

impl Dav {
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn content(&self, name: &str) -> Option<String> {
        let files = self.files.lock().unwrap();
        files.stored.get(name).map(|(content, _)| content.clone())
    }

    pub fn names(&self) -> Vec<String> {
        self.files.lock().unwrap().stored.keys().cloned().collect()
    }

    /// Somebody else stores a file.
    pub fn put(&self, name: &str, content: &str) {
        self.files.lock().unwrap().put(name, content);
    }

    /// Answers this from now on; 200 for what belongs there.
    pub fn fail(&self, status: StatusCode) {
        self.files.lock().unwrap().failure = status;
    }

    /// Whether what is stored is answered with an error of a gateway.
    pub fn lose_answers(&self, loses: bool) {
        self.files.lock().unwrap().loses_answers = loses;
    }
}

impl Files {
    fn put(&mut self, name: &str, content: &str) {
        let version = self.stored.get(name).map_or(1, |(_, version)| version + 1);
        self.stored
            .insert(name.to_owned(), (content.to_owned(), version));
    }
}

async fn answer(
    State(dav): State<Dav>,
    Path(name): Path<String>,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let mut files = dav.files.lock().unwrap();
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if text("authorization") != Some(BASIC) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    if files.failure != StatusCode::OK {
        return files.failure.into_response();
    }
    let tag = files
        .stored
        .get(&name)
        .map(|(_, version)| format!("\"{version}\""));
    match method {
        Method::GET => match files.stored.get(&name) {
            Some((content, _)) => ([("etag", tag.unwrap())], content.clone()).into_response(),
            None => StatusCode::NOT_FOUND.into_response(),
        },
        Method::PUT => {
            let must_be_new = text("if-none-match") == Some("*");
            let matches = text("if-match").is_none_or(|wanted| tag.as_deref() == Some(wanted));
            if (must_be_new && tag.is_some()) || !matches {
                return StatusCode::PRECONDITION_FAILED.into_response();
            }
            let content = String::from_utf8(body.to_vec()).unwrap();
            files.put(&name, &content);
            if files.loses_answers {
                return StatusCode::BAD_GATEWAY.into_response();
            }
            StatusCode::CREATED.into_response()
        }
        _ => StatusCode::METHOD_NOT_ALLOWED.into_response(),
    }
}

/// Runs `test` with a server that may reach a WebDAV server, and a user.
pub fn with_dav<F: AsyncFnOnce(&TestServer, &TestUser, &Dav)>(backend: Backend, test: F) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    let place = address.to_string();
    with_server_options(backend, &["--fetch-allow", &place], async |server| {
        let dav = Dav {
            address,
            files: Arc::default(),
        };
        let app = Router::new().route("/dav/{name}", any(answer));
        let app = app.with_state(dav.clone());
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        server.signup("admin@example.com").await;
        let ada = server.signup("ada@example.com").await;
        test(&server, &ada, &dav).await;
    });
}
