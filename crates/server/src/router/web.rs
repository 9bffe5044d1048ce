//! The web app's files.

use std::path::{Path, PathBuf};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use slovo_app::http::{Problem, REFERRER, ROBOTS};
use slovo_app::state::AppState;
use slovo_rules::codes::ProblemCode;
use tower::ServiceExt;
use tower_http::services::{ServeDir, ServeFile};

use super::embedded;
use crate::pages::{Pages, is_app_path};

/// Files below this path have their content's hash in their name and never change.
const HASHED: &str = "/assets/";

/// Pages of shared links: not indexed by search engines, and sent without a referrer.
const SHARED: &str = "/shared/";

/// Shown in place of the app while it is not built.
const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><title>Slovo</title>\
    <p>The server runs, but the web app is not built. <code>cargo xtask up</code> builds it.";

/// Serves the folder; other paths are pages of the app, or not found.
pub(super) fn router(folder: Option<PathBuf>, pages: Pages) -> Router<AppState> {
    Router::new().fallback(move |State(_): State<AppState>, request: Request| {
        let (folder, pages) = (folder.clone(), pages.clone());
        async move { serve(folder, &pages, request).await }
    })
}

async fn serve(folder: Option<PathBuf>, pages: &Pages, request: Request) -> Response {
    let (head, _) = request.into_parts();
    let path = head.uri.path();
    if path == "/api" || path.starts_with("/api/") {
        return Problem::not_found().into_response();
    }
    if !matches!(head.method, Method::GET | Method::HEAD) {
        return Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            ProblemCode::MethodNotAllowed,
        )
        .header(header::ALLOW, HeaderValue::from_static("GET, HEAD"))
        .into_response();
    }
    let app = is_app_path(path);
    let served = match folder {
        Some(folder) => of_folder(&folder, &head, app).await,
        None if slovo_web_files::are_embedded() => {
            let found = embedded::file(path, &head.headers);
            found.or_else(|| embedded::file("/index.html", &head.headers).filter(|_| app))
        }
        None if app => return (StatusCode::NOT_FOUND, Html(NOT_BUILT)).into_response(),
        None => None,
    };
    let Some(mut response) = served else {
        return pages.not_found(&head.uri, &head.headers).await;
    };
    let hashed = path.starts_with(HASHED);
    let shared = path.starts_with(SHARED);
    let cache_control = if hashed {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    response.headers_mut().insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static(cache_control),
    );
    if shared {
        response.headers_mut().extend([ROBOTS, REFERRER]);
    }
    response
}

/// The file in the folder, or the page of the app if the path is one of its; `None` if neither.
async fn of_folder(folder: &Path, head: &Parts, app: bool) -> Option<Response> {
    let request = || Request::from_parts(head.clone(), ());
    let served = ServeDir::new(folder)
        .precompressed_br()
        .precompressed_gzip()
        .oneshot(request())
        .await;
    let response = match served {
        Ok(response) => response,
        Err(never) => match never {},
    };
    if response.status() != StatusCode::NOT_FOUND {
        return Some(response.map(Body::new).into_response());
    }
    if !app {
        return None;
    }
    let index = ServeFile::new(folder.join("index.html"))
        .precompressed_br()
        .precompressed_gzip();
    match index.oneshot(request()).await {
        Ok(response) => Some(response.map(Body::new).into_response()),
        Err(never) => match never {},
    }
}
