//! Opens an object store, and says what is wrong with its configuration.

use std::path::Path as FilePath;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::path::Path;
use object_store::signer::Signer;
use object_store::{ClientOptions, ObjectStoreExt, RetryConfig};
use reqwest::Method;
use uuid::Uuid;

use super::cache::Cache;
use super::{Inner, Objects};

/// How long a request is tried again. Clients and jobs try again later.
const RETRY_WITHIN: Duration = Duration::from_secs(10);
/// How long a connection may take.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// How long the store may send nothing, also while it receives a part over a slow line. A whole request
/// has no limit: a player reads as slowly as it likes.
const SILENCE: Duration = Duration::from_secs(120);

/// A bucket, and the beginning of all keys in it: `s3://bucket/prefix`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    bucket: String,
    prefix: Path,
}

/// Why a text is no address of a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected s3://bucket or s3://bucket/prefix")]
pub struct UrlError;

impl FromStr for Url {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<Self, UrlError> {
        let place = text.strip_prefix("s3://").ok_or(UrlError)?;
        let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        if bucket.is_empty() || !bucket.chars().all(is_name) {
            return Err(UrlError);
        }
        Ok(Self {
            bucket: bucket.to_owned(),
            prefix: Path::parse(prefix.trim_end_matches('/')).map_err(|_| UrlError)?,
        })
    }
}

impl std::fmt::Display for Url {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "s3://{}", self.bucket)?;
        match self.prefix.is_root() {
            true => Ok(()),
            false => write!(f, "/{}", self.prefix),
        }
    }
}

/// How to reach an object store. Its keys are looked for as Amazon's programs do: in the environment
/// (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`) and in the metadata of the machine.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// Where.
    pub url: &'a Url,
    /// The server, if it is not Amazon's.
    pub endpoint: Option<&'a str>,
    /// The region; `us-east-1` if none is given.
    pub region: Option<&'a str>,
    /// Whether the bucket is in the path of addresses instead of in the host name; by default it is
    /// if there is an endpoint.
    pub path_style: Option<bool>,
    /// Whether players read from the store itself, by signed addresses.
    pub direct_playback: bool,
    /// For copies of recordings.
    pub cache: &'a FilePath,
    /// How many bytes of them are kept.
    pub cache_bytes: u64,
}

impl Objects {
    /// Opens the store, and tries to write, read and remove an object.
    ///
    /// # Errors
    /// The message says what is wrong and what to do about it.
    pub async fn connect(options: &Options<'_>) -> Result<Self> {
        let s3 = Arc::new(build(options).with_context(|| wrong(options.url))?);
        let signer: Option<(Arc<dyn Signer>, String)> = match options.direct_playback {
            true => Some((Arc::clone(&s3) as _, origin(options, &s3).await?)),
            false => None,
        };
        let cache = Cache::new(options.cache.to_owned(), options.cache_bytes)
            .with_context(|| format!("{}: cannot create this folder", options.cache.display()))?;
        let objects = Self(Arc::new(Inner {
            store: Arc::clone(&s3) as _,
            parts: s3,
            signer,
            prefix: options.url.prefix.clone(),
            name: options.url.to_string(),
            cache,
        }));
        objects.check(options).await?;
        Ok(objects)
    }

    /// In the memory of this process, with copies in this folder.
    ///
    /// # Panics
    /// When the folder cannot be created.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn in_memory(
        store: &Arc<object_store::memory::InMemory>,
        cache: &FilePath,
        cache_bytes: u64,
    ) -> Self {
        Self(Arc::new(Inner {
            store: Arc::clone(store) as _,
            parts: Arc::clone(store) as _,
            signer: None,
            prefix: Path::from(crate::testing::PREFIX),
            name: "memory".to_owned(),
            cache: Cache::new(cache.to_owned(), cache_bytes).expect("a folder for copies"),
        }))
    }

    async fn check(&self, options: &Options<'_>) -> Result<()> {
        let path = self.key("check").join(Uuid::new_v4().to_string());
        let store = &self.0.store;
        let tried = async {
            store.put(&path, "writable".into()).await?;
            let read = store.get(&path).await?.bytes().await?;
            store.delete(&path).await?;
            Ok::<_, object_store::Error>(read == "writable")
        };
        let what = match tried.await {
            Ok(true) => return Ok(()),
            Ok(false) => "it does not return what was written".to_owned(),
            Err(error) => advice(&error, options),
        };
        bail!("{}: {what}. Nothing was changed", wrong(options.url))
    }
}

fn wrong(url: &Url) -> String {
    format!("SLOVO_STORAGE={url} cannot be used")
}

/// What is wrong and what to do about it.
fn advice(error: &object_store::Error, options: &Options<'_>) -> String {
    let text = error.to_string();
    let told = |code: &str| text.contains(code);
    if told("RequestTimeTooSkewed") {
        return "its clock and that of this machine differ by more than 15 minutes; correct the \
                clock of this machine, for example with chrony"
            .to_owned();
    }
    if told("NoSuchBucket") || matches!(error, object_store::Error::NotFound { .. }) {
        let bucket = &options.url.bucket;
        return format!("there is no bucket {bucket}; create it, or correct its name");
    }
    if told("InvalidAccessKeyId") || told("SignatureDoesNotMatch") {
        return "it does not know these keys; correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
            .to_owned();
    }
    if let object_store::Error::PermissionDenied { .. }
    | object_store::Error::Unauthenticated { .. } = error
    {
        let bucket = &options.url.bucket;
        return format!(
            "these keys may not put, get and delete objects in the bucket {bucket}, or there is no \
             such bucket; correct its name or its policy, AWS_ACCESS_KEY_ID and \
             AWS_SECRET_ACCESS_KEY"
        );
    }
    let endpoint = options.endpoint.unwrap_or("Amazon S3");
    format!(
        "{endpoint} does not answer as expected ({text}); correct AWS_ENDPOINT_URL, AWS_REGION or the network"
    )
}

fn build(options: &Options<'_>) -> Result<AmazonS3, object_store::Error> {
    // An error means that a provider is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let path_style = options.path_style.unwrap_or(options.endpoint.is_some());
    let client = ClientOptions::new()
        .with_connect_timeout(CONNECT_WITHIN)
        .with_timeout_disabled()
        .with_read_timeout(SILENCE)
        .with_allow_http(true);
    let mut builder = AmazonS3Builder::from_env()
        .with_bucket_name(&options.url.bucket)
        .with_virtual_hosted_style_request(!path_style)
        .with_client_options(client)
        .with_retry(RetryConfig {
            retry_timeout: RETRY_WITHIN,
            ..RetryConfig::default()
        });
    let given = [
        (AmazonS3ConfigKey::Endpoint, options.endpoint),
        (AmazonS3ConfigKey::Region, options.region),
    ];
    for (key, value) in given {
        if let Some(value) = value {
            builder = builder.with_config(key, value);
        }
    }
    builder.build()
}

/// Where signed addresses lead.
async fn origin(options: &Options<'_>, s3: &AmazonS3) -> Result<String> {
    let path = Path::from("x");
    let signed = s3.signed_url(Method::GET, &path, CONNECT_WITHIN).await;
    let address = signed.with_context(|| wrong(options.url))?;
    Ok(address.origin().ascii_serialization())
}
