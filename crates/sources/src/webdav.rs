//! Folders of WebDAV servers (RFC 4918), such as Nextcloud.

mod multistatus;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url};
use slovo_fetch::Fetch;
use slovo_fetch::post::PostResponse;

use crate::names::{file_name, is_acceptable, is_recording, is_recording_type};
use crate::web::{ask, ask_for_list};
use crate::{Found, MAX_RECORDINGS, Place, SourceError};

/// How deep subfolders are looked into.
const MAX_DEPTH: usize = 8;
/// Maximum number of folders.
const MAX_FOLDERS: usize = 200;
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
    let (mut found, mut seen) = (Vec::new(), 0);
    let mut folders = vec![(String::new(), 0)];
    while let Some((path, depth)) = folders.pop() {
        seen += 1;
        if seen > MAX_FOLDERS {
            return Err(SourceError::TooMany);
        }
        let url = top.below(&path, true);
        let answer = ask_for_list(fetch, propfind.clone(), &url, headers.clone(), 207).await;
        let answer = match answer {
            // A server that does not know the method.
            Err(SourceError::Status(200..=299 | 405 | 501)) => return Err(SourceError::NotWebdav),
            answer => answer?.ok_or(SourceError::NotWebdav)?,
        };
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
