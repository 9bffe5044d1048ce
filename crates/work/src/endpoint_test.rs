//! Tests an OpenAI-compatible endpoint: requests its list of models, then a completion of one token or
//! the text of a second of silence.
//!
//! Of its responses only the names of models are passed on, truncated and on one line. Redirects
//! are not followed, because they would forward the key.

use std::error::Error;
use std::time::{Duration, Instant};

use reqwest::multipart::{Form, Part};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::json;
pub use slovo_analysis::chat::Endpoint;
use utoipa::ToSchema;

use crate::speech_endpoint::RELAYED;
use crate::speech_endpoint::wav::wav;
use slovo_engine::media::SAMPLE_RATE;
use slovo_mail::one_line;

/// Connection timeout.
const CONNECT: Duration = Duration::from_secs(5);
/// Timeout for the list of models.
const LIST: Duration = Duration::from_secs(6);
/// Timeout of a plain reachability check.
const REACHABILITY_TIMEOUT: Duration = Duration::from_secs(4);
/// Timeout for one token, or for a second of silence: a local server may have to load its model first. Both and the connection
/// stay within the 30 s limit of an API action.
const TOKEN: Duration = Duration::from_secs(20);
/// Most bytes read of a response.
const MAX_BYTES: usize = 256 * 1024;
/// Most model names returned.
const MAX_MODELS: usize = 20;
/// Longest model name returned, in characters.
const MAX_NAME: usize = 120;

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = EndpointTestOutcome)]
pub enum Outcome {
    /// The endpoint works.
    Works,
    /// No endpoint is configured.
    NotConfigured,
    /// The host name cannot be resolved.
    Dns,
    /// The connection failed.
    Connection,
    /// The TLS handshake failed.
    Tls,
    /// It timed out.
    Timeout,
    /// The key is missing or wrong (401, 403).
    Unauthorized,
    /// There is no such API at this address (404).
    NotFound,
    /// It does not have the model.
    ModelUnknown,
    /// Too many requests (429).
    Busy,
    /// It redirects (3xx).
    Redirect,
    /// It rejects the request (other 4xx).
    Rejected,
    /// It has an internal error (5xx).
    ServerError,
    /// Its response is not a chat completion.
    NotChat,
    /// Its response is not a transcription.
    NotTranscription,
}

/// What an endpoint is tested for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Chat completions.
    Chat,
    /// Transcriptions.
    Speech,
}

/// The result of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointTest {
    /// How it ended.
    pub outcome: Outcome,
    /// The last HTTP status.
    pub status: Option<u16>,
    /// The first models in its list.
    pub models: Vec<String>,
    /// Duration in milliseconds.
    pub milliseconds: u64,
}

/// Tests the endpoint.
pub async fn run(endpoint: &Endpoint, purpose: Purpose) -> EndpointTest {
    let started = Instant::now();
    let (outcome, status, mut models) = ask(endpoint, purpose).await;
    models.truncate(MAX_MODELS);
    EndpointTest {
        outcome,
        status,
        models,
        milliseconds: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
    }
}

/// Checks whether the chat endpoint responds, by its list of models if it has one: a token could cost
/// money or load an unloaded model. [`Outcome::Works`] if it does.
pub async fn check_reachable(endpoint: &Endpoint) -> Outcome {
    let Ok(client) = client() else {
        return Outcome::Tls;
    };
    let response = match list(&client, endpoint, REACHABILITY_TIMEOUT).send().await {
        Err(error) => return unreachable(&error),
        Ok(response) => response,
    };
    match response.status().as_u16() {
        300..=399 => Outcome::Redirect,
        401 | 403 => Outcome::Unauthorized,
        429 => Outcome::Busy,
        500..=599 => Outcome::ServerError,
        200..=299 => Outcome::Works,
        // Not every server has a list, and the address may be wrong: a completion request decides.
        _ => tokio::time::timeout(REACHABILITY_TIMEOUT, ask(endpoint, Purpose::Chat))
            .await
            .map_or(Outcome::Timeout, |(outcome, ..)| outcome),
    }
}

fn client() -> reqwest::Result<Client> {
    // Another part of the program may have installed the TLS provider already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .connect_timeout(CONNECT)
        .redirect(Policy::none())
        .referer(false)
        .no_proxy()
        .user_agent(concat!("Slovo/", env!("CARGO_PKG_VERSION")))
        .build()
}

/// The request for the models, with the headers that the engine itself sends.
fn list(client: &Client, endpoint: &Endpoint, time_limit: Duration) -> RequestBuilder {
    client
        .get(endpoint.models_url())
        .headers(endpoint.credentials())
        .timeout(time_limit)
}

async fn ask(endpoint: &Endpoint, purpose: Purpose) -> (Outcome, Option<u16>, Vec<String>) {
    let Ok(client) = client() else {
        return (Outcome::Tls, None, Vec::new());
    };
    let models = match list(&client, endpoint, LIST).send().await {
        // Without a connection further requests are pointless.
        Err(error) if error.is_connect() => return (unreachable(&error), None, Vec::new()),
        Err(_) => Vec::new(),
        Ok(response) if response.status() == StatusCode::UNAUTHORIZED => {
            return (Outcome::Unauthorized, Some(401), Vec::new());
        }
        Ok(response) if response.status() == StatusCode::OK => names(response).await,
        // Not every server has a list.
        Ok(_) => Vec::new(),
    };
    let request = match purpose {
        Purpose::Chat => one_token(&client, endpoint),
        Purpose::Speech => one_second(&client, endpoint),
    };
    let request = request.headers(endpoint.credentials()).timeout(TOKEN);
    let response = match request.send().await {
        Err(error) => return (unreachable(&error), None, models),
        Ok(response) => response,
    };
    let status = response.status();
    let is_listed = models.is_empty() || models.contains(&endpoint.model);
    let has_list = !models.is_empty();
    let outcome = match status.as_u16() {
        200 if is_answer(response, purpose).await => Outcome::Works,
        200..=299 if purpose == Purpose::Speech => Outcome::NotTranscription,
        200..=299 => Outcome::NotChat,
        300..=399 => Outcome::Redirect,
        401 | 403 => Outcome::Unauthorized,
        400 | 404 | 422 if !is_listed => Outcome::ModelUnknown,
        404 if has_list => Outcome::ModelUnknown,
        404 | 405 => Outcome::NotFound,
        408 | 504 => Outcome::Timeout,
        429 => Outcome::Busy,
        400..=499 => Outcome::Rejected,
        _ => Outcome::ServerError,
    };
    (outcome, Some(status.as_u16()), models)
}

fn one_token(client: &Client, endpoint: &Endpoint) -> RequestBuilder {
    let body = json!({
        "model": endpoint.model,
        "messages": [{"role": "user", "content": "Hi"}],
        "max_tokens": 1,
        "stream": false,
    });
    client.post(endpoint.url().clone()).json(&body)
}

fn one_second(client: &Client, endpoint: &Endpoint) -> RequestBuilder {
    let silence = Part::bytes(wav(&[0.0; SAMPLE_RATE as usize])).file_name("silence.wav");
    let form = Form::new()
        .text("model", endpoint.model.clone())
        .text("response_format", "json")
        .part("file", silence);
    client
        .post(endpoint.audio_url(false))
        .header(RELAYED, "1")
        .multipart(form)
}

/// Classifies a connection error by its source errors.
fn unreachable(error: &reqwest::Error) -> Outcome {
    if error.is_timeout() {
        return Outcome::Timeout;
    }
    let mut says = String::new();
    let mut cause: Option<&dyn Error> = Some(error);
    while let Some(inner) = cause {
        says += &inner.to_string().to_lowercase();
        says.push('\n');
        cause = inner.source();
    }
    if says.contains("dns error") || says.contains("failed to lookup") {
        Outcome::Dns
    } else if ["certificate", "tls", "handshake", "corrupt message"]
        .iter()
        .any(|word| says.contains(word))
    {
        Outcome::Tls
    } else {
        Outcome::Connection
    }
}

/// The body, up to the size limit; `None` if it is larger or breaks off.
async fn bytes(mut response: Response) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    while let Some(piece) = response.chunk().await.ok()? {
        if all.len() + piece.len() > MAX_BYTES {
            return None;
        }
        all.extend_from_slice(&piece);
    }
    Some(all)
}

async fn names(response: Response) -> Vec<String> {
    #[derive(Deserialize)]
    struct List {
        data: Vec<Model>,
    }
    #[derive(Deserialize)]
    struct Model {
        id: String,
    }
    let Some(bytes) = bytes(response).await else {
        return Vec::new();
    };
    let list = serde_json::from_slice::<List>(&bytes);
    let models = list.map(|list| list.data).unwrap_or_default();
    models
        .into_iter()
        .map(|model| one_line(&model.id, MAX_NAME))
        .filter(|name| !name.is_empty())
        .collect()
}

/// Whether a response is a chat completion or a transcription.
async fn is_answer(response: Response, purpose: Purpose) -> bool {
    #[derive(Deserialize)]
    struct Completion {
        choices: Vec<serde_json::Value>,
    }
    #[derive(Deserialize)]
    struct Transcription {
        #[expect(dead_code, reason = "it has to be there")]
        text: String,
    }
    let Some(bytes) = bytes(response).await else {
        return false;
    };
    match purpose {
        Purpose::Chat => serde_json::from_slice::<Completion>(&bytes)
            .is_ok_and(|answer| !answer.choices.is_empty()),
        Purpose::Speech => serde_json::from_slice::<Transcription>(&bytes).is_ok(),
    }
}
