//! Fetching on a user's behalf: probing URLs and downloading from them.
//!
//! Users enter URLs, and the server has access to networks that they do not: so it connects to the
//! public internet only. Every connection is checked by its IP address ([`guard`]), also after
//! redirects ([`client`]). yt-dlp's connections all go through a local proxy ([`proxy`]) that
//! checks them, too. Private networks, this machine and ports of other services are refused, unless
//! an administrator has listed the host and port.
//!
//! Ports: 80, 443, and all from 1024 on. Redirects: at most 5, none from https to http. Time: 10 s
//! to connect, 20 s to the head of an answer, 30 s between two pieces of it, and 64 KiB in every
//! minute. No compression is requested, and nothing is decompressed.

pub mod address;
pub mod allow_list;
pub mod client;
pub mod downloader_program;
mod error;
pub mod guard;
pub mod media_probe;
pub mod names;
pub mod pages;
pub mod place;
pub mod post;
pub mod probe;
mod process;
pub mod proxy;
pub mod shared_links;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
pub mod ytdlp_output;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Body, Method, Url};
use slovo_engine::Engine;
use slovo_rules::url::UrlKind;

use client::{Answer, Http, Part, TransferLimits};
pub use error::FetchError;
use guard::Guard;
use pages::{DownloadedPage, Downloader};
use place::AllowedHost;
use post::{PostError, PostResponse};
use shared_links::{Services, Shared};
use slovo_platform::clock::Clock;
use slovo_platform::random::Random;
use ytdlp_output::DownloadProgress;

/// Fetches for users. Cheap to clone.
#[derive(Clone)]
pub struct Fetch(Arc<Inner>);

struct Inner {
    guard: Guard,
    http: Http,
    pages: Downloader,
    services: Services,
    engine: Engine,
    clock: Arc<dyn Clock>,
}

impl Fetch {
    /// Fetches from the public internet and from the places in `allow`. `downloader` is the path of
    /// yt-dlp (see [`downloader_program::find`]); without it, recordings in web pages are not
    /// supported. `engine` looks into recordings.
    #[must_use]
    pub fn new(
        allow: &[AllowedHost],
        downloader: Option<PathBuf>,
        engine: Engine,
        clock: &Arc<dyn Clock>,
        random: &Arc<dyn Random>,
    ) -> Self {
        Self::with_services(
            allow,
            downloader,
            engine,
            clock,
            random,
            Services::default(),
        )
    }

    /// [`Fetch::new`] with these services.
    fn with_services(
        allow: &[AllowedHost],
        downloader: Option<PathBuf>,
        engine: Engine,
        clock: &Arc<dyn Clock>,
        random: &Arc<dyn Random>,
        services: Services,
    ) -> Self {
        let guard = Guard::new(allow);
        Self(Arc::new(Inner {
            http: Http::new(guard.clone(), TransferLimits::default()),
            pages: Downloader::new(downloader, guard.clone(), Arc::clone(random)),
            guard,
            services,
            engine,
            clock: Arc::clone(clock),
        }))
    }

    /// Whether recordings in web pages are supported: yt-dlp is installed.
    #[must_use]
    pub fn supports_pages(&self) -> bool {
        self.0.pages.is_installed()
    }

    /// Checks a URL as far as possible without network access.
    ///
    /// # Errors
    /// The URL is refused, or needs a program that is not installed.
    pub fn accepts(&self, url: &Url, kind: &UrlKind) -> Result<(), FetchError> {
        self.0.guard.check(url)?;
        if self.0.services.read(url) == Shared::Folder {
            return Err(FetchError::IsFolder);
        }
        match kind {
            UrlKind::Youtube { .. } if !self.supports_pages() => Err(FetchError::NeedsDownloader),
            _ => Ok(()),
        }
    }

    /// Requests a byte range of a URL, or of the file that a link shares; see [`Http::get`].
    ///
    /// # Errors
    /// The guard refused the address, the link shares a folder, or the response is of no use.
    pub async fn get(&self, url: &Url, part: Part<'_>) -> Result<Answer, FetchError> {
        let now = self.0.clock.now();
        match self.0.services.read(url) {
            Shared::File(file) => self.0.http.get(&file, part, now).await,
            Shared::Folder => Err(FetchError::IsFolder),
            Shared::Other => self.0.http.get(url, part, now).await,
        }
    }

    /// Refuses the page that is there instead of a shared file: its owner has not made it public.
    fn refuse_shared(&self, url: &Url) -> Result<(), FetchError> {
        match self.0.services.read(url) {
            Shared::File(_) => Err(FetchError::NotPublic),
            Shared::Folder => Err(FetchError::IsFolder),
            Shared::Other => Ok(()),
        }
    }

    /// Sends a request, and waits up to `time_limit` for the head of a response, whatever its status;
    /// redirects are not followed.
    ///
    /// # Errors
    /// The guard refused the address, or there is no response.
    pub async fn send(
        &self,
        method: Method,
        url: &Url,
        headers: HeaderMap,
        body: impl Into<Body>,
        time_limit: Duration,
    ) -> Result<PostResponse, PostError> {
        let http = &self.0.http;
        http.send(method, url, headers, body, time_limit).await
    }

    /// Downloads a page's recording into a folder; see [`Downloader::fetch`].
    ///
    /// # Errors
    /// There is no recording, it cannot be downloaded, or it is too large.
    pub async fn fetch_page(
        &self,
        url: &Url,
        folder: &Path,
        max_bytes: u64,
        report: impl FnMut(DownloadProgress) + Send,
    ) -> Result<DownloadedPage, FetchError> {
        self.refuse_shared(url)?;
        self.0.pages.fetch(url, folder, max_bytes, report).await
    }

    fn pages(&self) -> &Downloader {
        &self.0.pages
    }

    fn engine(&self) -> &Engine {
        &self.0.engine
    }
}
