//! Where the text is inserted into a document, and the markup around it.

use roxmltree::{Document, Node};

use super::placeholders::{Paragraph, Placeholder};
use super::xml::{self, Splice, child, is, value};

/// Whether the transcript can be inserted at this paragraph.
pub fn is_insertion_point(paragraph: &Paragraph<'_, '_>) -> bool {
    let node = paragraph.node;
    let can_contain = |above: Node<'_, '_>| {
        ["body", "tc", "sdtContent"]
            .iter()
            .any(|name| is(above, name))
    };
    paragraph.placeholders().contains(&Placeholder::Transcript)
        && node.parent().is_some_and(can_contain)
        && !node.ancestors().any(|above| is(above, "txbxContent"))
}

/// The id of a paragraph's style.
pub fn style_of<'a>(paragraph: Node<'a, '_>) -> Option<&'a str> {
    let style = child(child(paragraph, "pPr")?, "pStyle")?;
    value(style, "val")
}

/// Marks the position of the text within surrounding markup.
pub const BLOCKS: &str = "{{blocks}}";

/// Replaces the paragraph with the placeholder, or inserts next to it.
pub fn at_paragraph(paragraph: &Paragraph<'_, '_>) -> Splice {
    let range = paragraph.node.range();
    if paragraph.is_only_placeholder() {
        return Splice {
            range,
            with: String::new(),
        };
    }
    let place = if paragraph.ends_section() {
        range.start
    } else {
        range.end
    };
    Splice::at(place, String::new())
}

/// Inserts at the end of the last section and replaces empty paragraphs there.
pub fn at_end(body: Node<'_, '_>, text: &str) -> Splice {
    let elements: Vec<_> = body.children().filter(Node::is_element).collect();
    let section = elements.last().filter(|last| is(**last, "sectPr"));
    let blocks = &elements[..elements.len() - usize::from(section.is_some())];
    let is_empty = |block: &Node<'_, '_>| {
        let mut inner = block.descendants().filter(Node::is_element);
        is(*block, "p") && inner.all(|node| ["p", "pPr", "rPr"].iter().any(|name| is(node, name)))
    };
    match (blocks, section) {
        ([first, .., last], _) if blocks.iter().all(is_empty) => Splice {
            range: first.range().start..last.range().end,
            with: String::new(),
        },
        ([only], _) if is_empty(only) => Splice {
            range: only.range(),
            with: String::new(),
        },
        (_, Some(section)) => Splice::at(section.range().start, String::new()),
        ([.., last], None) => Splice::at(last.range().end, String::new()),
        ([], None) => Splice::at_end_of(body, text, BLOCKS),
    }
}

/// The section that contains this position: the first one that ends after it.
pub fn section_after<'a, 'i>(document: &'a Document<'i>, place: usize) -> Option<Node<'a, 'i>> {
    let ends = |node: &Node<'_, '_>| {
        let of_body = |above: Node<'_, '_>| is(above, "pPr") || is(above, "body");
        is(*node, "sectPr") && node.range().end > place && node.parent().is_some_and(of_body)
    };
    document.descendants().find(ends)
}

/// Enables line numbers in a section, unless it has its own.
pub fn numbers(section: Node<'_, '_>, text: &str) -> Option<Splice> {
    if child(section, "lnNumType").is_some() {
        return None;
    }
    let prefix = xml::prefix(section, text);
    let numbers = format!("<{prefix}lnNumType w:countBy=\"1\" w:restart=\"newPage\"/>");
    // The schema prescribes the order of elements.
    let before = [
        "headerReference",
        "footerReference",
        "footnotePr",
        "endnotePr",
        "type",
        "pgSz",
        "pgMar",
        "paperSrc",
        "pgBorders",
    ];
    let mut children = section.children().filter(Node::is_element);
    let last = children.rfind(|node| before.iter().any(|name| is(*node, name)));
    if let Some(last) = last {
        return Some(Splice::at(last.range().end, numbers));
    }
    let first = section.children().find(Node::is_element);
    Some(match first {
        Some(first) => Splice::at(first.range().start, numbers),
        None => Splice::at_end_of(section, text, &numbers),
    })
}
