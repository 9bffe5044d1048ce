//! Folders of WebDAV servers (RFC 4918), such as Nextcloud.

mod multistatus;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::header::{
    AUTHORIZATION, ETAG, HeaderMap, HeaderName, HeaderValue, IF_MATCH, IF_NONE_MATCH,
};
use reqwest::{Method, Url};
use slovo_fetch::Fetch;
use slovo_fetch::post::PostResponse;

use crate::content::{Current, Expected, MAX_FILE, digest};
use crate::names::{file_name, is_acceptable, is_recording, is_recording_type};
use crate::web::{IDLE, MAX_LIST, ask, ask_for_list, send};
use crate::{Found, MAX_RECORDINGS, Place, SourceError};

/// How deep subfolders are looked into.
const MAX_DEPTH: usize = 8;
/// Maximum number of folders.
const MAX_FOLDERS: usize = 1_000;
/// Most bytes of the lists of one look.
const MAX_BYTES: usize = 4 * MAX_LIST;
/// What is not encoded in a part of a path.
const PART: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A folder, and how it is read.
struct Folder {
    /// Its path ends with `/`.
    url: Url,
    headers: HeaderMap,
}

impl Folder {
    fn at(place: &Place<'_>) -> Result<Self, SourceError> {
        let mut url = Url::parse(place.location).map_err(|_| SourceError::NotFound)?;
        url.set_query(None);
        url.set_fragment(None);
        if !url.path().ends_with('/') {
            url.set_path(&format!("{}/", url.path()));
        }
        let mut headers = HeaderMap::new();
        if !place.user.is_empty() || place.password.is_some() {
            let named = format!("{}:{}", place.user, place.password.unwrap_or_default());
            let basic = HeaderValue::try_from(format!("Basic {}", STANDARD.encode(named)));
            let mut basic = basic.map_err(|_| SourceError::Unauthorized)?;
            basic.set_sensitive(true);
            headers.insert(AUTHORIZATION, basic);
        }
        Ok(Self { url, headers })
    }

    /// The address of a path below it.
    fn below(&self, path: &str, is_folder: bool) -> Url {
        let parts = path.split('/').filter(|part| !part.is_empty());
        let parts = parts.map(|part| utf8_percent_encode(part, PART).to_string());
        let mut path = parts.collect::<Vec<_>>().join("/");
        if is_folder && !path.is_empty() {
            path.push('/');
        }
        let mut url = self.url.clone();
        url.set_path(&format!("{}{path}", self.url.path()));
        url
    }
}

/// The recordings in a folder and its subfolders.
///
/// # Errors
/// The folder cannot be read.
pub(crate) async fn list(fetch: &Fetch, place: &Place<'_>) -> Result<Vec<Found>, SourceError> {
    let top = Folder::at(place)?;
    let propfind = Method::from_bytes(b"PROPFIND").map_err(|_| SourceError::NotWebdav)?;
    let mut headers = top.headers.clone();
    headers.insert(
        HeaderName::from_static("depth"),
        HeaderValue::from_static("1"),
    );
    let (mut found, mut bytes) = (Vec::new(), 0);
    let (mut folders, mut known) = (vec![(String::new(), 0)], 1);
    while let Some((path, depth)) = folders.pop() {
        let url = top.below(&path, true);
        let answer = ask_for_list(fetch, propfind.clone(), &url, headers.clone(), 207).await;
        let answer = match answer {
            // A server that does not know the method.
            Err(SourceError::Status(200..=299 | 405 | 501)) => return Err(SourceError::NotWebdav),
            answer => answer?.ok_or(SourceError::NotWebdav)?,
        };
        bytes += answer.len();
        if bytes > MAX_BYTES {
            return Err(SourceError::TooLarge);
        }
        // Parsing takes long for a long list.
        let url = top.url.clone();
        let parsed = tokio::task::spawn_blocking(move || multistatus::entries(&answer, &url));
        for entry in parsed.await.map_err(|_| SourceError::NotWebdav)?? {
            // The folder itself, and what does not belong to it.
            let is_inside = entry.path.strip_prefix(&*path).is_some_and(|rest| {
                let rest = rest.trim_start_matches('/');
                !rest.is_empty() && !rest.contains('/')
            });
            if !is_inside {
                continue;
            }
            if entry.is_folder {
                if depth < MAX_DEPTH && is_acceptable(&entry.path) {
                    folders.push((entry.path, depth + 1));
                    known += 1;
                    if known > MAX_FOLDERS {
                        return Err(SourceError::TooMany);
                    }
                }
            } else if is_recording(&entry.path)
                || (is_acceptable(&entry.path) && is_recording_type(&entry.content_type))
            {
                found.push(Found {
                    name: file_name(&entry.path).to_owned(),
                    key: entry.path,
                    version: entry.version,
                    size: entry.size,
                    url: None,
                });
                if found.len() > MAX_RECORDINGS {
                    return Err(SourceError::TooMany);
                }
            }
        }
    }
    found.sort_unstable_by(|a, b| a.key.cmp(&b.key));
    Ok(found)
}

/// Opens a file of a folder.
///
/// # Errors
/// It cannot be read.
pub(crate) async fn open(
    fetch: &Fetch,
    place: &Place<'_>,
    key: &str,
) -> Result<PostResponse, SourceError> {
    if !is_acceptable(key) {
        return Err(SourceError::NotFound);
    }
    let folder = Folder::at(place)?;
    let url = folder.below(key, false);
    ask(fetch, Method::GET, &url, folder.headers, 200).await
}

/// Reads a file; `None` if there is none.
///
/// # Errors
/// It cannot be read.
pub(crate) async fn current(
    fetch: &Fetch,
    place: &Place<'_>,
    name: &str,
) -> Result<Option<Current>, SourceError> {
    if !is_acceptable(name) {
        return Err(SourceError::NotFound);
    }
    let folder = Folder::at(place)?;
    let url = folder.below(name, false);
    let body = Bytes::new();
    let response = send(fetch, Method::GET, &url, folder.headers, body).await?;
    match response.status().as_u16() {
        200 => {
            let version = response.header(&ETAG).map(str::to_owned);
            let content = response.body(MAX_FILE, IDLE).await?;
            Ok(Some(Current {
                digest: digest(&content),
                version,
            }))
        }
        404 | 410 => Ok(None),
        status => Err(SourceError::of_status(status)),
    }
}

/// Writes a file. `false` if something else is there than expected.
///
/// # Errors
/// It cannot be written; [`SourceError::FolderMissing`] if its folder does not exist.
pub(crate) async fn write(
    fetch: &Fetch,
    place: &Place<'_>,
    name: &str,
    content: Bytes,
    expected: Expected<'_>,
) -> Result<bool, SourceError> {
    if !is_acceptable(name) {
        return Err(SourceError::NotFound);
    }
    let folder = Folder::at(place)?;
    let url = folder.below(name, false);
    let mut headers = folder.headers;
    match expected {
        Expected::Nothing => {
            headers.insert(IF_NONE_MATCH, HeaderValue::from_static("*"));
        }
        Expected::Version(current) => {
            // A weak tag never matches here (RFC 9110, 13.1.1).
            let tag = current
                .version
                .as_deref()
                .filter(|tag| tag.starts_with('"'));
            if let Some(Ok(tag)) = tag.map(HeaderValue::try_from) {
                headers.insert(IF_MATCH, tag);
            }
        }
    }
    let response = send(fetch, Method::PUT, &url, headers, content).await?;
    match response.status().as_u16() {
        200 | 201 | 204 => Ok(true),
        412 => Ok(false),
        // RFC 4918, 9.7.1: the collection is missing.
        404 | 409 => Err(SourceError::FolderMissing),
        405 | 501 => Err(SourceError::NotWebdav),
        status => Err(SourceError::of_status(status)),
    }
}
