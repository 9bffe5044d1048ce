//! The public pages: which address shows what, and in which language.
//!
//! A page is the same bytes for everybody who reads its language, so it is written once for as long
//! as the same forms are on ([`kept::Kept`]); what depends on the visitor, the browser does.

mod app_paths;
mod files;
mod forms;
mod kept;
mod language;
mod privacy;
mod render;
mod status;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use any_spawner::Executor;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use percent_encoding::percent_decode_str;
use slovo_rules::server_settings::Switches;
use slovo_site::{
    ApiPage, Assets, ContactPage, CookiesPage, Forms, Name, NewsletterPage, Page, Sent, Site,
};
use utoipa::openapi::OpenApi;

pub(crate) use app_paths::is_app_path;
use language::Language;

use crate::api::shared::{REFERRER, ROBOTS};
use crate::server_settings::ServerSettings;
use crate::state::AppState;
use kept::Kept;

/// Longest form, in bytes: the longest message that the rules allow, each character as nine bytes.
const MAX_FORM: usize = 64 * 1024;

/// What the pages are written with.
#[derive(Clone)]
pub(crate) struct Pages(Arc<Inner>);

struct Inner {
    settings: ServerSettings,
    shown: Mutex<Arc<Shown>>,
    document: Arc<OpenApi>,
    /// What the document says, read when its page is first asked for.
    api: OnceLock<Arc<ApiPage>>,
}

/// The pages with the forms that are on.
struct Shown {
    site: Arc<Site>,
    kept: Kept,
}

impl Shown {
    fn new(site: Site) -> Arc<Self> {
        Arc::new(Self {
            site: Arc::new(site),
            kept: Kept::default(),
        })
    }
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
        Self(Arc::new(Inner {
            settings: state.settings.clone(),
            shown: Mutex::new(Shown::new(Site {
                origin: origin.to_owned(),
                assets: assets.unwrap_or_default(),
                forms: Forms::default(),
            })),
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

    /// The pages as they are now: all are written anew when a form was switched on or off. While
    /// the database cannot tell, they stay as they were.
    async fn now(&self) -> Arc<Shown> {
        let settings = self.0.settings.current().await;
        let mut shown = self.0.shown.lock().unwrap_or_else(PoisonError::into_inner);
        match settings.map(|settings| forms_of(settings.switches)) {
            Ok(forms) if forms != shown.site.forms => {
                *shown = Shown::new(Site {
                    forms,
                    ..Site::clone(&shown.site)
                });
            }
            Ok(_) => {}
            Err(error) => tracing::error!(%error, "which forms are on cannot be read"),
        }
        Arc::clone(&shown)
    }

    async fn kept(&self, page: Page, language: &Language, headers: &HeaderMap) -> Response {
        let now = self.now().await;
        now.kept.get(&now.site, page, language, headers).await
    }

    async fn fresh(&self, page: Page, language: &Language) -> Response {
        let site = Arc::clone(&self.now().await.site);
        let mut response = render::page(&site, language.locale, page).await;
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
        Page::Terms,
        Page::Docs,
        Page::Changelog,
    ] {
        let pages = pages.clone();
        let path = page.name().path();
        let show = async move |uri: Uri, headers: HeaderMap| {
            let language = Language::of(&uri, &headers);
            pages.kept(page.clone(), &language, &headers).await
        };
        router = router.route(path, get(show));
    }
    let shown = pages.0.shown.lock().unwrap_or_else(PoisonError::into_inner);
    let robots = slovo_site::robots(&shown.site.origin);
    let sitemap = slovo_site::sitemap(&shown.site.origin);
    drop(shown);
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
        .route("/newsletter/leave", get(leave).post(forms::leave))
        .route(
            "/robots.txt",
            text_file(robots, "text/plain; charset=utf-8"),
        )
        .route("/sitemap.xml", text_file(sitemap, "application/xml"))
        .route("/changelog.xml", get(files::changelog))
        .route("/site.webmanifest", get(files::manifest))
        .route("/.well-known/security.txt", get(files::security))
        // Where RFC 9116 has it for older programs.
        .route(
            "/security.txt",
            get(async || moved("/.well-known/security.txt")),
        )
        .route("/api/docs", get(async || moved("/docs/api")))
        .layer(DefaultBodyLimit::max(MAX_FORM))
        .layer(axum::Extension(pages.clone()))
}

/// The forms that an administrator has left on.
const fn forms_of(switches: Switches) -> Forms {
    Forms {
        sign_up: switches.sign_up,
        contact: switches.contact_form,
        newsletter: switches.newsletter,
    }
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
