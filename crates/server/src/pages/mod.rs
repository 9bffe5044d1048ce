//! The public pages: URLs and languages.
//!
//! A page is identical for all readers of a language, so it is rendered once for as long as the
//! server's data in it stays the same ([`page_cache::PageCache`]); visitor-specific parts are done in the
//! browser.

mod app_paths;
#[cfg(test)]
mod edition_tests;
mod files;
mod forms;
mod language;
mod offer;
mod own;
mod page_cache;
mod privacy;
#[cfg(test)]
mod privacy_tests;
mod render;
mod status;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use any_spawner::Executor;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use percent_encoding::percent_decode_str;
use slovo_site::{
    ApiPage, Assets, ContactPage, CookiesPage, FormOutcome, Name, NewsletterPage, Page, Site,
    SiteInfo,
};

pub(crate) use app_paths::is_app_path;
use language::Language;

use crate::openapi::OpenApiDocument;
use offer::Offers;
use page_cache::{Generation, PageCache};
use slovo_app::http::{REFERRER, ROBOTS};
use slovo_app::public_site::preview;
use slovo_app::state::AppState;

/// Largest form, in bytes: the longest message that the rules allow, at nine bytes per character.
const MAX_FORM: usize = 64 * 1024;

/// The parts that the pages are rendered with.
#[derive(Clone)]
pub(crate) struct Pages(Arc<Inner>);

struct Inner {
    state: AppState,
    offers: Offers,
    document: OpenApiDocument,
    /// The page of the API's document, built on first request.
    api: OnceLock<Arc<ApiPage>>,
    cache: PageCache,
}

impl Pages {
    /// With the built files of the web folder, and the API's document.
    pub(crate) fn new(state: &AppState, document: OpenApiDocument) -> Self {
        // Leptos requires an executor, which can be set once per process.
        Executor::init_tokio().ok();
        let folder = state.config.web_folder();
        let manifest = folder.map(|folder| folder.join(".vite/manifest.json"));
        let manifest = match manifest {
            Some(file) => std::fs::read_to_string(file).ok(),
            None => slovo_web_files::get(".vite/manifest.json")
                .and_then(|file| String::from_utf8(file.content.into_owned()).ok()),
        };
        // Pages work without style and scripts.
        let assets = manifest.map(|text| Assets::read(&text)).transpose();
        let assets = assets.unwrap_or_else(|error| {
            tracing::error!(%error, "the web app's manifest cannot be read");
            None
        });
        let origin = state.config.public_url();
        let site = Site::new(origin.as_str(), assets.unwrap_or_default());
        Self(Arc::new(Inner {
            state: state.clone(),
            offers: Offers::default(),
            document,
            api: OnceLock::new(),
            cache: PageCache::new(site),
        }))
    }

    /// The page for an unknown URL.
    pub(crate) async fn not_found(&self, uri: &Uri, headers: &HeaderMap) -> Response {
        let language = Language::of(uri, headers);
        let now = self.now().await;
        missing(&now, &language, headers).await
    }

    /// The page of the API's document.
    fn api(&self) -> Page {
        let read = || {
            let text = self.0.document.to_json().unwrap_or_default();
            let page = ApiPage::read(&text).unwrap_or_else(|error| {
                tracing::error!(%error, "the API's document cannot be read");
                ApiPage::default()
            });
            Arc::new(page)
        };
        Page::Api(Arc::clone(self.0.api.get_or_init(read)))
    }

    /// The current pages. While the database is unavailable, the last ones.
    async fn now(&self) -> Arc<Generation> {
        match own::site_info(&self.0.state, &self.0.offers).await {
            Ok(own) => self.0.cache.with_data(own),
            Err(error) => {
                tracing::error!(%error, "what the public pages say cannot be read");
                self.0.cache.last()
            }
        }
    }

    async fn cached(&self, page: Page, language: &Language, headers: &HeaderMap) -> Response {
        if language.preview.is_some() {
            return self.fresh(page, language).await;
        }
        let now = self.now().await;
        if !now.site.own.has_page(page.name()) {
            return missing(&now, language, headers).await;
        }
        now.get(page, language, headers).await
    }

    async fn fresh(&self, page: Page, language: &Language) -> Response {
        let now = self.now().await;
        let draft = match &language.preview {
            Some(token) => self.site_with_draft(&now.site, token).await,
            None => Some(Arc::clone(&now.site)),
        };
        let site = draft.as_ref().unwrap_or(&now.site);
        let is_visible = draft.is_some() && site.own.has_page(page.name());
        let page = if is_visible { page } else { Page::NotFound };
        let mut response = render::page(site, language.locale, page).await;
        if !is_visible {
            *response.status_mut() = StatusCode::NOT_FOUND;
        }
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        language.mark(headers);
        if language.preview.is_some() {
            // The URL is a credential, as in a newsletter's link.
            headers.extend([REFERRER, ROBOTS]);
        }
        response
    }

    /// The site with the draft of this token; `None` if it has expired or was replaced.
    async fn site_with_draft(&self, now: &Site, token: &str) -> Option<Arc<Site>> {
        let state = &self.0.state;
        let draft = async {
            let Some(settings) = preview::opened(state, token).await? else {
                return Ok(None);
            };
            own::of_settings(state, &self.0.offers, Arc::new(settings))
                .await
                .map(Some)
        };
        let draft: slovo_db::Result<Option<SiteInfo>> = draft.await;
        let own = draft.unwrap_or_else(|error| {
            tracing::error!(%error, "a draft of the public pages cannot be read");
            None
        })?;
        let preview = Some(token.to_owned());
        Some(Arc::new(now.with_info(SiteInfo { preview, ..own })))
    }
}

/// The page for an unknown URL, from this generation.
async fn missing(now: &Generation, language: &Language, headers: &HeaderMap) -> Response {
    let mut response = now.get(Page::NotFound, language, headers).await;
    if response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    response
}

/// The pages' routes.
pub(crate) fn router(pages: &Pages) -> Router<AppState> {
    let mut router = Router::new();
    for page in [
        Page::Home,
        Page::About,
        Page::Features,
        Page::Pricing,
        Page::Terms,
        Page::Docs,
        Page::Changelog,
    ] {
        let pages = pages.clone();
        let path = page.name().path();
        let show = async move |uri: Uri, headers: HeaderMap| {
            let language = Language::of(&uri, &headers);
            pages.cached(page.clone(), &language, &headers).await
        };
        router = router.route(path, get(show));
    }
    let robots = slovo_site::robots(&pages.0.cache.last().site.origin);
    router
        .route(Name::Api.path(), get(api))
        .route(Name::Contact.path(), get(contact).post(forms::contact))
        .route(Name::Cookies.path(), get(cookies).post(forms::cookies))
        .route(Name::Status.path(), get(status::show))
        .route(Name::Privacy.path(), get(privacy::show))
        .route(
            Name::Newsletter.path(),
            get(newsletter).post(forms::newsletter),
        )
        .route("/newsletter/confirm", get(confirm).post(forms::confirm))
        .route(
            "/newsletter/leave",
            get(unsubscribe_page).post(forms::unsubscribe),
        )
        .route(
            "/robots.txt",
            text_file(robots, "text/plain; charset=utf-8"),
        )
        .route("/sitemap.xml", get(sitemap))
        .route("/changelog.xml", get(files::changelog))
        .route("/site.webmanifest", get(files::manifest))
        .route("/.well-known/security.txt", get(files::security))
        // The legacy path of RFC 9116.
        .route(
            "/security.txt",
            get(async || permanent_redirect("/.well-known/security.txt")),
        )
        .route("/api/docs", get(async || permanent_redirect("/docs/api")))
        .layer(DefaultBodyLimit::max(MAX_FORM))
        .layer(axum::Extension(pages.clone()))
}

fn text_file(text: String, kind: &'static str) -> axum::routing::MethodRouter<AppState> {
    let text = axum::body::Bytes::from(text);
    get(move || async move { cached_for_an_hour(text, kind) })
}

fn cached_for_an_hour(text: impl IntoResponse, kind: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "max-age=3600"),
    ];
    (headers, text).into_response()
}

/// The pages of this edition.
async fn sitemap(axum::Extension(pages): Extension) -> Response {
    let now = pages.now().await;
    cached_for_an_hour(slovo_site::sitemap(&now.site), "application/xml")
}

fn permanent_redirect(to: &'static str) -> Response {
    (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, to)]).into_response()
}

type Extension = axum::Extension<Pages>;

/// The value of a query parameter.
fn parameter(uri: &Uri, name: &str) -> Option<String> {
    let pairs = uri
        .query()?
        .split('&')
        .filter_map(|pair| pair.split_once('='));
    let value = pairs
        .into_iter()
        .find_map(|(key, value)| (key == name).then_some(value))?;
    let value = percent_decode_str(value).decode_utf8().ok()?;
    Some(value.into_owned())
}

/// Whether this is the result page of a form: a reload of it sends nothing again.
fn is_sent(uri: &Uri) -> bool {
    parameter(uri, "sent").is_some()
}

async fn api(axum::Extension(pages): Extension, uri: Uri, headers: HeaderMap) -> Response {
    let language = Language::of(&uri, &headers);
    pages.cached(pages.api(), &language, &headers).await
}

async fn contact(axum::Extension(pages): Extension, uri: Uri, headers: HeaderMap) -> Response {
    let language = Language::of(&uri, &headers);
    let mut page = ContactPage::default();
    if is_sent(&uri) {
        page.sent = FormOutcome::Accepted;
        return pages.fresh(Page::Contact(page), &language).await;
    }
    pages.cached(Page::Contact(page), &language, &headers).await
}

async fn newsletter(axum::Extension(pages): Extension, uri: Uri, headers: HeaderMap) -> Response {
    let sent = if is_sent(&uri) {
        FormOutcome::Accepted
    } else {
        FormOutcome::Not
    };
    let email = String::new();
    let page = Page::Newsletter(NewsletterPage::Form { email, sent });
    pages.fresh(page, &Language::of(&uri, &headers)).await
}

async fn confirm(axum::Extension(pages): Extension, uri: Uri, headers: HeaderMap) -> Response {
    let token = parameter(&uri, "token").unwrap_or_default();
    let language = Language::of(&uri, &headers);
    token_page(&pages, NewsletterPage::Confirm(token), &language).await
}

async fn unsubscribe_page(
    axum::Extension(pages): Extension,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let token = parameter(&uri, "token").unwrap_or_default();
    let language = Language::of(&uri, &headers);
    token_page(&pages, NewsletterPage::Leave(token), &language).await
}

/// A page whose URL is a credential: it is sent without a referrer.
async fn token_page(pages: &Pages, page: NewsletterPage, language: &Language) -> Response {
    let mut response = pages.fresh(Page::Newsletter(page), language).await;
    response.headers_mut().extend([REFERRER, ROBOTS]);
    response
}

async fn cookies(axum::Extension(pages): Extension, uri: Uri, headers: HeaderMap) -> Response {
    let page = CookiesPage {
        saved: is_sent(&uri),
        ..forms::consent(&headers)
    };
    let language = Language::of(&uri, &headers);
    pages.fresh(Page::Cookies(page), &language).await
}
