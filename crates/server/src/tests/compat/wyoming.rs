//! The Wyoming protocol on real speech, over TCP.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::support::{assert_welcome, jobs, left, samples, transcriber};
use crate::testing::{Backend, TIMEOUT, TestServer, with_server};

/// A client.
struct Client(BufReader<TcpStream>);

impl Client {
    /// Connects to the protocol of this server, with this key.
    async fn connect(server: &TestServer, key: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (state, key) = (server.state.clone(), key.to_owned());
        tokio::spawn(slovo_compat_api::wyoming::serve(listener, state, key));
        Self(BufReader::new(TcpStream::connect(address).await.unwrap()))
    }

    async fn send(&mut self, kind: &str, data: Value, payload: &[u8]) {
        let data = data.to_string();
        let header = json!({
            "type": kind, "data_length": data.len(), "payload_length": payload.len(),
        });
        let mut bytes = format!("{header}\n{data}").into_bytes();
        bytes.extend_from_slice(payload);
        self.0.write_all(&bytes).await.unwrap();
    }

    /// The next event: its kind and data; `None` at the end of the connection.
    async fn next(&mut self) -> Option<(String, Value)> {
        let read = async {
            let mut line = String::new();
            if self.0.read_line(&mut line).await.unwrap() == 0 {
                return None;
            }
            let header: Value = serde_json::from_str(&line).unwrap();
            let length = header["data_length"].as_u64().unwrap();
            let mut data = vec![0; usize::try_from(length).unwrap()];
            self.0.read_exact(&mut data).await.unwrap();
            let kind = header["type"].as_str().unwrap().to_owned();
            Some((kind, serde_json::from_slice(&data).unwrap()))
        };
        tokio::time::timeout(TIMEOUT, read).await.unwrap()
    }

    /// Sends the recording in tenths of a second.
    async fn speak(&mut self) {
        let format = json!({"rate": 16_000, "width": 2, "channels": 1});
        self.send("audio-start", format.clone(), b"").await;
        for piece in samples().chunks(3200) {
            self.send("audio-chunk", format.clone(), piece).await;
        }
        self.send("audio-stop", json!({}), b"").await;
    }

    async fn transcript(&mut self) -> Value {
        loop {
            let (kind, data) = self.next().await.unwrap();
            match kind.as_str() {
                "transcript-start" | "transcript-chunk" => {}
                "transcript" => return data,
                _ => panic!("{kind} {data}"),
            }
        }
    }
}

#[test]
fn speech_is_answered_with_its_text_and_stays_in_the_library() {
    with_server(Backend::Sqlite, async |server| {
        server.start_work().await;
        let me = transcriber(&server).await;
        let mut client = Client::connect(&server, &me.access_token).await;
        client.send("describe", json!({}), b"").await;
        let (kind, info) = client.next().await.unwrap();
        assert_eq!(kind, "info");
        let models = info["asr"][0]["models"].as_array().unwrap();
        assert!(
            models[0]["languages"]
                .as_array()
                .unwrap()
                .contains(&json!("uk"))
        );
        client.send("ping", json!({"text": "a"}), b"").await;
        assert_eq!(
            client.next().await.unwrap(),
            ("pong".to_owned(), json!({"text": "a"}))
        );
        // Two recordings over one connection.
        for _ in 0..2 {
            let wanted =
                json!({"language": "en-US", "name": "lite", "transcript_names": ["Slovo"]});
            client.send("transcribe", wanted, b"").await;
            client.send("an-event-of-later", json!({}), b"").await;
            client.speak().await;
            let text = client.transcript().await;
            assert_welcome(text["text"].as_str().unwrap());
            assert_eq!(text["language"], "en");
            assert_eq!(client.next().await.unwrap().0, "transcript-stop");
        }
        let jobs = jobs(&server, &me).await;
        assert_eq!(jobs.len(), 2);
        assert_eq!(
            jobs[0].plan.settings_without_url().custom_vocabulary,
            "Slovo"
        );
    });
}

#[test]
fn refusals_are_events_and_end_the_connection() {
    with_server(Backend::Sqlite, async |server| {
        let me = transcriber(&server).await;
        let key = me.access_token.as_str();
        for (key, language, format, code) in [
            (
                "slv_wrong",
                "en",
                json!({"rate": 16_000, "width": 2, "channels": 1}),
                "unauthorized",
            ),
            (
                key,
                "xx",
                json!({"rate": 16_000, "width": 2, "channels": 1}),
                "language_unsupported",
            ),
            (
                key,
                "en",
                json!({"rate": 16_000, "width": 4, "channels": 1}),
                "invalid_value",
            ),
            (
                key,
                "en",
                json!({"rate": 0, "width": 2, "channels": 1}),
                "invalid_value",
            ),
            (key, "en", json!({}), "invalid_value"),
        ] {
            let mut client = Client::connect(&server, key).await;
            client
                .send("transcribe", json!({"language": language}), b"")
                .await;
            client.send("audio-start", format, b"").await;
            if code == "language_unsupported" {
                client.send("audio-chunk", json!({}), &samples()).await;
                client.send("audio-stop", json!({}), b"").await;
            }
            let (kind, error) = client.next().await.unwrap();
            assert_eq!(
                (kind.as_str(), error["code"].as_str()),
                ("error", Some(code)),
                "{error}"
            );
            assert_eq!(client.next().await, None);
        }
        // One that goes away while it speaks leaves nothing.
        let mut client = Client::connect(&server, key).await;
        let format = json!({"rate": 16_000, "width": 2, "channels": 1});
        client.send("audio-start", format, b"").await;
        client.send("audio-chunk", json!({}), &samples()).await;
        drop(client);
        let removed = async {
            while left(&server, &me).await != (0, 0) {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(TIMEOUT, removed).await.unwrap();
    });
}
