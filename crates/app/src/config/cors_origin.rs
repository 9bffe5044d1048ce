//! An origin of web pages that may call the API.

use std::str::FromStr;

use axum::http::HeaderValue;
use reqwest::Url;

/// Scheme, host and port, as browsers send it in `Origin` (RFC 6454).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorsOrigin(String);

impl CorsOrigin {
    /// The value of the header.
    #[must_use]
    pub fn header(&self) -> Option<HeaderValue> {
        HeaderValue::from_str(&self.0).ok()
    }
}

impl FromStr for CorsOrigin {
    type Err = String;

    /// # Errors
    /// The text is no URL of a page or program, or has more than an origin. There is no `*`: a page
    /// has to be named.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let url: Url = text.trim().parse().map_err(|error| format!("{error}"))?;
        let origin = match (url.scheme(), url.host_str()) {
            ("http" | "https", _) => url.origin().ascii_serialization(),
            // Programs made of web pages: Obsidian, on computers and on phones.
            (scheme @ ("app" | "capacitor"), Some(host)) => format!("{scheme}://{host}"),
            _ => {
                return Err(
                    "it has to begin with https://, http://, app:// or capacitor://".to_owned(),
                );
            }
        };
        if text
            .trim()
            .trim_end_matches('/')
            .eq_ignore_ascii_case(&origin)
        {
            Ok(Self(origin))
        } else {
            Err(format!("it has to be an origin, such as {origin}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_have_a_scheme_a_host_and_a_port_only() {
        for (text, expected) in [
            ("https://tools.example", "https://tools.example"),
            (" https://Tools.Example/ ", "https://tools.example"),
            ("http://localhost:3000", "http://localhost:3000"),
            ("app://obsidian.md", "app://obsidian.md"),
            ("capacitor://localhost/", "capacitor://localhost"),
        ] {
            let origin: CorsOrigin = text.parse().unwrap();
            assert_eq!(origin.header().unwrap(), expected);
        }
        for refused in [
            "*",
            "null",
            "app://",
            "app://obsidian.md/page",
            "file:///etc",
            "",
            "tools.example",
            "ftp://tools.example",
            "https://tools.example/path",
            "https://user@tools.example",
            "https://tools.example?x",
            "file:///etc/passwd",
        ] {
            assert!(refused.parse::<CorsOrigin>().is_err(), "{refused}");
        }
    }
}
