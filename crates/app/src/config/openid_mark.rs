//! The logo of the OpenID provider, shown beside its name: a small image file, read once at
//! startup.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use axum::body::Bytes;
use sha2::{Digest, Sha256};
use slovo_rules::profile::{AvatarType, avatar_type};

/// Largest mark, in bytes: it is shown as large as a letter, and every user who signs in loads it.
const MAX_BYTES: usize = 64 * 1024;

/// Without its namespace browsers show an SVG as text.
const SVG_NAMESPACE: &str = "http://www.w3.org/2000/svg";

/// The image as it is served.
#[derive(Clone, Debug)]
pub struct ProviderLogo {
    /// The image.
    pub image: Bytes,
    /// Its MIME type, by its content.
    pub content_type: &'static str,
    /// The ETag: its digest, in quotation marks.
    pub etag: String,
}

impl ProviderLogo {
    /// Reads and checks the image of this path.
    ///
    /// # Errors
    /// If it cannot be read, is too large, or is of another type.
    pub fn read(path: &Path) -> Result<Self> {
        let file = File::open(path).context("cannot be read")?;
        ensure!(file.metadata()?.is_file(), "is no file");
        let mut image = Vec::new();
        file.take(MAX_BYTES as u64 + 1)
            .read_to_end(&mut image)
            .context("cannot be read")?;
        Self::of(image)
    }

    fn of(image: Vec<u8>) -> Result<Self> {
        ensure!(image.len() <= MAX_BYTES, "at most 64 KiB");
        let content_type = match avatar_type(&image) {
            Some(AvatarType::Png) => "image/png",
            Some(AvatarType::Webp) => "image/webp",
            Some(AvatarType::Jpeg) => bail!("an SVG, PNG or WebP image is needed, not JPEG"),
            None if is_svg(&image) => "image/svg+xml",
            None => bail!("an SVG, PNG or WebP image is needed"),
        };
        let digest = Sha256::digest(&image);
        Ok(Self {
            etag: format!("\"{}\"", hex::encode(&digest[..16])),
            content_type,
            image: image.into(),
        })
    }
}

/// Whether a text is an SVG document: its first element is `svg`. One that declares entities is
/// rejected, because they could expand without limit.
fn is_svg(image: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(image) else {
        return false;
    };
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while let Some(after) = after_prologue(rest) {
        rest = after.trim_start();
    }
    let Some(element) = rest.strip_prefix("<svg") else {
        return false;
    };
    element.starts_with(|c: char| c.is_whitespace() || c == '>' || c == '/')
        && element.contains(SVG_NAMESPACE)
}

/// The rest of a text after a declaration, a comment or a document type at its beginning.
fn after_prologue(text: &str) -> Option<&str> {
    let end = if text.starts_with("<?") {
        "?>"
    } else if text.starts_with("<!--") {
        "-->"
    } else if text.starts_with("<!DOCTYPE") {
        ">"
    } else {
        return None;
    };
    let (piece, rest) = text.split_once(end)?;
    let declares = piece.starts_with("<!DOCTYPE") && piece.contains('[');
    (!declares).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";

    fn kind(image: impl Into<Vec<u8>>) -> Result<&'static str> {
        ProviderLogo::of(image.into()).map(|mark| mark.content_type)
    }

    #[test]
    fn the_media_type_of_a_mark_comes_from_its_content() {
        let doctype = "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"svg11.dtd\">";
        for text in [
            SVG.to_owned(),
            format!("\u{feff}<?xml version=\"1.0\"?>\n<!-- a > b -->\n{doctype}\n{SVG}"),
        ] {
            assert_eq!(kind(text).unwrap(), "image/svg+xml");
        }
        assert_eq!(kind(*b"\x89PNG\r\n\x1a\n....").unwrap(), "image/png");
        assert_eq!(kind(*b"RIFF\x04\0\0\0WEBPVP8 ").unwrap(), "image/webp");
        for bad in [
            "",
            "<html><body></body></html>",
            "<svgx xmlns=\"http://www.w3.org/2000/svg\"/>",
            "<svg/>",
            "<!DOCTYPE svg [<!ENTITY a \"b\">]><svg xmlns=\"http://www.w3.org/2000/svg\"/>",
            "<!-- <svg xmlns=\"http://www.w3.org/2000/svg\"/>",
            "GIF89a",
        ] {
            assert!(kind(bad).is_err(), "{bad}");
        }
        assert!(kind(*b"\xff\xd8\xff\xe0").is_err());
    }

    #[test]
    fn a_mark_has_a_size_limit_and_an_etag_of_its_content() {
        let padded = |bytes: usize| format!("{SVG}{}", " ".repeat(bytes - SVG.len()));
        assert!(kind(padded(MAX_BYTES)).is_ok());
        assert!(kind(padded(MAX_BYTES + 1)).is_err());
        let etag = |image: String| ProviderLogo::of(image.into_bytes()).unwrap().etag;
        assert_eq!(etag(padded(100)), etag(padded(100)));
        assert_ne!(etag(padded(100)), etag(padded(101)));
        assert!(ProviderLogo::read(Path::new("/nowhere/mark.svg")).is_err());
        assert!(ProviderLogo::read(&std::env::temp_dir()).is_err());
    }
}
