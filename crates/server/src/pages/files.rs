//! Files for programs, in the visitor's language if possible.

use axum::extract::State;
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use jiff::{SignedDuration, Timestamp, Unit};
use slovo_app::state::AppState;

use super::Extension;
use super::language::Language;

/// Validity of `security.txt`: RFC 9116, section 2.5.5, recommends less than a year.
const GOOD_FOR: SignedDuration = SignedDuration::from_hours(180 * 24);

/// `/changelog.xml`
pub(super) async fn changelog(
    axum::Extension(pages): Extension,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let language = Language::of(&uri, &headers);
    let feed = slovo_site::changelog_feed(&pages.0.cache.last().site.origin, language.locale);
    in_language(feed, "application/atom+xml; charset=utf-8", &language)
}

/// `/site.webmanifest`
pub(super) async fn manifest(uri: Uri, headers: HeaderMap) -> Response {
    let language = Language::of(&uri, &headers);
    let manifest = slovo_site::manifest(language.locale);
    in_language(manifest, "application/manifest+json", &language)
}

/// `/.well-known/security.txt`
pub(super) async fn security(
    axum::Extension(pages): Extension,
    State(state): State<AppState>,
) -> Response {
    let text = slovo_site::security_txt(
        &pages.0.cache.last().site.origin,
        &expires(state.clock.now()),
    );
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CACHE_CONTROL, "max-age=3600"),
    ];
    (headers, text).into_response()
}

/// The expiry date, rounded to the day, so that responses of one day are identical.
fn expires(now: Timestamp) -> String {
    let later = now.checked_add(GOOD_FOR).unwrap_or(now);
    let day = later.to_zoned(jiff::tz::TimeZone::UTC).round(Unit::Day);
    day.map_or(later, |day| day.timestamp()).to_string()
}

fn in_language(text: String, kind: &'static str, language: &Language) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        // Revalidated each time: the next request may be for another language.
        (header::CACHE_CONTROL, "private, no-cache"),
    ];
    let mut response = (headers, text).into_response();
    language.mark(response.headers_mut());
    response
}
