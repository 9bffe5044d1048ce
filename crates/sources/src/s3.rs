//! Buckets of S3, and of what speaks its protocol. Requests are signed in their address.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use reqwest::header::HeaderMap;
use reqwest::{Method, Url};
use rusty_s3::actions::ListObjectsV2;
use rusty_s3::{Bucket, Credentials, S3Action as _, UrlStyle};
use slovo_fetch::Fetch;
use slovo_fetch::post::PostResponse;

use crate::names::{file_name, is_recording};
use crate::web::{ask, ask_for_list};
use crate::{Found, MAX_RECORDINGS, Place, SourceError};

/// How long a signed address is valid.
const VALID: Duration = Duration::from_secs(15 * 60);
/// The region if none is entered.
const DEFAULT_REGION: &str = "us-east-1";
/// Pages of a list, each of up to 1,000 objects, of which few may be recordings.
const MAX_PAGES: usize = 100;

/// A bucket, a prefix, and the keys with which it is read.
pub(crate) struct Objects {
    bucket: Bucket,
    prefix: String,
    credentials: Option<Credentials>,
}

impl Objects {
    /// The bucket of a location like `https://endpoint/bucket/prefix/`.
    pub(crate) fn at(place: &Place<'_>) -> Result<Self, SourceError> {
        let mut endpoint = Url::parse(place.location).map_err(|_| SourceError::NotFound)?;
        let path = percent_encoding::percent_decode_str(endpoint.path()).decode_utf8();
        let path = path.map_err(|_| SourceError::NotFound)?.into_owned();
        let path = path.trim_start_matches('/');
        let (name, prefix) = path.split_once('/').unwrap_or((path, ""));
        endpoint.set_path("/");
        endpoint.set_query(None);
        let region = if place.region.is_empty() {
            DEFAULT_REGION
        } else {
            place.region
        };
        let bucket = Bucket::new(endpoint, UrlStyle::Path, name.to_owned(), region.to_owned());
        let password = place.password.filter(|_| !place.user.is_empty());
        Ok(Self {
            bucket: bucket.map_err(|_| SourceError::NotFound)?,
            prefix: prefix.to_owned(),
            credentials: password.map(|password| Credentials::new(place.user, password)),
        })
    }

    /// The path of an object below the prefix, if it is that of a recording. A prefix is a folder, or
    /// the beginning of names.
    fn path<'k>(&self, key: &'k str) -> Option<&'k str> {
        let path = key.strip_prefix(&*self.prefix)?.trim_start_matches('/');
        is_recording(path).then_some(path)
    }

    fn page(&self, token: Option<&str>, now: Timestamp) -> Url {
        let mut list = self.bucket.list_objects_v2(self.credentials.as_ref());
        if !self.prefix.is_empty() {
            list.with_prefix(self.prefix.clone());
        }
        if let Some(token) = token {
            list.with_continuation_token(token.to_owned());
        }
        list.sign_with_time(VALID, &now)
    }

    fn object(&self, key: &str, now: Timestamp) -> Url {
        let get = self.bucket.get_object(self.credentials.as_ref(), key);
        get.sign_with_time(VALID, &now)
    }

    /// The recordings on a page, and the token of the next one.
    pub(crate) fn read(&self, page: &str) -> Result<(Vec<Found>, Option<String>), SourceError> {
        let page = ListObjectsV2::parse_response(page).map_err(|_| SourceError::NotS3)?;
        let found = page.contents.into_iter().filter_map(|object| {
            let path = self.path(&object.key)?;
            let version = object.etag.or(object.last_modified).unwrap_or_default();
            Some(Found {
                name: file_name(path).to_owned(),
                version: version.trim_matches('"').to_owned(),
                size: object.size,
                url: None,
                key: object.key,
            })
        });
        Ok((found.collect(), page.next_continuation_token))
    }
}

/// The recordings of a bucket below a prefix.
///
/// # Errors
/// The bucket cannot be read.
pub(crate) async fn list(
    fetch: &Fetch,
    place: &Place<'_>,
    now: Timestamp,
) -> Result<Vec<Found>, SourceError> {
    let objects = Arc::new(Objects::at(place)?);
    let (mut all, mut token) = (Vec::new(), None::<String>);
    for _ in 0..MAX_PAGES {
        let url = objects.page(token.as_deref(), now);
        let page = ask_for_list(fetch, Method::GET, &url, HeaderMap::new(), 200).await?;
        let page = page.ok_or(SourceError::NotS3)?;
        // Parsing takes long for a long list.
        let reader = Arc::clone(&objects);
        let parsed = tokio::task::spawn_blocking(move || reader.read(&page)).await;
        let (found, next) = parsed.map_err(|_| SourceError::NotS3)??;
        all.extend(found);
        if all.len() > MAX_RECORDINGS {
            return Err(SourceError::TooMany);
        }
        if next.is_none() {
            return Ok(all);
        }
        token = next;
    }
    Err(SourceError::TooMany)
}

/// Opens an object below the prefix.
///
/// # Errors
/// It cannot be read.
pub(crate) async fn open(
    fetch: &Fetch,
    place: &Place<'_>,
    key: &str,
    now: Timestamp,
) -> Result<PostResponse, SourceError> {
    let objects = Objects::at(place)?;
    if objects.path(key).is_none() {
        return Err(SourceError::NotFound);
    }
    let url = objects.object(key, now);
    ask(fetch, Method::GET, &url, HeaderMap::new(), 200).await
}
