//! The vocabulary of the tus 1.0 protocol: header names, the `Upload-Metadata` list, numbers and
//! checksums. Parses requests' headers into types and reports what is wrong with them; it stores
//! nothing and does not use the database.

use std::collections::BTreeMap;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use slovo_uploads::checksum::ExpectedChecksum;

/// The only supported version of the protocol.
pub const VERSION: &str = "1.0.0";
/// The extensions this server offers, as the `Tus-Extension` header names them.
pub const EXTENSIONS: &str =
    "creation,creation-defer-length,creation-with-upload,expiration,checksum,termination";
/// The algorithms of the checksum extension.
pub const CHECKSUM_ALGORITHMS: &str = "sha1,sha256";
/// The required content type of every body with bytes of a file.
pub const CONTENT_TYPE: &str = "application/offset+octet-stream";
/// Maximum length of `Upload-Metadata`: a file name of 255 characters of four bytes each, a MIME
/// type and a few keys of the client fit well into it in base64.
pub const MAX_METADATA_BYTES: usize = 8 * 1024;

/// `Tus-Resumable`.
pub const TUS_RESUMABLE: HeaderName = HeaderName::from_static("tus-resumable");
/// `Tus-Version`.
pub const TUS_VERSION: HeaderName = HeaderName::from_static("tus-version");
/// `Tus-Extension`.
pub const TUS_EXTENSION: HeaderName = HeaderName::from_static("tus-extension");
/// `Tus-Max-Size`.
pub const TUS_MAX_SIZE: HeaderName = HeaderName::from_static("tus-max-size");
/// `Tus-Checksum-Algorithm`.
pub const TUS_CHECKSUM_ALGORITHM: HeaderName = HeaderName::from_static("tus-checksum-algorithm");
/// `Upload-Length`.
pub const UPLOAD_LENGTH: HeaderName = HeaderName::from_static("upload-length");
/// `Upload-Offset`.
pub const UPLOAD_OFFSET: HeaderName = HeaderName::from_static("upload-offset");
/// `Upload-Metadata`.
pub const UPLOAD_METADATA: HeaderName = HeaderName::from_static("upload-metadata");
/// `Upload-Checksum`.
pub const UPLOAD_CHECKSUM: HeaderName = HeaderName::from_static("upload-checksum");
/// `Upload-Expires`.
pub const UPLOAD_EXPIRES: HeaderName = HeaderName::from_static("upload-expires");
/// `Upload-Defer-Length`.
pub const UPLOAD_DEFER_LENGTH: HeaderName = HeaderName::from_static("upload-defer-length");
/// `X-HTTP-Method-Override`, for clients behind proxies that do not support PATCH or DELETE.
pub const METHOD_OVERRIDE: HeaderName = HeaderName::from_static("x-http-method-override");

/// What is wrong with a request's tus headers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// `Tus-Resumable` is missing or has another version.
    #[error("Tus-Resumable must be {VERSION}")]
    Version,
    /// A required header is missing.
    #[error("the header {0} is missing")]
    Missing(&'static str),
    /// The value of a header does not follow the protocol.
    #[error("the header {0} is not valid")]
    Invalid(&'static str),
    /// The length is both given and deferred.
    #[error("send Upload-Length or Upload-Defer-Length, not both")]
    BothLengths,
    /// The body is not `application/offset+octet-stream`.
    #[error("the body must be {CONTENT_TYPE}")]
    ContentType,
    /// The checksum algorithm is not supported.
    #[error("the checksum algorithm must be one of {CHECKSUM_ALGORITHMS}")]
    Algorithm,
}

/// Refuses a request that does not use version 1.0.0.
pub fn require_version(headers: &HeaderMap) -> Result<(), HeaderError> {
    match headers.get(&TUS_RESUMABLE) {
        Some(value) if value == VERSION => Ok(()),
        _ => Err(HeaderError::Version),
    }
}

/// A header with a number of bytes; `None` if it is missing.
///
/// Only digits are accepted: no sign, no space, at most `i64::MAX`, which is the maximum of the
/// database and the file system.
pub fn bytes(
    headers: &HeaderMap,
    name: &HeaderName,
    label: &'static str,
) -> Result<Option<u64>, HeaderError> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    let text = value.to_str().map_err(|_| HeaderError::Invalid(label))?;
    if values.next().is_some() || text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(HeaderError::Invalid(label));
    }
    let number = text
        .parse::<i64>()
        .map_err(|_| HeaderError::Invalid(label))?;
    u64::try_from(number)
        .map(Some)
        .map_err(|_| HeaderError::Invalid(label))
}

/// The length of a new upload in bytes; `None` if it is deferred.
pub fn creation_length(headers: &HeaderMap) -> Result<Option<u64>, HeaderError> {
    match declared_length(headers)? {
        None if !headers.contains_key(&UPLOAD_DEFER_LENGTH) => {
            Err(HeaderError::Missing("Upload-Length"))
        }
        length => Ok(length),
    }
}

/// The length given in a request, in bytes; `None` if there is none.
pub fn declared_length(headers: &HeaderMap) -> Result<Option<u64>, HeaderError> {
    let mut deferred = headers.get_all(&UPLOAD_DEFER_LENGTH).iter();
    // The protocol defines no other value.
    let is_deferred = match (deferred.next(), deferred.next()) {
        (None, _) => false,
        (Some(value), None) if value == "1" => true,
        _ => return Err(HeaderError::Invalid("Upload-Defer-Length")),
    };
    match bytes(headers, &UPLOAD_LENGTH, "Upload-Length")? {
        Some(_) if is_deferred => Err(HeaderError::BothLengths),
        length => Ok(length),
    }
}

/// Refuses a body that is not declared as bytes of a file.
pub fn require_content_type(headers: &HeaderMap) -> Result<(), HeaderError> {
    let declared = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    if declared.trim().eq_ignore_ascii_case(CONTENT_TYPE) {
        Ok(())
    } else {
        Err(HeaderError::ContentType)
    }
}

/// The metadata of a new upload by key; a key without a value has an empty text.
///
/// Keys are unique and contain neither spaces nor commas; values are base64 of UTF-8.
pub fn metadata(headers: &HeaderMap) -> Result<BTreeMap<String, String>, HeaderError> {
    const INVALID: HeaderError = HeaderError::Invalid("Upload-Metadata");
    let mut pairs = BTreeMap::new();
    let Some(value) = headers.get(&UPLOAD_METADATA) else {
        return Ok(pairs);
    };
    let text = value.to_str().map_err(|_| INVALID)?;
    if text.len() > MAX_METADATA_BYTES {
        return Err(INVALID);
    }
    if text.trim().is_empty() {
        return Ok(pairs);
    }
    for pair in text.split(',') {
        let mut words = pair.trim().split(' ');
        let key = words.next().unwrap_or_default();
        let encoded = words.next().unwrap_or_default();
        if key.is_empty() || words.next().is_some() {
            return Err(INVALID);
        }
        let decoded = STANDARD.decode(encoded).map_err(|_| INVALID)?;
        let text = String::from_utf8(decoded).map_err(|_| INVALID)?;
        if pairs.insert(key.to_owned(), text).is_some() {
            return Err(INVALID);
        }
    }
    Ok(pairs)
}

/// The `Upload-Metadata` header of a response.
pub fn metadata_header(pairs: &[(&str, &str)]) -> Option<HeaderValue> {
    let text = pairs
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(key, value)| format!("{key} {}", STANDARD.encode(value)))
        .collect::<Vec<_>>()
        .join(",");
    HeaderValue::from_str(&text)
        .ok()
        .filter(|_| !text.is_empty())
}

/// The checksum of a request; `None` if it has none.
pub fn checksum(headers: &HeaderMap) -> Result<Option<ExpectedChecksum>, HeaderError> {
    const INVALID: HeaderError = HeaderError::Invalid("Upload-Checksum");
    let Some(value) = headers.get(&UPLOAD_CHECKSUM) else {
        return Ok(None);
    };
    let text = value.to_str().map_err(|_| INVALID)?;
    let (algorithm, encoded) = text.trim().split_once(' ').ok_or(INVALID)?;
    let decode = || STANDARD.decode(encoded.trim()).map_err(|_| INVALID);
    match algorithm {
        "sha1" => Ok(Some(ExpectedChecksum::Sha1(
            decode()?.try_into().map_err(|_| INVALID)?,
        ))),
        "sha256" => Ok(Some(ExpectedChecksum::Sha256(
            decode()?.try_into().map_err(|_| INVALID)?,
        ))),
        _ => Err(HeaderError::Algorithm),
    }
}

#[cfg(test)]
mod tests {
    use slovo_uploads::checksum::ChecksumHasher;

    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in pairs {
            map.append(*name, HeaderValue::from_str(value).unwrap());
        }
        map
    }

    #[test]
    fn only_the_supported_tus_version_is_accepted() {
        assert_eq!(
            require_version(&headers(&[("tus-resumable", "1.0.0")])),
            Ok(())
        );
        for wrong in [&[][..], &[("tus-resumable", "0.2.2")][..]] {
            assert_eq!(require_version(&headers(wrong)), Err(HeaderError::Version));
        }
    }

    #[test]
    fn an_upload_length_is_digits_within_the_maximum() {
        let read = |text: &str| creation_length(&headers(&[("upload-length", text)]));
        assert_eq!(read("0"), Ok(Some(0)));
        assert_eq!(read("9223372036854775807"), Ok(Some(i64::MAX as u64)));
        for wrong in [
            "",
            "-1",
            "+1",
            "1.5",
            "0x10",
            " 1",
            "9223372036854775808",
            "1,2",
        ] {
            assert_eq!(
                read(wrong),
                Err(HeaderError::Invalid("Upload-Length")),
                "{wrong}"
            );
        }
        assert_eq!(
            creation_length(&headers(&[("upload-length", "1"), ("upload-length", "2")])),
            Err(HeaderError::Invalid("Upload-Length"))
        );
        assert_eq!(
            creation_length(&headers(&[])),
            Err(HeaderError::Missing("Upload-Length"))
        );
    }

    #[test]
    fn a_deferred_length_excludes_a_stated_length() {
        let defer = ("upload-defer-length", "1");
        assert_eq!(creation_length(&headers(&[defer])), Ok(None));
        assert_eq!(declared_length(&headers(&[])), Ok(None));
        assert_eq!(
            declared_length(&headers(&[("upload-length", "7")])),
            Ok(Some(7))
        );
        for wrong in ["0", "2", "", "true", "1 ", "11", "-1"] {
            let sent = headers(&[("upload-defer-length", wrong)]);
            let refused = Err(HeaderError::Invalid("Upload-Defer-Length"));
            assert_eq!(creation_length(&sent), refused, "{wrong}");
        }
        let twice = headers(&[defer, defer]);
        assert!(creation_length(&twice).is_err());
        let both = headers(&[defer, ("upload-length", "7")]);
        assert_eq!(creation_length(&both), Err(HeaderError::BothLengths));
        assert_eq!(declared_length(&both), Err(HeaderError::BothLengths));
    }

    #[test]
    fn metadata_is_base64_encoded_utf8_with_unique_keys() {
        let read = |text: &str| metadata(&headers(&[("upload-metadata", text)]));
        let pairs =
            read("filename 0LfQstGD0LoubXAz,filetype YXVkaW8vbXBlZw==,is_confidential").unwrap();
        assert_eq!(pairs["filename"], "звук.mp3");
        assert_eq!(pairs["filetype"], "audio/mpeg");
        assert_eq!(pairs["is_confidential"], "");
        assert!(read("").unwrap().is_empty());
        for wrong in [
            "filename !!",
            "a YQ==,a YQ==",
            "a YQ== b",
            ",",
            "filename /w==",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        let echoed = metadata_header(&[("filename", "звук.mp3"), ("filetype", "")]).unwrap();
        assert_eq!(echoed, "filename 0LfQstGD0LoubXAz");
    }

    #[test]
    fn checksums_of_both_algorithms_are_checked() {
        // The protocol's own example: "hello world" in SHA-1.
        let sha1 = checksum(&headers(&[(
            "upload-checksum",
            "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
        )]))
        .unwrap()
        .unwrap();
        let sha256 = checksum(&headers(&[(
            "upload-checksum",
            "sha256 uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=",
        )]))
        .unwrap()
        .unwrap();
        for expected in [sha1, sha256] {
            let mut right = ChecksumHasher::new(expected);
            right.update(b"hello ");
            right.update(b"world");
            assert!(right.matches());
            let mut wrong = ChecksumHasher::new(expected);
            wrong.update(b"hello World");
            assert!(!wrong.matches());
        }
        let read = |text: &str| checksum(&headers(&[("upload-checksum", text)]));
        assert_eq!(
            read("md5 XrY7u+Ae7tCTyyK7j1rNww=="),
            Err(HeaderError::Algorithm)
        );
        assert!(matches!(read("sha1 AAAA"), Err(HeaderError::Invalid(_))));
        assert!(matches!(read("sha1"), Err(HeaderError::Invalid(_))));
    }
}
