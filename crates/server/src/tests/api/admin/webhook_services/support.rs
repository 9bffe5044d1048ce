//! A test service with scripted responses.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::http::StatusCode;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use slovo_db::jobs::workflows::MessageScope;
use slovo_db::webhooks::deliveries::Lane;
use slovo_fetch::testing::{ReceivedRequest, RemoteServer, reply};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::testing::{Backend, PASSWORD, TestServer, TestUser, with_server_options};

pub const PATH: &str = "/api/v1/admin/webhook-services";

/// A received request.
#[derive(Clone, Debug)]
pub struct ReceivedWebhook {
    pub asked: ReceivedRequest,
    pub body: String,
}

impl ReceivedWebhook {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub fn header(&self, name: &str) -> &str {
        &self.asked.headers[name]
    }

    /// Whether one of its signatures is valid for this secret.
    pub fn is_signed_with(&self, secret: &str) -> bool {
        let key = secret.strip_prefix("whsec_").unwrap();
        let key = BASE64_STANDARD.decode(key).unwrap();
        let (id, at) = (self.header("webhook-id"), self.header("webhook-timestamp"));
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        mac.update(format!("{id}.{at}.{}", self.body).as_bytes());
        let expected = format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()));
        let mut signatures = self.header("webhook-signature").split(' ');
        signatures.any(|signature| signature == expected)
    }
}

/// A scripted response.
#[derive(Clone, Debug)]
pub enum Reply {
    /// With this status line, headers and body.
    With(&'static str, Vec<String>, String),
    /// With bytes that are not HTTP.
    Noise,
    /// With an endless body.
    Endless,
    /// No response.
    Never,
}

impl Reply {
    pub fn status(line: &'static str) -> Self {
        Self::With(line, Vec::new(), String::new())
    }

    pub fn json(body: &Value) -> Self {
        Self::With("200 OK", Vec::new(), body.to_string())
    }
}

/// The service. Requests without a scripted response get 204.
pub struct Receiver {
    pub stranger: RemoteServer,
    got: Arc<Mutex<Vec<ReceivedWebhook>>>,
    replies: Arc<Mutex<VecDeque<Reply>>>,
}

impl Receiver {
    pub async fn start() -> Self {
        let got = Arc::new(Mutex::new(Vec::new()));
        let replies = Arc::new(Mutex::new(VecDeque::new()));
        let (all, script) = (Arc::clone(&got), Arc::clone(&replies));
        let stranger = RemoteServer::start(move |request, mut stream| {
            let (all, script) = (Arc::clone(&all), Arc::clone(&script));
            async move {
                let length = request.headers["content-length"].parse().unwrap();
                let mut body = vec![0; length];
                stream.read_exact(&mut body).await.unwrap();
                let body = String::from_utf8(body).unwrap();
                all.lock().unwrap().push(ReceivedWebhook {
                    asked: request,
                    body,
                });
                let next = script.lock().unwrap().pop_front();
                answer(&mut stream, next.unwrap_or(Reply::status("204 No Content"))).await;
            }
        })
        .await;
        Self {
            stranger,
            got,
            replies,
        }
    }

    /// Adds responses for the next requests.
    pub fn answers(&self, replies: impl IntoIterator<Item = Reply>) {
        self.replies.lock().unwrap().extend(replies);
    }

    pub fn got(&self) -> Vec<ReceivedWebhook> {
        self.got.lock().unwrap().clone()
    }

    /// The last received request.
    pub fn last(&self) -> ReceivedWebhook {
        self.got().pop().expect("nothing came")
    }
}

async fn answer(stream: &mut TcpStream, how: Reply) {
    match how {
        Reply::With(status, headers, body) => {
            let length = format!("Content-Length: {}", body.len());
            let headers = headers.iter().map(String::as_str);
            let headers: Vec<&str> = headers.chain([length.as_str()]).collect();
            reply(stream, status, &headers, body.as_bytes()).await;
        }
        Reply::Noise => {
            let _ = stream.write_all(b"SSH-2.0-OpenSSH_9\r\n\r\n").await;
        }
        Reply::Endless => {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
            while stream.write_all(&[b'a'; 64 * 1024]).await.is_ok() {}
        }
        Reply::Never => std::future::pending().await,
    }
}

/// Runs `test` with a server that may call local services, and its administrator.
pub fn with_caller<F: AsyncFnOnce(&TestServer, &TestUser, &Receiver)>(backend: Backend, test: F) {
    with_server_options(backend, &["--webhook-allow", "127.0.0.1"], async |server| {
        let admin = server.signup("admin@example.com").await;
        let receiver = Receiver::start().await;
        test(&server, &admin, &receiver).await;
    });
}

pub fn form(receiver: &Receiver, category: &str) -> Value {
    json!({"name": "Notes", "url": receiver.stranger.url("/hook?key=hunter2"),
        "category": category})
}

/// Creates a service; returns its id and secret.
pub async fn make(server: &TestServer, admin: &TestUser, form: &Value) -> (String, String) {
    let created = server.post_as(admin, PATH, form).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.text());
    let created = created.json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&created["service"]["id"]), text(&created["secret"]))
}

/// Sends all due deliveries in sequence; returns their number.
pub async fn send_due(server: &TestServer) -> usize {
    let mut sent = 0;
    for lane in [Lane::Administrators, Lane::Users] {
        while let Some(delivery) = server
            .state
            .webhooks
            .claim(lane, MessageScope::All)
            .await
            .unwrap()
        {
            server.state.webhooks.deliver(&delivery).await.unwrap();
            sent += 1;
        }
    }
    sent
}

/// The delivery log of a service, the newest first.
pub async fn log(server: &TestServer, admin: &TestUser, id: &str) -> Vec<Value> {
    let path = format!("{PATH}/{id}/deliveries");
    let answer = server.get_as(admin, &path).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()["items"].as_array().unwrap().clone()
}

/// The path of one of the server's own URLs.
pub fn path_of(url: &Value) -> String {
    let url = url.as_str().unwrap();
    url[url.find("/api/").unwrap()..].to_owned()
}

/// Signs the administrator in again: access tokens expire after a quarter of an hour.
pub async fn sign_in(server: &TestServer) -> TestUser {
    let session = server.login("admin@example.com", PASSWORD).await;
    TestUser::from(&session.json())
}
