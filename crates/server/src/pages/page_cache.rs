//! Caches pages that are the same for all visitors: rendered once per language, until the server's
//! data in them changes.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use brotli::BrotliCompress;
use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use slovo_app::http::is_known;
use slovo_rules::locale::Locale;
use slovo_site::{Name, Page, Site, SiteInfo};
use tokio::sync::OnceCell;

use super::language::Language;
use super::render;

/// The current pages.
pub(super) struct PageCache(Mutex<Arc<Generation>>);

impl PageCache {
    /// Starts with the pages of a server without data.
    pub(super) fn new(site: Site) -> Self {
        Self(Mutex::new(Arc::new(Generation::new(site))))
    }

    /// The pages for this data; all are rendered anew when it has changed.
    pub(super) fn with_data(&self, own: SiteInfo) -> Arc<Generation> {
        let mut now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if now.site.own != own {
            *now = Arc::new(Generation::new(now.site.with_info(own)));
        }
        Arc::clone(&now)
    }

    /// The pages that were served last.
    pub(super) fn last(&self) -> Arc<Generation> {
        let now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&now)
    }
}

/// Pages with the same server data: one cell for each page and language.
pub(super) struct Generation {
    pub site: Arc<Site>,
    cells: Vec<(Name, Locale, OnceCell<CachedPage>)>,
}

impl Generation {
    fn new(site: Site) -> Self {
        let names = Name::LISTED.iter().chain([&Name::NotFound]);
        let cells = names.flat_map(|name| {
            let languages = Locale::ALL.iter();
            languages.map(|locale| (*name, *locale, OnceCell::new()))
        });
        Self {
            site: Arc::new(site),
            cells: cells.collect(),
        }
    }
}

/// A page and its compressed versions, which are made on first request.
struct CachedPage {
    plain: Bytes,
    gzip: OnceCell<Bytes>,
    brotli: OnceCell<Bytes>,
    etag: HeaderValue,
}

impl Generation {
    /// The response for this request; the page is rendered if it was not yet.
    pub(super) async fn get(
        &self,
        page: Page,
        language: &Language,
        headers: &HeaderMap,
    ) -> Response {
        let (name, locale) = (page.name(), language.locale);
        let cell = self
            .cells
            .iter()
            .find_map(|(n, l, cell)| (*n == name && *l == locale).then_some(cell));
        let Some(cell) = cell else {
            return render::page(&self.site, locale, page).await;
        };
        let written = cell.get_or_init(async || write(&self.site, locale, page).await);
        answer(written.await, language, headers).await
    }
}

async fn write(site: &Arc<Site>, locale: Locale, page: Page) -> CachedPage {
    let response = render::page(site, locale, page).await;
    // A body in memory has no errors and a finite length.
    let plain = to_bytes(response.into_body(), usize::MAX)
        .await
        .unwrap_or_default();
    let etag = format!("\"{}\"", hex::encode(&Sha256::digest(&plain)[..12]));
    CachedPage {
        gzip: OnceCell::new(),
        brotli: OnceCell::new(),
        etag: HeaderValue::from_str(&etag).unwrap_or_else(|_| HeaderValue::from_static("\"\"")),
        plain,
    }
}

impl CachedPage {
    /// The page in the best encoding that this request accepts, with the encoding's name.
    async fn encoded(&self, request_headers: &HeaderMap) -> Option<(&'static str, &Bytes)> {
        let (coding, cell, pack): (_, _, fn(&[u8]) -> Bytes) = if accepts(request_headers, "br") {
            ("br", &self.brotli, brotli)
        } else if accepts(request_headers, "gzip") {
            ("gzip", &self.gzip, gzip)
        } else {
            return None;
        };
        let packed = async || {
            let plain = self.plain.clone();
            let packing = tokio::task::spawn_blocking(move || pack(&plain));
            packing.await.unwrap_or_default()
        };
        let bytes = cell.get_or_init(packed).await;
        (!bytes.is_empty()).then_some((coding, bytes))
    }
}

fn gzip(plain: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let gzip = encoder.write_all(plain).and_then(|()| encoder.finish());
    gzip.unwrap_or_default().into()
}

/// Empty if compression fails: the page is then sent uncompressed.
fn brotli(plain: &[u8]) -> Bytes {
    let mut brotli = Vec::new();
    let parameters = BrotliEncoderParams::default();
    if let Err(error) = BrotliCompress(&mut &*plain, &mut brotli, &parameters) {
        tracing::warn!(%error, "a page cannot be compressed");
        brotli.clear();
    }
    brotli.into()
}

async fn answer(
    written: &CachedPage,
    language: &Language,
    request_headers: &HeaderMap,
) -> Response {
    let mut headers = HeaderMap::with_capacity(8);
    headers.insert(header::ETAG, written.etag.clone());
    // Cacheable, but revalidated: the next request may be for another language.
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("private, no-cache"),
    );
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    );
    headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    language.mark(&mut headers);
    if is_known(request_headers, &written.etag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let body = written
        .encoded(request_headers)
        .await
        .map_or(&written.plain, |(coding, bytes)| {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
            bytes
        });
    (headers, Body::from(body.clone())).into_response()
}

/// Whether Accept-Encoding (RFC 9110, section 12.5.3) allows this encoding.
fn accepts(request_headers: &HeaderMap, encoding: &str) -> bool {
    let lines = request_headers.get_all(header::ACCEPT_ENCODING).iter();
    let codings = lines.filter_map(|line| line.to_str().ok());
    codings.flat_map(|line| line.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
        let weight = weight.trim().strip_prefix("q=").unwrap_or("1");
        name.trim().eq_ignore_ascii_case(encoding) && weight.parse::<f32>().is_ok_and(|q| q > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_used_only_if_accepted() {
        let accepts_gzip = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
            accepts(&headers, "gzip")
        };
        for accepted in ["gzip", "br, gzip;q=0.5", "GZIP ; q=1", "deflate,gzip"] {
            assert!(accepts_gzip(accepted), "{accepted}");
        }
        for refused in ["", "br", "gzip;q=0", "gzip;q=0.000", "gzip;q=x", "xgzip"] {
            assert!(!accepts_gzip(refused), "{refused}");
        }
        assert!(!accepts(&HeaderMap::new(), "gzip"));
    }
}
