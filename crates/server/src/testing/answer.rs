//! The responses of a test server.

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use serde_json::{Value, json};

/// A complete response.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// The code of a problem document; checks that the document is complete.
    pub fn code(&self) -> String {
        let document = self.json();
        assert_eq!(
            self.header("content-type"),
            "application/problem+json",
            "{document}"
        );
        assert_eq!(document["status"], self.status.as_u16(), "{document}");
        assert_eq!(
            document["request_id"],
            self.header("x-request-id"),
            "{document}"
        );
        let code = document["code"].as_str().unwrap().to_owned();
        assert_eq!(document["type"], format!("urn:slovo:problem:{code}"));
        code
    }

    /// Asserts status and code.
    #[track_caller]
    pub fn is_problem(&self, status: StatusCode, code: &str) {
        assert_eq!(
            (self.status, self.code().as_str()),
            (status, code),
            "{}",
            self.text()
        );
    }
}

/// Snapshot of a response's status, relevant headers and body, with ids and tokens redacted. Both
/// databases must give the same.
macro_rules! assert_answer {
    ($name:expr, $answer:expr) => {
        insta::assert_json_snapshot!($name, $answer.for_snapshot(), {
            ".body.**.id" => "[id]",
            ".body.**.request_id" => "[request id]",
            ".body.**.access_token" => "[token]",
            ".body.**.refresh_token" => "[token]",
            ".body.**.registration" => "[token]",
        })
    };
}
pub(crate) use assert_answer;

impl Answer {
    /// The data that [`assert_answer`] compares.
    pub fn for_snapshot(&self) -> Value {
        let mut headers = serde_json::Map::new();
        for name in [
            "allow",
            "cache-control",
            "content-type",
            "retry-after",
            "www-authenticate",
        ] {
            if let Some(value) = self.headers.get(name) {
                headers.insert(name.to_owned(), json!(value.to_str().unwrap()));
            }
        }
        let body = if self.body.is_empty() {
            Value::Null
        } else {
            self.json()
        };
        json!({"status": self.status.as_u16(), "headers": headers, "body": body})
    }
}
