//! Syntax of URLs. Only the server can tell whether a URL is reachable, and whether it may be
//! (private networks).

use serde::{Deserialize, Serialize};

use crate::text;
use crate::violation::{Code, Violation};

/// Longest URL, in characters.
pub const MAX_URL: usize = 2048;

/// Characters of a YouTube video id.
const VIDEO_ID_LENGTH: usize = 11;

/// The kind of a URL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum UrlKind {
    /// A YouTube video (watch, youtu.be, shorts).
    Youtube {
        /// The video's id.
        video_id: String,
    },
    /// Any other http or https URL.
    Other,
}

/// Checks the syntax of a URL and returns its kind.
///
/// # Errors
/// Missing, too long, or not an http or https URL with a host; disallowed parts have codes of their
/// own.
pub fn classify(url: &str) -> Result<UrlKind, Violation> {
    let url = url.trim();
    if url.is_empty() {
        return Err(Violation::new("url", Code::UrlRequired));
    }
    if text::longer_than(url, MAX_URL) {
        return Err(Violation::new("url", Code::TooLong).with("max", MAX_URL));
    }
    let parts = split(url).ok_or_else(|| Violation::new("url", rejection_code(url)))?;
    let video_id = youtube_id(&parts);
    Ok(video_id.map_or(UrlKind::Other, |id| UrlKind::Youtube {
        video_id: id.to_owned(),
    }))
}

/// Whether a text of another field is an http or https URL.
pub(crate) fn is_http(url: &str) -> bool {
    !text::longer_than(url, MAX_URL) && split(url).is_some()
}

/// The reason why [`split`] rejects a URL.
fn rejection_code(url: &str) -> Code {
    let Some((scheme, rest)) = url.split_once("://") else {
        return Code::UrlInvalid;
    };
    let odd = |c: char| c == '\\' || (c.is_control() && !c.is_whitespace());
    if !is_web(scheme) || url.contains(odd) {
        return Code::UrlInvalid;
    }
    if rest.contains(char::is_whitespace) {
        return Code::UrlSpaces;
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest[..end].rsplit_once('@') {
        Some((_, host)) if host_of(host).is_some() => Code::UrlCredentials,
        _ => Code::UrlInvalid,
    }
}

fn is_web(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

struct Parts<'a> {
    host: String,
    path: &'a str,
    query: &'a str,
}

/// Splits an http URL; `None` if it is not one. User names are rejected, because they can disguise
/// the host.
fn split(url: &str) -> Option<Parts<'_>> {
    if url
        .chars()
        .any(|c| c.is_whitespace() || c.is_control() || c == '\\')
    {
        return None;
    }
    let (scheme, rest) = url.split_once("://")?;
    if !is_web(scheme) {
        return None;
    }
    let rest = rest.split('#').next().unwrap_or_default();
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at(end);
    let host = host_of(authority)?;
    let (path, query) = tail.split_once('?').unwrap_or((tail, ""));
    Some(Parts {
        host: host.to_ascii_lowercase(),
        path,
        query,
    })
}

/// The host of `host`, `host:port` or `[v6]:port`.
fn host_of(authority: &str) -> Option<&str> {
    if authority.contains('@') {
        return None;
    }
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (address, after) = rest.split_once(']')?;
            if !is_ipv6_like(address) {
                return None;
            }
            (
                address,
                after
                    .strip_prefix(':')
                    .or_else(|| after.is_empty().then_some(""))?,
            )
        }
        None => authority.split_once(':').unwrap_or((authority, "")),
    };
    let port_fits = port.is_empty()
        || (port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok());
    let host_fits = !host.is_empty()
        && !host.starts_with('.')
        && !host.contains("..")
        && !host.contains(['<', '>', '"', '`', '{', '}', '|', '^', '[', ']', '%']);
    (port_fits && host_fits).then_some(host)
}

/// Whether all characters may occur in an IPv6 address; parsing is left to the connecting code.
fn is_ipv6_like(address: &str) -> bool {
    address.contains(':')
        && address
            .bytes()
            .all(|b| b.is_ascii_hexdigit() || b == b':' || b == b'.')
}

fn youtube_id<'a>(parts: &Parts<'a>) -> Option<&'a str> {
    let host = parts.host.strip_suffix('.').unwrap_or(&parts.host);
    let id = match host {
        "youtu.be" | "www.youtu.be" => parts.path.strip_prefix('/')?,
        "youtube.com" | "www.youtube.com" | "m.youtube.com" | "music.youtube.com" => {
            match parts.path.trim_end_matches('/') {
                "/watch" => parts
                    .query
                    .split('&')
                    .find_map(|pair| pair.strip_prefix("v="))?,
                path => path.strip_prefix("/shorts/")?,
            }
        }
        _ => return None,
    };
    let id = id.trim_end_matches('/');
    let fits = id.len() == VIDEO_ID_LENGTH
        && id
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    fits.then_some(id)
}
