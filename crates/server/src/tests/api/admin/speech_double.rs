//! A test double of an OpenAI-compatible speech endpoint, with scripted answers.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use slovo_fetch::testing::{ReceivedRequest, RemoteServer, reply};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A scripted answer.
#[derive(Clone, Debug)]
pub enum Reply {
    /// With this status line and body.
    With(&'static str, String),
    /// With this status line and header.
    Header(&'static str, &'static str),
    /// With more bytes than anybody wants.
    Endless,
    /// With a body that breaks off.
    Torn,
    /// The connection is closed.
    Close,
    /// None.
    Never,
}

impl Reply {
    pub fn status(line: &'static str) -> Self {
        Self::With(line, "sk-hunter2 is what I was sent".to_owned())
    }

    pub fn json(body: &Value) -> Self {
        Self::With("200 OK", body.to_string())
    }

    pub fn text(text: &str) -> Self {
        Self::json(&json!({"text": text}))
    }

    pub fn models(names: &[&str]) -> Self {
        let models: Vec<_> = names.iter().map(|name| json!({"id": name})).collect();
        Self::json(&json!({"data": models}))
    }

    /// A sentence whose words are spread over the six seconds of the tests' recording, so that no part
    /// of it is asked for again.
    pub fn sentence(text: &str, language: &str) -> Self {
        let count = text.split(' ').count() as f64;
        let words: Vec<_> = (0_u32..)
            .zip(text.split(' '))
            .map(|(place, word)| {
                let start = f64::from(place) * 6.0 / count;
                json!({"word": word, "start": start, "end": start + 6.0 / count})
            })
            .collect();
        Self::json(&json!({"text": format!("{text}."), "language": language, "words": words}))
    }
}

/// The fields of a received form.
pub struct ReceivedForm(Vec<u8>);

impl ReceivedForm {
    /// The values of a field.
    pub fn fields(&self, name: &str) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.0).into_owned();
        let mark = format!("name=\"{name}\"\r\n\r\n");
        let values = text.split(&mark).skip(1);
        values
            .map(|rest| rest.split("\r\n").next().unwrap().to_owned())
            .collect()
    }

    /// The value of a field; empty if it is not there.
    pub fn field(&self, name: &str) -> String {
        self.fields(name).pop().unwrap_or_default()
    }

    /// The length of its WAV file in seconds.
    pub fn wav_seconds(&self) -> f64 {
        let start = self.0.windows(4).position(|it| it == b"RIFF").unwrap();
        let size: [u8; 4] = self.0[start + 40..start + 44].try_into().unwrap();
        f64::from(u32::from_le_bytes(size)) / 32_000.0
    }
}

/// A request with its body.
type Received = (ReceivedRequest, Vec<u8>);

/// The endpoint. A request without a scripted answer gets 503.
pub struct SpeechDouble {
    stranger: RemoteServer,
    got: Arc<Mutex<Vec<Received>>>,
    script: Arc<Mutex<VecDeque<Reply>>>,
}

impl SpeechDouble {
    pub async fn start() -> Self {
        let got = Arc::new(Mutex::new(Vec::new()));
        let script = Arc::new(Mutex::new(VecDeque::new()));
        let (all, replies) = (Arc::clone(&got), Arc::clone(&script));
        let stranger = RemoteServer::start(move |request, mut stream| {
            let (all, replies) = (Arc::clone(&all), Arc::clone(&replies));
            async move {
                let length = request.headers.get("content-length");
                let length = length.map_or(0, |length| length.parse().unwrap());
                let mut body = vec![0; length];
                stream.read_exact(&mut body).await.unwrap();
                let next = {
                    all.lock().unwrap().push((request, body));
                    replies.lock().unwrap().pop_front()
                };
                let next = next.unwrap_or(Reply::status("503 Service Unavailable"));
                answer(&mut stream, next).await;
            }
        })
        .await;
        Self {
            stranger,
            got,
            script,
        }
    }

    /// Its base address.
    pub fn url(&self) -> String {
        self.stranger.url("/v1")
    }

    /// Replaces the answers for the next requests.
    pub fn replies(&self, replies: impl IntoIterator<Item = Reply>) {
        *self.script.lock().unwrap() = replies.into_iter().collect();
    }

    /// The number of requests.
    pub fn count(&self) -> usize {
        self.got.lock().unwrap().len()
    }

    /// The paths of the requests.
    pub fn paths(&self) -> Vec<String> {
        let got = self.got.lock().unwrap();
        got.iter()
            .map(|(request, _)| request.path.clone())
            .collect()
    }

    /// `Authorization` of each request.
    pub fn keys(&self) -> Vec<String> {
        let got = self.got.lock().unwrap();
        let keys = got
            .iter()
            .map(|(request, _)| request.headers.get("authorization"));
        keys.map(|key| key.cloned().unwrap_or_default()).collect()
    }

    /// The form of the last request.
    pub fn last_form(&self) -> ReceivedForm {
        let got = self.got.lock().unwrap();
        ReceivedForm(got.last().expect("nothing came").1.clone())
    }
}

async fn answer(stream: &mut TcpStream, how: Reply) {
    match how {
        Reply::With(status, body) => {
            let length = format!("Content-Length: {}", body.len());
            let location = "Location: http://127.0.0.1:1/steal";
            reply(stream, status, &[&length, location], body.as_bytes()).await;
        }
        Reply::Header(status, header) => {
            reply(stream, status, &["Content-Length: 0", header], b"").await;
        }
        Reply::Endless => {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
            while stream.write_all(&[b'a'; 64 * 1024]).await.is_ok() {}
        }
        Reply::Torn => {
            let head = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"text\": \"a";
            let _ = stream.write_all(head).await;
        }
        Reply::Close => {}
        Reply::Never => std::future::pending().await,
    }
}
