//! Reads untrusted XML, and changes parts of it without touching its other bytes.

use std::ops::Range;

use roxmltree::{Document, Error, Node, ParsingOptions};

use super::refusal::TemplateRejection;

/// The namespace of Word's own elements.
pub const W: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/// The deepest nesting of elements.
const MAX_DEPTH: usize = 256;
/// The most attributes of one element: comparing them takes quadratic time.
const MAX_ATTRIBUTES: usize = 256;
/// The most namespace declarations of a part: each copies all that are in scope.
const MAX_NAMESPACES: usize = 2_000;
/// The most elements in all parts of a file; each takes some 100 bytes of memory.
pub const MAX_ELEMENTS: usize = 200_000;

/// Parses a part after checking its size. `left` is the remaining number of elements allowed.
pub fn checked<'a>(
    content: &'a [u8],
    budget: &mut usize,
) -> Result<Document<'a>, TemplateRejection> {
    let text = std::str::from_utf8(content).map_err(|_| TemplateRejection::Broken)?;
    scan(text, budget)?;
    parsed(text)
}

/// Parses a text that was [`checked`] before.
pub fn parsed(text: &str) -> Result<Document<'_>, TemplateRejection> {
    let options = ParsingOptions {
        nodes_limit: u32::try_from(4 * MAX_ELEMENTS).unwrap_or(u32::MAX),
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).map_err(|error| match error {
        Error::DtdDetected => TemplateRejection::Declares,
        Error::NodesLimitReached => TemplateRejection::TooMuch,
        _ => TemplateRejection::Broken,
    })
}

/// Scans the tags once, to reject documents that would cost the parser too much time or memory.
fn scan(text: &str, budget: &mut usize) -> Result<(), TemplateRejection> {
    let (mut depth, mut namespaces) = (0_usize, 0);
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let skipped = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")];
        if let Some((begins, ends)) = skipped.iter().find(|(begins, _)| rest.starts_with(begins)) {
            let inner = &rest[begins.len()..];
            let end = inner.find(ends).ok_or(TemplateRejection::Broken)?;
            rest = &inner[end + ends.len()..];
            continue;
        }
        if rest.starts_with('!') {
            return Err(TemplateRejection::Declares);
        }
        let tag = tag(rest).ok_or(TemplateRejection::Broken)?;
        rest = &rest[tag.length..];
        namespaces += tag.namespaces;
        if tag.closes {
            depth = depth.saturating_sub(1);
            continue;
        }
        *budget = budget.checked_sub(1).ok_or(TemplateRejection::TooMuch)?;
        if !tag.is_empty {
            depth += 1;
        }
        if depth > MAX_DEPTH || tag.attributes > MAX_ATTRIBUTES || namespaces > MAX_NAMESPACES {
            return Err(TemplateRejection::TooMuch);
        }
    }
    Ok(())
}

/// The properties of a tag that the scan finds.
struct Tag {
    /// Bytes after its `<`, including its `>`.
    length: usize,
    attributes: usize,
    namespaces: usize,
    closes: bool,
    is_empty: bool,
}

fn tag(text: &str) -> Option<Tag> {
    let (mut quote, mut attributes) = (None, 0);
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'=') => attributes += 1,
            (None, b'>') => {
                let inner = &text[..at];
                return Some(Tag {
                    length: at + 1,
                    attributes,
                    namespaces: inner.matches("xmlns").count(),
                    closes: inner.starts_with('/'),
                    is_empty: inner.ends_with('/'),
                });
            }
            _ => {}
        }
    }
    None
}

/// Whether it is the element of this name in Word's namespace.
pub fn is(node: Node<'_, '_>, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name && node.tag_name().namespace() == Some(W)
}

/// An attribute in Word's namespace.
pub fn value<'a>(node: Node<'a, '_>, name: &'static str) -> Option<&'a str> {
    node.attribute((W, name))
}

/// The child element of this name in Word's namespace.
pub fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| is(*child, name))
}

/// The namespace prefix in the element's tag, with the colon.
pub fn prefix<'t>(node: Node<'_, '_>, text: &'t str) -> &'t str {
    let tag = &text[node.range().start + 1..];
    let name = node.tag_name().name();
    let end = tag.find(['>', '/', ' ', '\t', '\r', '\n']);
    let qualified = &tag[..end.unwrap_or(tag.len())];
    qualified.strip_suffix(name).unwrap_or_default()
}

/// A replacement of a range of a text.
#[derive(Debug)]
pub struct Splice {
    /// The range; an empty one is an insertion point.
    pub range: Range<usize>,
    /// The replacement.
    pub with: String,
}

impl Splice {
    /// An insertion.
    pub const fn at(place: usize, with: String) -> Self {
        Self {
            range: place..place,
            with,
        }
    }

    /// Inserts at the end of an element, even if it has no end tag.
    pub fn at_end_of(node: Node<'_, '_>, text: &str, with: &str) -> Self {
        let range = node.range();
        let element = &text[range.clone()];
        if element.ends_with("/>") {
            let (prefix, name) = (prefix(node, text), node.tag_name().name());
            return Self {
                range: range.end - 2..range.end,
                with: format!(">{with}</{prefix}{name}>"),
            };
        }
        let end = element.rfind("</").unwrap_or(element.len());
        Self::at(range.start + end, with.to_owned())
    }
}

/// Applies all splices; they must not overlap.
pub fn spliced(text: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|splice| (splice.range.start, splice.range.end));
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for splice in splices {
        result.push_str(text.get(at..splice.range.start).unwrap_or_default());
        result.push_str(&splice.with);
        at = splice.range.end;
    }
    result.push_str(text.get(at..).unwrap_or_default());
    result
}
