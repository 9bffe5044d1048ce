//! Requests to a source.

use std::time::Duration;

use bytes::Bytes;
use reqwest::header::HeaderMap;
use reqwest::{Method, Url};
use slovo_fetch::Fetch;
use slovo_fetch::post::PostResponse;

use crate::SourceError;

/// Longest wait for the head of a response.
const HEAD: Duration = Duration::from_secs(30);
/// Longest wait between two pieces of a response.
pub(crate) const IDLE: Duration = Duration::from_secs(30);
/// Longest list that is read, in bytes.
pub(crate) const MAX_LIST: usize = 16 * 1024 * 1024;

/// Sends a request; the response has this status. Redirects are not followed, because the request may
/// carry a password.
///
/// # Errors
/// There is no response, or one with another status.
pub(crate) async fn ask(
    fetch: &Fetch,
    method: Method,
    url: &Url,
    headers: HeaderMap,
    status: u16,
) -> Result<PostResponse, SourceError> {
    let response = send(fetch, method, url, headers, Bytes::new()).await?;
    let answered = response.status().as_u16();
    if answered == status {
        Ok(response)
    } else {
        Err(SourceError::of_status(answered))
    }
}

/// Sends a request and waits for the head of the response, whatever its status.
///
/// # Errors
/// There is no response.
pub(crate) async fn send(
    fetch: &Fetch,
    method: Method,
    url: &Url,
    headers: HeaderMap,
    body: Bytes,
) -> Result<PostResponse, SourceError> {
    Ok(fetch.send(method, url, headers, body, HEAD).await?)
}

/// [`ask`] for a list in UTF-8.
///
/// # Errors
/// Those of [`ask`]; `None` if the list is not UTF-8.
pub(crate) async fn ask_for_list(
    fetch: &Fetch,
    method: Method,
    url: &Url,
    headers: HeaderMap,
    status: u16,
) -> Result<Option<String>, SourceError> {
    let response = ask(fetch, method, url, headers, status).await?;
    let body = response.body(MAX_LIST, IDLE).await?;
    Ok(String::from_utf8(body).ok())
}
