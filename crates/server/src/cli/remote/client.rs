//! Requests to the server's API.

use std::time::Duration;

use anyhow::{Context, Result};
use reqwest::{Method, RequestBuilder, Response, StatusCode, header};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::sleep;

use super::{NO_ACCESS, RECORDING};
use crate::cli::failure::Failure;

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(15);
/// How long the server may be silent.
const SILENCE: Duration = Duration::from_secs(120);
/// Attempts of a request that may be repeated.
const ATTEMPTS: u32 = 6;
/// Longest wait that a server may ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(120);

/// A server and a key for it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Account {
    /// Origin without a trailing slash.
    pub server: String,
    /// The API key.
    pub key: String,
}

/// The server, in the name of a key.
pub struct Client {
    http: reqwest::Client,
    server: String,
    key: String,
}

impl Client {
    /// Connects to nothing yet.
    ///
    /// # Errors
    /// The certificates of this machine cannot be read.
    pub fn new(account: &Account) -> Result<Self> {
        // Fails if another part of the program was first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .user_agent(concat!("slovo-remote/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            .read_timeout(SILENCE)
            // The key is for this server only.
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        Ok(Self {
            http,
            server: account.server.clone(),
            key: account.key.clone(),
        })
    }

    /// The server's origin.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// A request to a path of the server.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.server));
        request.bearer_auth(&self.key)
    }

    /// Reads JSON.
    ///
    /// # Errors
    /// See [`Client::send`].
    pub async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, String)],
    ) -> Result<T> {
        let answer = self
            .send(|| self.request(Method::GET, path).query(query))
            .await?;
        answer
            .json()
            .await
            .with_context(|| format!("{} is no Slovo server", self.server))
    }

    /// Sends a request, several times if the network or the server fails: it must be one that may
    /// be repeated.
    ///
    /// # Errors
    /// The server refuses it, or cannot be reached.
    pub async fn send(&self, request: impl Fn() -> RequestBuilder) -> Result<Response> {
        let mut attempt = 0;
        loop {
            attempt += 1;
            let answer = request().send().await;
            let pause = match &answer {
                Ok(answer) if is_temporary(answer.status()) => asked_pause(answer),
                Ok(_) => break checked(answer?).await,
                Err(_) => None,
            };
            if attempt == ATTEMPTS {
                break match answer {
                    Ok(answer) => checked(answer).await,
                    Err(error) => Err(error.without_url())
                        .with_context(|| format!("{} cannot be reached", self.server)),
                };
            }
            sleep(pause.unwrap_or(Duration::from_secs(1 << attempt))).await;
        }
    }
}

fn is_temporary(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::TOO_MANY_REQUESTS
            | StatusCode::BAD_GATEWAY
            | StatusCode::SERVICE_UNAVAILABLE
            | StatusCode::GATEWAY_TIMEOUT
            | StatusCode::INSUFFICIENT_STORAGE
    )
}

fn asked_pause(answer: &Response) -> Option<Duration> {
    let value = answer.headers().get(header::RETRY_AFTER)?;
    let seconds = value.to_str().ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds).min(LONGEST_WAIT))
}

/// The answer, unless it is a refusal.
///
/// # Errors
/// The refusal in words.
pub async fn checked(answer: Response) -> Result<Response> {
    let status = answer.status();
    if status.is_success() {
        return Ok(answer);
    }
    let problem: Value = answer.json().await.unwrap_or_default();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let mut reasons: Vec<String> = Vec::new();
    for error in problem["errors"].as_array().into_iter().flatten() {
        let (field, code) = (text(&error["field"]), text(&error["code"]));
        let reason = code.unwrap_or_default().replace('_', " ");
        reasons.push(format!("{}: {reason}", field.unwrap_or_default()));
    }
    if reasons.is_empty() {
        let told = text(&problem["detail"]).or_else(|| text(&problem["title"]));
        reasons.push(told.unwrap_or_else(|| format!("the server answered {status}")));
    }
    let message = reasons.join("; ");
    let code = match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => NO_ACCESS,
        status if status.is_client_error() => RECORDING,
        _ => return Err(anyhow::Error::msg(message)),
    };
    Err(Failure::new(code, message).into())
}
