//! The web app's files inside the program, served as [`tower_http::services::ServeDir`] serves a folder:
//! compressed beforehand, with validators and ranges.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use percent_encoding::percent_decode_str;
use slovo_app::http::is_known;
use slovo_app::http::range::{self, Part};
use slovo_web_files::File;

/// Encodings by the ending of a file that was compressed beforehand, the smallest first.
const ENCODINGS: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// The file at the path of a request; `None` if there is none.
pub(super) fn file(path: &str, headers: &HeaderMap) -> Option<Response> {
    let path = percent_decode_str(path).decode_utf8().ok()?;
    let path = path.strip_prefix('/')?;
    // What the build writes for us, not for browsers.
    if path.starts_with('.') {
        return None;
    }
    let plain = slovo_web_files::get(path)?;
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    let (file, encoding) = encoded(path, headers).unwrap_or((plain, None));
    let mut response = part(&file, headers);
    let answer = response.headers_mut();
    if let Ok(kind) = HeaderValue::from_str(&content_type(&kind)) {
        answer.insert(header::CONTENT_TYPE, kind);
    }
    if let Some(encoding) = encoding {
        answer.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    answer.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    Some(response)
}

fn content_type(kind: &mime_guess::Mime) -> String {
    let has_charset = kind.type_() == "text" || kind.subtype() == "javascript";
    match has_charset {
        true => format!("{}; charset=utf-8", kind.essence_str()),
        false => kind.essence_str().to_owned(),
    }
}

/// The smallest form of a file that the client accepts.
fn encoded(path: &str, headers: &HeaderMap) -> Option<(File, Option<&'static str>)> {
    // Ranges are of the file itself.
    if headers.contains_key(header::RANGE) {
        return None;
    }
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter();
    let accepted: Vec<&str> = accepted.filter_map(|value| value.to_str().ok()).collect();
    let accepts = |name: &str| {
        let mut names = accepted.iter().flat_map(|value| value.split(','));
        names.any(|given| {
            let (given, quality) = given.split_once(';').unwrap_or((given, ""));
            given.trim().eq_ignore_ascii_case(name) && !matches!(quality.trim(), "q=0" | "q=0.0")
        })
    };
    ENCODINGS.into_iter().find_map(|(name, ending)| {
        let file = accepts(name).then(|| slovo_web_files::get(&format!("{path}{ending}")))??;
        Some((file, Some(name)))
    })
}

/// The whole file, the part that is asked for, or that it has not changed.
fn part(file: &File, headers: &HeaderMap) -> Response {
    let hex: String = file.sha256[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let Ok(etag) = HeaderValue::from_str(&format!("\"{hex}\"")) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let validators = [(header::ETAG, etag.clone())];
    if is_known(headers, &etag) {
        return (StatusCode::NOT_MODIFIED, validators).into_response();
    }
    let length = file.content.len();
    let asked = u64::try_from(length).map_or(Part::Whole, |length| {
        range::requested(headers, length, &etag)
    });
    let ranges = [(header::ACCEPT_RANGES, "bytes".to_owned())];
    match asked {
        Part::Whole => (validators, ranges, bytes(file, 0, length)).into_response(),
        Part::Unsatisfiable => {
            let ranges = [(header::CONTENT_RANGE, format!("bytes */{length}"))];
            (StatusCode::RANGE_NOT_SATISFIABLE, ranges).into_response()
        }
        Part::Bytes { start, end } => {
            let place = [(
                header::CONTENT_RANGE,
                format!("bytes {start}-{end}/{length}"),
            )];
            let start = usize::try_from(start).unwrap_or(length);
            let end = usize::try_from(end).map_or(length, |end| end + 1);
            let body = bytes(file, start, end);
            (StatusCode::PARTIAL_CONTENT, validators, ranges, place, body).into_response()
        }
    }
}

/// Bytes inside the program are not copied.
fn bytes(file: &File, start: usize, end: usize) -> Body {
    match &file.content {
        std::borrow::Cow::Borrowed(content) => Body::from(&content[start..end]),
        std::borrow::Cow::Owned(content) => Body::from(content[start..end].to_vec()),
    }
}
