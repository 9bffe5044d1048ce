//! Detects what a URL leads to from its first bytes.

use std::io::Write;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::CONTENT_DISPOSITION;
use slovo_engine::Engine;
use slovo_engine::media::has_external_decoder;
use slovo_rules::upload::{Container, SNIFF_BYTES, check_content_with, display_name, sniff};
use slovo_rules::url::UrlKind;
use tokio::time::timeout;

use crate::client::Part;
use crate::media_probe::{self, content_type};
use crate::{Fetch, FetchError, names};

/// Timeout for probing a URL: shorter than the timeout of an API action.
const PROBE_TIMEOUT: Duration = Duration::from_secs(26);
/// Timeout for reading the duration from the first bytes.
const MEASURING: Duration = Duration::from_secs(3);

/// Kind of a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A recording.
    File,
    /// A page that contains one.
    Page,
    /// A YouTube video.
    Youtube,
}

/// What a URL leads to.
#[derive(Debug, Clone, PartialEq)]
pub struct UrlInfo {
    /// Kind of the URL.
    pub kind: Kind,
    /// Title of the page.
    pub title: Option<String>,
    /// Name of the file, cleaned.
    pub filename: Option<String>,
    /// Seconds.
    pub duration: Option<f64>,
    /// Bytes.
    pub size: Option<u64>,
    /// MIME type by the content.
    pub content_type: Option<String>,
}

impl Fetch {
    /// Probes a URL that has passed the rules.
    ///
    /// # Errors
    /// The guard refused the address, or there is no recording that the server can download.
    pub async fn probe(
        &self,
        url: &Url,
        kind: &UrlKind,
        max_bytes: u64,
    ) -> Result<UrlInfo, FetchError> {
        let result = timeout(PROBE_TIMEOUT, async {
            if let UrlKind::Youtube { .. } = kind {
                return self.page(url, Kind::Youtube, max_bytes).await;
            }
            match self.file(url, max_bytes).await? {
                Some(found) => Ok(found),
                None => self.page(url, Kind::Page, max_bytes).await,
            }
        });
        let result = result.await;
        result.unwrap_or_else(|_| Err(FetchError::transient("no answer in time")))
    }

    async fn page(&self, url: &Url, kind: Kind, max_bytes: u64) -> Result<UrlInfo, FetchError> {
        self.refuse_shared(url)?;
        let page = self.pages().describe(url, max_bytes).await?;
        Ok(UrlInfo {
            kind,
            title: page.title,
            filename: None,
            duration: page.duration,
            size: page.size,
            content_type: None,
        })
    }

    /// The recording at this URL; `None` if it is a page.
    async fn file(&self, url: &Url, max_bytes: u64) -> Result<Option<UrlInfo>, FetchError> {
        let last = u64::try_from(SNIFF_BYTES).unwrap_or(u64::MAX) - 1;
        let part = Part {
            from: 0,
            to: Some(last),
            if_range: None,
        };
        let mut answer = self.get(url, part).await?;
        let Some((0, size)) = answer.place() else {
            return Err(FetchError::silent("the response has another byte range"));
        };
        let disposition = answer.raw_header(CONTENT_DISPOSITION.as_str());
        let filename = names::of_answer(disposition, &answer.url);
        let mut head: Vec<u8> = Vec::new();
        while head.len() < SNIFF_BYTES {
            match answer.chunk().await {
                Ok(Some(chunk)) => head.extend_from_slice(chunk.as_ref()),
                // A connection that broke after enough bytes has still shown the type.
                Ok(None) | Err(_) if !head.is_empty() => break,
                Ok(None) => return Err(FetchError::not_media("empty")),
                Err(error) => return Err(error),
            }
        }
        head.truncate(SNIFF_BYTES);
        let Some(container) = recording(&head)? else {
            return Ok(None);
        };
        if size.is_some_and(|size| size > max_bytes) {
            return Err(FetchError::TooLarge { max_bytes });
        }
        let measured = timeout(MEASURING, measure(container, &head, size, self.engine()));
        let (duration, has_video) = measured.await.ok().flatten().unwrap_or((None, None));
        let video = has_video.unwrap_or(matches!(container, Container::Avi | Container::Mov));
        Ok(Some(UrlInfo {
            kind: Kind::File,
            title: None,
            filename: display_name(&filename),
            duration,
            size,
            content_type: Some(content_type(container.as_str(), video).to_owned()),
        }))
    }
}

/// The container by the first bytes; `None` if yt-dlp might handle the content.
///
/// # Errors
/// The content is something else, which the error names.
pub fn recording(head: &[u8]) -> Result<Option<Container>, FetchError> {
    match check_content_with(head, has_external_decoder()) {
        Ok(container) => Ok(Some(container)),
        Err(_) => match sniff(head) {
            Some(Container::Html | Container::Playlist | Container::Dash) => Ok(None),
            Some(other) => Err(FetchError::not_media(other.as_str())),
            None => Err(FetchError::not_media("unknown")),
        },
    }
}

/// The duration, and whether there is video, if the first bytes show it. The missing bytes are read
/// as holes of a file of the right length, so that values derived from the length are correct.
async fn measure(
    container: Container,
    head: &[u8],
    size: Option<u64>,
    engine: &Engine,
) -> Option<(Option<f64>, Option<bool>)> {
    let is_in_header = matches!(
        container,
        Container::Wav
            | Container::Flac
            | Container::Mp4
            | Container::Mov
            | Container::Mkv
            | Container::Webm
    );
    if !is_in_header {
        return None;
    }
    let mut file = tempfile::NamedTempFile::new().ok()?;
    file.write_all(head).ok()?;
    let length = u64::try_from(head.len()).ok()?.max(size.unwrap_or(0));
    file.as_file().set_len(length).ok()?;
    let path = file.path().to_owned();
    let media = media_probe::probe(&path, engine, file).await.ok()?.ok()?;
    Some((media.duration, Some(media.has_video)))
}
