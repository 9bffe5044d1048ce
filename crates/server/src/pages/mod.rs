//! The public pages: which address shows what, and in which language.
//!
//! A page is the same bytes for everybody who reads its language, so it is written once
//! ([`kept::Kept`]); what depends on the visitor, the browser does.

mod app_paths;
mod forms;
mod kept;
mod language;
mod offer;
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
    ApiPage, Assets, ContactPage, CookiesPage, Name, NewsletterPage, Offer, Page, Sent, Site,
};
use utoipa::openapi::OpenApi;

pub(crate) use app_paths::is_app_path;
use language::Language;

use crate::api::shared::{REFERRER, ROBOTS};
use crate::state::AppState;
use offer::Present;

/// Longest form, in bytes: the longest message that the rules allow, each character as nine bytes.
const MAX_FORM: usize = 64 * 1024;

/// What the pages are written with.
#[derive(Clone)]
pub(crate) struct Pages(Arc<Inner>);

struct Inner {
    origin: String,
    present: Present,
    document: Arc<OpenApi>,
    /// What the document says, read when its page is first asked for.
    api: OnceLock<Arc<ApiPage>>,
}

impl Pages {
    /// With the built files of the web folder, and the API's document.
    pub(crate) fn new(state: &AppState, document: Arc<OpenApi>) -> Self {
        // Leptos spawns what a page leaves running, which here is nothing; it is set once a process.
        Executor::init_tokio().ok();
        let folder = state.config.web_folder();
        let manifest = folder.map(|folder| folder.join(".vite/manifest.json"));
        let manifest = manifest.and_then(|file| std::fs::read_to_string(file).ok());
        // Pages without style and scripts are still pages.
        let assets = manifest.map(|text| Assets::read(&text)).transpose();
        let assets = assets.unwrap_or_else(|error| {
            tracing::error!(%error, "the web app's manifest cannot be read");
            None
        });
        let origin = state.config.public_url();
        let origin = origin.as_str().trim_end_matches('/');
        let site = Site {
            origin: origin.to_owned(),
            assets: assets.unwrap_or_default(),
            offer: Offer::default(),
        };
        Self(Arc::new(Inner {
            origin: origin.to_owned(),
            present: Present::new(state, site),
            document,
            api: OnceLock::new(),
        }))
    }

    /// The page of an address that is nobody's.
    pub(crate) async fn not_found(&self, uri: &Uri, headers: &HeaderMap) -> Response {
        let language = Language::of(uri, headers);
        let mut response = self.kept(Page::NotFound, &language, headers).await;
        if response.status() == StatusCode::OK {
            *response.status_mut() = StatusCode::NOT_FOUND;
        }
        response
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

    async fn kept(&self, page: Page, language: &Language, headers: &HeaderMap) -> Response {
        let shown = self.0.present.shown().await;
        shown.kept.get(&shown.site, page, language, headers).await
    }

    async fn fresh(&self, page: Page, language: &Language) -> Response {
        let shown = self.0.present.shown().await;
        let mut response = render::page(&shown.site, language.locale, page).await;
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        language.mark(headers);
        response
    }
}

/// The pages' routes.
pub(crate) fn router(pages: &Pages) -> Router<AppState> {
    let mut router = Router::new();
    for page in [
        Page::Home,
        Page::About,
        Page::Features,
        Page::Pricing,
        Page::Privacy,
        Page::Terms,
        Page::Docs,
    ] {
        let pages = pages.clone();
        let path = page.name().path();
        let show = async move |uri: Uri, headers: HeaderMap| {
            let language = Language::of(&uri, &headers);
            pages.kept(page, &language, &headers).await
        };
        router = router.route(path, get(show));
    }
    let robots = slovo_site::robots(&pages.0.origin);
    let sitemap = slovo_site::sitemap(&pages.0.origin);
    router
        .route(Name::Api.path(), get(api))
        .route(Name::Contact.path(), get(contact).post(forms::contact))
        .route(Name::Cookies.path(), get(cookies).post(forms::cookies))
        .route(Name::Status.path(), get(status::show))
        .route(
            Name::Newsletter.path(),
            get(newsletter).post(forms::newsletter),
        )
        .route("/newsletter/confirm", get(confirm).post(forms::confirm))
        .route("/newsletter/leave", get(leave).post(forms::leave))
        .route(
            "/robots.txt",
            text_file(robots, "text/plain; charset=utf-8"),
        )
        .route("/sitemap.xml", text_file(sitemap, "application/xml"))
        .route("/api/docs", get(async || moved("/docs/api")))
        .layer(DefaultBodyLimit::max(MAX_FORM))
        .layer(axum::Extension(pages.clone()))
}

fn text_file(text: String, kind: &'static str) -> axum::routing::MethodRouter<AppState> {
    let text = axum::body::Bytes::from(text);
    get(move || {
        let headers = [
            (header::CONTENT_TYPE, kind),
            (header::CACHE_CONTROL, "max-age=3600"),
        ];
        async move { (headers, text) }
    })
}

fn moved(to: &'static str) -> Response {
    (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, to)]).into_response()
}

type Extension = axum::Extension<Pages>;

/// The value of a parameter of the address.
fn parameter(uri: &Uri, name: &str) -> Option<String> {
    let pairs = uri
        .query()?
        .split('&')
        .filter_map(|pair| pair.split_once('='));
    let value = pairs
        .into_iter()
        .find_map(|(found, value)| (found == name).then_some(value))?;
    let value = percent_decode_str(value).decode_utf8().ok()?;
    Some(value.into_owned())
}

/// Whether a form that was accepted led here: a reload of this address sends nothing again.
fn is_sent(uri: &Uri) -> bool {
    parameter(uri, "sent").is_some()
}

async fn api(axum::Extension(pages): Extension, uri: Uri, headers: HeaderMap) -> Response {
    let language = Language::of(&uri, &headers);
    pages.kept(pages.api(), &language, &headers).await
}

async fn contact(axum::Extension(pages): Extension, uri: Uri, headers: HeaderMap) -> Response {
    let language = Language::of(&uri, &headers);
    let mut page = ContactPage::default();
    if is_sent(&uri) {
        page.sent = Sent::Accepted;
        return pages.fresh(Page::Contact(page), &language).await;
    }
    pages.kept(Page::Contact(page), &language, &headers).await
}

async fn newsletter(axum::Extension(pages): Extension, uri: Uri, headers: HeaderMap) -> Response {
    let sent = if is_sent(&uri) {
        Sent::Accepted
    } else {
        Sent::Not
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

async fn leave(axum::Extension(pages): Extension, uri: Uri, headers: HeaderMap) -> Response {
    let token = parameter(&uri, "token").unwrap_or_default();
    let language = Language::of(&uri, &headers);
    token_page(&pages, NewsletterPage::Leave(token), &language).await
}

/// A page whose address is a right: no other site is told of it.
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
