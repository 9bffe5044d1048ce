//! Answers to PROPFIND (RFC 4918, section 13).

use percent_encoding::percent_decode_str;
use reqwest::Url;
use roxmltree::{Document, Node, ParsingOptions};

use crate::SourceError;

const DAV: &str = "DAV:";

/// Longest tag, in bytes. The parser compares each attribute of an element with all others, so that a
/// tag with a million of them would take hours.
const MAX_TAG: usize = 16 * 1024;
/// Most nodes of an answer, so that it takes a few hundred megabytes at most.
const MAX_NODES: u32 = 1_000_000;

/// A file or a folder.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its path below the watched folder, decoded, without `/` at its ends.
    pub path: String,
    pub is_folder: bool,
    pub size: Option<u64>,
    /// Its `ETag`; otherwise its size and when it was changed.
    pub version: String,
    pub content_type: String,
}

/// The entries below the folder at `top`. Others are ignored.
///
/// # Errors
/// It is not an answer of WebDAV.
pub(super) fn entries(answer: &str, top: &Url) -> Result<Vec<Entry>, SourceError> {
    if longest_tag(answer) > MAX_TAG {
        return Err(SourceError::NotWebdav);
    }
    let options = ParsingOptions {
        nodes_limit: MAX_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(answer, options);
    let document = document.map_err(|_| SourceError::NotWebdav)?;
    let root = document.root_element();
    if !root.has_tag_name((DAV, "multistatus")) {
        return Err(SourceError::NotWebdav);
    }
    let responses = children(root, "response");
    Ok(responses
        .filter_map(|response| entry(response, top))
        .collect())
}

/// The longest text between `<` and the next one, in bytes: no tag is longer.
fn longest_tag(answer: &str) -> usize {
    let tags = answer.split('<').skip(1);
    // An attribute may contain `>`, but no `<`.
    let length = |tag: &str| tag.rfind('>').unwrap_or(tag.len());
    tags.map(length).max().unwrap_or_default()
}

fn children<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children()
        .filter(move |child| child.has_tag_name((DAV, name)))
}

fn entry(response: Node<'_, '_>, top: &Url) -> Option<Entry> {
    let href = children(response, "href").next()?.text()?.trim();
    let url = top.join(href).ok()?;
    if url.origin() != top.origin() {
        return None;
    }
    let top = percent_decode_str(top.path()).decode_utf8().ok()?;
    let path = percent_decode_str(url.path()).decode_utf8().ok()?;
    let path = path.strip_prefix(&*top)?.trim_matches('/').to_owned();
    // Properties that a server does not have come in a `propstat` of their own.
    let property = |name: &'static str| {
        let stats = children(response, "propstat").filter(|stat| is_ok(*stat));
        stats
            .flat_map(|stat| children(stat, "prop"))
            .flat_map(move |prop| children(prop, name))
            .next()
    };
    let text = |name| {
        let text = property(name).and_then(|node| node.text());
        text.unwrap_or_default().trim()
    };
    let is_folder =
        property("resourcetype").is_some_and(|kind| children(kind, "collection").next().is_some());
    let (size, tag) = (text("getcontentlength"), text("getetag"));
    let version = if tag.is_empty() {
        format!("{size} {}", text("getlastmodified"))
    } else {
        tag.to_owned()
    };
    Some(Entry {
        path,
        is_folder,
        size: size.parse().ok(),
        version,
        content_type: text("getcontenttype").to_owned(),
    })
}

/// Whether the properties of a `propstat` are there: its status is 200, or absent.
fn is_ok(stat: Node<'_, '_>) -> bool {
    let status = children(stat, "status").next();
    let status = status.and_then(|node| node.text());
    status.is_none_or(|status| status.split(' ').nth(1) == Some("200"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOP: &str = "https://cloud.example.com/remote.php/dav/files/olena/%D0%97%D0%B0%D0%BF%D0%B8%D1%81%D0%B8/";

    fn read(answer: &str) -> Result<Vec<Entry>, SourceError> {
        entries(answer, &Url::parse(TOP).unwrap())
    }

    /// An answer with a file at each of these addresses.
    fn answer(hrefs: &[&str]) -> String {
        let one = |href: &&str| {
            format!(
                "<d:response><d:href>{href}</d:href><d:propstat><d:prop>\
                <d:getetag>\"1\"</d:getetag></d:prop></d:propstat></d:response>"
            )
        };
        let all: String = hrefs.iter().map(one).collect();
        format!("<?xml version=\"1.0\"?><d:multistatus xmlns:d=\"DAV:\">{all}</d:multistatus>")
    }

    #[test]
    fn an_answer_of_nextcloud_is_read() {
        let answer = r#"<?xml version="1.0"?>
<d:multistatus xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns" xmlns:oc="http://owncloud.org/ns">
 <d:response><d:href>/remote.php/dav/files/olena/%d0%97%d0%b0%d0%bf%d0%b8%d1%81%d0%b8/</d:href>
  <d:propstat><d:prop><d:resourcetype><d:collection/></d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>
  <d:propstat><d:prop><d:getcontentlength/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response>
 <d:response><d:href>/remote.php/dav/files/olena/%D0%97%D0%B0%D0%BF%D0%B8%D1%81%D0%B8/%D0%9D%D0%B0%D1%80%D0%B0%D0%B4%D0%B0%201.mp3</d:href>
  <d:propstat><d:prop><d:getlastmodified>Wed, 20 May 2026 10:00:00 GMT</d:getlastmodified><d:getcontentlength>4321</d:getcontentlength>
   <d:resourcetype/><d:getetag>&quot;abc&quot;</d:getetag><d:getcontenttype>audio/mpeg</d:getcontenttype></d:prop>
   <d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
</d:multistatus>"#;
        let found = read(answer).unwrap();
        assert_eq!(found.len(), 2);
        assert!(found[0].is_folder);
        assert_eq!(found[0].path, "");
        let file = Entry {
            path: "Нарада 1.mp3".to_owned(),
            is_folder: false,
            size: Some(4321),
            version: "\"abc\"".to_owned(),
            content_type: "audio/mpeg".to_owned(),
        };
        assert_eq!(found[1], file);
    }

    #[test]
    fn addresses_that_lead_elsewhere_are_ignored() {
        let hostile = answer(&[
            "/etc/passwd",
            "../../../../etc/a.mp3",
            "%2e%2e/%2e%2e/a.mp3",
            "https://evil.example.com/remote.php/dav/files/olena/Записи/a.mp3",
            "//evil.example.com/a.mp3",
            "/remote.php/dav/files/olena/Записи-2/a.mp3",
            "javascript:alert(1)",
            "",
        ]);
        let found = read(&hostile).unwrap();
        assert!(found.is_empty(), "{found:?}");
        let encoded = answer(&["a%2F..%2F..%2Fb.mp3"]);
        for entry in read(&encoded).unwrap() {
            assert!(!crate::names::is_acceptable(&entry.path), "{entry:?}");
        }
    }

    #[test]
    fn a_tag_with_very_many_attributes_is_refused_before_it_is_parsed() {
        let attributes: String = (0..200_000).map(|n| format!(" a{n}=\"\"")).collect();
        let wide = format!("<d:multistatus xmlns:d=\"DAV:\"{attributes}></d:multistatus>");
        assert!(matches!(read(&wide), Err(SourceError::NotWebdav)));
        let unclosed = format!("<d:multistatus xmlns:d=\"DAV:\"{attributes}");
        assert!(matches!(read(&unclosed), Err(SourceError::NotWebdav)));
        let deep = "<d:multistatus xmlns:d=\"DAV:\">".repeat(200_000);
        assert!(matches!(read(&deep), Err(SourceError::NotWebdav)));
        // A long text is no tag.
        let text = "x".repeat(MAX_TAG * 2);
        let long = format!("<d:multistatus xmlns:d=\"DAV:\">{text}</d:multistatus>");
        assert_eq!(read(&long).unwrap(), []);
    }

    #[test]
    fn other_documents_are_refused() {
        let bomb = r#"<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><d:multistatus xmlns:d="DAV:">&b;</d:multistatus>"#;
        let outside = r#"<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><d:multistatus xmlns:d="DAV:"><d:response><d:href>&a;</d:href></d:response></d:multistatus>"#;
        for text in [
            "",
            "not found",
            "<html></html>",
            "<multistatus/>",
            bomb,
            outside,
        ] {
            assert!(matches!(read(text), Err(SourceError::NotWebdav)), "{text}");
        }
    }
}
