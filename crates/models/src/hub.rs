//! Downloads from the hub where a model is published: resumable and bounded.

use std::path::Path;
use std::time::Duration;

use reqwest::header::{CONTENT_RANGE, CONTENT_TYPE, RANGE};
use reqwest::{Client, Response, StatusCode, Url};
use slovo_model_catalogue::{AcquisitionMethod, HUB, Model, Origin};
use tokio::fs::{File, OpenOptions};
use tokio::io::AsyncWriteExt;

use crate::error::PullError;
use crate::progress::Progress;

/// Connection timeout.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);
/// Idle timeout of a transfer.
const READ_LIMIT: Duration = Duration::from_secs(30);
/// Attempts in a row that may fail without new bytes, before giving up.
const MAX_FAILED_ATTEMPTS: u32 = 3;

/// The hub and the timeouts for it.
#[derive(Clone, Debug)]
pub struct HubEndpoint {
    /// The hub's base URL; its path is kept.
    pub endpoint: Url,
    /// Idle timeout of a transfer.
    pub read_limit: Duration,
    /// Delay before a broken transfer is resumed.
    pub pause: Duration,
}

impl HubEndpoint {
    /// The public hub, or the one in the variable `HF_ENDPOINT`.
    ///
    /// # Errors
    /// When the variable is not an http or https address.
    pub fn from_environment() -> Result<Self, PullError> {
        Self::at(std::env::var("HF_ENDPOINT").ok().as_deref())
    }

    /// The hub at this URL; the public one if it is `None`.
    ///
    /// # Errors
    /// When it is not an http or https address.
    pub fn at(address: Option<&str>) -> Result<Self, PullError> {
        let address = address
            .map(str::trim)
            .filter(|address| !address.is_empty())
            .unwrap_or(HUB);
        let endpoint = Url::parse(address)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https"))
            .ok_or_else(|| PullError::Endpoint(address.to_owned()))?;
        Ok(Self {
            endpoint,
            read_limit: READ_LIMIT,
            pause: Duration::from_millis(500),
        })
    }

    fn url(&self, model: &Model) -> Result<String, PullError> {
        let endpoint = self.endpoint.as_str().trim_end_matches('/');
        let repository = model.hub_repository.ok_or(PullError::NotOnHub)?;
        Ok(format!(
            "{endpoint}/{repository}/resolve/main/{}",
            model.hub_path()
        ))
    }

    fn client(&self) -> Result<Client, PullError> {
        // Another part of the program may have installed the TLS provider already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Client::builder()
            .connect_timeout(CONNECT_LIMIT)
            .read_timeout(self.read_limit)
            .user_agent(concat!("slovo/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| PullError::Unreachable(cause(&error)))
    }

    /// Downloads the model's file to `part`, resuming an earlier attempt. The caller verifies the
    /// checksum. Returns the origin, and whether the file contains bytes of an earlier attempt.
    pub(crate) async fn download(
        &self,
        model: &Model,
        part: &Path,
        progress: &(dyn Fn(Progress<'_>) + Sync),
    ) -> Result<(Origin, bool), PullError> {
        let (client, url) = (self.client()?, self.url(model)?);
        let mut received = length(part).await;
        let resumed = received > 0;
        let mut fruitless = 0;
        loop {
            let outcome = self.transfer(&client, &url, model, part, progress).await;
            let gained = length(part).await > received;
            received = length(part).await;
            match outcome {
                Ok(()) => {
                    let origin = Origin {
                        way: AcquisitionMethod::Downloaded,
                        from: vec![url],
                    };
                    return Ok((origin, resumed));
                }
                Err(PullError::BrokenOff(reason)) => {
                    fruitless = if gained { 0 } else { fruitless + 1 };
                    if fruitless >= MAX_FAILED_ATTEMPTS {
                        return Err(PullError::BrokenOff(reason));
                    }
                    progress(Progress::Note(&format!(
                        "the transfer broke off at {received} bytes ({reason}); resuming there"
                    )));
                    tokio::time::sleep(self.pause).await;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// One request, continuing at the end of `part`.
    async fn transfer(
        &self,
        client: &Client,
        url: &str,
        model: &Model,
        part: &Path,
        progress: &(dyn Fn(Progress<'_>) + Sync),
    ) -> Result<(), PullError> {
        let received = length(part).await;
        let mut request = client.get(url);
        if received > 0 {
            request = request.header(RANGE, format!("bytes={received}-"));
        }
        let response = request.send().await.map_err(|error| {
            if received > 0 && !error.is_connect() {
                PullError::BrokenOff(cause(&error))
            } else {
                PullError::Unreachable(cause(&error))
            }
        })?;
        let start = match response.status() {
            StatusCode::OK => 0,
            StatusCode::PARTIAL_CONTENT if range_start(&response) == Some(received) => received,
            StatusCode::RANGE_NOT_SATISFIABLE if range_total(&response) == Some(received) => {
                return Ok(());
            }
            StatusCode::RANGE_NOT_SATISFIABLE | StatusCode::PARTIAL_CONTENT if received > 0 => {
                remove_part(part).await?;
                return Err(PullError::BrokenOff(
                    "the file on the hub is not the same as before".to_owned(),
                ));
            }
            status => return Err(PullError::Refused(status.as_u16())),
        };
        let html = response
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|value| {
                value
                    .trim_start()
                    .to_ascii_lowercase()
                    .starts_with("text/html")
            });
        if html {
            return Err(PullError::NotAModel("a web page"));
        }
        let total = response.content_length().map(|rest| start + rest);
        // A file that is far larger than the model is not the model.
        let most = model.bytes() * 2;
        if total.is_some_and(|total| total > most) {
            return Err(PullError::NotAModel("a far larger file"));
        }
        write_body(response, part, start, total, most, progress).await
    }
}

/// Writes the body to `part` after its first `start` bytes.
async fn write_body(
    mut response: Response,
    part: &Path,
    start: u64,
    total: Option<u64>,
    most: u64,
    progress: &(dyn Fn(Progress<'_>) + Sync),
) -> Result<(), PullError> {
    let mut file = open(part, start).await.map_err(PullError::io(part))?;
    let mut done = start;
    let outcome = loop {
        progress(Progress::Bytes { done, total });
        match response.chunk().await {
            Ok(Some(chunk)) => {
                done += chunk.len() as u64;
                if done > most {
                    break Err(PullError::NotAModel("a far larger file"));
                }
                file.write_all(&chunk).await.map_err(PullError::io(part))?;
            }
            Ok(None) if total.is_none_or(|total| done == total) => break Ok(()),
            Ok(None) => {
                break Err(PullError::BrokenOff(
                    "the response was too short".to_owned(),
                ));
            }
            Err(error) => break Err(PullError::BrokenOff(cause(&error))),
        }
    };
    file.flush().await.map_err(PullError::io(part))?;
    outcome
}

async fn open(part: &Path, start: u64) -> std::io::Result<File> {
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(part)
        .await?;
    if file.metadata().await?.len() != start {
        file.set_len(start).await?;
    }
    Ok(file)
}

async fn remove_part(part: &Path) -> Result<(), PullError> {
    match tokio::fs::remove_file(part).await {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(PullError::io(part)(error))
        }
        _ => Ok(()),
    }
}

/// Length of a file; 0 if it does not exist.
async fn length(path: &Path) -> u64 {
    tokio::fs::metadata(path)
        .await
        .map_or(0, |metadata| metadata.len())
}

/// The first byte of `Content-Range: bytes 5-9/10`.
fn range_start(response: &Response) -> Option<u64> {
    let value = response.headers().get(CONTENT_RANGE)?.to_str().ok()?;
    value
        .strip_prefix("bytes ")?
        .split_once('-')?
        .0
        .trim()
        .parse()
        .ok()
}

/// The total length of `Content-Range: bytes */10`.
fn range_total(response: &Response) -> Option<u64> {
    let value = response.headers().get(CONTENT_RANGE)?.to_str().ok()?;
    value.rsplit_once('/')?.1.trim().parse().ok()
}

/// The innermost source of an error; the outer ones only repeat the URL.
fn cause(error: &reqwest::Error) -> String {
    let mut inner: &dyn std::error::Error = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    inner.to_string()
}
