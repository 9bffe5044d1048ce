//! Renders pages with Leptos.

use std::pin::Pin;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use futures_util::Stream;
use futures_util::stream::once;
use leptos::prelude::IntoView;
use slovo_rules::locale::Locale;
use slovo_site::{Page, Site};

type Chunks = Pin<Box<dyn Stream<Item = String> + Send>>;

/// Renders a page.
pub(super) async fn page(site: &Arc<Site>, locale: Locale, page: Page) -> Response {
    let site = Arc::clone(site);
    let view = move || slovo_site::view(&site, locale, page);
    leptos_axum::handle_response_inner(|| (), view, Request::new(Body::empty()), html_only).await
}

/// The page alone, without Leptos's hydration data: there is no hydration, and its inline script
/// would violate our content security policy.
fn html_only<V: IntoView + 'static>(
    view: V,
    _for_hydration: Box<dyn FnOnce() -> Chunks + Send>,
    _out_of_order: bool,
) -> Pin<Box<dyn Future<Output = Chunks> + Send>> {
    let html = view.to_html();
    Box::pin(async move { Box::pin(once(async move { html })) as Chunks })
}
